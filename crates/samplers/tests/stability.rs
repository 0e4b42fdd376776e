//! The first draws, pinned: a change here is a change of every stored number.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use debias::Seed;
use samplers::{
    AdaptiveWalk, ByCoupledChains, CoupledWalk, Factor, Frame, Framing, Functional, Hmc,
    Independence, KinkedNoUTurn, Lagged, Length, Mala, Mixture, NoUTurn, Nuts, RandomWalk, Sampler,
    Start, Student, WalkCoupling, halton,
};
use support::{Counting, gaussian, logistic};

/// The last of ten draws after ten steps of warm-up, first coordinate.
fn tenth(sampler: &dyn Sampler) -> f64 {
    let mut target = Counting::new(3, gaussian);
    let length = Length { warm_up: 10, draws: 10 };
    let draws =
        sampler.sample(&mut target, &[0.5, -1.0, 0.2], length, &mut Seed(81).stream(0)).unwrap();
    draws.coordinate(0)[9]
}

/// Sums may be taken in another order on another vector width, so not every bit is pinned.
#[track_caller]
fn check(name: &str, got: f64, pinned: f64) {
    assert!((got - pinned).abs() < 1e-6, "{name}: {got:?}, pinned at {pinned:?}");
}

#[test]
fn kernels() {
    let hmc = Hmc { step_size: 0.3, steps: 6 };
    let walk = RandomWalk { scale: 0.5 };
    let proposal = Student::new(Frame::standard(3), 4.0).unwrap();
    let factor = Factor::of_covariance(&[1.0, 0.5, 0.0, 0.5, 2.0, 0.0, 0.0, 0.0, 0.3], 3).unwrap();
    let kinked = KinkedNoUTurn::new(factor, 1.0).unwrap();
    let all: [(&str, &dyn Sampler, f64); 9] = [
        ("random walk", &walk, 0.017378433),
        ("adaptive walk", &AdaptiveWalk::default(), 0.614607401),
        ("mala", &Mala { step_size: 0.5 }, 0.817570785),
        ("hmc", &hmc, 2.083725860),
        ("mixture", &Mixture { hmc, walk, walk_probability: 0.2 }, 0.453380250),
        ("independence", &Independence { proposal }, -0.061744683),
        ("no-u-turn", &NoUTurn::default(), -0.016189237),
        ("kinked", &kinked, 2.108488467),
        ("nuts", &Nuts::default(), 0.839507406),
    ];
    for (name, sampler, pinned) in all {
        check(name, tenth(sampler), pinned);
    }
}

#[test]
fn a_coupled_estimate() {
    let level = ByCoupledChains {
        kernel: CoupledWalk { walk: RandomWalk { scale: 1.0 }, coupling: WalkCoupling::Reflection },
        framing: Framing::laplace(2),
        start: Start::Frame { spread: 1.0 },
        lagged: Lagged { lag: 2, burn_in: 3, last: 10, budget: 1_000 },
        functionals: Functional::means(2),
        expected_evaluations: 100.0,
    };
    let mut target = Counting::new(2, logistic);
    let estimate = level.pair(&mut target, &mut Seed(82).stream(0)).unwrap();
    assert_eq!(estimate.meeting, 5);
    check("coupled walk", estimate.value[0], 0.518357580);
}

#[test]
fn quasi_random_points() {
    let points = halton(4, 3, &mut Seed(83).stream(0));
    check("first", points[0], 0.375640379);
    check("last", points[11], 0.297586109);
}
