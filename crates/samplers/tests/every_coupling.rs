//! What every coupling must do: right marginals, meetings, chains that stay together, no bias.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use debias::{Rng, Seed};
use posterior::Target;
use rand::RngExt;
use rand_distr::StandardNormal;
use samplers::{
    CoupledKernel, CoupledWalk, CouplingError, Frame, Hmc, Independence, Lagged, Mixture,
    RandomWalk, Student, WalkCoupling, maximal, reflection, total_variation_bound,
};
use statrs::distribution::{ContinuousCDF, Normal};
use std::sync::LazyLock;
use support::{
    Counting, KS_CRITICAL, assert_mean, kolmogorov_smirnov, logistic, mean_and_error, quadrature,
};

fn walk(coupling: WalkCoupling) -> CoupledWalk {
    CoupledWalk { walk: RandomWalk { scale: 0.9 }, coupling }
}

fn mixture() -> Mixture {
    Mixture {
        hmc: Hmc { step_size: 0.4, steps: 4 },
        walk: RandomWalk { scale: 0.2 },
        walk_probability: 0.15,
    }
}

fn independence() -> Independence {
    Independence { proposal: Student::new(Frame::standard(2), 4.0).unwrap() }
}

/// Runs one check on every coupled kernel.
macro_rules! for_every_coupling {
    ($check:ident) => {
        $check("maximal walk", &walk(WalkCoupling::Maximal));
        $check("reflected walk", &walk(WalkCoupling::Reflection));
        $check("hmc and walk", &mixture());
        $check("independence", &independence());
    };
}

/// Observes both coordinates.
fn identity(theta: &[f64]) -> Vec<f64> {
    theta.to_vec()
}

/// Four comparisons for each of four kernels, each with a false-alarm rate of one in ten thousand:
/// a right coupling fails once in about six hundred seeds.
fn marginals<K: CoupledKernel>(name: &str, kernel: &K) {
    const PAIRS: u64 = 6_000;
    const STEPS: usize = 3;
    let (here, there) = ([1.5, -1.0], [-0.5, 0.5]);
    let seed = Seed(31).child(name);
    let mut target = Counting::new(2, logistic);
    let mut ends: [Vec<Vec<f64>>; 4] = Default::default();
    for pair in 0..PAIRS {
        let mut rng = seed.child("pair").stream(pair);
        let mut first = kernel.init(&mut target, &here).unwrap();
        let mut second = kernel.init(&mut target, &there).unwrap();
        for _ in 0..STEPS {
            kernel.step_both(&mut target, &mut first, &mut second, &mut rng);
        }
        ends[0].push(kernel.point(&first).position.clone());
        ends[1].push(kernel.point(&second).position.clone());
        for (index, start) in [here, there].iter().enumerate() {
            let mut rng = seed.child("alone").stream(2 * pair + index as u64);
            let mut state = kernel.init(&mut target, start).unwrap();
            for _ in 0..STEPS {
                kernel.step(&mut target, &mut state, &mut rng);
            }
            ends[2 + index].push(kernel.point(&state).position.clone());
        }
    }
    let coordinate =
        |index: usize, j: usize| -> Vec<f64> { ends[index].iter().map(|theta| theta[j]).collect() };
    for index in 0..2 {
        for j in 0..2 {
            let statistic = kolmogorov_smirnov(&coordinate(index, j), &coordinate(index + 2, j));
            assert!(statistic < KS_CRITICAL, "{name}, chain {index}, θ_{j}: {statistic}");
        }
    }
}

#[test]
fn each_chain_by_itself_is_the_plain_kernel() {
    for_every_coupling!(marginals);
}

fn stays<K: CoupledKernel>(name: &str, kernel: &K) {
    let mut target = Counting::new(2, logistic);
    let mut rng = Seed(32).child(name).stream(0);
    let mut first = kernel.init(&mut target, &[0.3, 0.1]).unwrap();
    let mut second = first.clone();
    let mut moves = 0;
    for _ in 0..500 {
        let before = kernel.point(&first).position.clone();
        kernel.step_both(&mut target, &mut first, &mut second, &mut rng);
        assert_eq!(kernel.point(&first), kernel.point(&second), "{name}");
        moves += usize::from(kernel.point(&first).position != before);
    }
    assert!(moves > 50, "{name} moved {moves} times");
}

#[test]
fn chains_that_are_together_stay_together() {
    for_every_coupling!(stays);
}

/// Draws a start far from where the posterior is.
fn start(rng: &mut Rng) -> Vec<f64> {
    (0..2).map(|_| -2.5 + 0.5 * rng.sample::<f64, _>(StandardNormal)).collect()
}

fn estimates<K: CoupledKernel>(
    kernel: &K,
    lagged: &Lagged,
    seed: Seed,
    count: u64,
) -> Vec<samplers::Unbiased> {
    (0..count)
        .map(|index| {
            let mut target = Counting::new(2, logistic);
            let mut rng = seed.stream(index);
            let (one, two) = (start(&mut rng), start(&mut rng));
            lagged.estimate(kernel, &mut target, (&one, &two), &identity, &mut rng).unwrap()
        })
        .collect()
}

/// The posterior mean and sd of a weight.
fn truth(j: usize) -> (f64, f64) {
    static TRUTH: LazyLock<[(f64, f64); 2]> = LazyLock::new(|| {
        [0, 1].map(|j| {
            let mean = quadrature(logistic, 9.0, |theta| theta[j]);
            let variance = quadrature(logistic, 9.0, |theta| (theta[j] - mean).powi(2));
            (mean, variance.sqrt())
        })
    });
    TRUTH[j]
}

/// Two means for each of four kernels and three lags, |z| < 4: right couplings fail once in about
/// seven hundred seeds.
fn unbiased<K: CoupledKernel>(name: &str, kernel: &K) {
    for (lag, burn_in, last) in [(1, 0, 5), (1, 10, 40), (7, 5, 30)] {
        let lagged = Lagged { lag, burn_in, last, budget: 5_000 };
        let seed = Seed(33).child(name).child(&format!("{lagged:?}"));
        let runs = estimates(kernel, &lagged, seed, 4_000);
        for j in 0..2 {
            let values: Vec<f64> = runs.iter().map(|run| run.value[j]).collect();
            assert_mean(&format!("{name} {lagged:?}"), &values, truth(j).0);
        }
        assert!(runs.iter().all(|run| run.meeting >= lag), "{name}");
    }
}

#[test]
fn the_time_average_is_unbiased() {
    for_every_coupling!(unbiased);
}

/// H_{k:m} by its definition, from the whole paths of both chains: the average over t = k, …, m of
/// h(X_t) + Σ_{j≥1} (h(X_{t+jL}) − h(Y_{t+(j−1)L})), whose terms vanish from the meeting on.
fn by_definition<K: CoupledKernel>(
    kernel: &K,
    lagged: &Lagged,
    starts: (&[f64], &[f64]),
    rng: &mut Rng,
) -> Vec<f64> {
    let mut target = Counting::new(2, logistic);
    let mut first = kernel.init(&mut target, starts.0).unwrap();
    let mut second = kernel.init(&mut target, starts.1).unwrap();
    let (mut x, mut y) = (vec![starts.0.to_vec()], vec![starts.1.to_vec()]);
    while x.len() <= lagged.lag {
        kernel.step(&mut target, &mut first, rng);
        x.push(kernel.point(&first).position.clone());
    }
    while x.last() != y.last() {
        kernel.step_both(&mut target, &mut first, &mut second, rng);
        x.push(kernel.point(&first).position.clone());
        y.push(kernel.point(&second).position.clone());
    }
    let meeting = x.len() - 1;
    while x.len() <= lagged.last {
        kernel.step(&mut target, &mut first, rng);
        x.push(kernel.point(&first).position.clone());
    }
    let times = lagged.burn_in..=lagged.last;
    let share = 1.0 / times.clone().count() as f64;
    let corrected = |t: usize, i: usize| {
        let later = (t + lagged.lag..meeting).step_by(lagged.lag);
        x[t][i] + later.map(|s| x[s][i] - y[s - lagged.lag][i]).sum::<f64>()
    };
    (0..2).map(|i| share * times.clone().map(|t| corrected(t, i)).sum::<f64>()).collect()
}

/// No statistics: both ways see the same chains, and chains that meet late make up most of the sums.
fn is_defined<K: CoupledKernel>(name: &str, kernel: &K) {
    let mut largest = 0.0_f64;
    for (lag, burn_in, last) in [(1, 0, 0), (1, 2, 9), (3, 0, 4), (4, 5, 11)] {
        let lagged = Lagged { lag, burn_in, last, budget: 5_000 };
        for pair in 0..50 {
            let rng = &mut Seed(40).child(name).stream(pair);
            let (one, two) = (start(rng), start(rng));
            let expected = by_definition(kernel, &lagged, (&one, &two), &mut rng.clone());
            let mut target = Counting::new(2, logistic);
            let run = lagged.estimate(kernel, &mut target, (&one, &two), &identity, rng).unwrap();
            for i in 0..2 {
                let off = (run.value[i] - expected[i]).abs() / (1.0 + expected[i].abs());
                assert!(off < 1e-12, "{name} {lagged:?}, pair {pair}: {run:?} for {expected:?}");
                largest = largest.max((run.value[i] - run.average[i]).abs());
            }
        }
    }
    assert!(largest > 1.0, "{name}: no correction was larger than {largest}");
}

#[test]
fn estimates_are_what_the_definition_says() {
    for_every_coupling!(is_defined);
}

/// A chain with five steps of warm-up is off by many standard errors from where it started; the
/// coupled estimator on the same chains is not, and a bias of 0.1 posterior sds would show at four
/// sigmas, because the standard error is below 0.025 sds.
fn bias_goes<K: CoupledKernel>(name: &str, kernel: &K) {
    let lagged = Lagged { lag: 5, burn_in: 5, last: 12, budget: 5_000 };
    let runs = estimates(kernel, &lagged, Seed(34).child(name), 60_000);
    for j in 0..2 {
        let (mean, sd) = truth(j);
        let plain: Vec<f64> = runs.iter().map(|run| run.average[j]).collect();
        let coupled: Vec<f64> = runs.iter().map(|run| run.value[j]).collect();
        let (plain_mean, plain_error) = mean_and_error(&plain);
        let z = (plain_mean - mean) / plain_error;
        assert!(z.abs() > 8.0, "{name}: the bias of a short chain hides at z = {z}");
        let (_, error) = mean_and_error(&coupled);
        assert!(error < 0.025 * sd, "{name}: an error of {} sds", error / sd);
        assert_mean(name, &coupled, mean);
    }
}

#[test]
fn five_steps_of_warm_up_leave_a_bias_that_coupling_takes_away() {
    bias_goes("reflected walk", &walk(WalkCoupling::Reflection));
    bias_goes("hmc and walk", &mixture());
}

#[test]
fn a_pair_that_never_meets_is_an_error() {
    // Without the walk HMC comes arbitrarily close, and not together within this budget.
    let never = Mixture { walk_probability: 0.0, ..mixture() };
    let lagged = Lagged { lag: 1, burn_in: 0, last: 3, budget: 12 };
    let mut target = Counting::new(2, logistic);
    let rng = &mut Seed(35).stream(0);
    let starts = (&[1.0, 1.0][..], &[-1.0, 0.5][..]);
    let error = lagged.estimate(&never, &mut target, starts, &identity, rng).unwrap_err();
    assert_eq!(error, CouplingError::Apart { steps: 12 });
    assert!(target.ledger().evaluations() > 12);

    let wrong = Lagged { lag: 0, ..lagged };
    let error = wrong.estimate(&never, &mut target, starts, &identity, rng).unwrap_err();
    assert_eq!(error, CouplingError::Lengths { lag: 0, burn_in: 0, last: 3 });
}

#[test]
fn proposals_meet_as_often_as_they_can() {
    let (x, y, scale) = ([0.4, 0.0], [-0.3, 0.6], 0.7);
    let distance = (0.7f64.powi(2) + 0.6f64.powi(2)).sqrt();
    let overlap = 2.0 * Normal::standard().cdf(-0.5 * distance / scale);
    struct Ball([f64; 2], f64);
    impl samplers::Law for Ball {
        fn draw(&self, rng: &mut Rng) -> Vec<f64> {
            self.0.iter().map(|c| c + self.1 * rng.sample::<f64, _>(StandardNormal)).collect()
        }
        fn log_density(&self, x: &[f64]) -> f64 {
            x.iter().zip(&self.0).map(|(x, c)| -0.5 * ((x - c) / self.1).powi(2)).sum()
        }
    }
    for name in ["maximal", "reflection"] {
        let draws: Vec<(Vec<f64>, Vec<f64>)> = (0..20_000)
            .map(|index| {
                let mut rng = Seed(36).child(name).stream(index);
                match name {
                    "maximal" => maximal(&Ball(x, scale), &Ball(y, scale), &mut rng),
                    _ => reflection(&x, &y, scale, &mut rng),
                }
            })
            .collect();
        let met: Vec<f64> = draws.iter().map(|(a, b)| f64::from(u8::from(a == b))).collect();
        assert_mean(name, &met, overlap);
        // Each by itself is normal: one-sample tests at one in ten thousand, four of them.
        for j in 0..2 {
            let mut rng = Seed(37).child(name).stream(j as u64);
            let normal = |centre: f64, rng: &mut Rng| -> Vec<f64> {
                (0..20_000).map(|_| centre + scale * rng.sample::<f64, _>(StandardNormal)).collect()
            };
            let first: Vec<f64> = draws.iter().map(|(a, _)| a[j]).collect();
            let second: Vec<f64> = draws.iter().map(|(_, b)| b[j]).collect();
            assert!(kolmogorov_smirnov(&first, &normal(x[j], &mut rng)) < KS_CRITICAL, "{name}");
            assert!(kolmogorov_smirnov(&second, &normal(y[j], &mut rng)) < KS_CRITICAL, "{name}");
        }
    }
}

#[test]
fn the_bound_on_total_variation_covers_the_distance() {
    // The distance is at least that of the marginals of an event, here θ_1 > 0.
    let kernel = walk(WalkCoupling::Reflection);
    let lagged = Lagged { lag: 20, burn_in: 0, last: 0, budget: 5_000 };
    let meetings: Vec<usize> =
        estimates(&kernel, &lagged, Seed(38), 2_000).iter().map(|run| run.meeting).collect();
    let bounds: Vec<f64> =
        (0..60).map(|time| total_variation_bound(&meetings, lagged.lag, time)).collect();
    assert!(bounds.windows(2).all(|pair| pair[0] >= pair[1]));
    assert!(bounds[0] > 0.9 && bounds[59] < 0.02, "{} … {}", bounds[0], bounds[59]);
    let stationary = quadrature(logistic, 9.0, |theta| f64::from(u8::from(theta[0] > 0.0)));
    let mut counts = vec![0.0; 60];
    for index in 0..2_000 {
        let mut target = Counting::new(2, logistic);
        let mut rng = Seed(39).stream(index);
        let begin = start(&mut rng);
        let mut state = samplers::Kernel::init(&kernel, &mut target, &begin).unwrap();
        for count in &mut counts {
            *count += f64::from(u8::from(state.position[0] > 0.0)) / 2_000.0;
            samplers::Kernel::step(&kernel, &mut target, &mut state, &mut rng);
        }
    }
    for (time, probability) in counts.iter().enumerate() {
        // Four standard errors of a frequency and of the bound.
        let slack = 4.0 * (0.5 / 2_000f64.sqrt() + (bounds[time].max(0.0) / 2_000.0).sqrt());
        assert!((probability - stationary).abs() < bounds[time] + slack, "at {time}");
    }
}
