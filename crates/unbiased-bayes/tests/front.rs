//! The front against truths that were found another way. Fixed seeds; |z| < 4 fails for a right
//! estimator once in sixteen thousand.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use data::{Generated, HeavyLogisticLaw, LogisticLaw};
use models::anchor::newton;
use models::laplace_mean::laplace_mean;
use rand::RngExt;
use unbiased_bayes::{
    Answer, ChainLength, DenseBlock, DenseLogistic, DenseRows, Differentiable, EstimateError,
    Estimation, Form, GaussianMean, GeneralisedLinear, Method, Model, Poisson, Prior, Rows, Seed,
    Settings, Smooth, Stop, Target,
};

fn largest_z(answer: &Answer, truth: &[f64]) -> f64 {
    let z = answer.estimates.iter().zip(truth);
    z.map(|(one, truth)| ((one.summary.mean - truth) / one.summary.standard_error).abs())
        .fold(0.0, f64::max)
}

/// Ten weights under a Laplace prior: the mean to the next order after the mode is known to O(N^-3/2)
/// posterior sds, and a twentieth of an sd is asked for, so that the truth's own error is nothing.
#[test]
fn anchored_weights_are_those_of_all_rows() {
    let rows = Generated::new(LogisticLaw::paper(), Seed(3), 1 << 17);
    let model = DenseLogistic::new(9, Prior::Laplace { scale: 1.0 }).unwrap();
    let mode = newton(&model, &rows, &[0.0; 10], 1e-6, 20).unwrap();
    let (truth, _) = laplace_mean(&model, &rows, &mode);
    let question = Estimation::new(&model, &rows);
    let answer = question.run().unwrap();
    assert_eq!(answer.method, Method::Anchored);
    for (one, truth) in answer.estimates.iter().zip(&truth) {
        let error = (one.summary.mean - truth).abs() / one.posterior_sd.unwrap();
        let allowed = 4.0 * one.summary.standard_error / one.posterior_sd.unwrap();
        // What is left of the truth at this N, and of self-normalised weights.
        assert!(error < allowed + 3e-3, "{}: {error} sds, {allowed} allowed", one.name);
    }
    assert!(answer.shares.unwrap().median > 0.5);
    // Squares of increments fall fourfold from level to level, and chances to get there 2^1.5 times: the variance of
    // what no replicate entered, beyond level t, is at most 2^{−(t − 1)/2} of all.
    let unseen = answer.unseen.unwrap();
    let most = 0.5_f64.powf(0.5 * (unseen.deepest as f64 - 1.0));
    assert!(unseen.mass > 0.0 && unseen.hidden_share < most, "{unseen:?}");
    let planned = question.plan(&[Target::PosteriorSds(0.1)]).unwrap();
    assert!(planned.predictions[0].debiasing_pays(), "{planned:?}");
}

/// Heavy tails: rows of high leverage are certain to be in every sample.
#[test]
fn rows_of_high_leverage_are_kept() {
    let rows = Generated::new(HeavyLogisticLaw::new(20, -2.0, Seed(5)), Seed(4), 1 << 15);
    let model = DenseLogistic::new(20, Prior::Gaussian { standard_deviation: 2.0 }).unwrap();
    let mode = newton(&model, &rows, &[0.0; 21], 1e-6, 20).unwrap();
    let (truth, _) = laplace_mean(&model, &rows, &mode);
    let answer = Estimation::new(&model, &rows).method(Method::Anchored).run().unwrap();
    for (one, truth) in answer.estimates.iter().zip(&truth) {
        let sd = one.posterior_sd.unwrap();
        let allowed = 4.0 * one.summary.standard_error / sd;
        // A mean to the next order is good to a few hundredths of an sd here.
        assert!((one.summary.mean - truth).abs() / sd < allowed + 0.05, "{}", one.name);
    }
}

/// A logistic regression that does not say it is one.
struct Opaque(DenseLogistic);

impl Model for Opaque {
    type Block = DenseBlock;

    fn dimension(&self) -> usize {
        self.0.dimension()
    }

    fn log_prior(&self, theta: &[f64]) -> f64 {
        self.0.log_prior(theta)
    }

    fn log_likelihood(&self, theta: &[f64], block: &DenseBlock) -> f64 {
        self.0.log_likelihood(theta, block)
    }
}

impl Differentiable for Opaque {
    fn add_prior_gradient(&self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        self.0.add_prior_gradient(theta, gradient)
    }

    fn add_gradient(&self, theta: &[f64], block: &DenseBlock, gradient: &mut [f64]) -> f64 {
        self.0.add_gradient(theta, block, gradient)
    }
}

impl Smooth for Opaque {
    fn add_prior_hessian(&self, theta: &[f64], hessian: &mut [f64]) {
        self.0.add_prior_hessian(theta, hessian);
    }

    fn add_hessian(
        &self,
        theta: &[f64],
        block: &DenseBlock,
        gradient: &mut [f64],
        hessian: &mut [f64],
    ) -> f64 {
        self.0.add_hessian(theta, block, gradient, hessian)
    }

    fn remainder_scores(&self, anchor: &[f64], covariance: &[f64], block: &DenseBlock) -> Vec<f64> {
        self.0.remainder_scores(anchor, covariance, block)
    }
}

/// Without linear predictors samples are uniform, and rows that would decide too much are kept exact. Sixteen rows
/// stand sixty times as far out as the others, where they are nothing like a parabola.
#[test]
fn uniform_samples_keep_rows_exact() {
    const ROWS: usize = 1 << 14;
    let rng = &mut Seed(6).stream(0);
    let mut block = DenseBlock::zeros(ROWS, 1);
    for i in 0..ROWS {
        let far = if i % (ROWS / 16) == 5 { 60.0 } else { 1.0 };
        let x = 2.0 * rng.random::<f64>() - 1.0;
        let chance = 1.0 / (1.0 + (0.5 - 0.01 * x * far).exp());
        block.column_mut(0)[i] = far * x;
        block.targets_mut()[i] = if rng.random::<f64>() < chance { 1.0 } else { -1.0 };
    }
    let rows = DenseRows::new(block);
    let model = DenseLogistic::new(1, Prior::Gaussian { standard_deviation: 2.0 }).unwrap();
    let truth = Estimation::new(&model, &rows).method(Method::Nuts).run().unwrap();
    let model = Opaque(model);
    let answer = Estimation::new(&model, &rows).method(Method::Anchored).run().unwrap();
    let exact = answer.remarks.iter().find_map(|remark| {
        let (before, _) = remark.split_once(" rows kept exact")?;
        before.rsplit(' ').next()?.parse::<usize>().ok()
    });
    assert!(exact.unwrap() >= 16, "{:?}", answer.remarks);
    for (one, truth) in answer.estimates.iter().zip(&truth.estimates) {
        let error = one.summary.standard_error.hypot(truth.summary.standard_error);
        assert!((one.summary.mean - truth.summary.mean).abs() < 4.0 * error, "{}", one.name);
    }
}

/// The plain path with chains, on a posterior that is known.
#[test]
fn plain_means_are_those_of_all_rows() {
    let mut block = DenseBlock::zeros(1 << 13, 2);
    for j in 0..2 {
        let value = |i: usize| (i as f64 * (1.3 + j as f64)).sin() * 3.0 + j as f64;
        block.column_mut(j).iter_mut().enumerate().for_each(|(i, x)| *x = value(i));
    }
    let rows = DenseRows::new(block);
    let model = GaussianMean::new(&[4.0, 0.0, 0.0, 4.0], &[0.0; 2], &[9.0, 0.0, 0.0, 9.0]).unwrap();
    let truth = model.posterior(rows.block()).unwrap().mean;
    for form in [None, Some(Form::CoupledSum)] {
        let mut settings = Settings::default();
        settings.stop = Stop::Replicates(200);
        settings.form = form;
        settings.length = ChainLength { warm_up: 50, draws: 200 };
        let answer = Estimation::new(&model, &rows).settings(settings).run_plain().unwrap();
        assert_eq!(answer.method, Method::Plain);
        assert!(largest_z(&answer, &truth) < 4.0, "{form:?}: {:?}", answer.estimates);
        assert!(!answer.guarantees.unbiased(), "chains have their own bias");
    }
}

fn counts() -> DenseRows {
    let mut block = DenseBlock::zeros(1 << 14, 1);
    for i in 0..1 << 14 {
        let x = (i as f64 * 1.7).sin();
        block.column_mut(0)[i] = x;
        let noise = ((i + 1) as f64 * 12.9898).sin() * 43_758.545;
        block.targets_mut()[i] = ((0.4 * x).exp() * -(noise - noise.floor()).ln()).round();
    }
    DenseRows::new(block)
}

/// A model of one trait, beside its own full chain.
#[test]
fn a_model_of_your_own_agrees_with_its_full_chain() {
    let rows = counts();
    let prior = Prior::Gaussian { standard_deviation: 1.0 };
    let model = GeneralisedLinear::new(Poisson, 1, prior).unwrap();
    let all = Estimation::new(&model, &rows).compare(3e8).unwrap();
    let [ours, constant, full] = &all.methods[..] else { panic!("three methods") };
    assert_eq!((ours.name, full.name), ("anchored", "nuts"));
    for (one, other) in ours.estimates.iter().zip(&full.estimates) {
        let joint = one.summary.standard_error.hypot(other.summary.standard_error);
        let z = (one.summary.mean - other.summary.mean) / joint;
        assert!(z.abs() < 4.0, "{}: {:?} and {:?}", one.name, one.summary, other.summary);
    }
    assert!(constant.remark.contains("biased"));
    for method in &all.methods {
        assert!(method.evaluations as f64 <= 1.1 * all.budget, "{}", method.name);
    }
}

/// The pilot's number of replicates gives the error asked for, within a quarter.
#[test]
fn a_target_is_kept() {
    let rows = counts();
    let model = GeneralisedLinear::new(Poisson, 1, Prior::Laplace { scale: 1.0 }).unwrap();
    let settings = |target, budget| {
        let mut settings = Settings::default();
        settings.stop = Stop::Error { target: Target::PosteriorSds(target), budget };
        settings.method = Method::Plain;
        settings.length = ChainLength { warm_up: 50, draws: 100 };
        settings
    };
    let question = Estimation::new(&model, &rows);
    let question = question.settings(settings(2.0, None));
    let answer = question.run().unwrap();
    for one in &answer.estimates {
        let reached = one.summary.standard_error / one.posterior_sd.unwrap();
        assert!(reached < 2.5, "{}: {reached} posterior sds", one.name);
    }
    let refused = question.settings(settings(0.01, Some(1e8))).run();
    let Err(EstimateError::Unreachable { needed, reachable, target, .. }) = refused else {
        panic!("a hundredth of an sd on the plain path within 1e8 evaluations")
    };
    assert!(needed > 1e8 && reachable > target, "{needed} {reachable}");
}

/// What is too small for a path is small enough for NUTS; a plain path says what it needs.
#[test]
fn small_data_is_answered_and_small_batches_are_refused() {
    let model = DenseLogistic::new(9, Prior::Gaussian { standard_deviation: 2.5 }).unwrap();
    let rows = Generated::new(LogisticLaw::paper(), Seed(3), 600);
    let answer = Estimation::new(&model, &rows).run().unwrap();
    assert_eq!(answer.method, Method::Nuts);
    assert!(answer.chains.unwrap().worst_rhat < 1.1);
    let plain = Estimation::new(&model, &rows).method(Method::Plain);
    let refused = plain.run();
    assert!(matches!(refused, Err(EstimateError::TooSmall { rows: 600, first: 256 })));
    let mut settings = Settings::default();
    (settings.method, settings.first) = (Method::Plain, Some(9));
    let refused = plain.settings(settings).run();
    let Err(EstimateError::FirstBatch { first: 9, dimension: 10, suggested: 256 }) = refused else {
        panic!("nine rows for ten weights")
    };
    assert_eq!(rows.count(), 600);
    // A base for so many weights would be more than a quarter of the rows: there is no path to plan.
    let many = DenseLogistic::new(60, Prior::Gaussian { standard_deviation: 2.5 }).unwrap();
    let rows = Generated::new(HeavyLogisticLaw::new(60, -1.0, Seed(5)), Seed(4), 600);
    let refused = Estimation::new(&many, &rows).plan(&[Target::PosteriorSds(0.1)]);
    assert!(matches!(refused, Err(EstimateError::Trial(_))), "{refused:?}");
}

/// With control variates inside the levels, 200 replicates know ten means to 2e-4 posterior sds.
#[test]
fn ten_weights_are_known_to_a_thousandth_of_a_posterior_sd() {
    let rows = Generated::new(LogisticLaw::paper(), Seed(3), 1 << 17);
    let model = DenseLogistic::new(9, Prior::Laplace { scale: 1.0 }).unwrap();
    let question = Estimation::new(&model, &rows).method(Method::Anchored);
    let answer = question.stop(Stop::Replicates(200)).run().unwrap();
    for one in &answer.estimates {
        let error = one.in_sds().unwrap();
        assert!(error < 1e-3, "{}: {error} sds", one.name);
    }
}

/// The same seed gives the same bytes on one thread and on three.
#[test]
fn threads_do_not_matter() {
    let rows = Generated::new(HeavyLogisticLaw::new(20, -2.0, Seed(5)), Seed(4), 1 << 14);
    let model = DenseLogistic::new(20, Prior::Laplace { scale: 1.0 }).unwrap();
    let run = |threads: usize, method: Method| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let question = Estimation::new(&model, &rows).method(method);
        pool.install(|| question.run().unwrap().estimates)
    };
    for method in [Method::Anchored, Method::Nuts] {
        assert_eq!(run(1, method), run(3, method));
    }
}
