//! One way to see the rows of a sample: as a whole, or as one half.

use crate::strata::{Picked, Sample, Strata};

/// The weights of one way to see the rows of a sample: as a whole, or as one half.
pub(crate) struct Weighting {
    /// 2ᵏ for the rows that belong, zero for the others; counts come later.
    pub weights: Vec<f64>,
    pub unsaturated: Vec<bool>,
    /// Known totals of the level.
    pub totals: Vec<f64>,
}

impl Weighting {
    /// The whole sample.
    pub fn whole(strata: &Strata, sample: &Sample, picked: &[Picked]) -> Weighting {
        Weighting {
            weights: picked.iter().map(|one| one.weight()).collect(),
            unsaturated: picked.iter().map(|one| one.exponent > 0).collect(),
            totals: strata.unsaturated_curvature(&sample.exponents),
        }
    }

    /// A half, row by row of the whole.
    pub fn part(strata: &Strata, sample: &Sample, half: &Sample) -> Weighting {
        let (mut weights, mut unsaturated) = (Vec::new(), Vec::new());
        for stratum in 0..sample.places.len() {
            let exponent = half.exponents[stratum];
            let paired = usize::from(exponent != sample.exponents[stratum]);
            for (block, place) in sample.places[stratum].iter().enumerate() {
                if place.is_some() {
                    let belongs = half.places[stratum][block >> paired] == *place;
                    weights.push(if belongs { 2f64.powi(i32::from(exponent)) } else { 0.0 });
                    unsaturated.push(exponent > 0);
                }
            }
        }
        let totals = strata.unsaturated_curvature(&half.exponents);
        Weighting { weights, unsaturated, totals }
    }
}
