//! Posteriors of one width: the base density and its levels.
//!
//! ```text
//! π₀(θ)  ∝ p(θ) exp{ Σ_{i∈K} ℓ_i(θ) + Q_rest(θ) }
//! π_t(θ) ∝ π₀(θ) exp{ (N_rest/n) Σ_{i∈S} [ℓ_i(θ) − q_i(θ)] }
//! ```
//!
//! S holds n of the N_rest rows outside the core K. With all of them π_t is the full posterior:
//! Q_rest and the q_i cancel, and are then left out altogether.

use super::Reweighting;
use ::posterior::{Block, Rows, Smooth, Target};
use debias::Ledger;
use models::anchor::{Expansion, Survey};
use std::ops::Range;

/// The base density π₀; ask for it as a [`Target`] by [`AnchoredPosterior::base`].
pub struct AnchoredPosterior<'a, R: Rows, M> {
    model: &'a M,
    rest: RestRows<'a, R>,
    core: R::Block,
    // Σ q_i over the rows outside the core.
    expansion: Expansion,
    ledger: Ledger,
}

/// The rows outside the core, renumbered from zero.
pub struct RestRows<'a, R> {
    rows: &'a R,
    // Invariant: strictly growing indices of K.
    core: Vec<usize>,
}

/// π_t, or π₀ where no rows were sampled.
pub struct AnchoredLevel<'a, M: Smooth> {
    model: &'a M,
    core: &'a M::Block,
    batch: Option<Batch<'a, M::Block>>,
    // Q_rest − (N_rest/n) Σ_S q_i; none where it is zero.
    expansion: Option<Expansion>,
    ledger: Ledger,
}

struct Batch<'a, B> {
    block: &'a B,
    // N_rest / n.
    scale: f64,
    // Σ_S q_i.
    expansion: Expansion,
}

impl<'a, R, M> AnchoredPosterior<'a, R, M>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    /// Keeps the core of the survey exact; the survey must be of the same model and rows.
    pub fn new(model: &'a M, rows: &'a R, survey: Survey) -> AnchoredPosterior<'a, R, M> {
        let core = rows.gather(&survey.core);
        let mut expansion = survey.expansion;
        let of_core = Expansion::of_block(model, &expansion.anchor, &core);
        expansion.add(-1.0, &of_core);
        let mut ledger = survey.ledger;
        ledger.gradients += core.rows() as u64;
        let rest = RestRows { rows, core: survey.core };
        AnchoredPosterior { model, rest, core, expansion, ledger }
    }

    /// θ₀.
    pub fn anchor(&self) -> &[f64] {
        &self.expansion.anchor
    }

    /// Q_rest.
    pub fn expansion(&self) -> &Expansion {
        &self.expansion
    }

    /// The rows from which batches are drawn.
    pub fn rest(&self) -> &RestRows<'a, R> {
        &self.rest
    }

    /// |K|.
    pub fn core_size(&self) -> usize {
        self.core.rows()
    }

    /// The work of setting up.
    pub fn ledger(&self) -> Ledger {
        self.ledger
    }

    /// π₀.
    pub fn base(&self) -> AnchoredLevel<'_, M> {
        AnchoredLevel {
            model: self.model,
            core: &self.core,
            batch: None,
            expansion: Some(self.expansion.clone()),
            ledger: Ledger::default(),
        }
    }

    /// π_t given n ≥ 1 rows gathered from [`AnchoredPosterior::rest`]; expands them once.
    ///
    /// # Panics
    /// If there are no rows, or more than the rest holds.
    pub fn level<'b>(&'b self, block: &'b M::Block) -> AnchoredLevel<'b, M> {
        let (n, all) = (block.rows(), self.rest.count());
        assert!(0 < n && n <= all, "{n} rows sampled from {all}");
        let scale = all as f64 / n as f64;
        let of_batch = Expansion::of_block(self.model, self.anchor(), block);
        let expansion = (n < all).then(|| {
            let mut difference = self.expansion.clone();
            difference.add(-scale, &of_batch);
            difference
        });
        AnchoredLevel {
            model: self.model,
            core: &self.core,
            batch: Some(Batch { block, scale, expansion: of_batch }),
            expansion,
            ledger: Ledger { gradients: n as u64, distinct_rows: n as u64, ..Ledger::default() },
        }
    }
}

impl<R, M> Reweighting<M::Block> for AnchoredPosterior<'_, R, M>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    /// Σ_i [ℓ_i(θ) − q_i(θ)]: n likelihoods a point and one expansion.
    fn remainders(&self, points: &[f64], block: &M::Block) -> (Vec<f64>, Ledger) {
        let expansion = Expansion::of_block(self.model, self.anchor(), block);
        let sums: Vec<f64> = points
            .chunks_exact(self.model.dimension())
            .map(|theta| self.model.log_likelihood(theta, block) - expansion.at(theta))
            .collect();
        let n = block.rows() as u64;
        let ledger = Ledger {
            likelihoods: n * sums.len() as u64,
            gradients: n,
            distinct_rows: n,
            ..Ledger::default()
        };
        (sums, ledger)
    }
}

impl<M: Smooth> AnchoredLevel<'_, M> {
    /// ln π_t(θ) − ln π₀(θ) = (N_rest/n) Σ_S [ℓ_i(θ) − q_i(θ)], the weight of a point drawn from
    /// the base; n likelihoods, none for the base itself.
    pub fn log_weight(&mut self, theta: &[f64]) -> f64 {
        let Some(batch) = &self.batch else { return 0.0 };
        self.ledger.likelihoods += batch.block.rows() as u64;
        let remainder = self.model.log_likelihood(theta, batch.block) - batch.expansion.at(theta);
        batch.scale * remainder
    }

    /// Rows of one evaluation: the core's and the batch's.
    pub fn rows(&self) -> usize {
        self.core.rows() + self.batch.as_ref().map_or(0, |batch| batch.block.rows())
    }
}

impl<M: Smooth> Target for AnchoredLevel<'_, M> {
    fn dimension(&self) -> usize {
        self.model.dimension()
    }

    fn log_density(&mut self, theta: &[f64]) -> f64 {
        self.ledger.likelihoods += self.rows() as u64;
        let mut value = self.model.log_prior(theta) + self.model.log_likelihood(theta, self.core);
        if let Some(expansion) = &self.expansion {
            value += expansion.at(theta);
        }
        if let Some(batch) = &self.batch {
            value += batch.scale * self.model.log_likelihood(theta, batch.block);
        }
        value
    }

    fn gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        self.ledger.gradients += self.rows() as u64;
        gradient.fill(0.0);
        let mut value = 0.0;
        if let Some(batch) = &self.batch {
            value += batch.scale * self.model.add_gradient(theta, batch.block, gradient);
            gradient.iter_mut().for_each(|slope| *slope *= batch.scale);
        }
        if let Some(expansion) = &self.expansion {
            value += expansion.add_gradient(theta, gradient);
        }
        value
            + self.model.add_gradient(theta, self.core, gradient)
            + self.model.add_prior_gradient(theta, gradient)
    }

    fn ledger(&self) -> Ledger {
        self.ledger
    }
}

impl<R: Rows> RestRows<'_, R> {
    /// The index among all rows of row `index` of the rest.
    pub fn original(&self, index: usize) -> usize {
        // Rows of the core that lie before it: those with core[c] − c ≤ index.
        let (mut low, mut high) = (0, self.core.len());
        while low < high {
            let middle = (low + high) / 2;
            if self.core[middle] - middle <= index {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        index + low
    }
}

impl<R: Rows> Rows for RestRows<'_, R> {
    type Block = R::Block;

    fn count(&self) -> usize {
        self.rows.count() - self.core.len()
    }

    fn gather(&self, indices: &[usize]) -> R::Block {
        let original: Vec<usize> = indices.iter().map(|&index| self.original(index)).collect();
        self.rows.gather(&original)
    }

    fn range(&self, range: Range<usize>) -> R::Block {
        match self.core.is_empty() {
            true => self.rows.range(range),
            false => self.gather(&range.collect::<Vec<_>>()),
        }
    }
}
