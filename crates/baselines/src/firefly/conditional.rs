//! θ given which rows are bright.
//!
//! ```text
//! π(θ ∣ z) ∝ p(θ) Π_i B_i(θ) Π_{i bright} (L_i(θ) − B_i(θ)) / B_i(θ)
//! ln …     = ln p(θ) + Σ_i ln B_i(θ) + Σ_{i bright} ln(exp(g_i(θ)) − 1)
//! ```
//!
//! The first sum is a quadratic that costs no rows; only bright rows are evaluated. Gaps at the
//! present θ are remembered, so that resampling brightness does not pay for them again.

use super::bound::{Bound, Bounds, Gap};
use super::brightness::Lit;
use debias::Ledger;
use models::design::Design;
use models::logistic::Logistic;
use models::simd::Level;
use posterior::{Differentiable, Model, Rows, Target};

/// The conditional density, counted.
pub struct Conditional<'a, R: Rows> {
    rows: &'a R,
    model: &'a Logistic<R::Block>,
    bounds: &'a Bounds,
    // Invariant: in order, gathered into the block; bound_of[i] is that of row i of the block.
    bright: Vec<usize>,
    block: R::Block,
    bound_of: Vec<Bound>,
    // What is known about the present point and about the last one asked for.
    present: Known,
    last: Known,
    ledger: Ledger,
}

/// g_i of the bright rows at θ.
#[derive(Clone, Default)]
struct Known {
    theta: Vec<f64>,
    gaps: Vec<f64>,
}

impl<'a, R: Rows> Conditional<'a, R>
where
    R::Block: Design,
{
    /// All rows dark.
    pub fn dark(rows: &'a R, model: &'a Logistic<R::Block>, bounds: &'a Bounds) -> Self {
        Conditional {
            rows,
            model,
            bounds,
            bright: Vec::new(),
            block: rows.gather(&[]),
            bound_of: Vec::new(),
            present: Known::default(),
            last: Known::default(),
            ledger: Ledger::default(),
        }
    }

    /// g_i(θ) of any rows.
    pub fn gaps(&mut self, theta: &[f64], rows: &[usize]) -> Vec<f64> {
        if rows.is_empty() {
            return Vec::new();
        }
        self.ledger.likelihoods += rows.len() as u64;
        gaps_of(&self.rows.gather(rows), theta, &self.bounds_of(rows))
    }

    /// The bright rows with their gaps at θ, which becomes the present point.
    pub fn settle(&mut self, theta: &[f64]) -> Vec<Lit> {
        if self.present.theta != theta {
            if self.last.theta != theta {
                self.look(theta);
            }
            std::mem::swap(&mut self.present, &mut self.last);
        }
        self.bright.iter().copied().zip(self.present.gaps.iter().copied()).collect()
    }

    /// Lights these rows, with their gaps at θ, and no others.
    pub fn light(&mut self, theta: &[f64], lit: &[Lit]) {
        self.last = Known::default();
        self.present =
            Known { theta: theta.to_vec(), gaps: lit.iter().map(|&(_, gap)| gap).collect() };
        if !self.bright.iter().eq(lit.iter().map(|(row, _)| row)) {
            self.bright = lit.iter().map(|&(row, _)| row).collect();
            self.block = self.rows.gather(&self.bright);
            self.bound_of = self.bounds_of(&self.bright);
        }
    }

    /// How many rows are bright.
    pub fn bright(&self) -> usize {
        self.bright.len()
    }

    fn bounds_of(&self, rows: &[usize]) -> Vec<Bound> {
        rows.iter().map(|&row| Bound::touching(self.bounds.touching[row])).collect()
    }

    fn look(&mut self, theta: &[f64]) {
        self.ledger.likelihoods += self.bright.len() as u64;
        self.last.theta = theta.to_vec();
        self.last.gaps = gaps_of(&self.block, theta, &self.bound_of);
    }
}

fn gaps_of<B: Design>(block: &B, theta: &[f64], bounds: &[Bound]) -> Vec<f64> {
    let mut gaps = Vec::with_capacity(bounds.len());
    let mut link = |_: &[f64], eta: &mut [f64]| {
        let bounds = &bounds[gaps.len()..];
        gaps.extend(eta.iter().zip(bounds).map(|(&eta, bound)| bound.gap(eta).gap));
    };
    block.sweep(Level::best(), theta, &mut link, None);
    gaps
}

/// 1 − exp(−g) and ln(exp(g) − 1); zero and −∞ where the bound touches, which no bright row can see.
fn odds(gap: f64) -> (f64, f64) {
    let excess = -(-gap).exp_m1();
    (excess, gap + excess.ln())
}

impl<R: Rows> Target for Conditional<'_, R>
where
    R::Block: Design,
{
    fn dimension(&self) -> usize {
        self.model.dimension()
    }

    fn log_density(&mut self, theta: &[f64]) -> f64 {
        let known = if self.present.theta == theta {
            &self.present
        } else {
            self.look(theta);
            &self.last
        };
        let odds: f64 = known.gaps.iter().map(|&gap| odds(gap).1).sum();
        self.model.log_prior(theta) + self.bounds.sum.at(theta) + odds
    }

    fn gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        self.ledger.gradients += self.bright.len() as u64;
        gradient.fill(0.0);
        let mut value = self.model.add_prior_gradient(theta, gradient)
            + self.bounds.sum.add_gradient(theta, gradient);
        let mut gaps = Vec::with_capacity(self.bound_of.len());
        let mut link = |_: &[f64], eta: &mut [f64]| {
            let bounds = &self.bound_of[gaps.len()..];
            for (eta, bound) in eta.iter_mut().zip(bounds) {
                let Gap { gap, slope } = bound.gap(*eta);
                let (excess, log_odds) = odds(gap);
                value += log_odds;
                gaps.push(gap);
                // Where the bound touches the density is zero and has no slope.
                *eta = if excess > 0.0 { slope / excess } else { 0.0 };
            }
        };
        self.block.sweep(Level::best(), theta, &mut link, Some(gradient));
        self.last = Known { theta: theta.to_vec(), gaps };
        value
    }

    fn ledger(&self) -> Ledger {
        self.ledger
    }
}
