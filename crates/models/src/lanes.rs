//! Sums over long slices, eight running totals side by side.
//!
//! The order of additions is fixed by the length alone, so a sum has the same bits on every
//! machine, and independent totals let the compiler fill vector registers.

use posterior::LANES;

/// Σ_i f(a_i).
pub(crate) fn sum(a: &[f64], f: impl Fn(f64) -> f64) -> f64 {
    let mut totals = [0.0; LANES];
    let mut chunks = a.chunks_exact(LANES);
    for chunk in &mut chunks {
        for lane in 0..LANES {
            totals[lane] += f(chunk[lane]);
        }
    }
    for (total, &a) in totals.iter_mut().zip(chunks.remainder()) {
        *total += f(a);
    }
    fold(totals)
}

/// Σ_i f(a_i, b_i).
pub(crate) fn sum_pairs(a: &[f64], b: &[f64], f: impl Fn(f64, f64) -> f64) -> f64 {
    assert_eq!(a.len(), b.len(), "slices of different lengths");
    let mut totals = [0.0; LANES];
    let (mut left, mut right) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    for (a, b) in (&mut left).zip(&mut right) {
        for lane in 0..LANES {
            totals[lane] += f(a[lane], b[lane]);
        }
    }
    for ((total, &a), &b) in totals.iter_mut().zip(left.remainder()).zip(right.remainder()) {
        *total += f(a, b);
    }
    fold(totals)
}

/// Σ_i a_i b_i.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    sum_pairs(a, b, |a, b| a * b)
}

/// Halves the number of totals until one is left.
pub(crate) fn fold(mut totals: [f64; LANES]) -> f64 {
    let mut width = LANES;
    while width > 1 {
        width /= 2;
        for lane in 0..width {
            totals[lane] += totals[lane + width];
        }
    }
    totals[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_counts_once() {
        for length in 0..40 {
            let a: Vec<f64> = (1..=length).map(f64::from).collect();
            let expected = f64::from(length * (length + 1) / 2);
            assert_eq!(sum(&a, |a| a), expected);
            assert_eq!(dot(&a, &vec![2.0; a.len()]), 2.0 * expected);
        }
    }
}
