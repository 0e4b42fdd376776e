//! The operations by the system's LAPACK, through ndarray-linalg.

use super::Layout;
use ndarray::{ArrayView2, ArrayViewMut2, ShapeBuilder};
use ndarray_linalg::{Cholesky, Diag, EigValsh, SolveTriangular, UPLO};

/// Overwrites the lower triangle with L; false if there is none.
pub fn cholesky(matrix: &mut [f64], dimension: usize) -> bool {
    let square = (dimension, dimension).f();
    let mut view = ArrayViewMut2::from_shape(square, matrix).expect("d² entries");
    match view.to_owned().cholesky(UPLO::Lower) {
        Ok(lower) => {
            view.assign(&lower);
            true
        }
        Err(_) => false,
    }
}

/// Overwrites each b with L⁻¹ b.
pub fn solve_lower(lower: &[f64], dimension: usize, vectors: &mut [f64]) {
    solve(lower_triangle(lower, dimension).view(), UPLO::Lower, vectors);
}

/// Overwrites each b with L⁻ᵀ b.
pub fn solve_transposed(lower: &[f64], dimension: usize, vectors: &mut [f64]) {
    let upper = lower_triangle(lower, dimension).reversed_axes();
    let mut columns = ndarray::Array2::zeros((dimension, dimension).f());
    columns.assign(&upper);
    solve(columns.view(), UPLO::Upper, vectors);
}

/// Adds s V Vᵀ to the lower triangle.
pub fn add_rank(matrix: &mut [f64], dimension: usize, scale: f64, vectors: &[f64], layout: Layout) {
    let shape = (dimension, vectors.len() / dimension);
    let vectors = match layout {
        Layout::VectorByVector => ArrayView2::from_shape(shape.f(), vectors),
        Layout::EntryByEntry => ArrayView2::from_shape(shape, vectors),
    }
    .expect("whole vectors");
    let square = (dimension, dimension).f();
    let mut sum = ArrayViewMut2::from_shape(square, matrix).expect("d² entries");
    ndarray::linalg::general_mat_mul(scale, &vectors, &vectors.t(), 1.0, &mut sum);
}

/// Adds s A Bᵀ to the lower triangle.
pub fn add_lower_products(
    matrix: &mut [f64],
    dimension: usize,
    scale: f64,
    left: &[f64],
    right: &[f64],
) {
    let shape = (dimension, left.len() / dimension);
    let columns = |v| ArrayView2::from_shape(shape.f(), v).expect("whole vectors");
    let square = (dimension, dimension).f();
    let mut sum = ArrayViewMut2::from_shape(square, matrix).expect("d² entries");
    ndarray::linalg::general_mat_mul(scale, &columns(left), &columns(right).t(), 1.0, &mut sum);
}

/// Eigenvalues of a finite matrix, smallest first.
pub fn eigenvalues(matrix: &[f64], dimension: usize) -> Vec<f64> {
    let square = (dimension, dimension).f();
    let view = ArrayView2::from_shape(square, matrix).expect("d² entries");
    match view.to_owned().eigvalsh(UPLO::Lower) {
        Ok(values) => values.to_vec(),
        Err(_) => vec![f64::NAN; dimension],
    }
}

/// L with zeros above the diagonal, where the slice holds anything.
fn lower_triangle(lower: &[f64], dimension: usize) -> ndarray::Array2<f64> {
    let square = (dimension, dimension).f();
    let mut triangle = ArrayView2::from_shape(square, lower).expect("d² entries").to_owned();
    for column in 1..dimension {
        for row in 0..column {
            triangle[(row, column)] = 0.0;
        }
    }
    triangle
}

fn solve(triangle: ArrayView2<'_, f64>, side: UPLO, vectors: &mut [f64]) {
    let dimension = triangle.nrows();
    let shape = (dimension, vectors.len() / dimension).f();
    let mut view = ArrayViewMut2::from_shape(shape, vectors).expect("whole vectors");
    let solved = triangle
        .solve_triangular(side, Diag::NonUnit, &view.to_owned())
        .expect("a positive diagonal has no zero to divide by");
    view.assign(&solved);
}
