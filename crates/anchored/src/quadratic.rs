//! Q, the sum of the quadratics of all rows: one number, one gradient and one Hessian.
//!
//! ```text
//! Q(θ) = value + gradient · δ + ½ δᵀ hessian δ,      δ = θ − θ₀
//! ```

use posterior::ArrowMatrix;

/// Q.
#[derive(Clone, Debug)]
pub struct Quadratic {
    /// θ₀.
    pub anchor: Vec<f64>,
    /// Q(θ₀).
    pub value: f64,
    /// ∇Q(θ₀).
    pub gradient: Vec<f64>,
    /// ∇²Q.
    pub hessian: ArrowMatrix,
}

impl Quadratic {
    /// Adds ∇Q(θ) to `gradient` and returns Q(θ).
    pub fn add_gradient(&self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        let offset: Vec<f64> = theta.iter().zip(&self.anchor).map(|(x, a)| x - a).collect();
        let curved = self.hessian.times(&offset);
        let mut value = self.value;
        for j in 0..offset.len() {
            gradient[j] += self.gradient[j] + curved[j];
            value += offset[j] * (self.gradient[j] + 0.5 * curved[j]);
        }
        value
    }
}
