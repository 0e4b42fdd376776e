//! The operations by faer, on one thread.

use super::Layout;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::triangular_solve;
use faer::{Accum, MatMut, MatRef, Par, Side, Spec};

/// Overwrites the lower triangle with L; false if there is none.
pub fn cholesky(matrix: &mut [f64], dimension: usize) -> bool {
    let parameters: Spec<factor::LltParams, f64> = Spec::default();
    let scratch = factor::cholesky_in_place_scratch::<f64>(dimension, Par::Seq, parameters);
    factor::cholesky_in_place(
        MatMut::from_column_major_slice_mut(matrix, dimension, dimension),
        factor::LltRegularization::default(),
        Par::Seq,
        MemStack::new(&mut MemBuffer::new(scratch)),
        parameters,
    )
    .is_ok()
}

/// Overwrites each b with L⁻¹ b.
pub fn solve_lower(lower: &[f64], dimension: usize, vectors: &mut [f64]) {
    let count = vectors.len() / dimension;
    triangular_solve::solve_lower_triangular_in_place(
        MatRef::from_column_major_slice(lower, dimension, dimension),
        MatMut::from_column_major_slice_mut(vectors, dimension, count),
        Par::Seq,
    );
}

/// Overwrites each b with L⁻ᵀ b.
pub fn solve_transposed(lower: &[f64], dimension: usize, vectors: &mut [f64]) {
    let count = vectors.len() / dimension;
    triangular_solve::solve_upper_triangular_in_place(
        MatRef::from_column_major_slice(lower, dimension, dimension).transpose(),
        MatMut::from_column_major_slice_mut(vectors, dimension, count),
        Par::Seq,
    );
}

/// Adds s V Vᵀ to the lower triangle.
pub fn add_rank(matrix: &mut [f64], dimension: usize, scale: f64, vectors: &[f64], layout: Layout) {
    let count = vectors.len() / dimension;
    let vectors = match layout {
        Layout::VectorByVector => MatRef::from_column_major_slice(vectors, dimension, count),
        Layout::EntryByEntry => MatRef::from_row_major_slice(vectors, dimension, count),
    };
    add_product(matrix, dimension, scale, vectors, vectors);
}

/// Adds s A Bᵀ to the lower triangle.
pub fn add_lower_products(
    matrix: &mut [f64],
    dimension: usize,
    scale: f64,
    left: &[f64],
    right: &[f64],
) {
    let columns = |v| MatRef::from_column_major_slice(v, dimension, left.len() / dimension);
    add_product(matrix, dimension, scale, columns(left), columns(right));
}

fn add_product(
    matrix: &mut [f64],
    dimension: usize,
    scale: f64,
    left: MatRef<'_, f64>,
    right: MatRef<'_, f64>,
) {
    triangular::matmul(
        MatMut::from_column_major_slice_mut(matrix, dimension, dimension),
        BlockStructure::TriangularLower,
        Accum::Add,
        left,
        BlockStructure::Rectangular,
        right.transpose(),
        BlockStructure::Rectangular,
        scale,
        Par::Seq,
    );
}

/// Eigenvalues of a finite matrix, smallest first.
pub fn eigenvalues(matrix: &[f64], dimension: usize) -> Vec<f64> {
    MatRef::from_column_major_slice(matrix, dimension, dimension)
        .self_adjoint_eigenvalues(Side::Lower)
        .unwrap_or_else(|_| vec![f64::NAN; dimension])
}
