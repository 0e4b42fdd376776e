//! Problems whose levels are known in closed form: a Gaussian mean, predictions from random features, and
//! flight delays.

use super::{Forms, Problem, Size};
use crate::problems::features::{FeatureProblem, ROWS};
use crate::problems::flights::{FIRST, Flights, regression};
use crate::problems::log_gaussian::named;
use data::{AIRLINE_TEST, AIRLINE_TRAIN, AirlineSource};
use debias::Schedule;
use models::feature_regression::{FeatureWeights, predict};
use models::gaussian_mean::{GaussianMean, GaussianMeanClosedForm};
use posterior::Rows;

/// Points at which predictions of random features are asked for.
const POINTS: usize = 50;
/// Test flights whose predictions are asked for.
const TEST_FLIGHTS: usize = 100;

/// The paper's streaming model on rows of variance two.
pub fn gaussian_mean(forms: &mut Forms<'_>, size: &Size) -> anyhow::Result<()> {
    let name = "Gaussian mean";
    let seed = forms.context.seed.child("gaussian rows");
    let (rows, data) = named("Gaussian rows", seed, size.gaussian_rows);
    let model = GaussianMean::new(&[2.0], &[0.0], &[100.0])?;
    let truth = model.posterior(&rows.range(0..rows.count()))?.mean;
    let schedule = Schedule::halving(rows.count(), 8)?;
    let problem = Problem { truth, schedule, data, rows, model };
    let level = &GaussianMeanClosedForm;
    let ladder = forms.ladder(name, &problem, level, size.gaussian, <[f64]>::to_vec)?;
    forms.judge(name, &ladder, 0.87)?;
    forms.data.extend(problem.data);
    Ok(())
}

/// Predictions from random features, rows with noise σ² and a model that takes it for λ.
pub fn features(
    forms: &mut Forms<'_>,
    (variance, lambda): (f64, f64),
    replicates: usize,
) -> anyhow::Result<()> {
    let name = if variance == lambda {
        format!("features, σ² = λ = {variance}")
    } else {
        format!("features, σ² = {variance}, λ = {lambda}")
    };
    let seed = forms.context.seed.child(&name);
    let FeatureProblem { rows, model, points, truth, data } =
        FeatureProblem::new(name.clone(), (variance, lambda), POINTS, seed)?;
    let schedule = Schedule::halving(ROWS, 78)?;
    let size = (schedule.levels(), replicates);
    let problem = Problem { truth, schedule, data, rows, model };
    let map = |weights: &[f64]| predict(problem.model.map(), weights, &points);
    let ladder = forms.ladder(&name, &problem, &FeatureWeights, size, map)?;
    forms.judge(&name, &ladder, 1.08)?;
    forms.data.extend(problem.data);
    Ok(())
}

/// Flight delays of New York in 2013.
pub fn flights(forms: &mut Forms<'_>, size: (usize, usize), features: usize) -> anyhow::Result<()> {
    let seed = forms.context.seed.child("flights");
    let (source, split) = (AirlineSource::NewYork2013, seed.child("split"));
    let Flights { airline, data, .. } = Flights::of(&source, AIRLINE_TRAIN, AIRLINE_TEST, split)?;
    let rows = airline.train;
    let model = regression(features, &mut seed.child("basis").stream(0))?;
    let points = airline.test.range(0..TEST_FLIGHTS);
    let truth = predict(model.map(), model.posterior_of_all(&rows)?.mean(), &points);
    let schedule = Schedule::halving(rows.count(), FIRST)?;
    let problem = Problem { truth, schedule, data, rows, model };
    let map = |weights: &[f64]| predict(problem.model.map(), weights, &points);
    let ladder = forms.ladder("flights", &problem, &FeatureWeights, size, map)?;
    forms.judge("flights", &ladder, 1.0)?;
    forms.data.extend(problem.data);
    Ok(())
}
