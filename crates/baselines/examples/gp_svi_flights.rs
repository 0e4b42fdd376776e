//! GP-SVI on the embedded flights at the paper's settings: 1000 inducing points, batches of 1000,
//! 1000 iterations; 173 853 rows to learn from, 100 000 to predict.
//!
//! Prints the bound on the way and the root mean square error in minutes beside linear
//! regression's. An argument sets the number of iterations.
//!
//! ```sh
//! cargo run --release --example gp_svi_flights
//! ```

use baselines::{GpSvi, GpSviSettings, Hyperparameters, InducingInputs, Progress, StepSize};
use data::{AIRLINE_TEST, AIRLINE_TRAIN, Airline, AirlineSource};
use debias::Seed;
use models::linear_algebra::{Layout, Symmetric};
use posterior::DenseBlock;
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let iterations = std::env::args().nth(1).map_or(Ok(1000), |text| text.parse())?;
    let source = AirlineSource::NewYork2013;
    let airline = Airline::prepare(&source, AIRLINE_TRAIN, AIRLINE_TEST, Seed(1))?;
    let (train, test) = (airline.train.block(), airline.test.block());
    let minutes = airline.standardisation.target().deviation;
    println!("{}: {} rows, {} to predict", airline.data, train.targets().len(), AIRLINE_TEST);
    println!("mean: {:.2} minutes", minutes * rmse(&vec![0.0; AIRLINE_TEST], test));
    let linear = linear_regression(train, test)?;
    println!("linear regression: {:.2} minutes", minutes * rmse(&linear, test));

    let start =
        Hyperparameters { length_scales: vec![1.0; train.width()], variance: 1.0, noise: 1.0 };
    let method = GpSvi::new(GpSviSettings {
        inducing: 1000,
        inputs: InducingInputs::KMeans { rows: 20_000, rounds: 10 },
        batch: 1000,
        iterations,
        natural_step: StepSize::decreasing(1.0, 1.0, 0.7)?,
        hyperparameter_step: Some(0.01),
        start,
    })?;
    let clock = Instant::now();
    let mut bounds = Vec::new();
    let mut observe = |progress: &Progress| {
        bounds.push(progress.bound);
        if progress.iterations.is_multiple_of(50) {
            let last = &bounds[bounds.len() - 50..];
            println!(
                "{:5} iterations, {:6.1} s: mean bound a row {:.4}, {:.3?}",
                progress.iterations,
                clock.elapsed().as_secs_f64(),
                last.iter().sum::<f64>() / 50.0 / train.targets().len() as f64,
                progress.hyperparameters,
            );
        }
    };
    let fitted = method.fit(&airline.train, &mut observe, &mut Seed(2).stream(0))?;
    let seconds = clock.elapsed().as_secs_f64();
    println!("{:.0} ms an iteration; {:?}", 1e3 * seconds / iterations as f64, fitted.ledger());
    let clock = Instant::now();
    let predictions = fitted.predict(test);
    println!("{} predictions in {:.1} s", AIRLINE_TEST, clock.elapsed().as_secs_f64());
    let noise = fitted.hyperparameters().noise;
    let inside = predictions.mean.iter().zip(&predictions.variance).zip(test.targets());
    let inside = inside.filter(|((mean, v), y)| (*y - *mean).abs() < 1.96 * (*v + noise).sqrt());
    println!("GP-SVI: {:.2} minutes", minutes * rmse(&predictions.mean, test));
    println!("95 % intervals hold {:.1} %", 100.0 * inside.count() as f64 / AIRLINE_TEST as f64);
    Ok(())
}

fn rmse(means: &[f64], points: &DenseBlock) -> f64 {
    let squares = means.iter().zip(points.targets()).map(|(mean, y)| (mean - y).powi(2));
    (squares.sum::<f64>() / means.len() as f64).sqrt()
}

/// Least squares; rows are standardised, so there is no intercept.
fn linear_regression(train: &DenseBlock, test: &DenseBlock) -> Result<Vec<f64>, Box<dyn Error>> {
    let columns: Vec<&[f64]> = (0..train.width()).map(|c| train.column(c)).collect();
    let mut gram = Symmetric::zeros(columns.len());
    gram.add_rank(1.0, &columns.concat(), Layout::EntryByEntry);
    let mut weights: Vec<f64> = columns
        .iter()
        .map(|column| column.iter().zip(train.targets()).map(|(x, y)| x * y).sum())
        .collect();
    gram.cholesky()?.solve(&mut weights);
    Ok((0..test.targets().len())
        .map(|i| weights.iter().enumerate().map(|(c, w)| w * test.column(c)[i]).sum())
        .collect())
}
