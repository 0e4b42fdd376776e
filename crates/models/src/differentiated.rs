//! A family of one's own from one function: its derivatives are computed, not written.
//!
//! ```
//! use models::differentiated::{Differentiated, DualNum, LogDensity};
//! use models::dispersed::DispersedLinear;
//! use models::prior::Prior;
//! use posterior::{DenseBlock, Model};
//!
//! /// y ~ logistic(η, s): heavier tails than normal noise, lighter than Student's t.
//! struct Logistic;
//!
//! impl LogDensity for Logistic {
//!     fn log_density<D>(&self, y: f64, eta: D, scale: D) -> D
//!     where
//!         D: DualNum<Primitive = f64> + Copy,
//!     {
//!         let z = (eta - y) / scale;
//!         // −z − 2 ln(1 + exp −z), symmetric in z.
//!         z - (z.exp() + 1.0).ln() * 2.0 - scale.ln()
//!     }
//! }
//!
//! let prior = Prior::Gaussian { standard_deviation: 10.0 };
//! let model = DispersedLinear::<_, DenseBlock>::new(Differentiated(Logistic), 3, prior)?;
//! assert_eq!(model.dimension(), 5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`crate::generalised_linear::GeneralisedLinear`] model of the same family has its dispersion fixed
//! at one. Numbers are hyper-dual: a + b ε₁ + c ε₂ + d ε₁ε₂ with ε₁² = ε₂² = 0, so that d of ln p at
//! (η + ε₁, δ + ε₂) is the mixed derivative, exact to rounding. Three of them per row cost a few times
//! what a kernel written by hand does.

use crate::dispersed::{Dispersed, Jet};
use crate::generalised_linear::Family;
use num_dual::{Dual2, HyperDual};

pub use num_dual::DualNum;

/// ln p(y ∣ η, dispersion), written once for all kinds of numbers.
pub trait LogDensity: Send + Sync {
    /// ln p, up to a constant in η and in the dispersion, which is positive.
    fn log_density<D>(&self, target: f64, predictor: D, dispersion: D) -> D
    where
        D: DualNum<Primitive = f64> + Copy;
}

/// The family of a log density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Differentiated<L>(pub L);

impl<L: LogDensity> Dispersed for Differentiated<L> {
    fn derivatives(&self, target: f64, predictor: f64, log_dispersion: f64) -> Jet {
        let (eta, delta) = (HyperDual::from_re(predictor), HyperDual::from_re(log_dispersion));
        let at = |eta: HyperDual<f64>, delta: HyperDual<f64>| {
            self.0.log_density(target, eta, delta.exp())
        };
        let mixed = at(eta.derivative1(), delta.derivative2());
        let of_predictor = at(eta.derivative1().derivative2(), delta);
        let of_dispersion = at(eta, delta.derivative1().derivative2());
        Jet {
            value: mixed.re,
            first: [mixed.eps1, mixed.eps2],
            second: [of_predictor.eps1eps2, mixed.eps1eps2, of_dispersion.eps1eps2],
        }
    }
}

impl<L: LogDensity> Family for Differentiated<L> {
    fn derivatives(&self, target: f64, predictor: f64) -> [f64; 3] {
        let eta = Dual2::from_re(predictor).derivative();
        let found = self.0.log_density(target, eta, Dual2::from_re(1.0));
        [found.re, found.v1, found.v2]
    }
}

/// ln Γ(x) for x > 0, up to ½ ln 2π: Stirling's series beyond ten, and Γ(x + 1) = x Γ(x) below.
pub fn ln_gamma<D>(x: D) -> D
where
    D: DualNum<Primitive = f64> + Copy,
{
    let (mut far, mut product) = (x, D::one());
    while far < 10.0 {
        product *= far;
        far += 1.0;
    }
    let r = far.recip();
    let s = r * r;
    let series = s * (s * (s * (s * (1.0 / 1188.0) - 1.0 / 1680.0) + 1.0 / 1260.0) - 1.0 / 360.0);
    (far - 0.5) * far.ln() - far + r * (series + 1.0 / 12.0) - product.ln()
}
