//! The biases of `biased.rs` where no formula predicts them: a steep logistic regression.
//!
//! Of a right method E (w − E w)²/Var w is one. Each method is asked with bad, better and good
//! settings; its excess must fall by more than four joint standard errors from each to the next, and
//! be small at the end. Sixteen replicates: one false alarm in 800 seeds a comparison. (Consensus
//! Monte Carlo has its logistic regression in `biased.rs`.)

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod plane;

use baselines::{
    Austerity, Centre, Dynamics, Sghmc, Sgld, StepSize, StochasticChain, StochasticSettings,
    SubsampledSettings, SubsampledWalk, smooth_mode,
};
use data::{DenseRows, Generated, LogisticLaw};
use debias::engine::{Forgetful, Unobserved, replicate};
use debias::{Estimator, Seed, Summary};
use models::logistic::DenseLogistic;
use models::prior::Prior;
use posterior::Rows;
use samplers::{Factor, Functional, Length};

const PRIOR: Prior = Prior::Laplace { scale: 1.0 };
const ROWS: usize = 1000;

/// The rows, the model, and the first two moments of its posterior.
struct Steep {
    rows: DenseRows,
    model: DenseLogistic,
    mean: Vec<f64>,
    covariance: Vec<f64>,
}

impl Steep {
    fn new() -> Steep {
        let law = LogisticLaw { scale: 1.0, weights: vec![2.0], bias: -0.5 };
        let rows = DenseRows::new(Generated::new(law, Seed(61), ROWS).range(0..ROWS));
        let moments = [
            Functional::Mean(0),
            Functional::Mean(1),
            Functional::Variance(0),
            Functional::Variance(1),
            Functional::prediction(|theta| theta[0] * theta[1]),
        ];
        let (found, _) = plane::quadrature(rows.block(), PRIOR, &moments);
        let [a, b, aa, bb, ab] = found[..] else { panic!("five moments") };
        let ab = ab - a * b;
        let (mean, covariance) = (vec![a, b], vec![aa, ab, ab, bb]);
        Steep { rows, model: plane::model(PRIOR), mean, covariance }
    }

    fn shape(&self) -> Factor {
        Factor::of_covariance(&self.covariance, 2).unwrap()
    }

    /// (w − E w)²/Var w.
    fn spread(&self) -> Vec<Functional> {
        let (mean, variance) = (self.mean[0], self.covariance[0]);
        vec![Functional::prediction(move |theta| (theta[0] - mean).powi(2) / variance)]
    }

    fn stochastic<D: Dynamics>(
        &self,
        dynamics: D,
        batch: usize,
        centre: Option<Centre>,
    ) -> Summary {
        let settings = StochasticSettings {
            batch,
            shape: self.shape(),
            start: self.mean.clone(),
            centre,
            length: Length { warm_up: 300, draws: 3000 },
            functionals: self.spread(),
        };
        excess(&StochasticChain::new(&self.rows, &self.model, dynamics, settings).unwrap())
    }

    fn austerity(&self, error: f64) -> Summary {
        let settings = SubsampledSettings {
            scale: 2.38 / 2f64.sqrt(),
            shape: self.shape(),
            start: self.mean.clone(),
            length: Length { warm_up: 100, draws: 2000 },
            functionals: self.spread(),
        };
        let test = Austerity::new(50, error).unwrap();
        excess(&SubsampledWalk::new(&self.rows, &self.model, test, settings).unwrap())
    }
}

/// The spread of the weight over replicates.
fn excess<E: Estimator>(estimator: &E) -> Summary {
    let run = replicate(estimator, 0..16, Seed(62), &Forgetful, &Unobserved).unwrap();
    Summary::of(&run.functional(0)).unwrap()
}

/// Too wide, less and less; at last by less than `small`.
#[track_caller]
fn falls(name: &str, runs: &[Summary], small: f64) {
    for run in runs {
        println!("{name}: {:.3} ± {:.3}", run.mean, run.standard_error);
    }
    for pair in runs.windows(2) {
        let joint = pair[0].standard_error.hypot(pair[1].standard_error);
        assert!(pair[0].mean - pair[1].mean > 4.0 * joint, "{name}: {pair:?}");
    }
    let [.., second, last] = runs else { panic!("two runs at least") };
    assert!(second.mean - 1.0 > 4.0 * second.standard_error, "{name}: {second:?}");
    assert!((last.mean - 1.0).abs() < small + 4.0 * last.standard_error, "{name}: {last:?}");
}

fn sgld(step: f64) -> Sgld {
    Sgld { step: StepSize::constant(step).unwrap() }
}

/// By noise; larger batches help, and control variates help more.
#[test]
fn sgld_is_too_wide() {
    let steep = Steep::new();
    let (mode, _) = smooth_mode(&steep.model, &steep.rows).unwrap();
    let runs = [
        steep.stochastic(sgld(0.1), 20, None),
        steep.stochastic(sgld(0.1), 60, None),
        steep.stochastic(sgld(0.1), 60, Some(Centre::of(&mode))),
    ];
    falls("sgld", &runs, 0.05);
}

/// Noise heats the chain; larger batches and more friction cool it.
#[test]
fn sghmc_is_too_hot() {
    let steep = Steep::new();
    let run =
        |friction, batch| steep.stochastic(Sghmc::new(0.01, friction, 0.0).unwrap(), batch, None);
    falls("sghmc", &[run(0.1, 20), run(0.1, 100), run(0.5, 400)], 0.05);
}

/// Hasty decisions flatten the posterior.
#[test]
fn austerity_is_too_wide() {
    let steep = Steep::new();
    let runs = [0.3, 0.1, 1e-4].map(|error| steep.austerity(error));
    falls("austerity", &runs, 0.0);
}
