//! One set of points for all levels of a replicate.
//!
//! ```text
//! φ_t ≈ Σ_i W_i φ(θ_i),   W_i ∝ π_t(θ_i) / q(θ_i),   ESS = 1 / Σ_i W_i²
//! ```
//!
//! The points come from a density q that all levels resemble: a Student-t at the Laplace
//! approximation, at quasi-random quantiles, or a base density π_0, by any sampler. Because the
//! levels of an increment share their points, the noise of the points cancels in it. What
//! self-normalised weights leave is a bias of the order 1/ESS.
//!
//! The noise that stays is that of the base, and control variates for the base take most of it away:
//!
//! ```text
//! φ_t ≈ Σ_i W_i φ(θ_i) + (φ̂_0 with control variates − mean of φ(θ_i)),
//! ```
//!
//! the same shift at all levels, so that it cancels in every increment.

use crate::{ControlError, Draws, Functional, Student, halton, with_control_variates};
use debias::Rng;
use posterior::Target;

/// Weighted points of a base density.
#[derive(Clone, Debug)]
pub struct SharedPoints {
    dimension: usize,
    positions: Vec<f64>,
    // The base density at the points, up to a constant.
    log_base: Vec<f64>,
    // The weights with which the points stand for the base; zeros if they were drawn from it.
    log_weights: Vec<f64>,
    // What control variates add to each functional; nothing if there are none.
    shifts: Vec<f64>,
}

/// Functionals of one level, and how many equally weighted points they are worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Weighted {
    /// The functionals, in their order.
    pub value: Vec<f64>,
    /// ESS.
    pub effective: f64,
}

/// Why points cannot stand for a level.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WeightError {
    /// Too few points carry the weight.
    #[error("{points} points are worth only {effective} of the {floor} asked for")]
    Degenerate {
        /// How many points there are.
        points: usize,
        /// ESS.
        effective: f64,
        /// What was asked for.
        floor: f64,
    },
    /// A weight is undefined, or all of them are zero.
    #[error("the log weight of point {index} is {log_weight}")]
    Undefined {
        /// Which point; the first, if all are zero.
        index: usize,
        /// Its log weight.
        log_weight: f64,
    },
}

impl SharedPoints {
    /// Randomised quasi-random points of a Student-t density.
    pub fn student(proposal: &Student, count: usize, rng: &mut Rng) -> SharedPoints {
        let dimension = proposal.dimension();
        let mut points = SharedPoints {
            dimension,
            positions: Vec::with_capacity(count * dimension),
            log_base: Vec::with_capacity(count),
            log_weights: vec![0.0; count],
            shifts: Vec::new(),
        };
        for quantiles in halton(count, dimension + 1, rng).chunks_exact(dimension + 1) {
            let point = proposal.at_quantiles(quantiles);
            points.positions.extend_from_slice(&point.position);
            points.log_base.push(point.log_density);
        }
        points
    }

    /// Pairs of points that mirror each other in the centre of a Student-t density, at
    /// quasi-random quantiles: their mean is the centre itself, whatever their number.
    pub fn mirrored(proposal: &Student, pairs: usize, rng: &mut Rng) -> SharedPoints {
        let d = proposal.dimension();
        let mut points = SharedPoints {
            dimension: d,
            positions: Vec::with_capacity(2 * pairs * d),
            log_base: Vec::with_capacity(2 * pairs),
            log_weights: vec![0.0; 2 * pairs],
            shifts: Vec::new(),
        };
        for quantiles in halton(pairs, d + 1, rng).chunks_exact_mut(d + 1) {
            for _ in 0..2 {
                let point = proposal.at_quantiles(quantiles);
                points.positions.extend_from_slice(&point.position);
                points.log_base.push(point.log_density);
                quantiles[..d].iter_mut().for_each(|quantile| *quantile = 1.0 - *quantile);
            }
        }
        points
    }

    /// The draws of a chain on a base density.
    pub fn of_draws(draws: &Draws) -> SharedPoints {
        SharedPoints {
            dimension: draws.dimension(),
            positions: draws.positions().to_vec(),
            log_base: draws.log_densities().to_vec(),
            log_weights: vec![0.0; draws.count()],
            shifts: Vec::new(),
        }
    }

    /// The same with control variates from the gradients of the base at the draws, for the
    /// functionals that levels will be asked for, in their order.
    pub fn controlled(
        draws: &Draws,
        functionals: &[Functional],
    ) -> Result<SharedPoints, ControlError> {
        let helped = with_control_variates(draws, functionals)?;
        let plain = draws.functionals(functionals);
        let shifts = helped.iter().zip(&plain).map(|(helped, plain)| helped - plain).collect();
        Ok(SharedPoints { shifts, ..SharedPoints::of_draws(draws) })
    }

    /// How many points there are.
    pub fn count(&self) -> usize {
        self.log_base.len()
    }

    /// All points, one after the other.
    pub fn positions(&self) -> &[f64] {
        &self.positions
    }

    /// The log density from which each point comes, up to a constant.
    pub fn log_base(&self) -> &[f64] {
        &self.log_base
    }

    /// The points, one by one.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.positions.chunks_exact(self.dimension)
    }

    /// The same points, weighted so that they stand for another base density.
    pub fn onto(mut self, base: &mut dyn Target) -> SharedPoints {
        for (index, theta) in self.positions.chunks_exact(self.dimension).enumerate() {
            let log_base = base.log_density(theta);
            self.log_weights[index] += log_base - self.log_base[index];
            self.log_base[index] = log_base;
        }
        self
    }

    /// Functionals of a target, from its log density at every point.
    pub fn estimate(
        &self,
        target: &mut dyn Target,
        functionals: &[Functional],
        floor: f64,
    ) -> Result<Weighted, WeightError> {
        let log_ratios = self
            .iter()
            .zip(&self.log_base)
            .map(|(theta, log_base)| target.log_density(theta) - log_base)
            .collect();
        self.reweigh(log_ratios, functionals, floor)
    }

    /// Functionals of the base density times exp of a log ratio, one for each point, which is
    /// cheaper than the density itself where the two share most of their terms.
    pub fn reweigh(
        &self,
        log_ratios: Vec<f64>,
        functionals: &[Functional],
        floor: f64,
    ) -> Result<Weighted, WeightError> {
        let log_weights: Vec<f64> = log_ratios
            .iter()
            .zip(&self.log_weights)
            .map(|(ratio, weight)| ratio + weight)
            .collect();
        if let Some(index) = log_weights.iter().position(|w| w.is_nan() || *w == f64::INFINITY) {
            return Err(WeightError::Undefined { index, log_weight: log_weights[index] });
        }
        let largest = log_weights.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b));
        if largest == f64::NEG_INFINITY {
            return Err(WeightError::Undefined { index: 0, log_weight: largest });
        }
        let mut weights: Vec<f64> = log_weights.iter().map(|w| (w - largest).exp()).collect();
        let total: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= total);
        let effective = 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>();
        if effective < floor {
            return Err(WeightError::Degenerate { points: self.count(), effective, floor });
        }
        let mut value: Vec<f64> = functionals
            .iter()
            .map(|functional| functional.of_weighted(self.iter(), &weights))
            .collect();
        value.iter_mut().zip(&self.shifts).for_each(|(value, shift)| *value += shift);
        Ok(Weighted { value, effective })
    }
}
