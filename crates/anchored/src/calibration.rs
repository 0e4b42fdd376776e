//! Weights that reproduce known totals.
//!
//! The curvature Σ h v of all rows is known for every dominant column j, from the pass that made the
//! strata. A sample's own total differs by chance; its weights are multiplied by the ratio,
//!
//! ```text
//! w_i ← w_i · Σ_{unsaturated, dominant j} h v / Σ_{sampled, unsaturated, dominant j} w h v,
//! ```
//!
//! where h = −E ℓ″. Rows of saturated octaves are all in and keep their weight. Columns without a
//! sampled row are left alone. Every level, and every half of a level, is calibrated by itself, so
//! that a half stays distributed like a sample of the level below.

use posterior::RowExpansions;

/// Calibrates weights in place; `totals` are those of the unsaturated octaves of the level.
pub(crate) fn calibrate(
    weights: &mut [f64],
    unsaturated: &[bool],
    dominant: &[u32],
    rows: &RowExpansions,
    totals: &[f64],
) {
    let mut sums = vec![0.0; totals.len()];
    add_curvature(&mut sums, weights, unsaturated, dominant, rows);
    rescale(weights, unsaturated, dominant, &ratios(&sums, totals));
}

/// Adds Σ w h v of the sampled unsaturated rows to the sums by dominant column.
pub(crate) fn add_curvature(
    sums: &mut [f64],
    weights: &[f64],
    unsaturated: &[bool],
    dominant: &[u32],
    rows: &RowExpansions,
) {
    for i in (0..weights.len()).filter(|&i| unsaturated[i]) {
        sums[dominant[i] as usize] += weights[i] * -rows.second[i] * rows.variance[i];
    }
}

/// The factor for each dominant column; one where nothing was sampled.
pub(crate) fn ratios(sums: &[f64], totals: &[f64]) -> Vec<f64> {
    let ratio = |(&sum, &total): (&f64, &f64)| if sum > 0.0 { total / sum } else { 1.0 };
    sums.iter().zip(totals).map(ratio).collect()
}

/// Multiplies the weights of unsaturated rows by the factor of their dominant column.
pub(crate) fn rescale(weights: &mut [f64], unsaturated: &[bool], dominant: &[u32], ratios: &[f64]) {
    for i in (0..weights.len()).filter(|&i| unsaturated[i]) {
        weights[i] *= ratios[dominant[i] as usize];
    }
}
