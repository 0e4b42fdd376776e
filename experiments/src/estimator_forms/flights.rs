//! Flight delays: regression on random features of eight covariates, New York's flights of 2013.

use super::{Asked, Forms};
use data::{AIRLINE_TEST, AIRLINE_TRAIN, Airline, AirlineSource};
use debias::Schedule;
use models::feature_regression::{FeatureRegression, FeatureWeights, predict};
use models::features::FourierFeatures;
use posterior::{DataPath, Rows};
use records::DataSource;

const COVARIATES: usize = 8;
const NOISE: f64 = 1.0;
const FIRST: usize = 500;
/// Test flights whose predictions are asked for.
const POINTS: usize = 100;

pub fn run(
    forms: &mut Forms<'_>,
    (levels, replicates): (usize, usize),
    features: usize,
) -> anyhow::Result<()> {
    let source = AirlineSource::NewYork2013;
    let seed = forms.context.seed.child("flights");
    let airline = Airline::prepare(&source, AIRLINE_TRAIN, AIRLINE_TEST, seed.child("split"))?;
    let sums = source.checksums()?;
    let sums: Vec<String> = sums.iter().map(|(name, sum)| format!("{name} sha256 {sum}")).collect();
    let rows = &airline.train;
    let data = [DataSource {
        name: airline.data.clone(),
        rows: rows.count() as u64,
        identity: sums.join(", "),
    }];
    let rng = &mut seed.child("basis").stream(0);
    let map = FourierFeatures::sample(features, COVARIATES, 1.0, rng)?;
    let model = FeatureRegression::new(map, NOISE)?;
    let points = airline.test.range(0..POINTS);
    let truth = predict(model.map(), model.posterior_of_all(rows)?.mean(), &points);
    let schedule = Schedule::halving(rows.count(), FIRST)?;
    let path = DataPath::new(rows, &model, &FeatureWeights, &schedule)?;
    let name = "flights";
    let levels = levels.min(schedule.levels());
    let asked =
        Asked { name, path: &path, schedule: &schedule, levels, replicates, truth, data: &data };
    let ladder = forms.ladder(&asked, |weights| predict(model.map(), weights, &points))?;
    forms.judge(name, &ladder, 1.0)?;
    forms.data.extend(data);
    Ok(())
}
