//! Austerity and the confidence sampler on 10⁵ rows of the log-Gaussian, x = exp y, y ~ N(0, 2).
//!
//! The model is N(μ, σ²) with a flat prior on (μ, σ), once for y, where it is right, and once for x
//! itself, whose tails are heavy (Bardenet, Doucet & Holmes 2014, section 4.2). In both cases the
//! posterior of σ is known in closed form. Prints, for each test, the bias in posterior standard
//! deviations with its Monte Carlo error, the ratio of standard deviations, and the share of rows a
//! step.
//!
//! ```sh
//! cargo run --release --example subsampling_tests
//! ```

use baselines::{Austerity, Confidence, SequentialTest, SubsampledSettings, SubsampledWalk};
use data::{DenseRows, GaussianLaw, Generated};
use debias::Seed;
use models::log_gaussian::LogGaussian;
use posterior::Rows;
use samplers::diagnostics::{Chains, ess_mean};
use samplers::{Factor, Length};
use std::error::Error;

const ROWS: usize = 100_000;

fn main() -> Result<(), Box<dyn Error>> {
    let draws = std::env::args().nth(1).map_or(Ok(5000), |text| text.parse())?;
    let light = Generated::new(GaussianLaw::log_gaussian(), Seed(7), ROWS).range(0..ROWS);
    let mut heavy = light.clone();
    heavy.column_mut(0).iter_mut().for_each(|y| *y = y.exp());
    for (name, block) in [("y, Gaussian", light), ("x, heavy-tailed", heavy)] {
        let rows = DenseRows::new(block);
        println!("{name}");
        for error in [0.2, 0.05, 0.01] {
            let test = Austerity::new(500, error)?;
            report(&format!("austerity, error {error}"), &rows, test, draws)?;
        }
        for error in [0.1, 0.01] {
            let test = Confidence::new(500, 2.0, error)?;
            report(&format!("confidence, error {error}"), &rows, test, draws)?;
        }
    }
    Ok(())
}

fn report<T: SequentialTest>(
    name: &str,
    rows: &DenseRows,
    test: T,
    draws: usize,
) -> Result<(), Box<dyn Error>> {
    let exact = LogGaussian::moments(rows.block())?;
    let n = rows.count() as f64;
    // The Laplace approximation in (μ, ln σ): standard deviations σ/√n and 1/√2n.
    let shape = [exact.mean_sigma.powi(2) / n, 0.0, 0.0, 0.5 / n];
    let settings = SubsampledSettings {
        scale: 2.38 / 2f64.sqrt(),
        shape: Factor::of_covariance(&shape, 2)?,
        start: vec![exact.mean_mu, exact.mean_sigma.ln()],
        length: Length { warm_up: draws / 10, draws },
        functionals: vec![],
    };
    let walk = SubsampledWalk::new(rows, &LogGaussian, test, settings)?;
    let run = walk.run(&mut Seed(8).stream(0))?;
    let sigmas: Vec<f64> = run.positions.chunks_exact(2).map(LogGaussian::sigma).collect();
    let mean = sigmas.iter().sum::<f64>() / sigmas.len() as f64;
    let square = sigmas.iter().map(|sigma| (sigma - mean).powi(2)).sum::<f64>();
    let deviation = (square / sigmas.len() as f64).sqrt();
    let fraction = run.fractions.iter().sum::<f64>() / run.fractions.len() as f64;
    let effective = ess_mean(&Chains::new(vec![sigmas])?);
    println!(
        "  {name:24} bias {:+8.2} ± {:.2} sds, spread {:6.2}, acceptance {:.2}, rows a step {:.1} %",
        (mean - exact.mean_sigma) / exact.sd_sigma,
        deviation / exact.sd_sigma / effective.sqrt(),
        deviation / exact.sd_sigma,
        run.acceptance,
        100.0 * fraction,
    );
    Ok(())
}
