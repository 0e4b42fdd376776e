//! faer and LAPACK give the same answers.

use super::{Layout, by_faer, by_lapack};
use debias::Seed;
use rand_distr::{Distribution, StandardNormal};

fn normals(count: usize, stream: u64) -> Vec<f64> {
    let mut rng = Seed(3).child("agreement").stream(stream);
    (0..count).map(|_| StandardNormal.sample(&mut rng)).collect()
}

/// Both backends sum in their own order: 1e-12 of the largest entry allows for the conditioning.
fn assert_same(what: &str, a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    let scale = a.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    for (a, b) in a.iter().zip(b) {
        assert!((a - b).abs() <= 1e-12 * scale, "{what}: {a} and {b}");
    }
}

/// The entries on and below the diagonal.
fn lower(matrix: &[f64], d: usize) -> Vec<f64> {
    (0..d).flat_map(|column| matrix[column * d + column..(column + 1) * d].to_vec()).collect()
}

#[test]
fn both_backends_agree() {
    for d in [1, 2, 7, 64, 150] {
        let vectors = normals(3 * d * d, d as u64);
        for layout in [Layout::VectorByVector, Layout::EntryByEntry] {
            let mut first = vec![0.0; d * d];
            for i in 0..d {
                first[i * d + i] = 1.0;
            }
            let mut second = first.clone();
            by_faer::add_rank(&mut first, d, 0.5, &vectors, layout);
            by_lapack::add_rank(&mut second, d, 0.5, &vectors, layout);
            assert_same("rank update", &lower(&first, d), &lower(&second, d));

            let eigenvalues = by_faer::eigenvalues(&first, d);
            assert_same("eigenvalues", &eigenvalues, &by_lapack::eigenvalues(&first, d));

            assert!(by_faer::cholesky(&mut first, d) && by_lapack::cholesky(&mut second, d));
            assert_same("factor", &lower(&first, d), &lower(&second, d));

            let mut x = normals(4 * d, 1000 + d as u64);
            let mut y = x.clone();
            by_faer::solve_lower(&first, d, &mut x);
            by_lapack::solve_lower(&second, d, &mut y);
            assert_same("forward", &x, &y);
            by_faer::solve_transposed(&first, d, &mut x);
            by_lapack::solve_transposed(&second, d, &mut y);
            assert_same("backward", &x, &y);
        }
        let (left, right) = (normals(3 * d, 2000), normals(3 * d, 3000));
        let (mut first, mut second) = (vec![0.0; d * d], vec![0.0; d * d]);
        by_faer::add_lower_products(&mut first, d, 0.5, &left, &right);
        by_lapack::add_lower_products(&mut second, d, 0.5, &left, &right);
        assert_same("products", &lower(&first, d), &lower(&second, d));
        // Both refuse a matrix with a negative eigenvalue.
        let mut bad = vec![0.0; d * d];
        bad[d * d - 1] = -1.0;
        assert!(!by_faer::cholesky(&mut bad.clone(), d) && !by_lapack::cholesky(&mut bad, d));
    }
}
