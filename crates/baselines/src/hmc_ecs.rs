//! Hamiltonian Monte Carlo with energy-conserving subsampling, HMC-ECS (Dang, Quiroz, Kohn, Tran &
//! Villani 2019).
//!
//! Given m rows u, drawn with replacement, θ is moved by Hamiltonian dynamics on
//!
//! ```text
//! ln π̂(θ ∣ u) = ln p(θ) + Q(θ) + d̂(θ) − ½ σ̂²(θ)
//! d̂ = (N/m) Σ_{k ≤ m} d_{u_k}(θ)          σ̂² = N²/(m(m − 1)) Σ_k (d_{u_k} − mean)²
//! ```
//!
//! and its own gradient, so that energy is conserved within a trajectory and acceptance stays high. Then
//! one of G blocks of u is drawn again and accepted by Metropolis' rule. The θ-marginal of what is sampled
//! is not the posterior but a perturbed one, because e^{d̂ − ½σ̂²} is unbiased for e^{Σ d_i} only were d̂
//! Gaussian with a known variance; it is off by O(1/(N m²)) in total variation where m does not grow
//! with N (Quiroz, Kohn, Villani & Tran 2019), and no length of the chain makes that smaller. The
//! trajectories are those of any [`Kernel`]: with the no-U-turn sampler this is numpyro's HMCECS.

use crate::chain_means::{Batches, ChainMeans, no_expectation};
use crate::taylor::{Remainder, Taylor};
use crate::{Budget, Exhausted, Misfit};
use debias::{Estimate, Estimator, Ledger, Rng};
use models::design::Design;
use models::simd::Level;
use posterior::{Differentiable, Rows, Target};
use rand::RngExt;
use samplers::{Functional, Kernel, Length, StartError, Warming, Whitened};

/// The baseline.
pub struct HmcEcs<'a, R: Rows, K> {
    taylor: &'a Taylor<'a, R>,
    settings: HmcEcsSettings<K>,
    budget: Budget,
}

/// How to move, and what to ask.
#[derive(Clone, Debug)]
pub struct HmcEcsSettings<K> {
    /// What moves θ, in the coordinates of the Laplace approximation; adapts in the warm-up only.
    pub kernel: K,
    /// m.
    pub batch: usize,
    /// G; it divides the batch.
    pub blocks: usize,
    /// Warm-up and draws of one answer.
    pub length: Length,
    /// φ; expectations only.
    pub functionals: Vec<Functional>,
}

/// One chain.
#[derive(Clone, Debug, PartialEq)]
pub struct HmcEcsRun {
    /// The expectations along it.
    pub means: ChainMeans,
    /// The share of blocks of rows that were accepted.
    pub acceptance: f64,
    /// All work, set-up included.
    pub ledger: Ledger,
}

/// Why there is no chain.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum HmcEcsError {
    /// Fewer than two rows, or blocks that do not divide them.
    #[error("{blocks} blocks of {batch} rows")]
    Blocks {
        /// G.
        blocks: usize,
        /// m.
        batch: usize,
    },
    /// A functional is no expectation.
    #[error("functional {functional} is no expectation")]
    Functional {
        /// Which one, from zero.
        functional: usize,
    },
    /// No draws were asked for.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// The chain cannot start, or cannot go on with other rows.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The budget was used up.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

impl<'a, R, K> HmcEcs<'a, R, K>
where
    R: Rows,
    R::Block: Design,
    K: Kernel,
{
    /// Chains on rows about a centre.
    pub fn new(
        taylor: &'a Taylor<'a, R>,
        settings: HmcEcsSettings<K>,
    ) -> Result<HmcEcs<'a, R, K>, HmcEcsError> {
        let HmcEcsSettings { batch, blocks, length, ref functionals, .. } = settings;
        if batch < 2 || blocks == 0 || !batch.is_multiple_of(blocks) {
            return Err(HmcEcsError::Blocks { blocks, batch });
        }
        if let Some(functional) = no_expectation(functionals) {
            return Err(HmcEcsError::Functional { functional });
        }
        Misfit::length(length)?;
        Ok(HmcEcs { taylor, settings, budget: Budget::UNLIMITED })
    }

    /// The same, within a budget.
    pub fn within(self, budget: Budget) -> HmcEcs<'a, R, K> {
        HmcEcs { budget, ..self }
    }

    /// A chain of this length, from a point of the Gaussian.
    pub fn run(&self, length: Length, rng: &mut Rng) -> Result<HmcEcsRun, HmcEcsError> {
        let (taylor, frame) = (self.taylor, &self.taylor.frame);
        let HmcEcsSettings { ref kernel, batch, blocks, .. } = self.settings;
        self.budget.check(taylor.setup)?;
        let any = |rows: usize, rng: &mut Rng| -> Vec<usize> {
            (0..rows).map(|_| taylor.any_row(rng)).collect()
        };
        let mut target = Perturbed::new(taylor, any(batch, rng));
        let mut state = kernel.init(&mut Whitened::new(&mut target, frame), &taylor.normal(rng))?;
        let mut batches = Batches::new(&self.settings.functionals, length.draws);
        let (mut theta, mut accepted) = (vec![0.0; taylor.dimension()], 0);
        for iteration in 1..=length.transitions() {
            let step = kernel.step(&mut Whitened::new(&mut target, frame), &mut state, rng);
            if iteration <= length.warm_up {
                kernel.tune(&mut state, &step, Warming { iteration, length: length.warm_up });
            }
            frame.place(&kernel.point(&state).position, &mut theta);
            let first = rng.random_range(0..blocks as u64) as usize * (batch / blocks);
            let others = any(batch / blocks, rng);
            if target.renew(&theta, first, &others, rng) {
                accepted += 1;
                kernel.renew(&mut Whitened::new(&mut target, frame), &mut state)?;
            }
            if iteration > length.warm_up {
                batches.push(&theta, 1.0);
            }
            self.budget.check(target.ledger + taylor.setup)?;
        }
        let acceptance = f64::from(accepted) / length.transitions() as f64;
        Ok(HmcEcsRun { means: batches.finish(), acceptance, ledger: target.ledger + taylor.setup })
    }
}

/// π̂(θ ∣ u), counted.
struct Perturbed<'a, R: Rows> {
    taylor: &'a Taylor<'a, R>,
    indices: Vec<usize>,
    block: R::Block,
    ledger: Ledger,
}

/// d̂ − ½ σ̂², and what a unit of the slope of each row adds to its gradient.
fn perturbation(found: &[Remainder], rows: usize) -> (f64, Vec<f64>) {
    let (m, n) = (found.len() as f64, rows as f64);
    let mean = found.iter().map(|d| d.value).sum::<f64>() / m;
    let scale = n * n / (m * (m - 1.0));
    let squares: f64 = found.iter().map(|d| (d.value - mean).powi(2)).sum();
    let weights = found.iter().map(|d| d.slope * (n / m - scale * (d.value - mean))).collect();
    (n * mean - 0.5 * scale * squares, weights)
}

impl<'a, R> Perturbed<'a, R>
where
    R: Rows,
    R::Block: Design,
{
    fn new(taylor: &'a Taylor<'a, R>, indices: Vec<usize>) -> Perturbed<'a, R> {
        let block = taylor.rows.gather(&indices);
        Perturbed { taylor, indices, block, ledger: Ledger::default() }
    }

    /// Puts other rows in the place of those from `first` on, if Metropolis' rule takes them.
    fn renew(&mut self, theta: &[f64], first: usize, others: &[usize], rng: &mut Rng) -> bool {
        let taylor = self.taylor;
        let mut found = taylor.remainders(theta, &self.block, &self.indices);
        let before = perturbation(&found, taylor.rows.count()).0;
        let renewed = taylor.remainders(theta, &taylor.rows.gather(others), others);
        self.ledger.likelihoods += (self.indices.len() + others.len()) as u64;
        found[first..first + others.len()].copy_from_slice(&renewed);
        let after = perturbation(&found, taylor.rows.count()).0;
        let accepts = rng.random::<f64>() < (after - before).exp();
        if accepts {
            self.indices[first..first + others.len()].copy_from_slice(others);
            self.block = taylor.rows.gather(&self.indices);
        }
        accepts
    }
}

impl<R> Target for Perturbed<'_, R>
where
    R: Rows,
    R::Block: Design,
{
    fn dimension(&self) -> usize {
        self.taylor.dimension()
    }

    fn log_density(&mut self, theta: &[f64]) -> f64 {
        self.gradient(theta, &mut vec![0.0; theta.len()])
    }

    fn gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        let taylor = self.taylor;
        self.ledger.gradients += self.indices.len() as u64;
        gradient.fill(0.0);
        let value = taylor.model.add_prior_gradient(theta, gradient)
            + taylor.sum.add_gradient(theta, gradient);
        let found = taylor.remainders(theta, &self.block, &self.indices);
        let (left, weights) = perturbation(&found, taylor.rows.count());
        let mut at = 0;
        let mut link = |_: &[f64], eta: &mut [f64]| {
            eta.copy_from_slice(&weights[at..at + eta.len()]);
            at += eta.len();
        };
        self.block.sweep(Level::best(), theta, &mut link, Some(gradient));
        value + left
    }

    fn ledger(&self) -> Ledger {
        self.ledger
    }
}

impl<R, K> Estimator for HmcEcs<'_, R, K>
where
    R: Rows,
    R::Block: Design,
    K: Kernel,
{
    type Error = HmcEcsError;

    fn estimate(&self, _: u64, rng: &mut Rng) -> Result<Estimate, HmcEcsError> {
        let run = self.run(self.settings.length, rng)?;
        Ok(Estimate { value: run.means.means, depth: 1, cost: run.ledger })
    }

    /// As if a transition took four gradients; what it takes is not known before.
    fn expected_cost(&self, _: u64) -> f64 {
        let steps = self.settings.length.transitions() as f64;
        self.taylor.setup.evaluations() as f64 + 4.0 * steps * self.settings.batch as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use data::{DenseRows, Generated, LogisticLaw};
    use debias::Seed;
    use models::logistic::DenseLogistic;
    use models::prior::Prior;

    #[test]
    fn the_gradient_is_that_of_the_perturbed_density() {
        let rows = DenseRows::new(Generated::new(LogisticLaw::paper(), Seed(5), 200).range(0..200));
        let model = DenseLogistic::new(9, Prior::Gaussian { standard_deviation: 1.0 }).unwrap();
        let taylor = Taylor::at_mode(&rows, &model).unwrap();
        let mut target = Perturbed::new(&taylor, (0..20).map(|k| 7 * k).collect());
        let theta = taylor.place(vec![0.7; 10]).theta;
        let mut gradient = vec![0.0; 10];
        target.gradient(&theta, &mut gradient);
        for (j, slope) in gradient.iter().enumerate() {
            let mut at = |step: f64| {
                let mut moved = theta.clone();
                moved[j] += step;
                target.log_density(&moved)
            };
            let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
            assert!(
                (slope - difference).abs() < 1e-5 * (1.0 + slope.abs()),
                "{slope} {difference}"
            );
        }
    }
}
