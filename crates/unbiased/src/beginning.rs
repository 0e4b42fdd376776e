//! Where a search for the mode of a family with a dispersion begins: at the middle of some responses.

use models::design::Design;
use posterior::Rows;

/// Rows looked at.
const ROWS: usize = 10_000;

/// Responses of rows at even distances, and their offsets.
pub struct Beginning {
    targets: Vec<f64>,
    offsets: Vec<f64>,
}

impl Beginning {
    /// Looks at some rows.
    pub fn of<R>(rows: &R) -> Beginning
    where
        R: Rows,
        R::Block: Design,
    {
        let step = rows.count().div_ceil(ROWS).max(1);
        let indices: Vec<usize> = (0..rows.count()).step_by(step).collect();
        let block = rows.gather(&indices);
        let offsets = block.offsets().map_or_else(|| vec![0.0; indices.len()], <[f64]>::to_vec);
        Beginning { targets: block.targets().to_vec(), offsets }
    }

    /// The median of responses less offsets, and the median distance from it as a standard deviation;
    /// nothing if more than half of the responses are equal.
    pub fn middle(&self) -> Option<(f64, f64)> {
        let mut values: Vec<f64> =
            self.targets.iter().zip(&self.offsets).map(|(y, offset)| y - offset).collect();
        let centre = median(&mut values);
        values.iter_mut().for_each(|value| *value = (*value - centre).abs());
        // Of a normal law.
        let spread = 1.4826 * median(&mut values);
        (spread > 0.0 && spread.is_finite()).then_some((centre, spread))
    }

    /// The logarithm of the mean response per unit of exp(offset), half a response at least.
    pub fn log_rate(&self) -> f64 {
        let total = self.targets.iter().sum::<f64>().max(0.5);
        let exposure: f64 = self.offsets.iter().map(|offset| offset.exp()).sum();
        if exposure > 0.0 && exposure.is_finite() { (total / exposure).ln() } else { 0.0 }
    }
}

fn median(values: &mut [f64]) -> f64 {
    let half = values.len() / 2;
    *values.select_nth_unstable_by(half, f64::total_cmp).1
}
