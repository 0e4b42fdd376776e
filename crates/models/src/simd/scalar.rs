//! Eight lanes by plain arithmetic.

use super::{LANES, Simd};

/// Every processor can do this.
#[derive(Clone, Copy)]
pub(crate) struct Scalar;

type V = [f64; LANES];

#[inline(always)]
fn zip(a: V, b: V, f: impl Fn(f64, f64) -> f64) -> V {
    std::array::from_fn(|lane| f(a[lane], b[lane]))
}

impl Simd for Scalar {
    type V = V;

    #[inline(always)]
    fn splat(self, x: f64) -> V {
        [x; LANES]
    }

    #[inline(always)]
    fn load(self, from: &[f64; LANES]) -> V {
        *from
    }

    #[inline(always)]
    fn store(self, v: V, to: &mut [f64; LANES]) {
        *to = v;
    }

    #[inline(always)]
    fn add(self, a: V, b: V) -> V {
        zip(a, b, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(self, a: V, b: V) -> V {
        zip(a, b, |a, b| a - b)
    }

    #[inline(always)]
    fn mul(self, a: V, b: V) -> V {
        zip(a, b, |a, b| a * b)
    }

    #[inline(always)]
    fn div(self, a: V, b: V) -> V {
        zip(a, b, |a, b| a / b)
    }

    // Two roundings: without the instruction, a fused multiply-add is a slow library call.
    #[inline(always)]
    fn mul_add(self, a: V, b: V, c: V) -> V {
        std::array::from_fn(|lane| a[lane] * b[lane] + c[lane])
    }

    #[inline(always)]
    fn max(self, a: V, b: V) -> V {
        zip(a, b, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn minus_abs(self, v: V) -> V {
        v.map(|v| f64::from_bits(v.to_bits() | 1 << 63))
    }

    #[inline(always)]
    fn select(self, sign: V, negative: V, positive: V) -> V {
        std::array::from_fn(|lane| {
            if sign[lane].is_sign_negative() { negative[lane] } else { positive[lane] }
        })
    }

    #[inline(always)]
    fn shift_exponent(self, v: V, bits: V) -> V {
        zip(v, bits, |v, bits| f64::from_bits(v.to_bits().wrapping_add(bits.to_bits() << 52)))
    }

    #[inline(always)]
    fn flip_if_odd(self, v: V, bits: V) -> V {
        zip(v, bits, |v, bits| f64::from_bits(v.to_bits() ^ bits.to_bits() << 63))
    }
}
