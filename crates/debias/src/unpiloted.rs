//! A law without a pilot.
//!
//! Where theory knows how the increments shrink, ν_t ∝ n_t^{−β}, the best chances of a single-term
//! form are known but for one factor, x_t = κ √(n_t^{−β} / c_t), and a pilot is good for nothing but κ.
//! Here κ is chosen by what corrections may cost: a share s of the first level,
//!
//! ```text
//! Σ_{t ≥ 2} c_t x_t = s c_1,        expected cost = (1 + s) c_1.
//! ```
//!
//! The price is known beforehand: never more than s in work. What a pilot would have saved is the
//! variance Σ ν_t / x_t beyond its own, next to nothing where the increments are small.

use crate::{Truncation, TruncationError};
use thiserror::Error;

/// The largest chance of a correction: every other replicate.
const MOST: f64 = 0.5;

/// Why there is no such law.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum UnpilotedError {
    /// Sizes and costs do not belong together, or one is not positive.
    #[error("{sizes} sizes and {costs} costs, all of which have to be positive")]
    Levels {
        /// Sizes given.
        sizes: usize,
        /// Costs given.
        costs: usize,
    },
    /// Corrections cannot cost nothing.
    #[error("a share of {share} of the first level for all corrections")]
    Share {
        /// s.
        share: f64,
    },
    /// A mass is too small for floating-point numbers.
    #[error(transparent)]
    Truncation(#[from] TruncationError),
}

/// The law of a single-term form whose increments shrink like n^{−β}, with corrections that cost a
/// share s of the first level.
pub fn unpiloted(
    sizes: &[usize],
    costs: &[f64],
    beta: f64,
    share: f64,
) -> Result<Truncation, UnpilotedError> {
    let positive = costs.iter().all(|cost| cost.is_finite() && *cost > 0.0);
    if sizes.is_empty() || sizes.len() != costs.len() || !positive || sizes.contains(&0) {
        return Err(UnpilotedError::Levels { sizes: sizes.len(), costs: costs.len() });
    }
    if !(share.is_finite() && share > 0.0) {
        return Err(UnpilotedError::Share { share });
    }
    let shape = |(&size, cost): (&usize, &f64)| ((size as f64).powf(-beta) / cost).sqrt();
    let shapes: Vec<f64> = sizes.iter().zip(costs).skip(1).map(shape).collect();
    let spent: f64 = shapes.iter().zip(&costs[1..]).map(|(shape, cost)| shape * cost).sum();
    let total: f64 = shapes.iter().sum();
    let factor = if shapes.is_empty() { 0.0 } else { (share * costs[0] / spent).min(MOST / total) };
    let mut masses = vec![1.0 - factor * total];
    masses.extend(shapes.iter().map(|shape| factor * shape));
    Ok(Truncation::from_masses(masses)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Form, Tradeoff};

    #[test]
    fn corrections_cost_their_share_and_are_shared_out_best() {
        let sizes = [256, 512, 1024, 2048];
        let costs = [300.0, 1000.0, 2000.0, 4000.0];
        let law = unpiloted(&sizes, &costs, 2.0, 0.25).unwrap();
        let gains = sizes.iter().map(|&size| (size as f64).powi(-2)).collect();
        let tradeoff = Tradeoff { form: Form::AntitheticSingleTerm, gains, costs: costs.to_vec() };
        assert!((tradeoff.cost(&law) - 375.0).abs() < 1e-9);
        // No mass moved between corrections, at the same cost, lowers the variance.
        for (from, to) in [(2, 3), (3, 2), (2, 4), (4, 3)] {
            let mut masses: Vec<f64> = (1..=4).map(|level| law.mass(level)).collect();
            let moved = 0.01 * masses[from - 1];
            masses[from - 1] -= moved;
            masses[to - 1] += moved * costs[from - 1] / costs[to - 1];
            masses[0] = 1.0 - masses[1..].iter().sum::<f64>();
            let other = Truncation::from_masses(masses).unwrap();
            assert!(tradeoff.variance(&other) > tradeoff.variance(&law), "{from} to {to}");
        }
    }

    #[test]
    fn no_more_than_every_other_replicate_is_corrected() {
        let law = unpiloted(&[8, 16], &[100.0, 1.0], 2.0, 1.0).unwrap();
        assert!((law.mass(2) - 0.5).abs() < 1e-12);
        assert_eq!(unpiloted(&[8], &[1.0], 2.0, 0.1).unwrap().levels(), 1);
    }

    #[test]
    fn bad_levels_and_shares_are_refused() {
        let error = UnpilotedError::Levels { sizes: 2, costs: 1 };
        assert_eq!(unpiloted(&[8, 16], &[1.0], 2.0, 0.1), Err(error));
        assert_eq!(unpiloted(&[8], &[1.0], 2.0, 0.0), Err(UnpilotedError::Share { share: 0.0 }));
    }
}
