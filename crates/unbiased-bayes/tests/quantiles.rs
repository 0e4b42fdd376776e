//! Quantiles, sds, covariances and chances, against quadrature and against long runs of NUTS. Fixed seeds;
//! |z| < 4 fails for a right estimator once in sixteen thousand, so any test here, with at most 250
//! numbers, once in sixty seeds at worst.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use data::{Generated, HeavyLogisticLaw};
use unbiased_bayes::{
    Answer, Combination, DenseBlock, DenseLogistic, DenseRows, Estimated, Estimation, Functional,
    GeneralisedLinear, Method, Poisson, Prior, Seed, Smooth, Target,
};

/// A number in [0, 1) that looks random.
fn noise(i: usize) -> f64 {
    let x = ((i + 1) as f64 * 12.9898).sin() * 43_758.545;
    x - x.floor()
}

/// Few positives: a posterior that is skewed.
fn few_positives() -> (Vec<f64>, Vec<f64>) {
    let x: Vec<f64> = (0..150).map(|i| 3.0 * noise(7 * i) - 1.5).collect();
    let y = x.iter().enumerate().map(|(i, x)| {
        if noise(3 * i + 1) < 1.0 / (1.0 + (3.5 - 1.2 * x).exp()) { 1.0 } else { -1.0 }
    });
    let y = y.collect();
    (x, y)
}

const SD: f64 = 4.0;

/// The posterior of (weight, bias) on a grid: the middles of cells, and probabilities that add up to one. The
/// weights 0 and 1 lie between two cells, so that chances to be beyond them are right, too.
fn grid(x: &[f64], y: &[f64]) -> Vec<([f64; 2], f64)> {
    let density = |weight: f64, bias: f64| -> f64 {
        let rows = x.iter().zip(y).map(|(x, y)| -(-y * (weight * x + bias)).exp().ln_1p());
        rows.sum::<f64>() - 0.5 * (weight * weight + bias * bias) / (SD * SD)
    };
    let axis = |low: f64, high: f64, cells: u32| {
        (0..cells).map(move |i| low + (high - low) * (f64::from(i) + 0.5) / f64::from(cells))
    };
    let mut all: Vec<([f64; 2], f64)> = axis(-2.5, 6.0, 340)
        .flat_map(|weight| axis(-9.0, 0.0, 320).map(move |bias| [weight, bias]))
        .map(|at| (at, density(at[0], at[1])))
        .collect();
    let largest = all.iter().map(|one| one.1).fold(f64::NEG_INFINITY, f64::max);
    all.iter_mut().for_each(|one| one.1 = (one.1 - largest).exp());
    let total: f64 = all.iter().map(|one| one.1).sum();
    all.iter_mut().for_each(|one| one.1 /= total);
    all
}

fn expectation(grid: &[([f64; 2], f64)], f: impl Fn(&[f64; 2]) -> f64) -> f64 {
    grid.iter().map(|(at, mass)| mass * f(at)).sum()
}

/// The quantile of one coordinate: masses of its places, spread evenly between half-way marks.
fn quantile(grid: &[([f64; 2], f64)], coordinate: usize, probability: f64) -> f64 {
    let mut marginal: Vec<(f64, f64)> = Vec::new();
    let mut sorted: Vec<(f64, f64)> =
        grid.iter().map(|(at, mass)| (at[coordinate], *mass)).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (place, mass) in sorted {
        match marginal.last_mut() {
            Some(last) if (last.0 - place).abs() < 1e-9 => last.1 += mass,
            _ => marginal.push((place, mass)),
        }
    }
    let width = marginal[1].0 - marginal[0].0;
    let mut below = 0.0;
    for (place, mass) in marginal {
        if below + mass >= probability {
            return place + width * ((probability - below) / mass - 0.5);
        }
        below += mass;
    }
    unreachable!("masses add up to one")
}

#[track_caller]
fn close(name: &str, value: f64, error: f64, bias: f64, truth: f64) {
    let z = ((value - truth).abs() - bias).max(0.0) / error;
    assert!(z < 4.0, "{name}: {value} ± {error} where {truth} is right, z = {z:.1}");
}

/// Faults: a residual u − q for u + q; the sensitivity of the other threshold; the variance of the sum
/// for that of the difference.
#[test]
fn every_functional_against_quadrature() {
    let (x, y) = few_positives();
    let grid = grid(&x, &y);
    let mean = [0, 1].map(|j| expectation(&grid, |at| at[j]));
    let covariance =
        |i: usize, j: usize| expectation(&grid, |at| (at[i] - mean[i]) * (at[j] - mean[j]));
    let (v, w, c) = (covariance(0, 0), covariance(1, 1), covariance(0, 1));
    let sum = Combination(vec![(0, 1.0), (1, 1.0)]);
    let asked: Vec<(Functional, f64)> = vec![
        (Functional::Mean(0), mean[0]),
        (Functional::Mean(1), mean[1]),
        (Functional::Variance(0), v),
        (Functional::Deviation(1), w.sqrt()),
        (Functional::Covariance(0, 1), c),
        (Functional::Correlation(0, 1), c / (v * w).sqrt()),
        (Functional::Linear(sum.clone()), mean[0] + mean[1]),
        (
            Functional::Below(sum, -2.0),
            expectation(&grid, |at| f64::from(u8::from(at[0] + at[1] <= -2.0))),
        ),
        (
            Functional::Below(Combination::coordinate(0), 0.0),
            expectation(&grid, |at| f64::from(u8::from(at[0] <= 0.0))),
        ),
        (Functional::prediction(|theta| theta[0].exp()), expectation(&grid, |at| at[0].exp())),
        (
            Functional::probability(|theta| theta[0] > 1.0),
            expectation(&grid, |at| f64::from(u8::from(at[0] > 1.0))),
        ),
        (Functional::Quantile(Combination::coordinate(0), 0.9), quantile(&grid, 0, 0.9)),
    ];
    let rows: Vec<[f64; 1]> = x.iter().map(|&x| [x]).collect();
    let rows = DenseRows::from_rows(&rows, &y).unwrap();
    let model = DenseLogistic::new(1, Prior::Gaussian { standard_deviation: SD }).unwrap();
    for method in [Method::Nuts, Method::Anchored] {
        let named = asked.iter().map(|(f, _)| (format!("{method:?} {f:?}"), f.clone()));
        let question = Estimation::new(&model, &rows).asking(named.collect()).method(method);
        let answer = question.target(Target::PosteriorSds(0.01)).run().unwrap();
        assert_eq!(answer.method, method);
        for (one, (_, truth)) in answer.estimates.iter().zip(&asked) {
            // The grid knows indicators to a cell only.
            let bias = one.bias.unwrap_or(0.0).abs() + 2e-3 * truth.abs().min(1.0);
            close(&one.name, one.summary.mean, one.summary.standard_error, bias, *truth);
        }
        for (j, sd) in [v, w].map(f64::sqrt).into_iter().enumerate() {
            let one = &answer.estimates[j];
            close("sd", one.posterior_sd.unwrap(), one.sd_error.unwrap(), 0.0, sd);
            assert_eq!(one.quantiles.len(), 3);
            for found in &one.quantiles {
                let truth = quantile(&grid, j, found.probability);
                let name = format!("{method:?} {} of {j}", found.probability);
                close(&name, found.value, found.standard_error, found.bias, truth);
                // An indicator alone, of as many draws, would have four times this error at best.
                assert!(found.standard_error < 0.05 * sd, "{name}: {found:?}");
            }
        }
    }
}

fn compare(name: &str, answer: &Answer, long: &Answer) {
    let pairs = answer.estimates.iter().zip(&long.estimates);
    let z = |a: (f64, f64), b: (f64, f64), bias: f64| {
        ((a.0 - b.0).abs() - bias).max(0.0) / a.1.hypot(b.1)
    };
    for (one, other) in pairs {
        let sd = |one: &Estimated| (one.posterior_sd.unwrap(), one.sd_error.unwrap());
        let found = z(sd(one), sd(other), 0.0);
        assert!(found < 4.0, "{name}: the sds of {} are {found:.1} errors apart", one.name);
        for (a, b) in one.quantiles.iter().zip(&other.quantiles) {
            let found =
                z((a.value, a.standard_error), (b.value, b.standard_error), a.bias + b.bias);
            assert!(found < 4.0, "{name}: {} {a:?} {b:?}, z = {found:.1}", one.name);
        }
    }
}

fn both<R, M>(name: &str, rows: &R, model: &M)
where
    R: unbiased_bayes::Rows,
    M: Smooth<Block = R::Block>,
{
    let run = |method, share, seed| {
        let question = Estimation::new(model, rows).method(method).seed(seed);
        question.target(Target::PosteriorSds(share)).run().unwrap()
    };
    let (ours, long) = (run(Method::Anchored, 0.05, 1), run(Method::Nuts, 0.005, 2));
    assert_eq!(ours.method, Method::Anchored);
    compare(name, &ours, &long);
}

/// Heavy tails; counts under a Laplace prior, whose kinks are kept; a dummy in twelve rows, all positive.
#[test]
fn quantiles_of_the_path_against_long_chains() {
    let heavy = Generated::new(HeavyLogisticLaw::new(8, -2.0, Seed(5)), Seed(4), 1 << 12);
    let model = DenseLogistic::new(8, Prior::Gaussian { standard_deviation: 2.0 }).unwrap();
    both("heavy", &heavy, &model);
    let mut block = DenseBlock::zeros(1 << 11, 2);
    for i in 0..1 << 11 {
        let x = noise(5 * i) - 0.5;
        block.column_mut(0)[i] = x;
        block.column_mut(1)[i] = f64::from(u8::from(i % 200 == 0));
        block.targets_mut()[i] = ((0.8 * x).exp() * -(noise(9 * i + 2)).ln()).floor();
    }
    let model = GeneralisedLinear::new(Poisson, 2, Prior::Laplace { scale: 0.3 }).unwrap();
    both("counts", &DenseRows::new(block), &model);
    let mut block = DenseBlock::zeros(1 << 12, 2);
    for i in 0..1 << 12 {
        let (x, rare) = (2.0 * noise(3 * i) - 1.0, i % 350 == 0);
        block.column_mut(0)[i] = x;
        block.column_mut(1)[i] = f64::from(u8::from(rare));
        let positive = rare || noise(11 * i + 4) < 1.0 / (1.0 + (1.0 - x).exp());
        block.targets_mut()[i] = if positive { 1.0 } else { -1.0 };
    }
    let model = DenseLogistic::new(2, Prior::Gaussian { standard_deviation: 2.5 }).unwrap();
    both("rare", &DenseRows::new(block), &model);
}

/// One seed, one answer, on any number of threads.
#[test]
fn quantiles_do_not_depend_on_threads() {
    let rows = Generated::new(HeavyLogisticLaw::new(4, -1.0, Seed(5)), Seed(4), 1 << 12);
    let model = DenseLogistic::new(4, Prior::Gaussian { standard_deviation: 2.0 }).unwrap();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let question = Estimation::new(&model, &rows).method(Method::Anchored);
            question.certify(Vec::new()).unwrap()
        })
    };
    let (one, three) = (run(1), run(3));
    assert_eq!(one.estimates, three.estimates);
    assert_eq!(one.approximations, three.approximations);
}

/// exp(w + 1) of a skewed posterior, whose quantiles are those of w taken to the exponential, by both
/// methods, and whose mean is that of quadrature.
#[test]
fn an_exponential_has_quantiles() {
    let (x, y) = few_positives();
    let grid = grid(&x, &y);
    let mut block = DenseBlock::zeros(x.len(), 1);
    block.column_mut(0).copy_from_slice(&x);
    block.targets_mut().copy_from_slice(&y);
    let rows = DenseRows::new(block);
    let model = DenseLogistic::new(1, Prior::Gaussian { standard_deviation: SD }).unwrap();
    for method in [Method::Anchored, Method::Nuts] {
        let asked = Functional::Exponential(Combination::coordinate(0), 1.0);
        let question = Estimation::new(&model, &rows).method(method).seed(3);
        let question = question.asking(vec![("odds".to_owned(), asked)]);
        let answer = question.target(Target::PosteriorSds(0.02)).run().unwrap();
        let one = &answer.estimates[0];
        let mean = expectation(&grid, |at| (at[0] + 1.0).exp());
        assert!((one.summary.mean - mean).abs() < 4.0 * one.summary.standard_error, "{one:?}");
        assert_eq!(one.quantiles.len(), 3);
        for found in &one.quantiles {
            let exact = (quantile(&grid, 0, found.probability) + 1.0).exp();
            let error = found.standard_error + found.bias;
            assert!((found.value - exact).abs() < 4.0 * error, "{found:?} for {exact}");
            assert!(found.interval.low < found.value && found.value < found.interval.high);
        }
    }
}
