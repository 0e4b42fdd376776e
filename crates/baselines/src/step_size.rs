//! Step sizes that stay or fall: ε_t = a (1 + t/b)^−γ, t = 0, 1, …
//!
//! γ = 0 keeps a. With ½ < γ ≤ 1 the steps add up to infinity and their squares do not, which is
//! what stochastic approximation asks for (Robbins & Monro 1951).

/// a, b and γ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSize {
    // Invariant: positive and finite.
    first: f64,
    delay: f64,
    // Invariant: in [0, 1].
    decay: f64,
}

/// Why these are no step sizes.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("steps of {first} (1 + t/{delay})^-{decay}")]
pub struct StepSizeError {
    /// a, not positive or not finite.
    pub first: f64,
    /// b, not positive or not finite.
    pub delay: f64,
    /// γ, outside [0, 1].
    pub decay: f64,
}

impl StepSize {
    /// The same step always.
    pub fn constant(step: f64) -> Result<StepSize, StepSizeError> {
        StepSize::decreasing(step, 1.0, 0.0)
    }

    /// a (1 + t/b)^−γ.
    pub fn decreasing(first: f64, delay: f64, decay: f64) -> Result<StepSize, StepSizeError> {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        if positive(first) && positive(delay) && (0.0..=1.0).contains(&decay) {
            Ok(StepSize { first, delay, decay })
        } else {
            Err(StepSizeError { first, delay, decay })
        }
    }

    /// a.
    pub fn first(&self) -> f64 {
        self.first
    }

    /// ε_t, counted from zero.
    pub fn at(&self, step: usize) -> f64 {
        self.first * (1.0 + step as f64 / self.delay).powf(-self.decay)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_by_hand_and_bad_settings() {
        let steps = StepSize::decreasing(0.5, 10.0, 0.5).unwrap();
        assert_eq!((steps.at(0), steps.at(30)), (0.5, 0.25));
        assert_eq!(StepSize::constant(0.1).unwrap().at(1_000_000), 0.1);
        for (first, delay, decay) in
            [(0.0, 1.0, 0.5), (-1.0, 1.0, 0.5), (1.0, 0.0, 0.5), (1.0, 1.0, 1.5), (1.0, 1.0, -0.1)]
        {
            let refused = StepSizeError { first, delay, decay };
            assert_eq!(StepSize::decreasing(first, delay, decay), Err(refused));
        }
        assert!(StepSize::constant(f64::NAN).is_err());
    }
}
