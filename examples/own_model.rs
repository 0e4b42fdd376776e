//! A model of your own: Poisson regression.
//!
//! ```text
//! y_i ~ Poisson(exp η_i),   η_i = w·x_i + c,        θ = (w, c) ~ N(0, s² I)
//! ln p(y ∣ η) = y η − exp η        ∇ = (y − exp η) x        ∇² = −exp η x xᵀ
//! ```
//!
//! Three traits, each needed for more: [`Model`] is enough for closed forms, [`Differentiable`] for
//! chains, [`Smooth`] for anchored paths. The sums run over a block of rows that lies column by column.
//! (Where only ln p(y ∣ η) is new, `unbiased_bayes::GeneralisedLinear` writes all of this for you.)
//!
//! ```sh
//! cargo run --release --package examples --bin own-model
//! ```

use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};
use unbiased_bayes::{
    DenseBlock, DenseRows, Differentiable, EstimateError, Estimated, Estimation, Model, Rng, Rows,
    Seed, Smooth, Stop,
};

/// Weights and an intercept with a Gaussian prior.
struct Poisson {
    /// Covariates, without the intercept.
    width: usize,
    /// s.
    deviation: f64,
}

impl Poisson {
    /// η_i for every row.
    fn predictors(&self, theta: &[f64], block: &DenseBlock) -> Vec<f64> {
        let mut eta = vec![theta[self.width]; block.targets().len()];
        for (j, weight) in theta[..self.width].iter().enumerate() {
            eta.iter_mut().zip(block.column(j)).for_each(|(eta, x)| *eta += weight * x);
        }
        eta
    }

    /// Covariate j of every row; the intercept is the last.
    fn covariate<'b>(&self, j: usize, block: &'b DenseBlock, ones: &'b [f64]) -> &'b [f64] {
        if j < self.width { block.column(j) } else { ones }
    }
}

impl Model for Poisson {
    type Block = DenseBlock;

    fn dimension(&self) -> usize {
        self.width + 1
    }

    fn log_prior(&self, theta: &[f64]) -> f64 {
        -0.5 * theta.iter().map(|x| (x / self.deviation).powi(2)).sum::<f64>()
    }

    fn log_likelihood(&self, theta: &[f64], block: &DenseBlock) -> f64 {
        let eta = self.predictors(theta, block);
        eta.iter().zip(block.targets()).map(|(eta, y)| y * eta - eta.exp()).sum()
    }
}

impl Differentiable for Poisson {
    fn add_prior_gradient(&self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        gradient.iter_mut().zip(theta).for_each(|(g, x)| *g -= x / self.deviation.powi(2));
        self.log_prior(theta)
    }

    fn add_gradient(&self, theta: &[f64], block: &DenseBlock, gradient: &mut [f64]) -> f64 {
        let (ones, y) = (vec![1.0; block.targets().len()], block.targets());
        let (mut residual, mut value) = (self.predictors(theta, block), 0.0);
        for (eta, y) in residual.iter_mut().zip(y) {
            let mean = eta.exp();
            value += y * *eta - mean;
            *eta = y - mean;
        }
        for (j, slope) in gradient.iter_mut().enumerate() {
            let x = self.covariate(j, block, &ones);
            *slope += x.iter().zip(&residual).map(|(x, residual)| x * residual).sum::<f64>();
        }
        value
    }
}

impl Smooth for Poisson {
    fn add_prior_hessian(&self, theta: &[f64], hessian: &mut [f64]) {
        let d = theta.len();
        (0..d).for_each(|j| hessian[j * d + j] -= self.deviation.powi(-2));
    }

    fn add_hessian(
        &self,
        theta: &[f64],
        block: &DenseBlock,
        gradient: &mut [f64],
        hessian: &mut [f64],
    ) -> f64 {
        let (d, ones) = (theta.len(), vec![1.0; block.targets().len()]);
        let mean: Vec<f64> = self.predictors(theta, block).iter().map(|eta| eta.exp()).collect();
        for j in 0..d {
            let weighted: Vec<f64> =
                self.covariate(j, block, &ones).iter().zip(&mean).map(|(x, m)| x * m).collect();
            for k in 0..d {
                let other = self.covariate(k, block, &ones);
                hessian[j * d + k] -= weighted.iter().zip(other).map(|(a, b)| a * b).sum::<f64>();
            }
        }
        self.add_gradient(theta, block, gradient)
    }

    /// The third derivative of exp η, at the spread of η under the posterior: rows with a large one
    /// are better kept exact than sampled.
    fn remainder_scores(&self, anchor: &[f64], covariance: &[f64], block: &DenseBlock) -> Vec<f64> {
        let (d, ones) = (anchor.len(), vec![1.0; block.targets().len()]);
        let covariates: Vec<&[f64]> = (0..d).map(|j| self.covariate(j, block, &ones)).collect();
        let spread = |i: usize| -> f64 {
            let x = |j: usize| covariates[j][i];
            (0..d * d).map(|jk| x(jk / d) * covariance[jk] * x(jk % d)).sum()
        };
        let eta = self.predictors(anchor, block);
        eta.iter().enumerate().map(|(i, eta)| spread(i).powf(1.5) * eta.exp()).collect()
    }
}

/// Counts that the model explains.
fn counts(rows: usize, weights: &[f64], intercept: f64, rng: &mut Rng) -> DenseRows {
    let mut block = DenseBlock::zeros(rows, weights.len());
    let mut eta = vec![intercept; rows];
    for (j, weight) in weights.iter().enumerate() {
        let column = block.column_mut(j);
        column.fill_with(|| rng.sample(StandardNormal));
        eta.iter_mut().zip(column).for_each(|(eta, x)| *eta += weight * *x);
    }
    for (y, eta) in block.targets_mut().iter_mut().zip(eta) {
        let law = rand_distr::Poisson::new(eta.exp()).expect("exp η is positive");
        *y = law.sample(rng);
    }
    DenseRows::new(block)
}

/// Posterior means of all coordinates.
fn answer(model: &Poisson, rows: &DenseRows) -> Result<Vec<Estimated>, EstimateError> {
    Ok(Estimation::new(model, rows).stop(Stop::Replicates(200)).run()?.estimates)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rows = counts(100_000, &[0.3, -0.2, 0.1], 0.5, &mut Seed(1).stream(0));
    let model = Poisson { width: 3, deviation: 1.0 };
    println!("{} rows", rows.count());
    for one in answer(&model, &rows)? {
        println!("{}: {:.5} ± {:.1e}", one.name, one.summary.mean, one.summary.standard_error);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use baselines::{FullChain, FullPosterior};
    use debias::Summary;
    use debias::engine::{Forgetful, Unobserved, replicate};
    use posterior::Target;
    use samplers::{ByChain, Framing, Functional, Length, NoUTurn, Start};

    /// Sixteen chains on all rows: beyond four joint standard errors in one of four coordinates once
    /// in about 300 choices of seeds. The chains' error is a fiftieth of a posterior standard
    /// deviation, so that a prior forgotten on one side would show.
    #[test]
    fn it_agrees_with_its_own_full_posterior() {
        let rows = counts(5000, &[0.3, -0.2, 0.1], 0.5, &mut Seed(2).stream(0));
        let model = Poisson { width: 3, deviation: 1.0 };
        let posterior = FullPosterior::new(&model, &rows);
        let chain = ByChain {
            sampler: NoUTurn::default(),
            framing: Framing::laplace(4),
            start: Start::Frame { spread: 1.0 },
            length: Length { warm_up: 100, draws: 200 },
            functionals: Functional::means(4),
            control_variates: false,
            expected_evaluations: 2000.0,
        };
        let chains = FullChain::new(&posterior, chain).unwrap();
        let full = replicate(&chains, 0..16, Seed(3), &Forgetful, &Unobserved).unwrap();
        for (j, one) in answer(&model, &rows).unwrap().iter().enumerate() {
            let full = Summary::of(&full.functional(j)).unwrap();
            let joint = full.standard_error.hypot(one.summary.standard_error);
            let z = (one.summary.mean - full.mean) / joint;
            println!("{}: {} and {}, z = {z:.2}", one.name, one.summary.mean, full.mean);
            assert!(z.abs() < 4.0, "{}: {z}", one.name);
        }
    }

    /// The gradient is that of the density, by central differences.
    #[test]
    fn the_gradient_is_the_slope() {
        let rows = counts(50, &[0.3, -0.2], 0.5, &mut Seed(4).stream(0));
        let model = Poisson { width: 2, deviation: 1.0 };
        let mut posterior = FullPosterior::new(&model, &rows);
        let theta = [0.2, 0.1, -0.3];
        let mut gradient = [0.0; 3];
        posterior.gradient(&theta, &mut gradient);
        for j in 0..3 {
            let mut at = |step: f64| {
                let mut theta = theta;
                theta[j] += step;
                posterior.log_density(&theta)
            };
            let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
            assert!((slope - gradient[j]).abs() < 1e-5 * gradient[j].abs().max(1.0));
        }
    }
}
