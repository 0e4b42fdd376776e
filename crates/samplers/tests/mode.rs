//! Modes by L-BFGS and frames at them.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use debias::Seed;
use posterior::Target;
use rand::RngExt;
use samplers::{
    Ending, Factor, FactorError, Frame, FrameError, Lbfgs, ModeError, Newton, NewtonError,
    StartError,
};
use support::{Counting, gaussian, kinked, logistic};

#[test]
fn the_mode_of_a_gaussian_is_its_mean_and_its_frame_its_covariance() {
    let mut target = Counting::new(3, gaussian);
    let search = Lbfgs { gain: 0.0, ..Lbfgs::default() };
    let mode = search.maximise(&mut target, &[5.0, 5.0, 5.0]).unwrap();
    assert_eq!(mode.ending, Ending::Gradient, "{mode:?}");
    assert_eq!(mode.evaluations as u64, target.ledger().gradients);
    assert!(mode.iterations < 30 && mode.iterations > 1);
    for (got, want) in mode.point.position.iter().zip(support::GAUSSIAN_MEAN) {
        assert!((got - want).abs() < 1e-7);
    }
    let before = target.ledger().gradients;
    let frame = Frame::laplace(&mut target, &mode.point.position, 1e-5).unwrap();
    assert_eq!(target.ledger().gradients - before, 6);
    let covariance = [1.0, 1.6, 0.0, 1.6, 4.0, 0.0, 0.0, 0.0, 0.25];
    let wanted = Factor::of_covariance(&covariance, 3).unwrap();
    for i in 0..3 {
        for (got, want) in frame.factor().row(i).iter().zip(wanted.row(i)) {
            assert!((got - want).abs() < 1e-8, "{got} against {want}");
        }
    }
}

#[test]
fn the_gradient_vanishes_at_the_mode_of_a_logistic_posterior() {
    let mut target = Counting::new(2, logistic);
    let mode = Lbfgs::default().maximise(&mut target, &[-3.0, 4.0]).unwrap();
    let mut gradient = [0.0; 2];
    target.gradient(&mode.point.position, &mut gradient);
    assert!(gradient.iter().all(|slope| slope.abs() < 1e-5), "{gradient:?}");
}

#[test]
fn a_hard_valley_is_walked_to_its_end() {
    // Rosenbrock's valley, upside down.
    let valley = |x: &[f64], gradient: &mut [f64]| {
        let bend = x[1] - x[0] * x[0];
        gradient[0] += 400.0 * x[0] * bend + 2.0 * (1.0 - x[0]);
        gradient[1] -= 200.0 * bend;
        -100.0 * bend * bend - (1.0 - x[0]).powi(2)
    };
    let mode = Lbfgs::default().maximise(&mut Counting::new(2, valley), &[-1.2, 1.0]).unwrap();
    assert!(mode.point.position.iter().all(|x| (x - 1.0).abs() < 1e-6), "{mode:?}");
    assert!(mode.iterations < 80, "{}", mode.iterations);
}

#[test]
fn a_kink_at_the_mode_is_found() {
    // 0.4 shrinks to zero: the pull of the data at zero is 0.4/0.64 < 1. So does −0.1.
    let mode = Lbfgs::default().maximise(&mut Counting::new(2, kinked), &[1.3, -2.0]).unwrap();
    assert!(mode.point.position.iter().all(|x| x.abs() < 1e-6), "{mode:?}");
    assert_ne!(mode.ending, Ending::Gradient);
}

#[test]
fn many_kinks_end_in_the_conditions_of_a_lasso() {
    // Forty weights, Laplace(1) priors, 300 rows of ±1 covariates of which only five matter.
    let mut rng = Seed(86).stream(0);
    let rows: Vec<(Vec<f64>, f64)> = (0..300)
        .map(|_| {
            let x: Vec<f64> =
                (0..40).map(|_| if rng.random::<bool>() { 1.0 } else { -1.0 }).collect();
            let margin: f64 = x[..5].iter().sum();
            let label =
                if rng.random::<f64>() < 1.0 / (1.0 + (-margin).exp()) { 1.0 } else { -1.0 };
            (x, label)
        })
        .collect();
    let likelihood = |theta: &[f64], gradient: &mut [f64]| {
        let mut total = 0.0;
        for (x, y) in &rows {
            let margin = y * x.iter().zip(theta).map(|(a, b)| a * b).sum::<f64>();
            total -= (-margin.abs()).exp().ln_1p() + (-margin).max(0.0);
            let slope = y / (1.0 + margin.exp());
            gradient.iter_mut().zip(x).for_each(|(g, x)| *g += slope * x);
        }
        total
    };
    let mut target = Counting::new(40, |theta: &[f64], gradient: &mut [f64]| {
        // None at the kink, as `models` has it.
        let sign = |t: f64| if t == 0.0 { 0.0 } else { t.signum() };
        gradient.iter_mut().zip(theta).for_each(|(g, &t)| *g -= sign(t));
        likelihood(theta, gradient) - theta.iter().map(|t| t.abs()).sum::<f64>()
    });
    let mode = Lbfgs::default().maximise(&mut target, &[0.1; 40]).unwrap();
    let mut pull = vec![0.0; 40];
    likelihood(&mode.point.position, &mut pull);
    let mut zeros = 0;
    for (theta, pull) in mode.point.position.iter().zip(&pull) {
        if theta.abs() > 1e-3 {
            assert!((pull - theta.signum()).abs() < 0.02, "θ = {theta}: pulled by {pull}");
        } else {
            assert!(pull.abs() < 1.02, "θ = {theta}: pulled by {pull}");
            zeros += 1;
        }
    }
    assert!(zeros > 2 && zeros < 35, "{zeros} zeros, {} iterations", mode.iterations);

    // Most of the steps go into the last digits.
    assert_eq!(mode.heights.len(), mode.iterations + 1);
    assert!(mode.heights.windows(2).all(|pair| pair[0] < pair[1]));
    let optimum = mode.point.log_density;
    let steps = [1e-1, 1e-3, 1e-6].map(|gap| mode.iterations_within(gap, optimum).unwrap());
    assert!(0 < steps[0] && steps[0] < steps[1] && steps[1] < steps[2], "{steps:?}");
    assert_eq!(mode.iterations_within(1e-6, optimum + 1.0), None);
    let rough = Lbfgs::customary().maximise(&mut target, &[0.1; 40]).unwrap();
    assert!(rough.iterations < mode.iterations && rough.point.log_density > optimum - 1e-3);
}

#[test]
fn a_search_that_fails_says_why() {
    let mut nowhere = Counting::new(1, |_: &[f64], _: &mut [f64]| f64::NAN);
    let error = Lbfgs::default().maximise(&mut nowhere, &[0.0]).unwrap_err();
    assert!(matches!(error, ModeError::Start(StartError::LogDensity { .. })));

    // Up and up: a density without a mode.
    let slope = |x: &[f64], gradient: &mut [f64]| {
        gradient[0] += 1.0;
        x[0]
    };
    let endless = Lbfgs::default().maximise(&mut Counting::new(1, slope), &[0.0]);
    assert!(matches!(endless, Err(ModeError::Unbounded { .. })), "{endless:?}");

    let search = Lbfgs { iterations: 1, ..Lbfgs::default() };
    let stopped = search.maximise(&mut Counting::new(2, logistic), &[-3.0, 4.0]);
    assert!(matches!(stopped, Err(ModeError::Iterations { iterations: 1, .. })), "{stopped:?}");

    // A saddle has no frame.
    let saddle = |x: &[f64], gradient: &mut [f64]| {
        gradient[0] -= x[0];
        gradient[1] += x[1];
        0.5 * (x[1] * x[1] - x[0] * x[0])
    };
    let frame = Frame::laplace(&mut Counting::new(2, saddle), &[0.0, 0.0], 1e-4);
    assert!(matches!(frame, Err(FrameError::Factor(FactorError::Pivot { index: 1, .. }))));
    let short = Frame::laplace(&mut Counting::new(2, saddle), &[0.0], 1e-4);
    assert_eq!(short, Err(FrameError::Dimension { mean: 1, dimension: 2 }));
}

#[test]
fn newton_needs_few_iterations_and_a_concave_target() {
    let mut target = Counting::new(2, logistic);
    let (mode, frame) = Newton::default().maximise(&mut target, &[0.0, 0.0]).unwrap();
    assert_eq!(mode.evaluations as u64, target.ledger().gradients);
    assert!(mode.iterations < 8, "{}", mode.iterations);
    let other = Lbfgs::default().maximise(&mut target, &[0.0, 0.0]).unwrap();
    for (a, b) in mode.point.position.iter().zip(&other.point.position) {
        assert!((a - b).abs() < 1e-6, "{a} against {b}");
    }
    assert_eq!(frame.mean(), mode.point.position);

    let bowl = |x: &[f64], gradient: &mut [f64]| {
        gradient[0] += x[0];
        0.5 * x[0] * x[0]
    };
    let error = Newton::default().maximise(&mut Counting::new(1, bowl), &[1.0]).unwrap_err();
    assert!(matches!(error, NewtonError::Curvature { iteration: 0, .. }), "{error}");
}
