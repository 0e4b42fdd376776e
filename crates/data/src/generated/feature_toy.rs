//! The toy regression in a space of random Fourier features.
//!
//! ```text
//! x ~ U[0, 10],   y = f(x) + √λ ε,   f(x) = Σ_j θ_j √(2/m) cos(w_j x + b_j)
//! w_j ~ N(0, 1),  b_j ~ U[0, 2π],  θ_j ~ N(0, σ²),  ε ~ N(0, 1)
//! ```
//!
//! f is drawn from the approximate Gaussian process prior of the paper, whose covariance is near
//! σ² exp(−(x − x')²/2); whoever fits the data draws a basis of their own.

use super::bulk::{normals, uniforms};
use super::elementary::cos_turn;
use super::law::Law;
use super::tile::{Reader, TILE, Values, Words};
use debias::Seed;
use std::f64::consts::TAU;

/// One covariate on [0, 10] and a noisy response.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureToyLaw {
    // The frequencies w_j/2π, phases b_j/2π and amplitudes θ_j √(2/m).
    waves: Vec<[f64; 3]>,
    noise: f64,
}

impl FeatureToyLaw {
    /// A function of `features` waves with prior variance σ², seen with noise variance λ.
    pub fn new(features: usize, signal_variance: f64, noise_variance: f64, seed: Seed) -> Self {
        let amplitude = (2.0 * signal_variance / features as f64).sqrt();
        let mut reader = Reader::new(seed, 3);
        let mut drawn = [[0.0; TILE]; 3];
        let mut waves = Vec::with_capacity(features);
        for start in (0..features).step_by(TILE) {
            let size = TILE.min(features - start);
            let words = reader.range(start, size);
            normals(&words[0], &mut drawn[0]);
            uniforms(&words[1], &mut drawn[1]);
            normals(&words[2], &mut drawn[2]);
            waves.extend(
                (0..size).map(|j| [drawn[0][j] / TAU, drawn[1][j], amplitude * drawn[2][j]]),
            );
        }
        FeatureToyLaw { waves, noise: noise_variance.sqrt() }
    }

    /// f(x).
    pub fn function(&self, x: f64) -> f64 {
        self.waves
            .iter()
            .map(|[frequency, phase, amplitude]| amplitude * cos_turn(frequency * x + phase))
            .sum()
    }
}

impl Law for FeatureToyLaw {
    fn width(&self) -> usize {
        1
    }

    fn words(&self) -> usize {
        2
    }

    fn fill(&self, words: &[Words], columns: &mut [Values]) {
        let [x, y] = columns else { panic!("one covariate and a target") };
        uniforms(&words[0], x);
        normals(&words[1], y);
        for (x, y) in x.iter_mut().zip(y) {
            *x *= 10.0;
            *y = self.function(*x) + self.noise * *y;
        }
    }
}
