//! A Gaussian mean with 10⁵ rows, end to end: what the tuner predicts is what is observed, and the
//! antithetic single term needs at most a fifth of the paper's work × variance.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use data::DenseRows;
use debias::engine::{Forgetful, Unobserved, replicate};
use debias::{
    Debiased, Depths, Form, Pilot, PilotSettings, Schedule, Scheme, Seed, Summary, TunedLaw,
};
use models::gaussian_mean::{GaussianMean, GaussianMeanClosedForm, GaussianMeanError};
use posterior::{DataPath, DenseBlock};
use rand::RngExt;
use rand_distr::StandardNormal;

const ROWS: usize = 100_000;
const REPLICATES: usize = 4000;

fn rows() -> DenseRows {
    let rng = &mut Seed(11).stream(0);
    let mut block = DenseBlock::zeros(ROWS, 1);
    block.column_mut(0).iter_mut().for_each(|x| *x = 2.0 + rng.sample::<f64, _>(StandardNormal));
    DenseRows::new(block)
}

struct Observed {
    mean: Summary,
    variance: Summary,
    cost: f64,
}

/// Runs a form under a law and summarises mean, squared deviations and cost.
fn observe(
    path: &DataPath<'_, DenseRows, GaussianMean, GaussianMeanClosedForm>,
    form: Form,
    tuned: &TunedLaw,
) -> Observed {
    let seed = Seed(12).child(form.name());
    let depths = Depths::draw(&tuned.law, Scheme::Independent, REPLICATES, 1, seed).unwrap();
    let estimator = Debiased::new(path, form, depths).unwrap();
    let run = replicate(&estimator, 0..REPLICATES as u64, seed, &Forgetful, &Unobserved).unwrap();
    let values = run.functional(0);
    let mean = Summary::of(&values).unwrap();
    let squares: Vec<f64> = values.iter().map(|value| (value - mean.mean).powi(2)).collect();
    let cost = run.total_cost().evaluations() as f64 / REPLICATES as f64;
    Observed { mean, variance: Summary::of(&squares).unwrap(), cost }
}

#[test]
fn predictions_hold_and_antithetic_increments_pay() {
    let rows = rows();
    let model = GaussianMean::new(&[1.0], &[0.0], &[1.0]).unwrap();
    let truth = model.posterior(rows.block()).unwrap().mean[0];
    let schedule = Schedule::halving(ROWS, 16).unwrap();
    let path = DataPath::new(&rows, &model, &GaussianMeanClosedForm, &schedule).unwrap();
    let mut products = Vec::new();
    for form in Form::ALL {
        let settings = PilotSettings { levels: 7, replicates: 2000 };
        let pilot = Pilot::run(&path, &schedule, form, settings, Seed(13)).unwrap();
        let tuned = match form {
            // The paper's law: geometric, just below its rate.
            Form::CoupledSum | Form::SingleTerm => {
                pilot.geometric::<GaussianMeanError>(0.95).unwrap()
            }
            _ => pilot.optimal::<GaussianMeanError>(None).unwrap(),
        };
        let seen = observe(&path, form, &tuned);
        // |z| < 4 fails for a right estimator once in sixteen thousand seeds.
        assert!(
            (seen.mean.mean - truth).abs() < 4.0 * seen.mean.standard_error,
            "{form:?}: {:?}",
            seen.mean
        );
        // Both errors together, again at |z| < 4; the pilot's comes from t on 19 degrees.
        let predicted_error = tuned.variance.1.half_width() / 2.09;
        let error = predicted_error.hypot(seen.variance.standard_error);
        let z = (seen.variance.mean - tuned.variance.0) / error;
        assert!(
            z.abs() < 4.0,
            "{form:?}: predicted {:?}, observed {:?}",
            tuned.variance,
            seen.variance
        );
        assert!(
            (seen.cost / tuned.cost - 1.0).abs() < 0.5,
            "{form:?}: {} {}",
            seen.cost,
            tuned.cost
        );
        println!(
            "{:<23} β {:.2}  variance predicted {:.3e} observed {:.3e} (z = {z:.1})  cost {:.1}  work × variance {:.2}",
            form.name(),
            tuned.beta.0,
            tuned.variance.0,
            seen.variance.mean,
            tuned.cost,
            seen.variance.mean * tuned.cost
        );
        products.push(tuned.cost * seen.variance.mean);
    }
    let (paper, ours) = (products[0], products[3]);
    assert!(ours < paper / 5.0, "paper {paper}, antithetic single term {ours}");
}
