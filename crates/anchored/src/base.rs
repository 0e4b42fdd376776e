//! The base density, from which the points of all levels are drawn.
//!
//! ```text
//! π₀(θ) ∝ p(θ) exp{ Q(θ) + Σ_{i ∈ S₀} w_i r̃_i(θ) },      r_i = ℓ_i − q_i
//! ```
//!
//! S₀ is one fixed sample with calibrated weights. Its curvature may exceed the true one, so the
//! remainders of rows that were sampled continue as their tangents beyond 4 √v (r̃): the base is
//! integrable wherever the quadratic is. Rows of saturated octaves stay as they are.

use crate::anchor::{Anchor, CAP};
use crate::calibration::calibrate;
use crate::counted::CountedRows;
use crate::strata::{Sample, Strata};
use debias::Ledger;
use posterior::{Regression, RowExpansions, Rows, Smooth, Target};
use std::sync::Arc;

/// Standard deviations of a predictor beyond which the remainder of a sampled row is its tangent.
const REACH: f64 = 4.0;

/// S₀, ready to be evaluated.
pub struct Base<B> {
    block: B,
    rows: RowExpansions,
    weights: Vec<f64>,
    reach: Vec<f64>,
}

/// π₀ as a density.
pub struct BaseDensity<'a, M, B> {
    model: &'a M,
    regression: &'a dyn Regression<B>,
    anchor: &'a Anchor,
    base: Arc<Base<B>>,
    ledger: Ledger,
    values: Vec<f64>,
    slopes: Vec<f64>,
}

impl<B> Base<B> {
    /// The base of a sample.
    pub fn new<R: Rows<Block = B>>(
        regression: &dyn Regression<B>,
        anchor: &Anchor,
        rows: &CountedRows<'_, R>,
        strata: &Strata,
        sample: &Sample,
    ) -> Base<B> {
        let picked = sample.picked();
        let kinds: Vec<usize> = picked.iter().map(|one| one.row as usize).collect();
        let (block, counts) = rows.gather(&kinds);
        let found =
            regression.expand(anchor.centre(), Some(&anchor.covariance.entries), CAP, &block);
        let dominant = regression.dominant(&anchor.variances, &block);
        let mut weights: Vec<f64> =
            picked.iter().zip(&counts).map(|(one, count)| count * one.weight()).collect();
        let unsaturated: Vec<bool> = picked.iter().map(|one| one.exponent > 0).collect();
        let totals = strata.unsaturated_curvature(&sample.exponents);
        calibrate(&mut weights, &unsaturated, &dominant, &found, &totals);
        let reach = unsaturated.iter().cycle().zip(&found.variance);
        let reach = reach.map(|(&sampled, v)| if sampled { REACH * v.sqrt() } else { f64::MAX });
        Base { reach: reach.collect(), block, rows: found, weights }
    }

    /// The rows that one evaluation of the base takes.
    pub fn rows(&self) -> usize {
        self.weights.len()
    }

    /// π₀ as a density that counts.
    pub fn density<'a, M: Smooth<Block = B>>(
        self: &Arc<Self>,
        model: &'a M,
        regression: &'a dyn Regression<B>,
        anchor: &'a Anchor,
    ) -> BaseDensity<'a, M, B> {
        let values = vec![0.0; self.rows()];
        let slopes = vec![0.0; regression.predictors() * self.rows()];
        let base = Arc::clone(self);
        BaseDensity { model, regression, anchor, base, ledger: Ledger::default(), values, slopes }
    }
}

impl<M: Smooth<Block = B>, B> Target for BaseDensity<'_, M, B> {
    fn dimension(&self) -> usize {
        self.model.dimension()
    }

    fn log_density(&mut self, theta: &[f64]) -> f64 {
        let mut unused = vec![0.0; theta.len()];
        self.gradient(theta, &mut unused)
    }

    fn gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        let Base { block, rows, weights, reach } = &*self.base;
        gradient.fill(0.0);
        let mut value = self.model.add_prior_gradient(theta, gradient)
            + self.anchor.quadratic.add_gradient(theta, gradient);
        if !weights.is_empty() {
            let offset: Vec<f64> =
                theta.iter().zip(self.anchor.centre()).map(|(a, b)| a - b).collect();
            let (values, slopes) = (&mut self.values, &mut self.slopes);
            self.regression.remainders(&offset, block, rows, Some(reach), values, slopes);
            for (weight, remainder) in weights.iter().zip(values) {
                value += weight * *remainder;
            }
            for slopes in slopes.chunks_mut(weights.len()) {
                slopes.iter_mut().zip(weights).for_each(|(slope, weight)| *slope *= weight);
            }
            self.regression.add_rows(&self.slopes, block, gradient);
        }
        self.ledger.gradients += weights.len() as u64;
        value
    }

    fn ledger(&self) -> Ledger {
        self.ledger
    }
}
