//! Where the distribution functions of a path are asked for: around the quantiles of the trial's draws,
//! which no replicate sees.

use crate::anchor::Anchor;
use crate::layout::{Direction, Threshold};
use samplers::{Draws, Standardised, Thresholds, around, normal_quantile};

/// Draws of each chain that are looked at, the last ones.
const MOST: usize = 256;

/// Two thresholds for each probability of each functional; where there are no draws, around the quantiles
/// of the anchor's Gaussian.
pub(crate) fn thresholds(
    quantiles: &[(usize, Vec<f64>)],
    directions: &[Direction],
    anchor: &Anchor,
    chains: &[Draws],
) -> Vec<Threshold> {
    let d = anchor.centre().len();
    // θ and C ∇ ln π₀ of each draw.
    let mut drawn: Vec<(&[f64], Vec<f64>)> = Vec::new();
    for chain in chains.iter().filter(|_| !quantiles.is_empty()) {
        let Some(gradients) = chain.gradients() else { continue };
        let both = chain.iter().zip(gradients.chunks_exact(d));
        for (theta, gradient) in both.skip(chain.count().saturating_sub(MOST)) {
            drawn.push((theta, anchor.covariance.times(gradient)));
        }
    }
    let one = |(functional, probabilities): &(usize, Vec<f64>)| {
        let Direction { slope, deviation, .. } = &directions[*functional];
        let seen: Vec<Standardised> = drawn
            .iter()
            .map(|(theta, moved)| {
                let place = slope.offset(theta, anchor.centre()) / deviation;
                Standardised::new(place, place + slope.along(moved) / deviation)
            })
            .collect();
        let Thresholds { places, controlled } = if seen.is_empty() {
            let middles: Vec<f64> = probabilities.iter().map(|&p| normal_quantile(p)).collect();
            Thresholds { places: around(&middles, 1.0), controlled: true }
        } else {
            samplers::thresholds(&seen, probabilities)
        };
        let functional = *functional;
        places.into_iter().map(move |place| Threshold { functional, place, controlled })
    };
    quantiles.iter().flat_map(one).collect()
}
