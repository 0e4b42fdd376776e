//! Expectations along a chain, kept as batches: memory does not grow with its length.
//!
//! ```text
//! μ = Σ_t s_t φ(θ_t) / Σ_t s_t        error² = B/(B − 1) Σ_b (Σ_{t ∈ b} s_t (φ(θ_t) − μ))² / (Σ_t s_t)²
//! ```
//!
//! with signs s_t = ±1 where a likelihood estimate may be negative, else one. Batches are as long as
//! they are many (Flegal & Jones 2010), so that both grow.

use samplers::Functional;

/// What a chain says of some expectations.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainMeans {
    /// μ, one for each functional.
    pub means: Vec<f64>,
    /// Their Monte Carlo standard errors; infinite for fewer than two batches.
    pub errors: Vec<f64>,
    /// B.
    pub batches: usize,
    /// The mean of s_t.
    pub sign: f64,
}

/// The same under way.
pub(crate) struct Batches<'f> {
    functionals: &'f [Functional],
    /// Draws per batch.
    size: usize,
    /// Σ s, then Σ s φ of each functional, batch after batch.
    sums: Vec<f64>,
    draws: usize,
}

/// The first functional that is no expectation.
pub(crate) fn no_expectation(functionals: &[Functional]) -> Option<usize> {
    functionals.iter().position(|functional| !functional.is_expectation())
}

impl<'f> Batches<'f> {
    /// For so many draws.
    pub(crate) fn new(functionals: &'f [Functional], draws: usize) -> Batches<'f> {
        let size = (draws as f64).sqrt().ceil().max(1.0) as usize;
        Batches { functionals, size, sums: Vec::new(), draws: 0 }
    }

    pub(crate) fn push(&mut self, theta: &[f64], sign: f64) {
        let width = self.functionals.len() + 1;
        if self.draws.is_multiple_of(self.size) {
            self.sums.resize(self.sums.len() + width, 0.0);
        }
        self.draws += 1;
        let at = self.sums.len() - width;
        let batch = &mut self.sums[at..];
        batch[0] += sign;
        for (sum, functional) in batch[1..].iter_mut().zip(self.functionals) {
            *sum += sign * functional.integrand(theta);
        }
    }

    pub(crate) fn finish(self) -> ChainMeans {
        let width = self.functionals.len() + 1;
        let rows = || self.sums.chunks_exact(width);
        let batches = rows().len();
        let signs: f64 = rows().map(|batch| batch[0]).sum();
        let mean = |j: usize| rows().map(|batch| batch[j]).sum::<f64>() / signs;
        let means: Vec<f64> = (1..width).map(mean).collect();
        let error = |(j, mean): (usize, &f64)| {
            if batches < 2 {
                return f64::INFINITY;
            }
            let squares: f64 = rows().map(|batch| (batch[j + 1] - mean * batch[0]).powi(2)).sum();
            (squares * batches as f64 / (batches as f64 - 1.0)).sqrt() / signs.abs()
        };
        let errors = means.iter().enumerate().map(error).collect();
        ChainMeans { means, errors, batches, sign: signs / self.draws as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four draws in batches of two, the last with a sign.
    #[test]
    fn batches_by_hand() {
        let functionals = Functional::means(1);
        let mut batches = Batches::new(&functionals, 4);
        for (theta, sign) in [(1.0, 1.0), (2.0, 1.0), (4.0, 1.0), (3.0, -1.0)] {
            batches.push(&[theta], sign);
        }
        let found = batches.finish();
        // (1 + 2 + 4 − 3) / 2 = 2; batches leave 3 − 2·2 and 1 − 2·0.
        assert_eq!((found.means[0], found.batches, found.sign), (2.0, 2, 0.5));
        assert!((found.errors[0] - (2.0f64 * 2.0).sqrt() / 2.0).abs() < 1e-15);
    }

    #[test]
    fn one_batch_has_no_error() {
        let functionals = Functional::means(1);
        let mut batches = Batches::new(&functionals, 1);
        batches.push(&[1.0], 1.0);
        assert_eq!(batches.finish().errors[0], f64::INFINITY);
    }
}
