//! Models and samplers together: NUTS on the real posteriors is calibrated and finds closed forms.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use data::{GaussianLaw, Generated};
use debias::Seed;
use models::log_gaussian::LogGaussian;
use models::logistic::DenseLogistic;
use models::prior::Prior;
use posterior::{DenseBlock, PartialPosterior, Rows};
use rand::RngExt;
use rand_distr::StandardNormal;
use rayon::prelude::*;
use samplers::diagnostics::{Chains, ess_mean};
use samplers::{ByChain, Framing, Functional, Length, Nuts, Start};

/// The paper's sampler in the coordinates of the Laplace approximation.
fn chain(dimension: usize, draws: usize, functionals: Vec<Functional>) -> ByChain<Nuts> {
    ByChain {
        sampler: Nuts::default(),
        framing: Framing::laplace(dimension),
        start: Start::Frame { spread: 1.0 },
        length: Length { warm_up: 100, draws },
        functionals,
        control_variates: false,
        expected_evaluations: 0.0,
    }
}

/// NUTS 100 + 500 against E[σ ∣ y] in closed form, n = 8 … 10⁵, in units of its own Monte Carlo
/// error, 1/√ESS posterior standard deviations. Six sizes at |z| < 4: once in 2600 seeds.
#[test]
fn nuts_finds_the_closed_form_of_sigma() {
    let rows = Generated::new(GaussianLaw::log_gaussian(), Seed(21), 100_000);
    for (index, size) in [8, 32, 256, 2048, 16_384, 100_000].into_iter().enumerate() {
        let block = rows.range(0..size);
        let exact = LogGaussian::moments(&block).unwrap();
        let mut posterior = PartialPosterior::new(&LogGaussian, &block);
        let draws = chain(2, 500, vec![])
            .draws(&mut posterior, &mut Seed(22).stream(index as u64))
            .unwrap();
        let sigmas: Vec<f64> = draws.iter().map(LogGaussian::sigma).collect();
        let mean = sigmas.iter().sum::<f64>() / sigmas.len() as f64;
        let effective = ess_mean(&Chains::new(vec![sigmas]).unwrap());
        let sds = (mean - exact.mean_sigma) / exact.sd_sigma;
        println!("n = {size}: {sds:+.3} posterior sds off, {effective:.0} effective draws");
        assert!(sds.abs() * effective.sqrt() < 4.0, "n = {size}: {sds} sds, {effective} draws");
    }
}

/// Simulation-based calibration (Talts et al. 2018) of logistic regression under its Laplace
/// prior: parameters from the prior, rows from the parameters, the rank of each parameter among
/// thinned draws. Ranks are uniform; Pearson's χ² on ten bins, 9 degrees of freedom, four
/// parameters: 36 is exceeded by one of them once in 6000 seeds.
#[test]
fn logistic_regression_is_calibrated() {
    const SIMULATIONS: u64 = 600;
    const ROWS: usize = 40;
    const WIDTH: usize = 3;
    let model = DenseLogistic::new(WIDTH, Prior::Laplace { scale: 1.0 }).unwrap();
    let ranks: Vec<[usize; WIDTH + 1]> = (0..SIMULATIONS)
        .into_par_iter()
        .map(|simulation| {
            let rng = &mut Seed(23).stream(simulation);
            let theta: Vec<f64> = (0..=WIDTH)
                .map(|_| {
                    let uniform = rng.random::<f64>() - 0.5;
                    -uniform.signum() * (1.0 - 2.0 * uniform.abs()).ln()
                })
                .collect();
            let mut block = DenseBlock::zeros(ROWS, WIDTH);
            let mut predictors = vec![theta[WIDTH]; ROWS];
            for j in 0..WIDTH {
                for (x, predictor) in block.column_mut(j).iter_mut().zip(&mut predictors) {
                    *x = rng.sample(StandardNormal);
                    *predictor += theta[j] * *x;
                }
            }
            for (y, predictor) in block.targets_mut().iter_mut().zip(&predictors) {
                *y =
                    if rng.random::<f64>() < 1.0 / (1.0 + (-predictor).exp()) { 1.0 } else { -1.0 };
            }
            let mut posterior = PartialPosterior::new(&model, &block);
            // 99 of 495 draws: at every fifth, what is left of the chain's memory is small.
            let draws = chain(WIDTH + 1, 495, vec![]).draws(&mut posterior, rng).unwrap();
            std::array::from_fn(|j| {
                draws.iter().step_by(5).filter(|draw| draw[j] < theta[j]).count()
            })
        })
        .collect();
    for j in 0..=WIDTH {
        let mut bins = [0_u32; 10];
        ranks.iter().for_each(|rank| bins[rank[j] / 10] += 1);
        let expected = SIMULATIONS as f64 / 10.0;
        let chi: f64 = bins.iter().map(|&bin| (f64::from(bin) - expected).powi(2) / expected).sum();
        println!("parameter {j}: χ² = {chi:.1} on 9 degrees, {bins:?}");
        assert!(chi < 36.0, "parameter {j}: {bins:?}");
    }
}
