//! Generated rows: the same in any order and on any number of threads, and of the right law.
//!
//! Statistical tests run at fixed seeds; each says how often it would fail for a right generator.
use data::{FeatureToyLaw, GaussianLaw, Generated, HeavyLogisticLaw, Law, LogisticLaw};
use debias::Seed;
use posterior::{DenseBlock, Rows, pass, subset};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT, Uniform};

/// Every law by its name, 10⁸ rows each.
fn every_law(mut check: impl FnMut(&str, &dyn Rows<Block = DenseBlock>)) {
    const N: usize = 100_000_000;
    let seed = Seed(7);
    check("logistic", &Generated::new(LogisticLaw::paper(), seed, N));
    check("log-gaussian", &Generated::new(GaussianLaw::log_gaussian(), seed, N));
    check("streaming", &Generated::new(GaussianLaw::streaming(), seed, N));
    let toy = FeatureToyLaw::new(100, 25.0, 25.0, seed.child("basis"));
    check("feature toy", &Generated::new(toy, seed, N));
    let heavy = HeavyLogisticLaw::new(20, -2.5, seed.child("weights"));
    check("heavy logistic", &Generated::new(heavy, seed, N));
}

/// The row at one place of a block.
fn row(block: &DenseBlock, at: usize) -> Vec<f64> {
    let covariates = (0..block.width()).map(|j| block.column(j)[at]);
    covariates.chain([block.targets()[at]]).collect()
}

#[test]
fn a_row_is_the_same_in_any_company() {
    every_law(|name, rows| {
        let start = 12_345_678;
        let range = rows.range(start..start + 300);
        let mut order = subset(300, 300, &mut Seed(1).stream(0));
        order.extend([0, 299, 0]);
        let gathered = rows.gather(&order.iter().map(|i| start + i).collect::<Vec<_>>());
        for (at, &i) in order.iter().enumerate() {
            assert_eq!(row(&gathered, at), row(&range, i), "{name}: row {}", start + i);
            let alone = rows.range(start + i..start + i + 1);
            assert_eq!(row(&alone, 0), row(&range, i), "{name}: row {} alone", start + i);
        }
        let last = rows.count() - 1;
        assert_eq!(row(&rows.gather(&[last]), 0), row(&rows.range(last..last + 1), 0), "{name}");
        assert_ne!(row(&range, 0), row(&range, 1), "{name}");
    });
}

#[test]
fn a_pass_is_the_same_on_any_number_of_threads() {
    let rows = Generated::new(LogisticLaw::paper(), Seed(7), 100_003);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads can be had").install(|| {
            let bits = |block: DenseBlock| {
                let values = block.padded_values().iter().chain(block.padded_targets());
                values.fold(0u64, |hash, value| hash.rotate_left(5) ^ value.to_bits())
            };
            pass(&rows, bits, 0, |total, part| *total = total.wrapping_mul(31) ^ part)
        })
    };
    assert_eq!(on(1), on(2));
    assert_eq!(on(1), on(5));
}

/// The rows are part of every stored result: a change here is a change of all numbers.
#[test]
fn the_first_rows_are_pinned() {
    let rows = Generated::new(LogisticLaw::paper(), Seed(2015), 100_000_000);
    let block = rows.gather(&[0, 99_999_999]);
    assert_eq!([block.column(0)[0], block.column(1)[0], block.column(8)[1]], PINNED);
    let rows = Generated::new(GaussianLaw::log_gaussian(), Seed(2015), 1 << 26);
    assert_eq!(rows.range(3..4).column(0)[0], PINNED_LOG_GAUSSIAN);
}

const PINNED: [f64; 3] = [0.030527819388759116, 0.12336441653973768, 0.11789872889163394];
const PINNED_LOG_GAUSSIAN: f64 = -1.4168285939561536;

#[test]
#[should_panic(expected = "row 10 of 10 was asked for")]
fn rows_beyond_the_last_do_not_exist() {
    Generated::new(GaussianLaw::streaming(), Seed(1), 10).gather(&[3, 10]);
}

/// Fails for a right generator once in about sixteen thousand seeds.
#[track_caller]
fn assert_z(name: &str, value: f64, mean: f64, deviation: f64) {
    let z = (value - mean) / deviation;
    assert!(z.abs() < 4.0, "{name}: {value}, expected {mean} ± {deviation}, z = {z}");
}

/// Kolmogorov & Smirnov: √n sup |F_n − F| exceeds 2.3 with probability 2 e^{−2·2.3²} ≈ 5·10⁻⁵.
#[track_caller]
fn assert_law(name: &str, mut values: Vec<f64>, law: &impl ContinuousCDF<f64, f64>) {
    values.sort_by(f64::total_cmp);
    let count = values.len() as f64;
    let distance = values.iter().enumerate().fold(0.0f64, |largest, (i, &x)| {
        let exact = law.cdf(x);
        largest.max(exact - i as f64 / count).max((i + 1) as f64 / count - exact)
    });
    assert!(distance * count.sqrt() < 2.3, "{name}: √n D = {}", distance * count.sqrt());
}

fn standard() -> Normal {
    Normal::new(0.0, 1.0).expect("a normal law")
}

#[test]
fn normals_have_the_right_moments_tails_and_law() {
    let rows = Generated::new(GaussianLaw { mean: 0.0, deviation: 1.0 }, Seed(11), 16_000_000);
    let count = rows.count() as f64;
    let block = rows.range(0..rows.count());
    let values = block.column(0);
    let moment = |k: i32| values.iter().map(|z| z.powi(k)).sum::<f64>() / count;
    // Var z^k = E z^{2k} − (E z^k)².
    for (k, mean, variance) in
        [(1, 0.0, 1.0), (2, 1.0, 2.0), (3, 0.0, 15.0), (4, 3.0, 96.0), (6, 15.0, 10_170.0)]
    {
        assert_z(&format!("moment {k}"), moment(k), mean, f64::sqrt(variance / count));
    }
    for bound in [3.0, 4.0, 4.5] {
        let p = 2.0 * standard().sf(bound);
        let beyond = values.iter().filter(|z| z.abs() > bound).count() as f64;
        assert_z(&format!("beyond {bound}"), beyond, count * p, f64::sqrt(count * p * (1.0 - p)));
    }
    assert_law("normal", values[..2_000_000].to_vec(), &standard());
}

/// 45 pairs of ten columns, five lags, each as such, squared and in absolute value: 150 sums of
/// which a right generator puts one beyond 5 once in some ten thousand seeds.
#[test]
fn normals_are_independent_of_each_other() {
    let law = LogisticLaw { scale: 1.0, weights: vec![0.0; 10], bias: 0.0 };
    let rows = Generated::new(law, Seed(12), 1_000_000);
    let block = rows.range(0..rows.count());
    let count = rows.count() as f64;
    type Power = (fn(f64) -> f64, f64);
    let powers: [Power; 3] = [
        (|z| z, 1.0),
        (|z| z * z - 1.0, 2.0),
        (|z| z.abs() - (2.0 / std::f64::consts::PI).sqrt(), 1.0 - 2.0 / std::f64::consts::PI),
    ];
    for (power, variance) in powers {
        let check = |name: String, a: &[f64], b: &[f64]| {
            let sum: f64 = a.iter().zip(b).map(|(x, y)| power(*x) * power(*y)).sum();
            let z = sum / (variance * count.sqrt());
            assert!(z.abs() < 5.0, "{name}: z = {z}");
        };
        for j in 0..10 {
            for k in 0..j {
                check(format!("columns {j} and {k}"), block.column(j), block.column(k));
            }
        }
        for lag in 1..=5 {
            let column = block.column(3);
            check(format!("lag {lag}"), &column[lag..], column);
        }
    }
}

/// Neighbouring seeds and the two normals of one word share nothing.
#[test]
fn pairs_fill_the_plane_evenly() {
    let law = LogisticLaw { scale: 1.0, weights: vec![0.0; 2], bias: 0.0 };
    let rows = Generated::new(law, Seed(13), 1_000_000);
    let block = rows.range(0..rows.count());
    let mut angles = vec![0u32; 360];
    let mut radii = Vec::new();
    for (x, y) in block.column(0).iter().zip(block.column(1)) {
        let turn = (y.atan2(*x) / std::f64::consts::TAU + 1.0).fract();
        angles[(turn * 360.0) as usize % 360] += 1;
        radii.push((-0.5 * (x * x + y * y)).exp());
    }
    let expected = rows.count() as f64 / 360.0;
    let statistic: f64 = angles.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
    assert_z("χ² of angles", statistic, 359.0, f64::sqrt(2.0 * 359.0));
    assert_law("e^{−r²/2}", radii, &Uniform::new(0.0, 1.0).expect("a uniform law"));
    let next = Generated::new(GaussianLaw { mean: 0.0, deviation: 1.0 }, Seed(14), 1_000_000);
    let next = next.range(0..next.count());
    let sum: f64 = next.column(0).iter().zip(block.column(0)).map(|(x, y)| x * y).sum();
    assert_z("two seeds", sum, 0.0, f64::sqrt(rows.count() as f64));
}

#[test]
fn labels_follow_the_logistic_law() {
    let law = LogisticLaw { scale: 1.0, weights: vec![0.7, -1.3, 2.0], bias: 0.4 };
    let rows = Generated::new(law.clone(), Seed(15), 1_000_000);
    let block = rows.range(0..rows.count());
    assert!(block.targets().iter().all(|y| y.abs() == 1.0));
    // Σ (y⁺ − p) x_j has mean zero and variance Σ p(1 − p) x_j².
    for j in 0..4 {
        let (mut sum, mut variance) = (0.0, 0.0);
        for i in 0..rows.count() {
            let x = |j: usize| if j == 3 { 1.0 } else { block.column(j)[i] };
            let eta: f64 = law.bias + (0..3).map(|k| law.weights[k] * x(k)).sum::<f64>();
            let p = 1.0 / (1.0 + (-eta).exp());
            sum += (f64::from(block.targets()[i] > 0.0) - p) * x(j);
            variance += p * (1.0 - p) * x(j) * x(j);
        }
        assert_z(&format!("score {j}"), sum, 0.0, variance.sqrt());
    }
}

#[test]
fn the_papers_settings_have_the_right_scale() {
    let rows = Generated::new(LogisticLaw::paper(), Seed(16), 1_000_000);
    assert_eq!((LogisticLaw::paper().width(), LogisticLaw::paper().words()), (9, 6));
    let block = rows.range(0..rows.count());
    let column: Vec<f64> = block.column(8).iter().map(|x| 10.0 * x).collect();
    assert_law("x/0.1", column, &standard());
    let positives = block.targets().iter().filter(|y| **y > 0.0).count() as f64;
    assert_z("half are positive", positives, 500_000.0, 500.0);
    let rows = Generated::new(GaussianLaw::log_gaussian(), Seed(16), 1_000_000);
    let logs = rows.range(0..rows.count()).column(0).to_vec();
    assert_law("ln x", logs, &Normal::new(0.0, 2f64.sqrt()).expect("a normal law"));
    let rows = Generated::new(GaussianLaw::streaming(), Seed(16), 1_000_000);
    let stream = rows.range(0..rows.count()).column(0).to_vec();
    assert_law("stream", stream, &Normal::new(10.0, 5000.0).expect("a normal law"));
}

#[test]
fn the_toy_regression_is_a_function_plus_noise() {
    let law = FeatureToyLaw::new(100, 25.0, 4.0, Seed(17).child("basis"));
    let rows = Generated::new(law.clone(), Seed(17), 100_000);
    let block = rows.range(0..rows.count());
    let uniform = Uniform::new(0.0, 10.0).expect("a uniform law");
    assert_law("x", block.column(0).to_vec(), &uniform);
    let noise = block.column(0).iter().zip(block.targets()).map(|(&x, y)| y - law.function(x));
    assert_law("noise", noise.collect(), &Normal::new(0.0, 2.0).expect("a normal law"));
    // Over bases f(x) has variance σ²; 400 of them, nearly normal, at one x.
    let square = |k| FeatureToyLaw::new(100, 25.0, 4.0, Seed(k)).function(3.0).powi(2);
    let mean = (0..400).map(square).sum::<f64>() / 400.0;
    assert_z("prior variance", mean, 25.0, 25.0 * f64::sqrt(2.0 / 400.0) * 1.1);
}

#[test]
fn the_hard_regression_has_students_tails() {
    let law = HeavyLogisticLaw::new(1, 0.0, Seed(18));
    let rows = Generated::new(law, Seed(18), 200_000);
    let block = rows.range(0..rows.count());
    // One covariate is t₄ times an unknown number; its median absolute value tells which.
    let student = StudentsT::new(0.0, 1.0, 4.0).expect("Student's law");
    let mut sizes: Vec<f64> = block.column(0).iter().map(|x| x.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    let scale = sizes[100_000] / student.inverse_cdf(0.75);
    assert_law("t₄", block.column(0).iter().map(|x| x / scale).collect(), &student);
    let law = HeavyLogisticLaw::new(20, -2.5, Seed(19));
    let rows = Generated::new(law.clone(), Seed(20), 100_000);
    let targets = rows.range(0..rows.count());
    let positives = targets.targets().iter().filter(|y| **y > 0.0).count();
    assert!((5_000..20_000).contains(&positives), "{positives} of 100 000 are positive");
    assert_eq!((law.weights().len(), law.bias()), (20, -2.5));
}
