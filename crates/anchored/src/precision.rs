//! A precision matrix in units in which it has a unit diagonal, so that units of columns do not matter.

use crate::covariance::Covariance;
use models::linear_algebra::{Cholesky, Layout, MatrixError, Symmetric};
use posterior::ArrowMatrix;
use std::cell::OnceCell;

/// A precision shaped like an arrow, scaled to a unit diagonal: the Cholesky factor of M, which is all of
/// it where there is no head, and the covariance once wanted.
pub(crate) struct Scaled {
    // The head in its own units: D = I, so that W = B and M = S − Bᵀ B.
    border: ArrowMatrix,
    scales: Vec<f64>,
    factor: Cholesky,
    covariance: OnceCell<Covariance>,
}

impl Scaled {
    /// Of a precision, whose corner and border are overwritten.
    pub fn new(mut precision: ArrowMatrix) -> Result<Scaled, MatrixError> {
        let scales: Vec<f64> = precision
            .diagonal_entries()
            .into_iter()
            .map(|diagonal| if diagonal > 0.0 { diagonal.sqrt().recip() } else { 1.0 })
            .collect();
        let shape = precision.shape().clone();
        let s = shape.tail().len();
        let tail: Vec<f64> = shape.tail().iter().map(|&column| scales[column]).collect();
        let mut scaled = Symmetric::zeros(s);
        for i in 0..s {
            for j in 0..=i {
                scaled.add_entry(i, j, precision.corner[i * s + j] * tail[i] * tail[j]);
            }
        }
        for (h, &column) in shape.head().iter().enumerate() {
            if precision.diagonal[h].is_nan() || precision.diagonal[h] <= 0.0 {
                let (smallest, largest) = (precision.diagonal[h], f64::NAN);
                return Err(MatrixError::NotPositiveDefinite { smallest, largest });
            }
            let line = &mut precision.border[h * s..][..s];
            line.iter_mut().zip(&tail).for_each(|(b, scale)| *b *= scale * scales[column]);
        }
        if !shape.is_dense() {
            scaled.add_rank(-1.0, &precision.border, Layout::VectorByVector);
        }
        Ok(Scaled {
            border: precision,
            scales,
            factor: scaled.cholesky()?,
            covariance: OnceCell::new(),
        })
    }

    /// A⁻¹ b.
    pub fn solve(&self, vector: &[f64]) -> Vec<f64> {
        let shape = self.border.shape();
        let s = shape.tail().len();
        let scaled = |column: usize| vector[column] * self.scales[column];
        let mut tail: Vec<f64> = shape.tail().iter().map(|&column| scaled(column)).collect();
        let lines = || self.border.border.chunks_exact(s.max(1)).zip(shape.head());
        for (line, &column) in lines() {
            tail.iter_mut().zip(line).for_each(|(sum, slope)| *sum -= slope * scaled(column));
        }
        self.factor.solve(&mut tail);
        let mut solved = vec![0.0; vector.len()];
        for (line, &column) in lines() {
            let across: f64 = line.iter().zip(&tail).map(|(a, b)| a * b).sum();
            solved[column] = (scaled(column) - across) * self.scales[column];
        }
        for (&column, value) in shape.tail().iter().zip(&tail) {
            solved[column] = value * self.scales[column];
        }
        solved
    }

    /// ln det A.
    pub fn log_determinant(&self) -> f64 {
        self.factor.log_determinant() - 2.0 * self.scales.iter().map(|s| s.ln()).sum::<f64>()
    }

    /// C = A⁻¹.
    pub fn covariance(&self) -> &Covariance {
        self.covariance.get_or_init(|| {
            let shape = self.border.shape();
            let (g, s) = (shape.head().len(), shape.tail().len());
            let tail: Vec<f64> = shape.tail().iter().map(|&column| self.scales[column]).collect();
            let mut entries = ArrowMatrix::zeros(shape.clone());
            let mut inverse = vec![0.0; g];
            let mut slopes = self.border.border.clone();
            // M⁻¹ Wᵀ, one vector per parameter of the head, before any scaling.
            entries.border.copy_from_slice(&slopes);
            self.factor.solve(&mut entries.border);
            for (h, &column) in shape.head().iter().enumerate() {
                let scale = self.scales[column];
                let (line, slope) = (&mut entries.border[h * s..][..s], &mut slopes[h * s..][..s]);
                let along: f64 = line.iter().zip(&*slope).map(|(a, b)| a * b).sum();
                entries.diagonal[h] = (1.0 + along) * scale * scale;
                inverse[h] = scale * scale;
                for t in 0..s {
                    line[t] *= -scale * tail[t];
                    slope[t] *= scale / tail[t];
                }
            }
            entries.corner = self.factor.inverse().entries();
            for i in 0..s {
                for j in 0..s {
                    entries.corner[i * s + j] *= tail[i] * tail[j];
                }
            }
            Covariance { entries, inverse, slopes }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use posterior::ArrowShape;
    use std::sync::Arc;

    /// Σ x xᵀ over rows that have one of the head's parameters each, and a little on the diagonal.
    fn precision(shape: ArrowShape) -> ArrowMatrix {
        let mut matrix = ArrowMatrix::zeros(Arc::new(shape));
        for row in 0..40 {
            let x = 1e3 * f64::from(row).sin();
            let entries = [(row as usize % 3 * 2, 1.0), (1, x), (5, 1.0)];
            matrix.add_product(1.0 + f64::from(row % 5), &entries);
        }
        matrix.add_diagonal(&[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]);
        matrix
    }

    #[test]
    fn an_arrow_has_the_covariance_of_the_dense_matrix() {
        let dense = Scaled::new(precision(ArrowShape::dense(6))).unwrap();
        let arrow = Scaled::new(precision(ArrowShape::with_head(6, vec![0, 2, 4]))).unwrap();
        assert!((dense.log_determinant() - arrow.log_determinant()).abs() < 1e-9);
        let (dense, arrow) = (dense.covariance(), arrow.covariance());
        let close = |a: &[f64], b: &[f64]| {
            a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-10 * (a.abs() + b.abs()))
        };
        assert!(close(&dense.variances(), &arrow.variances()));
        for row in [&[(2, 1.0), (1, 0.5), (5, 1.0)][..], &[(3, 2.0), (4, -1.0)]] {
            assert!(close(
                &[dense.entries.quadratic_form(row)],
                &[arrow.entries.quadratic_form(row)]
            ));
        }
        let (arrow_factor, dense_factor) = (arrow.factor().unwrap(), dense.factor().unwrap());
        assert!(!arrow_factor.is_dense() && dense_factor.is_dense());
        for j in 0..6 {
            let mut unit = vec![0.0; 6];
            unit[j] = 1.0;
            assert!(close(&dense.times(&unit), &arrow.times(&unit)), "column {j}");
            assert!(close(&dense.times(&unit), &arrow_factor.covariance_line(j)), "column {j}");
        }
    }

    #[test]
    fn solving_undoes_the_product_in_both_shapes() {
        for shape in [ArrowShape::dense(6), ArrowShape::with_head(6, vec![0, 2, 4])] {
            let matrix = precision(shape);
            let x = [1.0, -2e-3, 0.5, 3.0, -1.0, 0.25];
            let solved = Scaled::new(matrix.clone()).unwrap().solve(&matrix.times(&x));
            assert!(solved.iter().zip(x).all(|(a, b)| (a - b).abs() < 1e-9 * b.abs()));
        }
    }

    #[test]
    fn a_flat_direction_is_refused_in_both_shapes() {
        for head in [vec![], vec![0, 2, 4]] {
            let mut matrix = precision(ArrowShape::with_head(6, head));
            matrix.add_diagonal(&[-1e3, 0.0, 0.0, 0.0, 0.0, 0.0]);
            assert!(Scaled::new(matrix).is_err());
        }
    }
}
