//! Geweke's joint test (2004) for every kernel, and proof that it sees a wrong one.
//!
//! ```text
//! θ ~ N(0, I),   y_1, y_2, y_3 ∣ θ ~ N(θ_1, e^{θ_2})
//! y ← p(y ∣ θ),  θ ← K_y(θ, ·),  and again: the marginal law of θ stays the prior
//! ```
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use debias::{Rng, Seed};
use posterior::Target;
use rand::RngExt;
use rand_distr::StandardNormal;
use samplers::diagnostics::{Chains, mcse_mean};
use samplers::{
    AdaptiveWalk, Factor, Frame, Hmc, Independence, Kernel, KinkedNoUTurn, Mala, Mixture, NoUTurn,
    Point, RandomWalk, StartError, Step, Student,
};
use support::Counting;

fn posterior(y: [f64; 3]) -> Counting<impl Fn(&[f64], &mut [f64]) -> f64> {
    Counting::new(2, move |theta: &[f64], gradient: &mut [f64]| {
        let precision = (-theta[1]).exp();
        let mut total = -0.5 * (theta[0] * theta[0] + theta[1] * theta[1]);
        gradient[0] -= theta[0];
        gradient[1] -= theta[1];
        for y in y {
            let residual = y - theta[0];
            total -= 0.5 * (precision * residual * residual + theta[1]);
            gradient[0] += precision * residual;
            gradient[1] += 0.5 * (precision * residual * residual - 1.0);
        }
        total
    })
}

/// The largest |z| over the first two moments of θ.
fn largest_z<K: Kernel>(kernel: &K, rng: &mut Rng) -> f64 {
    const ROUNDS: usize = 300_000;
    let mut theta: Vec<f64> = (0..2).map(|_| rng.sample(StandardNormal)).collect();
    let mut moments: [Vec<f64>; 5] = Default::default();
    for _ in 0..ROUNDS {
        let sd = (0.5 * theta[1]).exp();
        let y = [(); 3].map(|()| theta[0] + sd * rng.sample::<f64, _>(StandardNormal));
        let mut target = posterior(y);
        let mut state = kernel.init(&mut target, &theta).unwrap();
        kernel.step(&mut target, &mut state, rng);
        theta.clone_from(&kernel.point(&state).position);
        let [a, b] = [theta[0], theta[1]];
        for (kept, value) in moments.iter_mut().zip([a, b, a * a - 1.0, b * b - 1.0, a * b]) {
            kept.push(value);
        }
    }
    moments
        .into_iter()
        .map(|values| {
            let mean = values.iter().sum::<f64>() / ROUNDS as f64;
            (mean / mcse_mean(&Chains::new(vec![values]).unwrap())).abs()
        })
        .fold(0.0, f64::max)
}

/// Five z-scores each: |z| < 4 fails for a right kernel once in about three thousand seeds.
#[track_caller]
fn check<K: Kernel>(name: &str, kernel: &K) {
    let z = largest_z(kernel, &mut Seed(21).child(name).stream(0));
    assert!(z < 4.0, "{name}: |z| = {z}");
}

#[test]
fn every_kernel_leaves_the_joint_law_alone() {
    check("random walk", &RandomWalk { scale: 1.0 });
    check("adaptive walk", &AdaptiveWalk { first_scale: 0.7, refresh: 25 });
    check("mala", &Mala { step_size: 0.8 });
    let hmc = Hmc { step_size: 0.4, steps: 4 };
    check("hmc", &hmc);
    let walk = RandomWalk { scale: 0.8 };
    check("mixture", &Mixture { hmc, walk, walk_probability: 0.5 });
    let proposal = Student::new(Frame::standard(2), 4.0).unwrap();
    check("no-u-turn", &NoUTurn { step_size: Some(0.5), ..NoUTurn::default() });
    check("independence", &Independence { proposal });
    // A scale and a metric that fit nothing here: steps are rough, and must be right all the same.
    let factor = Factor::of_covariance(&[0.8, 0.3, 0.3, 1.2], 2).unwrap();
    check("kinked", &KinkedNoUTurn::new(factor, 2.0).unwrap());
}

/// Langevin proposals accepted as if they were symmetric: the Hastings ratio is missing.
struct Unbalanced;

impl Kernel for Unbalanced {
    type State = Point;

    fn init(&self, target: &mut dyn Target, start: &[f64]) -> Result<Point, StartError> {
        Point::with_gradient(target, start)
    }

    fn step(&self, target: &mut dyn Target, state: &mut Point, rng: &mut Rng) -> Step {
        let position: Vec<f64> = (0..2)
            .map(|i| {
                let noise: f64 = rng.sample(StandardNormal);
                state.position[i] + 0.32 * state.gradient[i] + 0.8 * noise
            })
            .collect();
        let mut gradient = vec![0.0; 2];
        let log_density = target.gradient(&position, &mut gradient);
        if rng.random::<f64>().ln() < log_density - state.log_density {
            *state = Point { position, log_density, gradient };
        }
        Step { acceptance: 1.0, diverged: false, energy: None }
    }

    fn point<'s>(&self, state: &'s Point) -> &'s Point {
        state
    }
}

#[test]
fn a_missing_hastings_ratio_is_seen() {
    let z = largest_z(&Unbalanced, &mut Seed(22).stream(0));
    assert!(z > 8.0, "the test is blind: |z| = {z}");
}

/// An independence chain that compares densities and forgets the proposal's.
struct Forgetful(Independence);

impl Kernel for Forgetful {
    type State = Point;

    fn init(&self, target: &mut dyn Target, start: &[f64]) -> Result<Point, StartError> {
        Point::at(target, start)
    }

    fn step(&self, target: &mut dyn Target, state: &mut Point, rng: &mut Rng) -> Step {
        let position = self.0.proposal.draw(rng);
        let log_density = target.log_density(&position);
        if rng.random::<f64>().ln() < log_density - state.log_density {
            *state = Point { position, log_density, gradient: Vec::new() };
        }
        Step { acceptance: 1.0, diverged: false, energy: None }
    }

    fn point<'s>(&self, state: &'s Point) -> &'s Point {
        state
    }
}

#[test]
fn forgotten_weights_are_seen() {
    let proposal = Student::new(Frame::standard(2), 4.0).unwrap();
    let z = largest_z(&Forgetful(Independence { proposal }), &mut Seed(23).stream(0));
    assert!(z > 8.0, "the test is blind: |z| = {z}");
}
