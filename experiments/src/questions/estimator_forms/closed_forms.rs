//! Problems whose levels are known in closed form: a Gaussian mean, predictions from random features.

use super::{Forms, Problem, Size};
use data::{DenseRows, FeatureToyLaw, GaussianLaw, Generated};
use debias::Schedule;
use models::feature_regression::{FeatureRegression, FeatureWeights, predict};
use models::features::FourierFeatures;
use models::gaussian_mean::{GaussianMean, GaussianMeanClosedForm};
use posterior::{DenseBlock, Rows};
use rand::RngExt;
use records::DataSource;

/// The paper's streaming model on rows of variance two.
pub fn gaussian_mean(forms: &mut Forms<'_>, size: &Size) -> anyhow::Result<()> {
    let name = "Gaussian mean";
    let seed = forms.context.seed.child("gaussian rows");
    let rows = Generated::new(GaussianLaw::log_gaussian(), seed, size.gaussian_rows);
    let model = GaussianMean::new(&[2.0], &[0.0], &[100.0])?;
    let problem = Problem {
        truth: model.posterior(&rows.range(0..rows.count()))?.mean,
        schedule: Schedule::halving(rows.count(), 8)?,
        data: vec![DataSource {
            name: "Gaussian rows".to_owned(),
            rows: rows.count() as u64,
            identity: format!("ln x ~ N(0, 2), seed {}", seed.0),
        }],
        rows,
        model,
    };
    let level = &GaussianMeanClosedForm;
    let ladder = forms.ladder(name, &problem, level, size.gaussian, <[f64]>::to_vec)?;
    forms.judge(name, &ladder, 0.87)?;
    forms.data.extend(problem.data);
    Ok(())
}

/// Predictions at fifty points, rows with noise σ² and a model that takes it for λ.
pub fn features(
    forms: &mut Forms<'_>,
    (variance, lambda): (f64, f64),
    replicates: usize,
) -> anyhow::Result<()> {
    const ROWS: usize = 10_000;
    const FEATURES: usize = 100;
    const POINTS: usize = 50;
    let name = if variance == lambda {
        format!("features, σ² = λ = {variance}")
    } else {
        format!("features, σ² = {variance}, λ = {lambda}")
    };
    let seed = forms.context.seed.child(&name);
    let law = FeatureToyLaw::new(FEATURES, 1.0, variance, seed.child("function"));
    let rows = DenseRows::new(Generated::new(law, seed.child("rows"), ROWS).range(0..ROWS));
    let map = FourierFeatures::sample(FEATURES, 1, 1.0, &mut seed.child("basis").stream(0))?;
    let model = FeatureRegression::new(map, lambda)?;
    let mut points = DenseBlock::zeros(POINTS, 1);
    let rng = &mut seed.child("test points").stream(0);
    points.column_mut(0).iter_mut().for_each(|x| *x = 10.0 * rng.random::<f64>());
    let problem = Problem {
        truth: model.posterior(rows.block())?.predictive_mean(&points),
        schedule: Schedule::halving(ROWS, 78)?,
        data: vec![DataSource {
            name: name.clone(),
            rows: ROWS as u64,
            identity: format!("100 waves on [0, 10], noise {variance}, seed {}", seed.0),
        }],
        rows,
        model,
    };
    let map = |weights: &[f64]| predict(problem.model.map(), weights, &points);
    let size = (problem.schedule.levels(), replicates);
    let ladder = forms.ladder(&name, &problem, &FeatureWeights, size, map)?;
    forms.judge(&name, &ladder, 1.08)?;
    forms.data.extend(problem.data);
    Ok(())
}
