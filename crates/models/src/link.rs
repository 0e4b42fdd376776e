//! The logistic link: from predictors to log-likelihood and row weights.
//!
//! ```text
//! z = y η,  e = exp(−|z|)        u = y · (e or 1) / (1 + e)
//! Σ ln(1 + e_i) = ln Π (1 + e_i)
//! ```
//!
//! A factor lies between 1 and 2, so a thousand of them can be multiplied before a logarithm has
//! to be taken. The rounding, 10⁻¹⁶ a row, is that of adding up logarithms.

use crate::elementary;
use crate::lanes;
use crate::simd::{Kernel, LANES, Level, Simd};

/// Factors up to 2 that fit into the largest exponent, 1023, with room for one piece of rows.
const MOST_FACTORS: usize = 900;
/// Groups of rows between two looks at the number of factors.
const PIECE: usize = 64;
/// Groups of rows taken in step.
const AT_ONCE: usize = 4;

/// Σ_i ℓ_i over the rows seen so far.
#[derive(Clone, Debug)]
pub(crate) struct LogLikelihood {
    // Σ ln(1 + e) of factors no longer in the products.
    logs: f64,
    // Σ min(z, 0).
    linear: [f64; LANES],
    products: [f64; LANES],
    factors: usize,
}

/// s = P(wrong label) and h = s (1 − s).
pub(crate) struct Curvature {
    pub s: f64,
    pub h: f64,
}

impl Curvature {
    /// From the row weight u = y s.
    pub fn of(u: f64) -> Curvature {
        let s = u.abs();
        Curvature { s, h: s * (1.0 - s) }
    }
}

impl Default for LogLikelihood {
    fn default() -> LogLikelihood {
        LogLikelihood { logs: 0.0, linear: [0.0; LANES], products: [1.0; LANES], factors: 0 }
    }
}

impl LogLikelihood {
    /// Takes in some rows and overwrites their predictors η with y s.
    pub fn link(&mut self, level: Level, targets: &[f64], eta: &mut [f64]) {
        assert_eq!(targets.len(), eta.len(), "one target a row");
        let pieces = targets.chunks(PIECE * LANES).zip(eta.chunks_mut(PIECE * LANES));
        for (targets, eta) in pieces {
            self.factors += targets.len().div_ceil(LANES);
            level.run(Rows { sum: self, targets, eta });
            if self.factors > MOST_FACTORS {
                self.take_logs();
            }
        }
    }

    /// Σ_i ℓ_i.
    pub fn total(mut self) -> f64 {
        self.take_logs();
        lanes::fold(self.linear) - self.logs
    }

    fn take_logs(&mut self) {
        self.logs += lanes::fold(self.products.map(f64::ln));
        self.products = [1.0; LANES];
        self.factors = 0;
    }
}

struct Rows<'a> {
    sum: &'a mut LogLikelihood,
    targets: &'a [f64],
    eta: &'a mut [f64],
}

impl Kernel for Rows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let mut sums = (simd.load(&self.sum.linear), simd.load(&self.sum.products));
        let (targets, last_targets) = self.targets.as_chunks::<LANES>();
        let (eta, last_eta) = self.eta.as_chunks_mut::<LANES>();
        let (targets, last_group) = targets.as_chunks::<AT_ONCE>();
        let (eta, last_eta_group) = eta.as_chunks_mut::<AT_ONCE>();
        for (targets, eta) in targets.iter().zip(eta) {
            sums = groups(simd, sums, targets, eta);
        }
        for (targets, eta) in last_group.iter().zip(last_eta_group) {
            sums = groups(simd, sums, &[*targets], std::array::from_mut(eta));
        }
        if !last_eta.is_empty() {
            // Empty lanes hold rows that are certainly right and count for nothing.
            let mut padded_targets = [1.0; LANES];
            let mut padded_eta = [f64::MAX; LANES];
            padded_targets[..last_eta.len()].copy_from_slice(last_targets);
            padded_eta[..last_eta.len()].copy_from_slice(last_eta);
            let padded = std::array::from_mut(&mut padded_eta);
            sums = groups(simd, sums, &[padded_targets], padded);
            last_eta.copy_from_slice(&padded_eta[..last_eta.len()]);
        }
        simd.store(sums.0, &mut self.sum.linear);
        simd.store(sums.1, &mut self.sum.products);
    }
}

/// Overwrites η by y s and returns Σ min(z, 0) and Π (1 + e), both taken further by K groups.
// A function, because a closure would not inherit the instructions of its surroundings.
#[inline(always)]
fn groups<S: Simd, const K: usize>(
    simd: S,
    (mut linear, mut products): (S::V, S::V),
    targets: &[[f64; LANES]; K],
    eta: &mut [[f64; LANES]; K],
) -> (S::V, S::V) {
    let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
    let (mut z, mut exponents) = ([zero; K], [zero; K]);
    for i in 0..K {
        z[i] = simd.mul(simd.load(&targets[i]), simd.load(&eta[i]));
        exponents[i] = simd.minus_abs(z[i]);
    }
    let e = elementary::exps(simd, exponents);
    for i in 0..K {
        let factor = simd.add(one, e[i]);
        let s = simd.div(simd.select(z[i], one, e[i]), factor);
        simd.store(simd.mul(simd.load(&targets[i]), s), &mut eta[i]);
        linear = simd.add(linear, simd.select(z[i], z[i], zero));
        products = simd.mul(products, factor);
    }
    (linear, products)
}

/// ln(1 + exp(−z)) for each z, to 2 ulp and a rounding, where rows count one by one.
pub(crate) fn losses(level: Level, z: &mut [f64]) {
    level.run(Losses(z));
}

struct Losses<'a>(&'a mut [f64]);

impl Kernel for Losses<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let (chunks, rest) = self.0.as_chunks_mut::<LANES>();
        for chunk in chunks {
            eight_losses(simd, chunk);
        }
        let mut padded = [0.0; LANES];
        padded[..rest.len()].copy_from_slice(rest);
        eight_losses(simd, &mut padded);
        rest.copy_from_slice(&padded[..rest.len()]);
    }
}

#[inline(always)]
fn eight_losses<S: Simd>(simd: S, z: &mut [f64; LANES]) {
    let v = simd.load(z);
    let e = elementary::exp(simd, simd.minus_abs(v));
    let small = elementary::ln_1p(simd, e);
    simd.store(simd.sub(small, simd.select(v, v, simd.splat(0.0))), z);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn naive(z: f64) -> f64 {
        z.min(0.0) - (-z.abs()).exp().ln_1p()
    }

    #[test]
    fn sums_and_weights_against_the_standard_library() {
        for level in Level::available() {
            for rows in [0, 1, 7, 8, 9, 511, 513, 20_000] {
                let targets: Vec<f64> =
                    (0..rows).map(|i| if i % 3 == 0 { 1.0 } else { -1.0 }).collect();
                let eta: Vec<f64> =
                    (0..rows).map(|i| 30.0 * (f64::from(i) * 0.618).sin()).collect();
                let mut weights = eta.clone();
                let mut sum = LogLikelihood::default();
                sum.link(level, &targets, &mut weights);
                let expected: f64 = eta.iter().zip(&targets).map(|(eta, y)| naive(eta * y)).sum();
                let total = sum.total();
                // The expected sum is added up one by one, and so the rougher of the two.
                let tolerance = 1e-13 * expected.abs();
                assert!((total - expected).abs() <= tolerance, "{level:?}: {total} {expected}");
                for ((u, eta), y) in weights.iter().zip(&eta).zip(&targets) {
                    let expected = y / (1.0 + (y * eta).exp());
                    assert!((u - expected).abs() <= 1e-15 * expected.abs(), "{u} {expected}");
                }
                let mut losses_of: Vec<f64> = eta.clone();
                losses(level, &mut losses_of);
                for (loss, &z) in losses_of.iter().zip(&eta) {
                    assert!((loss + naive(z)).abs() <= 5e-16 * loss, "{loss} at {z}");
                }
            }
        }
    }

    #[test]
    fn what_is_not_a_number_stays_none() {
        for level in Level::available() {
            let mut eta = [1.0, f64::NAN, 2.0];
            let mut sum = LogLikelihood::default();
            sum.link(level, &[1.0; 3], &mut eta);
            assert!(sum.total().is_nan());
            assert!(eta[1].is_nan() && eta[0].is_finite() && eta[2].is_finite());
            let mut eta = [f64::INFINITY, 1e300, -1e300];
            let mut sum = LogLikelihood::default();
            sum.link(level, &[1.0; 3], &mut eta);
            assert_eq!(sum.total(), -1e300);
            assert_eq!(eta[2], 1.0);
        }
    }
}
