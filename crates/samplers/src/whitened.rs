//! A target seen from a frame: θ = μ + C z.
//!
//! ```text
//! ln π̃(z) = ln π(μ + C z),   ∇_z ln π̃ = Cᵀ ∇_θ ln π
//! ```
//!
//! The Jacobian ln det C is constant and left out. At the Laplace approximation π̃ is close to a
//! standard normal, so that isotropic kernels of unit scale fit any posterior; on a9a this alone
//! takes NUTS from hundreds of gradients an iteration to about thirty.

use crate::Frame;
use debias::Ledger;
use posterior::Target;

/// The density of z when θ = μ + C z has the density of the target.
pub struct Whitened<'a> {
    target: &'a mut dyn Target,
    frame: &'a Frame,
    theta: Vec<f64>,
    slope: Vec<f64>,
}

impl<'a> Whitened<'a> {
    /// The target in the coordinates of the frame.
    ///
    /// # Panics
    /// If their dimensions differ.
    pub fn new(target: &'a mut dyn Target, frame: &'a Frame) -> Whitened<'a> {
        assert_eq!(target.dimension(), frame.dimension(), "target and frame differ in dimension");
        let d = frame.dimension();
        Whitened { target, frame, theta: vec![0.0; d], slope: vec![0.0; d] }
    }
}

impl Target for Whitened<'_> {
    fn dimension(&self) -> usize {
        self.frame.dimension()
    }

    fn log_density(&mut self, z: &[f64]) -> f64 {
        self.frame.place(z, &mut self.theta);
        self.target.log_density(&self.theta)
    }

    fn gradient(&mut self, z: &[f64], gradient: &mut [f64]) -> f64 {
        self.frame.place(z, &mut self.theta);
        let log_density = self.target.gradient(&self.theta, &mut self.slope);
        self.frame.factor().apply_transpose(&self.slope, gradient);
        log_density
    }

    fn ledger(&self) -> Ledger {
        self.target.ledger()
    }
}
