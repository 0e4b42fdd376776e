//! Plain sums over vectors of parameters, in the order of their entries.

/// a · b.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Adds `factor` times a vector to another.
pub(crate) fn add(to: &mut [f64], factor: f64, vector: &[f64]) {
    for (to, value) in to.iter_mut().zip(vector) {
        *to += factor * value;
    }
}
