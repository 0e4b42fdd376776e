//! exp, ln(1 + x) and cos of eight numbers at a time.
//!
//! ```text
//! exp x      = 2ᵏ (1 + r + r² q(r))            k = ⌊x / ln 2⌉, r = x − k ln 2
//! ln(1 + x)  = c + f − (f²/2 − s (f²/2 + R))   s = f / (2 + f), R = s² p(s²)
//!              f = x, c = 0 for x ≤ √2 − 1, else f = (x − 1)/2, c = ln 2
//! cos x      = (−1)ᵏ (1 − w/2 + w² g(w))       k = ⌊x / π⌉, w = (x − k π)²
//! ```
//!
//! q, p and g interpolate at Chebyshev nodes; their own errors are 2·10⁻¹⁷, 5·10⁻¹⁸ and
//! 7·10⁻¹⁷. exp and ln(1 + x) stay within 2 ulp of the standard library, cos within 4·10⁻¹⁶ of
//! the cosine for arguments up to 10⁴.

use crate::simd::Simd;

/// Below this, exp is taken to be exp of this: 3·10⁻³⁰⁸, the last normal number but a few.
pub(crate) const LEAST_EXPONENT: f64 = -708.0;

/// Adding it rounds to an integer, which then sits in the lowest bits: 1.5 · 2⁵².
const ROUNDER: f64 = 6755399441055744.0;

// ln 2 = high + low; high ends in zeros, so that k · high is exact.
const LN_2_HIGH: f64 = 0.6931471803691238;
const LN_2_LOW: f64 = 1.9082149292705877e-10;

// π = first + second + third; the first two end in zeros.
const PI: [f64; 3] = [3.141592651605606, 1.9841871583270443e-9, 1.034036596358821e-18];

const EXP: [f64; 10] = [
    0.5000000000000001,
    0.16666666666666669,
    0.04166666666662413,
    0.008333333333330062,
    0.0013888888917213717,
    0.00019841269863053618,
    2.4801521295954376e-5,
    2.7557268459997064e-6,
    2.7620088445409746e-7,
    2.510038549551032e-8,
];

const LN_1P: [f64; 7] = [
    0.666666666666667,
    0.3999999999989889,
    0.28571428626253836,
    0.22222211089379496,
    0.1818289243253687,
    0.15331611722055008,
    0.14617807153417325,
];

const COS: [f64; 7] = [
    0.04166666666666666,
    -0.0013888888888884741,
    2.4801587298900215e-5,
    -2.755731857077392e-7,
    2.087668133390017e-9,
    -1.1466243350791204e-11,
    4.646304747699084e-14,
];

/// exp x for x ≤ 709.
#[inline(always)]
pub(crate) fn exp<S: Simd>(simd: S, x: S::V) -> S::V {
    exps(simd, [x])[0]
}

/// exp of K times eight numbers, in step: one chain of additions leaves a processor waiting.
#[inline(always)]
pub(crate) fn exps<S: Simd, const K: usize>(simd: S, x: [S::V; K]) -> [S::V; K] {
    let (mut shifted, mut r) = (x, x);
    for i in 0..K {
        let x = simd.max(simd.splat(LEAST_EXPONENT), x[i]);
        shifted[i] = simd.mul_add(x, simd.splat(std::f64::consts::LOG2_E), simd.splat(ROUNDER));
        let k = simd.sub(shifted[i], simd.splat(ROUNDER));
        r[i] = simd.mul_add(k, simd.splat(-LN_2_HIGH), x);
        r[i] = simd.mul_add(k, simd.splat(-LN_2_LOW), r[i]);
    }
    let q = polynomials(simd, &EXP, r);
    let mut exps = q;
    for i in 0..K {
        let tail = simd.mul_add(simd.mul(r[i], r[i]), q[i], r[i]);
        exps[i] = simd.shift_exponent(simd.add(simd.splat(1.0), tail), shifted[i]);
    }
    exps
}

/// ln(1 + x) for 0 ≤ x ≤ 1.
#[inline(always)]
pub(crate) fn ln_1p<S: Simd>(simd: S, x: S::V) -> S::V {
    let small = simd.sub(x, simd.splat(std::f64::consts::SQRT_2 - 1.0));
    let half = simd.mul(simd.sub(x, simd.splat(1.0)), simd.splat(0.5));
    let f = simd.select(small, x, half);
    let constant = simd.select(small, simd.splat(0.0), simd.splat(std::f64::consts::LN_2));
    let s = simd.div(f, simd.add(simd.splat(2.0), f));
    let w = simd.mul(s, s);
    let r = simd.mul(w, polynomial(simd, &LN_1P, w));
    let half_square = simd.mul(simd.mul(simd.splat(0.5), f), f);
    let correction = simd.sub(half_square, simd.mul(s, simd.add(half_square, r)));
    simd.add(constant, simd.sub(f, correction))
}

/// cos x for |x| ≤ 10⁴.
#[inline(always)]
pub(crate) fn cos<S: Simd>(simd: S, x: S::V) -> S::V {
    let inverse = simd.splat(std::f64::consts::FRAC_1_PI);
    let shifted = simd.mul_add(x, inverse, simd.splat(ROUNDER));
    let k = simd.sub(shifted, simd.splat(ROUNDER));
    let mut r = x;
    for part in PI {
        r = simd.mul_add(k, simd.splat(-part), r);
    }
    let w = simd.mul(r, r);
    let g = polynomial(simd, &COS, w);
    let tail = simd.mul_add(simd.mul(w, w), g, simd.mul(w, simd.splat(-0.5)));
    simd.flip_if_odd(simd.add(simd.splat(1.0), tail), shifted)
}

/// Σ_k c_k xᵏ.
#[inline(always)]
fn polynomial<S: Simd, const N: usize>(simd: S, coefficients: &[f64; N], x: S::V) -> S::V {
    polynomials(simd, coefficients, [x])[0]
}

/// The same at K times eight numbers, in step.
#[inline(always)]
fn polynomials<S: Simd, const N: usize, const K: usize>(
    simd: S,
    coefficients: &[f64; N],
    x: [S::V; K],
) -> [S::V; K] {
    let mut sums = [simd.splat(coefficients[N - 1]); K];
    for &coefficient in coefficients[..N - 1].iter().rev() {
        for i in 0..K {
            sums[i] = simd.mul_add(sums[i], x[i], simd.splat(coefficient));
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Kernel, LANES, Level};

    #[derive(Clone, Copy, Debug)]
    enum Function {
        Exp,
        Ln1p,
        Cos,
    }

    struct Apply<'a>(Function, &'a [f64]);

    impl Kernel for Apply<'_> {
        type Output = Vec<f64>;
        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> Vec<f64> {
            let mut values = Vec::new();
            for chunk in self.1.as_chunks::<LANES>().0 {
                let x = simd.load(chunk);
                let mut lanes = [0.0; LANES];
                let y = match self.0 {
                    Function::Exp => exp(simd, x),
                    Function::Ln1p => ln_1p(simd, x),
                    Function::Cos => cos(simd, x),
                };
                simd.store(y, &mut lanes);
                values.extend(lanes);
            }
            values
        }
    }

    fn ulps(a: f64, b: f64) -> u64 {
        a.to_bits().abs_diff(b.to_bits())
    }

    /// Two hundred thousand arguments, evenly and then logarithmically spaced.
    fn arguments(from: f64, to: f64) -> Vec<f64> {
        let count = 100_000;
        let even = (0..=count).map(|i| from + (to - from) * f64::from(i) / f64::from(count));
        let fine = (0..count).map(|i| to * (-36.0 * f64::from(i) / f64::from(count)).exp2());
        let mut all: Vec<f64> = even.chain(fine).collect();
        all.resize(all.len().next_multiple_of(LANES), to);
        all
    }

    #[test]
    fn exp_and_ln_1p_within_two_ulp_of_the_standard_library() {
        for level in Level::available() {
            let mut worst = [0; 2];
            let x: Vec<f64> = arguments(0.0, 708.0).iter().map(|x| -x).collect();
            for (&x, y) in x.iter().zip(level.run(Apply(Function::Exp, &x))) {
                worst[0] = worst[0].max(ulps(y, x.exp()));
            }
            let positive = arguments(0.0, 709.0);
            for (&x, y) in positive.iter().zip(level.run(Apply(Function::Exp, &positive))) {
                worst[0] = worst[0].max(ulps(y, x.exp()));
            }
            let x = arguments(0.0, 1.0);
            for (&x, y) in x.iter().zip(level.run(Apply(Function::Ln1p, &x))) {
                worst[1] = worst[1].max(ulps(y, x.ln_1p()));
            }
            assert!(worst[0] <= 2 && worst[1] <= 2, "{level:?}: {worst:?} ulp");
        }
    }

    #[test]
    fn cos_to_four_parts_in_ten_to_the_sixteen() {
        for level in Level::available() {
            for (reach, tolerance) in [(100.0, 4e-16), (1e4, 4e-16)] {
                let mut x = arguments(-reach, reach);
                x.extend(arguments(0.0, reach));
                let y = level.run(Apply(Function::Cos, &x));
                let worst = x.iter().zip(y).map(|(x, y)| (y - x.cos()).abs()).fold(0.0, f64::max);
                assert!(worst < tolerance, "{level:?}, |x| < {reach}: {worst:e}");
            }
        }
    }

    #[test]
    fn limits_are_kept() {
        for level in Level::available() {
            let x = [0.0, -709.0, -1e9, f64::NEG_INFINITY, f64::NAN, -1e-300, -0.0, -708.0];
            let y = level.run(Apply(Function::Exp, &x));
            assert_eq!([y[0], y[5], y[6]], [1.0; 3], "{level:?}");
            assert!(y[1..4].iter().all(|&low| low == y[7] && low > 0.0 && low < 4e-308), "{y:?}");
            assert!(y[4].is_nan());
            let x = [0.0, 1.0, f64::NAN, 5e-324, 1e-300, 1e-17, 0.5, 0.25];
            let y = level.run(Apply(Function::Ln1p, &x));
            assert_eq!((y[0], y[1]), (0.0, std::f64::consts::LN_2), "{level:?}");
            assert!(y[2].is_nan());
            assert_eq!((y[3], y[4], y[5]), (x[3], x[4], x[5]));
        }
    }
}
