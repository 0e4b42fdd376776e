//! Random Fourier features (Rahimi & Recht 2007).
//!
//! ```text
//! φ_j(x) = √(2/m) cos(w_j·x + b_j)        w_j ~ N(0, I/ℓ²)        b_j ~ U(0, 2π)
//! E φ(x)·φ(x') = exp(−|x − x'|² / 2ℓ²)
//! ```
//!
//! The kernel printed in the paper, exp(−|x − x'|²), would need ℓ² = ½.

use super::FeatureMap;
use crate::elementary;
use crate::simd::{Kernel, LANES, Level, Simd};
use debias::Rng;
use posterior::DenseBlock;
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};
use std::f64::consts::TAU;
use std::ops::Range;

/// φ.
#[derive(Clone, Debug, PartialEq)]
pub struct FourierFeatures {
    width: usize,
    // Invariant: d frequencies for each phase, all finite.
    frequencies: Vec<f64>,
    phases: Vec<f64>,
}

/// Why there are no such features.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum FourierError {
    /// ℓ is no length.
    #[error("the length scale is {length_scale}")]
    LengthScale {
        /// ℓ.
        length_scale: f64,
    },
    /// No features or no covariates.
    #[error("{count} features of {width} covariates")]
    Empty {
        /// m.
        count: usize,
        /// d.
        width: usize,
    },
}

impl FourierFeatures {
    /// Draws a basis of m features for rows of d covariates.
    pub fn sample(
        count: usize,
        width: usize,
        length_scale: f64,
        rng: &mut Rng,
    ) -> Result<FourierFeatures, FourierError> {
        if !(length_scale > 0.0 && length_scale.is_finite()) {
            return Err(FourierError::LengthScale { length_scale });
        }
        if count == 0 || width == 0 {
            return Err(FourierError::Empty { count, width });
        }
        let frequency = |_| {
            let z: f64 = StandardNormal.sample(rng);
            z / length_scale
        };
        let frequencies = (0..count * width).map(frequency).collect();
        let phases = (0..count).map(|_| TAU * rng.random::<f64>()).collect();
        Ok(FourierFeatures { width, frequencies, phases })
    }
}

impl FeatureMap for FourierFeatures {
    fn count(&self) -> usize {
        self.phases.len()
    }

    fn width(&self) -> usize {
        self.width
    }

    fn write(&self, block: &DenseBlock, rows: Range<usize>, features: &mut [f64]) {
        assert_eq!(features.len(), self.count() * rows.len(), "m features a row");
        assert_eq!(rows.start % LANES, 0, "a piece begins with a register");
        let padded = rows.len().next_multiple_of(LANES);
        let column =
            |c| block.padded_values()[c * block.stride() + rows.start..][..padded].as_chunks().0;
        let columns: Vec<&[[f64; LANES]]> = (0..self.width).map(column).collect();
        if !rows.is_empty() {
            Level::best().run(Waves { map: self, columns: &columns, rows: rows.len(), features });
        }
    }
}

struct Waves<'a> {
    map: &'a FourierFeatures,
    columns: &'a [&'a [[f64; LANES]]],
    rows: usize,
    features: &'a mut [f64],
}

impl Kernel for Waves<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let scale = simd.splat((2.0 / self.map.count() as f64).sqrt());
        let frequencies = self.map.frequencies.chunks_exact(self.map.width);
        let features = self.features.chunks_exact_mut(self.rows);
        for ((w, &b), features) in frequencies.zip(&self.map.phases).zip(features) {
            let (whole, last) = features.as_chunks_mut::<LANES>();
            let groups = whole.len();
            for (group, out) in whole.iter_mut().enumerate() {
                simd.store(simd.mul(scale, wave(simd, w, b, self.columns, group)), out);
            }
            if !last.is_empty() {
                let mut out = [0.0; LANES];
                simd.store(simd.mul(scale, wave(simd, w, b, self.columns, groups)), &mut out);
                last.copy_from_slice(&out[..last.len()]);
            }
        }
    }
}

#[inline(always)]
fn wave<S: Simd>(simd: S, w: &[f64], b: f64, columns: &[&[[f64; LANES]]], group: usize) -> S::V {
    let mut argument = simd.splat(b);
    for (&w, column) in w.iter().zip(columns) {
        argument = simd.mul_add(simd.load(&column[group]), simd.splat(w), argument);
    }
    elementary::cos(simd, argument)
}

#[cfg(test)]
mod tests {
    use super::*;
    use debias::Seed;
    use posterior::Block;

    #[test]
    fn features_are_the_waves_of_the_formula() {
        let map = FourierFeatures::sample(7, 3, 0.5, &mut Seed(1).stream(0)).unwrap();
        let mut block = DenseBlock::zeros(21, 3);
        for c in 0..3 {
            for i in 0..21 {
                block.column_mut(c)[i] = (i as f64 * 0.3 - 2.0) * (c as f64 + 1.0);
            }
        }
        for rows in [0..21, 8..21, 16..16, 0..1] {
            let n = rows.len();
            let mut features = vec![0.0; 7 * n];
            map.write(&block, rows.clone(), &mut features);
            for j in 0..7 {
                for (i, row) in rows.clone().enumerate() {
                    let argument = (0..3)
                        .map(|c| map.frequencies[j * 3 + c] * block.column(c)[row])
                        .sum::<f64>()
                        + map.phases[j];
                    let expected = (2.0 / 7.0f64).sqrt() * argument.cos();
                    assert!((features[j * n + i] - expected).abs() < 1e-14);
                }
            }
        }
        assert_eq!(block.rows(), 21);
    }

    /// The mean product over 40 000 features; each has a standard deviation below one, so that
    /// 4/√40000 = 0.02 is exceeded once in sixteen thousand seeds or less.
    #[test]
    fn products_average_to_the_kernel() {
        let count = 40_000;
        let map = FourierFeatures::sample(count, 2, 1.5, &mut Seed(2).stream(0)).unwrap();
        let mut block = DenseBlock::zeros(2, 2);
        block.column_mut(0).copy_from_slice(&[0.0, 1.2]);
        block.column_mut(1).copy_from_slice(&[1.0, 0.1]);
        let mut features = vec![0.0; 2 * count];
        map.write(&block, 0..2, &mut features);
        let product: f64 = features.chunks(2).map(|pair| pair[0] * pair[1]).sum();
        let expected = (-(1.2f64.powi(2) + 0.9f64.powi(2)) / (2.0 * 1.5f64.powi(2))).exp();
        assert!((product - expected).abs() < 0.02, "{product} {expected}");
    }

    #[test]
    fn bad_settings_are_refused() {
        let rng = &mut Seed(1).stream(0);
        assert!(FourierFeatures::sample(5, 1, 0.0, rng).is_err());
        assert!(FourierFeatures::sample(5, 1, f64::NAN, rng).is_err());
        assert!(FourierFeatures::sample(0, 1, 1.0, rng).is_err());
    }
}
