//! Level estimates on partial posteriors of a small logistic regression with known answers.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use debias::{Coupling, Ledger, Path, Rng, Schedule, Seed};
use posterior::{DataPath, LevelEstimate, PartialPosterior};
use samplers::{
    ByChain, ByCoupledChains, ByPoints, ChainError, ControlError, CoupledError, CoupledWalk,
    CouplingError, Frame, Framing, Functional, Hmc, Lagged, Length, Mixture, Nuts, PointsError,
    RandomWalk, Sampler, Start, StartRuleError, WalkCoupling, WeightError, with_control_variates,
};
use support::model::{Logistic, rows};
use support::{Counting, assert_mean, gaussian, logistic, mean_and_error, quadrature};

fn functionals() -> Vec<Functional> {
    vec![
        Functional::Mean(0),
        Functional::Mean(1),
        Functional::Variance(0),
        Functional::probability(|theta| theta[0] > 1.0),
        Functional::prediction(|theta| 1.0 / (1.0 + (-theta[0] - theta[1]).exp())),
    ]
}

/// The answers for all rows, by quadrature.
fn truth() -> Vec<f64> {
    let mean = quadrature(logistic, 9.0, |theta| theta[0]);
    vec![
        mean,
        quadrature(logistic, 9.0, |theta| theta[1]),
        quadrature(logistic, 9.0, |theta| (theta[0] - mean).powi(2)),
        // The grid has a step of 0.0225: half of the line at 1.0125 and of 0.99 lie on each side.
        quadrature(logistic, 9.0, |theta| (0.5 + (theta[0] - 1.0) / 0.0225).clamp(0.0, 1.0)),
        quadrature(logistic, 9.0, |theta| 1.0 / (1.0 + (-theta[0] - theta[1]).exp())),
    ]
}

/// The estimates of many streams, functional by functional, all work counted.
fn replicate<E: LevelEstimate<Logistic>>(level: &E, seed: Seed, count: u64) -> Vec<Vec<f64>> {
    let rows = rows();
    let mut values = vec![Vec::new(); 5];
    for index in 0..count {
        let mut posterior = PartialPosterior::new(&Logistic, &rows);
        let estimate = level.estimate(&mut posterior, &mut seed.stream(index)).unwrap();
        assert!(posterior.ledger().evaluations() > 0);
        for (kept, value) in values.iter_mut().zip(estimate) {
            kept.push(value);
        }
    }
    values
}

fn by_nuts() -> ByChain<Nuts> {
    ByChain {
        sampler: Nuts::default(),
        framing: Framing::laplace(2),
        start: Start::Frame { spread: 1.0 },
        length: Length { warm_up: 200, draws: 2_000 },
        functionals: functionals(),
        control_variates: false,
        expected_evaluations: 8_000.0,
    }
}

/// Five means of each of two ways, |z| < 4: fails once in about sixteen hundred seeds.
#[test]
fn a_chain_finds_every_functional() {
    for control_variates in [false, true] {
        let level = ByChain { control_variates, ..by_nuts() };
        let values = replicate(&level, Seed(61), 100);
        for (values, truth) in values.iter().zip(truth()) {
            assert_mean(&format!("control variates {control_variates}"), values, truth);
        }
        let cost = LevelEstimate::<Logistic>::expected_cost(&level, 8);
        assert_eq!(cost, 64_000.0);
    }
}

#[test]
fn control_variates_leave_nothing_of_a_gaussian_and_little_of_a_logistic_mean() {
    let mut target = Counting::new(3, gaussian);
    let length = Length { warm_up: 20, draws: 30 };
    let hmc = Hmc { step_size: 0.3, steps: 5 };
    let draws = hmc.sample(&mut target, &[0.0; 3], length, &mut Seed(62).stream(0)).unwrap();
    let means = with_control_variates(&draws, &Functional::means(3)).unwrap();
    for (mean, truth) in means.iter().zip(support::GAUSSIAN_MEAN) {
        assert!((mean - truth).abs() < 1e-9, "{mean} against {truth}");
    }

    let plain = replicate(&by_nuts(), Seed(63), 60);
    let helped = replicate(&ByChain { control_variates: true, ..by_nuts() }, Seed(63), 60);
    let ratio = mean_and_error(&helped[0]).1 / mean_and_error(&plain[0]).1;
    assert!(ratio < 0.3, "an error of {ratio} of the plain one");
}

#[test]
fn control_variates_that_cannot_be_say_why() {
    let length = Length { warm_up: 5, draws: 5 };
    let run = |sampler: &dyn Sampler| {
        let mut target = Counting::new(2, logistic);
        sampler.sample(&mut target, &[0.1, 0.2], length, &mut Seed(64).stream(0)).unwrap()
    };
    let walk = run(&RandomWalk { scale: 0.5 });
    let error = with_control_variates(&walk, &[]).unwrap_err();
    assert_eq!(error, ControlError::NoGradients { draws: 5 });
    let short = run(&Hmc { step_size: 0.3, steps: 3 });
    let error = with_control_variates(&short, &[]).unwrap_err();
    assert_eq!(error, ControlError::TooFew { draws: 5, dimension: 2 });
}

fn by_pairs() -> ByCoupledChains<CoupledWalk> {
    let walk = RandomWalk { scale: 1.2 };
    ByCoupledChains {
        kernel: CoupledWalk { walk, coupling: WalkCoupling::Reflection },
        framing: Framing::laplace(2),
        start: Start::Frame { spread: 1.0 },
        lagged: Lagged { lag: 1, burn_in: 5, last: 30, budget: 5_000 },
        functionals: functionals(),
        expected_evaluations: 100.0,
    }
}

/// Five means for each of two kernels, the variance among them, |z| < 4: fails once in about
/// sixteen hundred seeds.
#[test]
fn coupled_chains_are_unbiased_for_every_functional() {
    let values = replicate(&by_pairs(), Seed(65), 6_000);
    for (values, truth) in values.iter().zip(truth()) {
        assert_mean("coupled walk", values, truth);
    }
    let kernel = Mixture {
        hmc: Hmc { step_size: 0.6, steps: 3 },
        walk: RandomWalk { scale: 0.1 },
        walk_probability: 0.1,
    };
    let ByCoupledChains { framing, start, lagged, functionals, expected_evaluations, .. } =
        by_pairs();
    let level =
        ByCoupledChains { kernel, framing, start, lagged, functionals, expected_evaluations };
    let values = replicate(&level, Seed(66), 4_000);
    for (values, truth) in values.iter().zip(truth()) {
        assert_mean("coupled hmc", values, truth);
    }
}

#[test]
fn levels_that_cannot_be_computed_say_why() {
    let rows = rows();
    let mut posterior = PartialPosterior::new(&Logistic, &rows);
    let rng: &mut Rng = &mut Seed(67).stream(0);

    let lagged = Lagged { budget: 1, ..by_pairs().lagged };
    let hasty = ByCoupledChains { lagged, ..by_pairs() };
    let error = hasty.estimate(&mut posterior, rng).unwrap_err();
    let apart = CouplingError::Apart { steps: 1 };
    assert!(matches!(error, CoupledError::Coupling(error) if error == apart));

    let error = by_pairs().pair(&mut posterior, rng).unwrap_err();
    assert!(matches!(error, CoupledError::Variance { index: 2 }));

    let lost = ByChain { framing: Framing::Plain, ..by_nuts() };
    let error = lost.estimate(&mut posterior, rng).unwrap_err();
    let no_frame = StartRuleError::NoFrame { dimension: 2 };
    assert!(matches!(error, ChainError::Rule(error) if error == no_frame));

    let wild = ByChain { start: Start::Uniform { radius: -1.0 }, ..by_nuts() };
    let error = wild.estimate(&mut posterior, rng).unwrap_err();
    let spread = StartRuleError::Spread { spread: -1.0 };
    assert!(matches!(error, ChainError::Rule(error) if error == spread));

    let other = ByChain { framing: Framing::Given(Frame::standard(3)), ..by_nuts() };
    assert!(matches!(other.estimate(&mut posterior, rng), Err(ChainError::Framing(_))));

    let greedy = ByPoints { floor: 101.0, ..by_points(100) };
    let error = greedy.estimate(&mut posterior, rng).unwrap_err();
    let PointsError::Weights(WeightError::Degenerate { points, effective, floor }) = error else {
        panic!("{error}");
    };
    assert!(points == 100 && effective < 100.0 && floor == 101.0);
}

fn by_points(count: usize) -> ByPoints {
    ByPoints {
        framing: Framing::laplace(2),
        degrees: 5.0,
        count,
        floor: 50.0,
        functionals: functionals(),
        expected_evaluations: count as f64 + 40.0,
    }
}

#[test]
fn weighted_points_find_every_functional_and_beat_random_ones() {
    // The bias is of the order of one over the effective points, far below a hundredth.
    let values = replicate(&by_points(2_000), Seed(68), 40);
    for (values, truth) in values.iter().zip(truth()) {
        let (mean, _) = mean_and_error(values);
        assert!((mean - truth).abs() < 0.002, "{mean} against {truth}");
    }
    // Two thousand independent draws would leave an error of sd/√2000.
    let sd = truth()[2].sqrt();
    let spread = mean_and_error(&values[0]).1 * 40f64.sqrt();
    assert!(spread < 0.5 * sd / 2_000f64.sqrt(), "{spread}");
}

/// The paths' increments on batches of their own add up to the full posterior: unbiased through
/// and through, two means at |z| < 4.
#[test]
fn a_path_of_coupled_levels_telescopes_to_the_full_posterior() {
    let rows = rows();
    let schedule = Schedule::halving(8, 2).unwrap();
    let level = ByCoupledChains { functionals: Functional::means(2), ..by_pairs() };
    let path = DataPath::new(&rows, &Logistic, &level, &schedule).unwrap();
    let mut sums = [Vec::new(), Vec::new()];
    for index in 0..4_000 {
        let mut rng = Seed(69).stream(index);
        let mut sum = [0.0; 2];
        let mut cost = Ledger::default();
        for step in 1..=path.levels() {
            let term = path.increment(&mut (), step, Coupling::Antithetic, &mut rng).unwrap();
            sum[0] += term.value[0];
            sum[1] += term.value[1];
            cost += term.cost;
        }
        assert!(cost.gradients > 0 && cost.likelihoods > 0);
        sums[0].push(sum[0]);
        sums[1].push(sum[1]);
    }
    let truth = truth();
    assert_mean("θ_0", &sums[0], truth[0]);
    assert_mean("θ_1", &sums[1], truth[1]);
}
