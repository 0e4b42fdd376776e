//! Multivariate Student-t densities in a frame.
//!
//! ```text
//! θ = μ + C z √(ν / χ²_ν),   z ~ N(0, I)
//! ln q(θ) = ln Γ((ν+d)/2) − ln Γ(ν/2) − (d/2) ln νπ − ln det C − ((ν+d)/2) ln(1 + |C⁻¹(θ−μ)|²/ν)
//! ```
//!
//! Tails heavier than any log-concave posterior's keep importance weights and the acceptance of
//! independence proposals bounded.

use crate::{Frame, Point};
use debias::Rng;
use rand::RngExt;
use rand_distr::{ChiSquared, StandardNormal};
use statrs::distribution::{ContinuousCDF, Gamma, Normal};
use statrs::function::gamma::ln_gamma;

/// A Student-t density with location μ, scale C Cᵀ and ν degrees of freedom.
#[derive(Clone, Debug, PartialEq)]
pub struct Student {
    frame: Frame,
    // Invariant: positive and finite.
    degrees: f64,
    log_constant: f64,
}

/// The degrees of freedom are not a positive number.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{degrees} degrees of freedom give no density")]
pub struct StudentError {
    /// ν.
    pub degrees: f64,
}

impl Student {
    /// The density in this frame.
    pub fn new(frame: Frame, degrees: f64) -> Result<Student, StudentError> {
        if !(degrees > 0.0 && degrees.is_finite()) {
            return Err(StudentError { degrees });
        }
        let d = frame.dimension() as f64;
        let log_constant = ln_gamma(0.5 * (degrees + d))
            - ln_gamma(0.5 * degrees)
            - 0.5 * d * (degrees * std::f64::consts::PI).ln()
            - frame.factor().log_determinant();
        Ok(Student { frame, degrees, log_constant })
    }

    /// d.
    pub fn dimension(&self) -> usize {
        self.frame.dimension()
    }

    /// ln q(θ).
    pub fn log_density(&self, theta: &[f64]) -> f64 {
        let distance: f64 = self.frame.coordinates(theta).iter().map(|z| z * z).sum();
        let d = self.dimension() as f64;
        self.log_constant - 0.5 * (self.degrees + d) * (distance / self.degrees).ln_1p()
    }

    /// A draw.
    pub fn draw(&self, rng: &mut Rng) -> Vec<f64> {
        let law = ChiSquared::new(self.degrees).expect("degrees were checked to be positive");
        let stretch = (self.degrees / rng.sample(law)).sqrt();
        let z: Vec<f64> =
            (0..self.dimension()).map(|_| stretch * rng.sample::<f64, _>(StandardNormal)).collect();
        let mut theta = vec![0.0; z.len()];
        self.frame.place(&z, &mut theta);
        theta
    }

    /// The point at these quantiles: d of the normal coordinates, then one of the χ²; all in (0, 1).
    ///
    /// # Panics
    /// If there are not d + 1 of them.
    pub fn at_quantiles(&self, quantiles: &[f64]) -> Point {
        let d = self.dimension();
        assert_eq!(quantiles.len(), d + 1, "a Student-t point has d + 1 quantiles");
        let chi = Gamma::new(0.5 * self.degrees, 0.5).expect("degrees were checked to be positive");
        let normal = Normal::standard();
        let stretch = (self.degrees / chi.inverse_cdf(quantiles[d])).sqrt();
        let z: Vec<f64> = quantiles[..d].iter().map(|&u| stretch * normal.inverse_cdf(u)).collect();
        let mut position = vec![0.0; d];
        self.frame.place(&z, &mut position);
        let distance: f64 = z.iter().map(|z| z * z).sum();
        let log_density =
            self.log_constant - 0.5 * (self.degrees + d as f64) * (distance / self.degrees).ln_1p();
        Point { position, log_density, gradient: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Factor;

    #[test]
    fn one_degree_in_one_dimension_is_cauchy() {
        let frame = Frame::new(vec![1.0], Factor::of_covariance(&[4.0], 1).unwrap()).unwrap();
        let cauchy = Student::new(frame, 1.0).unwrap();
        let want = -(std::f64::consts::PI * 2.0 * (1.0 + 0.25)).ln();
        assert!((cauchy.log_density(&[2.0]) - want).abs() < 1e-12);
    }

    #[test]
    fn the_density_at_quantiles_is_the_density() {
        let frame =
            Frame::new(vec![1.0, -2.0], Factor::of_covariance(&[4.0, 1.0, 1.0, 2.0], 2).unwrap());
        let student = Student::new(frame.unwrap(), 5.0).unwrap();
        let point = student.at_quantiles(&[0.2, 0.7, 0.4]);
        assert!((point.log_density - student.log_density(&point.position)).abs() < 1e-12);
    }

    #[test]
    fn no_degrees_no_density() {
        assert_eq!(Student::new(Frame::standard(1), 0.0), Err(StudentError { degrees: 0.0 }));
    }
}
