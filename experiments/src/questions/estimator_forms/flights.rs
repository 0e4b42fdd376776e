//! Flight delays: regression on random features of eight covariates, New York's flights of 2013.

use super::{Forms, Problem};
use data::{AIRLINE_TEST, AIRLINE_TRAIN, Airline, AirlineSource};
use debias::Schedule;
use models::feature_regression::{FeatureRegression, FeatureWeights, predict};
use models::features::FourierFeatures;
use posterior::Rows;
use records::DataSource;

const COVARIATES: usize = 8;
const NOISE: f64 = 1.0;
const FIRST: usize = 500;
/// Test flights whose predictions are asked for.
const POINTS: usize = 100;

pub fn run(forms: &mut Forms<'_>, size: (usize, usize), features: usize) -> anyhow::Result<()> {
    let source = AirlineSource::NewYork2013;
    let seed = forms.context.seed.child("flights");
    let airline = Airline::prepare(&source, AIRLINE_TRAIN, AIRLINE_TEST, seed.child("split"))?;
    let sums = source.checksums()?;
    let sums: Vec<String> = sums.iter().map(|(name, sum)| format!("{name} sha256 {sum}")).collect();
    let rows = airline.train;
    let rng = &mut seed.child("basis").stream(0);
    let map = FourierFeatures::sample(features, COVARIATES, 1.0, rng)?;
    let model = FeatureRegression::new(map, NOISE)?;
    let points = airline.test.range(0..POINTS);
    let problem = Problem {
        truth: predict(model.map(), model.posterior_of_all(&rows)?.mean(), &points),
        schedule: Schedule::halving(rows.count(), FIRST)?,
        data: vec![DataSource {
            name: airline.data,
            rows: rows.count() as u64,
            identity: sums.join(", "),
        }],
        rows,
        model,
    };
    let map = |weights: &[f64]| predict(problem.model.map(), weights, &points);
    let ladder = forms.ladder("flights", &problem, &FeatureWeights, size, map)?;
    forms.judge("flights", &ladder, 1.0)?;
    forms.data.extend(problem.data);
    Ok(())
}
