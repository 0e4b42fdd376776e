//! The law of the random depth T on 1, …, L.
//!
//! A sum weighs level t by 1 / P(T ≥ t), a single term by 1 / P(T = t). Every level must have a
//! positive chance, the last one above all: otherwise what it holds is never seen and the
//! estimate is biased.

use thiserror::Error;

/// The law of T.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Truncation {
    // Invariant: masses[t − 1] = P(T = t) > 0.
    masses: Vec<f64>,
    // Invariant: tail[t − 1] = P(T ≥ t); starts at one and falls strictly.
    #[serde(skip)]
    tail: Vec<f64>,
}

/// Why a truncation law cannot be built.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum TruncationError {
    /// α must be a finite number.
    #[error("the exponent {alpha} is not finite")]
    Exponent {
        /// The exponent asked for.
        alpha: f64,
    },
    /// There must be a level to stop at.
    #[error("a truncation law needs at least one level")]
    NoLevels,
    /// A level that is never reached would bias the estimate.
    #[error("level {level} has mass {mass}; every level needs a positive chance")]
    Mass {
        /// The level at fault, counted from one.
        level: usize,
        /// Its mass.
        mass: f64,
    },
    /// The masses are not those of a law.
    #[error("the masses sum to {sum} instead of one")]
    Sum {
        /// Their sum.
        sum: f64,
    },
}

impl Truncation {
    /// P(T = t) ∝ 2^{−αt} on 1, …, L, with the tail (2^{−α(t−1)} − 2^{−αL}) / (1 − 2^{−αL}).
    pub fn geometric(alpha: f64, levels: usize) -> Result<Truncation, TruncationError> {
        if !alpha.is_finite() {
            return Err(TruncationError::Exponent { alpha });
        }
        let weights: Vec<f64> = (0..levels).map(|step| (-alpha * step as f64).exp2()).collect();
        let total: f64 = weights.iter().sum();
        Truncation::from_masses(weights.iter().map(|weight| weight / total).collect())
    }

    /// P(T = t) as listed.
    pub fn from_masses(masses: Vec<f64>) -> Result<Truncation, TruncationError> {
        if masses.is_empty() {
            return Err(TruncationError::NoLevels);
        }
        for (index, &mass) in masses.iter().enumerate() {
            if !(mass.is_finite() && mass > 0.0) {
                return Err(TruncationError::Mass { level: index + 1, mass });
            }
        }
        let sum: f64 = masses.iter().sum();
        // Wide enough for masses typed with ten digits, far below any statistical error.
        if (sum - 1.0).abs() > 1e-9 {
            return Err(TruncationError::Sum { sum });
        }
        // Summed from the far end, so that the small tails keep their full precision.
        let mut tail = vec![0.0; masses.len()];
        let mut above = 0.0;
        for (tail, mass) in tail.iter_mut().zip(&masses).rev() {
            above += mass;
            *tail = above;
        }
        let masses: Vec<f64> = masses.iter().map(|mass| mass / above).collect();
        tail.iter_mut().for_each(|tail| *tail /= above);
        // A tail that does not fall belongs to a mass below one rounding error.
        if let Some(level) = tail.windows(2).position(|pair| pair[1] >= pair[0]) {
            return Err(TruncationError::Mass { level: level + 1, mass: masses[level] });
        }
        Ok(Truncation { masses, tail })
    }

    /// L.
    pub fn levels(&self) -> usize {
        self.masses.len()
    }

    /// P(T = t).
    pub fn mass(&self, level: usize) -> f64 {
        self.masses[level - 1]
    }

    /// P(T ≥ t); zero beyond L.
    pub fn tail(&self, level: usize) -> f64 {
        self.tail.get(level - 1).copied().unwrap_or(0.0)
    }

    /// The depth for a uniform number: T ≥ t exactly when `uniform` < P(T ≥ t).
    pub fn depth(&self, uniform: f64) -> usize {
        self.tail.partition_point(|&tail| tail > uniform).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_geometric_tail_is_the_exact_one() {
        for alpha in [-0.5, 0.3, 0.8, 0.95, 1.0, 2.0] {
            for levels in [1, 2, 5, 21] {
                let law = Truncation::geometric(alpha, levels).unwrap();
                let end = (-alpha * levels as f64).exp2();
                for level in 1..=levels {
                    let exact = ((-alpha * (level - 1) as f64).exp2() - end) / (1.0 - end);
                    assert!((law.tail(level) / exact - 1.0).abs() < 1e-12, "{alpha} {level}");
                }
            }
        }
        // The formula has no value at zero; its limit is the uniform law.
        assert!((Truncation::geometric(0.0, 4).unwrap().tail(3) - 0.5).abs() < 1e-15);
    }

    #[test]
    fn a_uniform_number_finds_its_depth() {
        let law = Truncation::from_masses(vec![0.5, 0.25, 0.25]).unwrap();
        let depths: Vec<usize> = [0.0, 0.2, 0.25, 0.4, 0.5, 0.99].map(|u| law.depth(u)).to_vec();
        assert_eq!(depths, [3, 3, 2, 2, 1, 1]);
    }

    #[test]
    fn bad_laws_are_refused_with_their_numbers() {
        use TruncationError::*;
        assert!(matches!(Truncation::geometric(f64::NAN, 3), Err(Exponent { .. })));
        assert!(matches!(Truncation::geometric(f64::INFINITY, 3), Err(Exponent { .. })));
        assert_eq!(Truncation::geometric(1.0, 0), Err(NoLevels));
        assert!(matches!(Truncation::geometric(400.0, 9), Err(Mass { .. })));
        assert_eq!(Truncation::from_masses(vec![0.5, 0.0, 0.5]), Err(Mass { level: 2, mass: 0.0 }));
        assert_eq!(Truncation::from_masses(vec![0.5, 0.25]), Err(Sum { sum: 0.75 }));
        assert!(matches!(Truncation::from_masses(vec![1.5, -0.5]), Err(Mass { level: 2, .. })));
        assert_eq!(Truncation::from_masses(vec![]), Err(NoLevels));
    }
}
