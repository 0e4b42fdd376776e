//! Factors of covariances: Σ = C Cᵀ.
//!
//! A lower triangular C, kept as full rows, row after row: where parameters are at most a few
//! thousands, a plain loop is fast enough. Where most parameters are levels of one category, given the
//! others (the *tail*) they (the *head*) are independent of each other, and
//!
//! ```text
//! θ_tail = R z_tail,      θ_head = w ∘ z_head − W θ_tail
//! ```
//!
//! is a factor of g (s + 1) + s² numbers for g parameters in the head and s in the tail.

mod head;

use crate::vectors::{add, dot};
use head::Head;
use posterior::ArrowShape;

/// A matrix C standing for the covariance C Cᵀ: lower triangular with a positive diagonal, in the tail
/// where there is a head.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Factor {
    // Invariant: of the triangle, whose entries are dimension², row by row; zeros above the diagonal,
    // which is positive.
    dimension: usize,
    entries: Vec<f64>,
    head: Option<Box<Head>>,
}

/// Why a matrix has no factor.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FactorError {
    /// The entries do not fill a square.
    #[error("{entries} entries are no square matrix of {dimension} rows")]
    Shape {
        /// Rows asked for.
        dimension: usize,
        /// Entries given.
        entries: usize,
    },
    /// The matrix is not positive definite, or not finite.
    #[error("pivot {index} is {value}, so the matrix is not positive definite")]
    Pivot {
        /// Which pivot, from zero.
        index: usize,
        /// Its value, which should have been positive.
        value: f64,
    },
}

impl Factor {
    /// C = I.
    pub fn identity(dimension: usize) -> Factor {
        let mut entries = vec![0.0; dimension * dimension];
        for i in 0..dimension {
            entries[i * dimension + i] = 1.0;
        }
        Factor { dimension, entries, head: None }
    }

    /// The Cholesky factor of a covariance, given row by row; only its lower half is read.
    pub fn of_covariance(covariance: &[f64], dimension: usize) -> Result<Factor, FactorError> {
        if covariance.len() != dimension * dimension {
            return Err(FactorError::Shape { dimension, entries: covariance.len() });
        }
        let mut entries = vec![0.0; dimension * dimension];
        for i in 0..dimension {
            for j in 0..=i {
                let (above, below) = entries.split_at(i * dimension);
                let row_j = if j == i { &below[..j] } else { &above[j * dimension..][..j] };
                let sum = covariance[i * dimension + j] - dot(&below[..j], row_j);
                if i == j {
                    if !(sum > 0.0 && sum.is_finite()) {
                        return Err(FactorError::Pivot { index: i, value: sum });
                    }
                    entries[i * dimension + i] = sum.sqrt();
                } else {
                    entries[i * dimension + j] = sum / entries[j * dimension + j];
                }
            }
        }
        Ok(Factor { dimension, entries, head: None })
    }

    /// The factor of the inverse of a precision H, given row by row: C Cᵀ = H⁻¹.
    ///
    /// With the order of the coordinates reversed, H = U Uᵀ for an upper triangular U, and
    /// C = U⁻ᵀ is lower triangular again.
    pub fn of_precision(precision: &[f64], dimension: usize) -> Result<Factor, FactorError> {
        let reversed: Vec<f64> = precision.iter().rev().copied().collect();
        let lower = Factor::of_covariance(&reversed, dimension).map_err(|error| match error {
            FactorError::Pivot { index, value } => {
                FactorError::Pivot { index: dimension - 1 - index, value }
            }
            shape => shape,
        })?;
        let mut entries = vec![0.0; dimension * dimension];
        let mut column = vec![0.0; dimension];
        for j in 0..dimension {
            column.fill(0.0);
            column[j] = 1.0;
            lower.solve(&mut column);
            // U⁻¹ is the reversal of the inverse just solved for; C is its transpose.
            for i in j..dimension {
                entries[(dimension - 1 - j) * dimension + dimension - 1 - i] = column[i];
            }
        }
        Ok(Factor { dimension, entries, head: None })
    }

    /// The factor of an arrow: that of the tail, the head's standard deviations given the tail, and
    /// minus the slopes of the head's mean, line by line.
    ///
    /// # Panics
    /// If the parts do not fit the shape.
    pub fn with_head(self, shape: &ArrowShape, deviations: Vec<f64>, slopes: Vec<f64>) -> Factor {
        let (g, s) = (shape.head().len(), shape.tail().len());
        assert!(self.head.is_none() && self.dimension == s, "a triangle for the tail");
        assert!(
            deviations.len() == g && slopes.len() == g * s,
            "one line per parameter of the head"
        );
        let (columns, tail) = (shape.head().to_vec(), shape.tail().to_vec());
        Factor { head: Some(Box::new(Head { columns, tail, deviations, slopes })), ..self }
    }

    /// d.
    pub fn dimension(&self) -> usize {
        self.head.as_ref().map_or(self.dimension, |head| head.columns.len() + head.tail.len())
    }

    /// Whether C is a triangle of all parameters.
    pub fn is_dense(&self) -> bool {
        self.head.is_none()
    }

    /// The first entries of a row of the triangle, up to its diagonal.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.entries[i * self.dimension..][..=i]
    }

    /// C Cᵀ, row by row: d² numbers.
    pub fn covariance(&self) -> Vec<f64> {
        let d = self.dimension();
        let mut covariance = vec![0.0; d * d];
        if self.head.is_some() {
            for (j, line) in covariance.chunks_exact_mut(d).enumerate() {
                line.copy_from_slice(&self.covariance_line(j));
            }
            return covariance;
        }
        for i in 0..d {
            for j in 0..=i {
                let entry = dot(&self.row(i)[..=j], self.row(j));
                covariance[i * d + j] = entry;
                covariance[j * d + i] = entry;
            }
        }
        covariance
    }

    /// One line of C Cᵀ.
    pub fn covariance_line(&self, j: usize) -> Vec<f64> {
        let mut unit = vec![0.0; self.dimension()];
        unit[j] = 1.0;
        let (mut z, mut line) = (vec![0.0; unit.len()], vec![0.0; unit.len()]);
        self.apply_transpose(&unit, &mut z);
        self.apply(&z, &mut line);
        line
    }

    /// The diagonal of C Cᵀ.
    pub fn variances(&self) -> Vec<f64> {
        let Some(head) = &self.head else {
            return (0..self.dimension).map(|i| dot(self.row(i), self.row(i))).collect();
        };
        let mut variances = vec![0.0; self.dimension()];
        for (t, &column) in head.tail.iter().enumerate() {
            variances[column] = dot(self.row(t), self.row(t));
        }
        let mut moved = vec![0.0; self.dimension];
        for (h, &column) in head.columns.iter().enumerate() {
            moved.fill(0.0);
            self.add_triangle_transposed(head.line(h), &mut moved);
            variances[column] = head.deviations[h].powi(2) + dot(&moved, &moved);
        }
        variances
    }

    /// Overwrites `out` with C z.
    pub fn apply(&self, z: &[f64], out: &mut [f64]) {
        let Some(head) = &self.head else {
            for i in 0..self.dimension {
                out[i] = dot(self.row(i), &z[..=i]);
            }
            return;
        };
        let z_tail = head.tail_of(z);
        let tail: Vec<f64> = (0..self.dimension).map(|i| dot(self.row(i), &z_tail[..=i])).collect();
        head.put_tail(&tail, out);
        for (h, &column) in head.columns.iter().enumerate() {
            out[column] = head.deviations[h] * z[column] - dot(head.line(h), &tail);
        }
    }

    /// Overwrites `out` with Cᵀ g.
    pub fn apply_transpose(&self, g: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        self.add_transpose(g, out);
    }

    /// Adds Cᵀ g to `out`.
    pub fn add_transpose(&self, g: &[f64], out: &mut [f64]) {
        let Some(head) = &self.head else {
            return self.add_triangle_transposed(g, out);
        };
        let mut tail = head.tail_of(g);
        for (h, &column) in head.columns.iter().enumerate() {
            out[column] += head.deviations[h] * g[column];
            add(&mut tail, -g[column], head.line(h));
        }
        let mut sums = vec![0.0; self.dimension];
        self.add_triangle_transposed(&tail, &mut sums);
        for (&column, sum) in head.tail.iter().zip(sums) {
            out[column] += sum;
        }
    }

    fn add_triangle_transposed(&self, g: &[f64], out: &mut [f64]) {
        for i in 0..self.dimension {
            for (out, entry) in out.iter_mut().zip(self.row(i)) {
                *out += entry * g[i];
            }
        }
    }

    /// Replaces x by C⁻¹ x.
    pub fn solve(&self, x: &mut [f64]) {
        let Some(head) = &self.head else {
            return self.solve_triangle(x);
        };
        let mut tail = head.tail_of(x);
        for (h, &column) in head.columns.iter().enumerate() {
            x[column] = (x[column] + dot(head.line(h), &tail)) / head.deviations[h];
        }
        self.solve_triangle(&mut tail);
        head.put_tail(&tail, x);
    }

    fn solve_triangle(&self, x: &mut [f64]) {
        for i in 0..self.dimension {
            let row = self.row(i);
            x[i] = (x[i] - dot(&row[..i], &x[..i])) / row[i];
        }
    }

    /// Replaces x by C⁻ᵀ x.
    pub fn solve_transpose(&self, x: &mut [f64]) {
        let Some(head) = &self.head else {
            return self.solve_triangle_transposed(x);
        };
        let mut tail = head.tail_of(x);
        self.solve_triangle_transposed(&mut tail);
        for (h, &column) in head.columns.iter().enumerate() {
            x[column] /= head.deviations[h];
            add(&mut tail, x[column], head.line(h));
        }
        head.put_tail(&tail, x);
    }

    fn solve_triangle_transposed(&self, x: &mut [f64]) {
        for i in (0..self.dimension).rev() {
            let row = self.row(i);
            x[i] /= row[i];
            let value = x[i];
            for (x, entry) in x[..i].iter_mut().zip(&row[..i]) {
                *x -= entry * value;
            }
        }
    }

    /// C diag(s): each coordinate of z is s times as wide.
    ///
    /// # Panics
    /// If there is not one positive number for each coordinate.
    pub fn stretched(mut self, by: &[f64]) -> Factor {
        assert_eq!(by.len(), self.dimension(), "one number for each coordinate");
        assert!(by.iter().all(|s| *s > 0.0 && s.is_finite()), "a factor has a positive diagonal");
        let of_triangle = match &mut self.head {
            None => by.to_vec(),
            Some(head) => {
                let columns = head.columns.iter();
                columns.zip(&mut head.deviations).for_each(|(&column, w)| *w *= by[column]);
                head.tail_of(by)
            }
        };
        for row in self.entries.chunks_exact_mut(self.dimension) {
            row.iter_mut().zip(&of_triangle).for_each(|(entry, s)| *entry *= s);
        }
        self
    }

    /// ln det C.
    pub fn log_determinant(&self) -> f64 {
        let triangle: f64 = (0..self.dimension).map(|i| self.row(i)[i].ln()).sum();
        let head = self.head.iter().flat_map(|head| &head.deviations);
        triangle + head.map(|deviation| deviation.ln()).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COVARIANCE: [f64; 9] = [4.0, 2.0, 0.6, 2.0, 3.0, 0.5, 0.6, 0.5, 1.0];

    #[test]
    fn a_covariance_is_the_square_of_its_factor() {
        let factor = Factor::of_covariance(&COVARIANCE, 3).unwrap();
        for (got, want) in factor.covariance().iter().zip(COVARIANCE) {
            assert!((got - want).abs() < 1e-14);
        }
    }

    #[test]
    fn a_precision_gives_the_factor_of_its_inverse() {
        // The inverse by solving with the Cholesky factor, column by column.
        let factor = Factor::of_covariance(&COVARIANCE, 3).unwrap();
        let mut precision = vec![0.0; 9];
        for j in 0..3 {
            let mut column = vec![0.0; 3];
            column[j] = 1.0;
            factor.solve(&mut column);
            factor.solve_transpose(&mut column);
            for i in 0..3 {
                precision[i * 3 + j] = column[i];
            }
        }
        let back = Factor::of_precision(&precision, 3).unwrap();
        for (got, want) in back.covariance().iter().zip(COVARIANCE) {
            assert!((got - want).abs() < 1e-13);
        }
    }

    #[test]
    fn solving_undoes_applying() {
        let factor = Factor::of_covariance(&COVARIANCE, 3).unwrap();
        let x = [0.3, -1.0, 2.0];
        let mut out = [0.0; 3];
        factor.apply(&x, &mut out);
        factor.solve(&mut out);
        assert!(x.iter().zip(out).all(|(a, b)| (a - b).abs() < 1e-15));
        factor.apply_transpose(&x, &mut out);
        factor.solve_transpose(&mut out);
        assert!(x.iter().zip(out).all(|(a, b)| (a - b).abs() < 1e-15));
    }

    #[test]
    fn an_arrow_solves_and_applies_like_its_covariance() {
        // The second and the fourth of four parameters are the head.
        let shape = ArrowShape::with_head(4, vec![1, 3]);
        let tail = Factor::of_covariance(&[2.0, 0.3, 0.3, 1.0], 2).unwrap();
        let factor = tail.with_head(&shape, vec![0.5, 2.0], vec![1.0, -0.5, 0.25, 3.0]);
        let covariance = factor.covariance();
        let dense = Factor::of_covariance(&covariance, 4).unwrap();
        assert!((factor.log_determinant() - dense.log_determinant()).abs() < 1e-13);
        let diagonal: Vec<f64> = (0..4).map(|j| covariance[j * 5]).collect();
        let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(close(&factor.variances(), &diagonal) && close(&dense.variances(), &diagonal));
        // Given the tail, the two are independent: −W Σ_tail between head and tail.
        assert!((covariance[4] + 1.0 * 2.0 - 0.5 * 0.3).abs() < 1e-13);
        let x = [0.3, -1.0, 2.0, 0.7];
        let (mut solved, mut back) = (x, [0.0; 4]);
        factor.solve(&mut solved);
        factor.apply(&solved, &mut back);
        assert!(close(&back, &x));
        solved = x;
        factor.solve_transpose(&mut solved);
        factor.apply_transpose(&solved, &mut back);
        assert!(close(&back, &x));
        // Stretched by s, C z is C (s z).
        let by = [2.0, 0.5, 3.0, 1.5];
        let wider: Vec<f64> = x.iter().zip(by).map(|(x, s)| x * s).collect();
        for factor in [factor, dense] {
            factor.apply(&wider, &mut solved);
            factor.stretched(&by).apply(&x, &mut back);
            assert!(close(&back, &solved));
        }
    }

    #[test]
    fn a_matrix_that_is_no_covariance_is_refused() {
        let negative = Factor::of_covariance(&[-1.0, 3.0, 3.0, 1.0], 2);
        assert_eq!(negative, Err(FactorError::Pivot { index: 0, value: -1.0 }));
        let shape = Factor::of_covariance(&[1.0], 2);
        assert_eq!(shape, Err(FactorError::Shape { dimension: 2, entries: 1 }));
        let nan = Factor::of_covariance(&[f64::NAN], 1);
        assert!(matches!(nan, Err(FactorError::Pivot { index: 0, .. })));
    }
}
