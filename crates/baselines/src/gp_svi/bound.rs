//! The bound of a mini-batch and its gradient in (ln ℓ, ln v, ln λ).
//!
//! ```text
//! e_i = (y_i − φ_iᵀμ)² + v − φ_iᵀφ_i + φ_iᵀP⁻¹φ_i
//! F   = (N/b) Σ_i [−½ ln 2πλ − e_i/2λ] − KL
//!
//! G = ∂F/∂Φ = (N/bλ) [μ (y − Φᵀμ)ᵀ + Φ − P⁻¹Φ]
//! ∂F/∂k(Z, x) = L⁻ᵀG        ∂F/∂k(Z, Z) = −½ L⁻ᵀ S L⁻¹,   S = tril(GΦᵀ), mirrored
//! ∂F/∂ ln v   = ½ Σ_i g_i·φ_i − N v/2λ                     (Φ grows like √v)
//! ∂F/∂ ln λ   = (N/b) Σ_i (e_i/λ − 1)/2
//! ```
//!
//! S comes from differentiating the Cholesky factor (Murray 2016, "Differentiation of the Cholesky
//! decomposition"): tril(LᵀL̄) = −tril(GΦᵀ), because L̄ = −L⁻ᵀGΦᵀ.

use super::projection::Projection;
use super::whitened::Whitened;
use super::{Hyperparameters, matrices};
use posterior::{Block, DenseBlock};
use rayon::prelude::*;
use std::f64::consts::TAU;

/// F, its gradient and Φ on the way.
pub(super) struct Bound {
    /// F.
    pub value: f64,
    /// (∂F/∂ ln ℓ, ∂F/∂ ln v, ∂F/∂ ln λ), if it was asked for.
    pub gradient: Option<Vec<f64>>,
    /// Φ, a column a row.
    pub features: Vec<f64>,
}

/// F on a batch out of N rows; its gradient where `differentiate` says so.
pub(super) fn bound(
    hyperparameters: &Hyperparameters,
    projection: &Projection,
    q: &Whitened,
    batch: &DenseBlock,
    total: usize,
    differentiate: bool,
) -> Bound {
    let (m, b) = (q.mean().len(), batch.rows());
    let (noise, variance) = (hyperparameters.noise, projection.variance());
    let covariances = projection.covariances(batch, 0..b);
    let features = projection.features(covariances.clone());
    // R⁻¹Φ now, P⁻¹Φ and G later.
    let mut slopes = features.clone();
    matrices::solve_lower(q.factor(), &mut slopes);
    let errors: Vec<f64> = features
        .par_chunks(m)
        .zip(slopes.par_chunks(m))
        .zip(batch.targets())
        .map(|((phi, half), y)| {
            let residual = y - matrices::dot(phi, q.mean());
            let spread = variance - matrices::dot(phi, phi) + matrices::dot(half, half);
            residual * residual + spread
        })
        .collect();
    let error: f64 = errors.iter().sum();
    let scale = total as f64 / b as f64;
    let fit = -0.5 * total as f64 * (TAU * noise).ln() - 0.5 * scale * error / noise;
    let value = fit - q.divergence();
    if !differentiate {
        return Bound { value, gradient: None, features };
    }

    matrices::solve_transposed(q.factor(), &mut slopes);
    let pull = scale / noise;
    let products: Vec<f64> = slopes
        .par_chunks_mut(m)
        .zip(features.par_chunks(m))
        .zip(batch.targets())
        .map(|((slope, phi), y)| {
            let residual = y - matrices::dot(phi, q.mean());
            for ((slope, phi), mean) in slope.iter_mut().zip(phi).zip(q.mean()) {
                *slope = pull * (residual * mean + phi - *slope);
            }
            matrices::dot(slope, phi)
        })
        .collect();
    let by_variance = 0.5 * products.iter().sum::<f64>() - 0.5 * total as f64 * variance / noise;
    let by_noise = 0.5 * (scale * error / noise - total as f64);

    let within = matrices::lower_products(&slopes, &features, m);
    let mut within = matrices::between_inverses(projection.factor(), &within);
    within.iter_mut().for_each(|slope| *slope *= -0.5);
    matrices::solve_transposed(projection.factor(), &mut slopes);
    let mut gradient = projection.length_slopes(batch, &covariances, &slopes, &within);
    if hyperparameters.length_scales.len() == 1 {
        gradient = vec![gradient.iter().sum()];
    }
    gradient.extend([by_variance, by_noise]);
    Bound { value, gradient: Some(gradient), features }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gp_svi::whitened::Natural;
    use debias::Seed;
    use rand_distr::{Distribution, StandardNormal};

    fn normals(rows: usize, width: usize, stream: u64) -> DenseBlock {
        let mut rng = Seed(6).stream(stream);
        let mut block = DenseBlock::zeros(rows, width);
        for c in 0..width {
            block.column_mut(c).fill_with(|| StandardNormal.sample(&mut rng));
        }
        block.targets_mut().fill_with(|| StandardNormal.sample(&mut rng));
        block
    }

    /// Central differences in every coordinate, with q away from its optimum; the error of the
    /// differences themselves is about 1e-7 of the slope.
    #[test]
    fn the_gradient_is_that_of_the_bound() {
        let (inputs, batch) = (normals(7, 3, 0), normals(11, 3, 1));
        for length_scales in [vec![1.3], vec![0.7, 1.1, 2.0]] {
            let start = Hyperparameters { length_scales, variance: 1.7, noise: 0.4 };
            let projection = Projection::new(&start, &inputs).unwrap();
            let mut q = Natural::prior(7);
            q.step(
                0.3,
                3.0,
                &projection.features(projection.covariances(&batch, 0..11)),
                batch.targets(),
            );
            let q = q.solved().unwrap();
            let gradient = bound(&start, &projection, &q, &batch, 50, true).gradient.unwrap();
            let logarithms = start.logarithms();
            assert_eq!(gradient.len(), logarithms.len());
            for j in 0..logarithms.len() {
                let at = |step: f64| {
                    let mut moved = logarithms.clone();
                    moved[j] += step;
                    let moved = Hyperparameters::from_logarithms(&moved);
                    let projection = Projection::new(&moved, &inputs).unwrap();
                    bound(&moved, &projection, &q, &batch, 50, false).value
                };
                let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
                assert!(
                    (gradient[j] - slope).abs() < 1e-6 * (1.0 + slope.abs()),
                    "coordinate {j}: {} and {slope}",
                    gradient[j]
                );
            }
        }
    }
}
