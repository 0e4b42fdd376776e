//! Small matrices and precisions, by hand.

use posterior::{ArrowMatrix, ArrowShape, Group};
use std::sync::Arc;

/// A = x xᵀ + 3 z zᵀ with x = (2, 0, −1) and z = (0, 1, 1); the first two parameters never meet.
#[test]
fn entries_and_forms_of_a_small_matrix() {
    for shape in [ArrowShape::dense(3), ArrowShape::with_head(3, vec![0, 1])] {
        let mut matrix = ArrowMatrix::zeros(Arc::new(shape));
        matrix.add_product(1.0, &[(0, 2.0), (2, -1.0)]);
        matrix.add_product(3.0, &[(1, 1.0), (2, 1.0)]);
        assert_eq!(matrix.diagonal_entries(), [4.0, 3.0, 4.0]);
        assert_eq!(matrix.times(&[1.0, 2.0, 3.0]), [-2.0, 15.0, 16.0]);
        assert_eq!(matrix.quadratic_form(&[(0, 1.0), (2, 3.0)]), 4.0 - 12.0 + 36.0);
        assert_eq!(matrix.line(2), [-2.0, 3.0, 4.0]);
        matrix.add_line(2, &[1.0, -1.0, 0.5]);
        assert_eq!(matrix.line(2), [-1.0, 2.0, 4.5]);
        assert_eq!(matrix.times(&[0.0, 0.0, 1.0]), [-1.0, 2.0, 4.5]);
    }
}

#[test]
fn a_log_sd_is_a_precision() {
    let group = Group { effects: 0..2, log_sd: 2 };
    assert_eq!(group.precision(&[9.0, 9.0, 0.0]), 1.0);
    assert!((group.precision(&[9.0, 9.0, 2f64.ln()]) - 0.25).abs() < 1e-15);
}
