//! Eight lanes in four 128-bit registers.

use super::{Kernel, LANES, Simd};
use std::arch::aarch64::*;

/// Proof that the processor can do this.
#[derive(Clone, Copy)]
pub(crate) struct Neon(());

type V = [float64x2_t; 4];

impl Neon {
    #[inline(always)]
    pub(super) fn new() -> Option<Neon> {
        std::arch::is_aarch64_feature_detected!("neon").then_some(Neon(()))
    }

    #[inline(always)]
    pub(super) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "neon")]
        fn compiled<K: Kernel>(simd: Neon, kernel: K) -> K::Output {
            kernel.run(simd)
        }
        // SAFETY: `self` exists only where the features were detected.
        unsafe { compiled(self, kernel) }
    }
}

impl Simd for Neon {
    type V = V;

    #[inline(always)]
    fn splat(self, x: f64) -> V {
        // SAFETY: the processor has the instructions, of which `self` is the proof.
        unsafe { [vdupq_n_f64(x); 4] }
    }

    #[inline(always)]
    fn load(self, from: &[f64; LANES]) -> V {
        // SAFETY: as above; the array has eight entries, and the access needs no alignment.
        unsafe {
            [
                vld1q_f64(from.as_ptr().add(0)),
                vld1q_f64(from.as_ptr().add(2)),
                vld1q_f64(from.as_ptr().add(4)),
                vld1q_f64(from.as_ptr().add(6)),
            ]
        }
    }

    #[inline(always)]
    fn store(self, v: V, to: &mut [f64; LANES]) {
        // SAFETY: as above; the array has eight entries, and the access needs no alignment.
        unsafe {
            for (pair, v) in v.into_iter().enumerate() {
                vst1q_f64(to.as_mut_ptr().add(2 * pair), v);
            }
        }
    }

    #[inline(always)]
    fn add(self, a: V, b: V) -> V {
        // SAFETY: the processor has the instructions, of which `self` is the proof.
        unsafe {
            [
                vaddq_f64(a[0], b[0]),
                vaddq_f64(a[1], b[1]),
                vaddq_f64(a[2], b[2]),
                vaddq_f64(a[3], b[3]),
            ]
        }
    }

    #[inline(always)]
    fn sub(self, a: V, b: V) -> V {
        // SAFETY: the processor has the instructions, of which `self` is the proof.
        unsafe {
            [
                vsubq_f64(a[0], b[0]),
                vsubq_f64(a[1], b[1]),
                vsubq_f64(a[2], b[2]),
                vsubq_f64(a[3], b[3]),
            ]
        }
    }

    #[inline(always)]
    fn mul(self, a: V, b: V) -> V {
        // SAFETY: the processor has the instructions, of which `self` is the proof.
        unsafe {
            [
                vmulq_f64(a[0], b[0]),
                vmulq_f64(a[1], b[1]),
                vmulq_f64(a[2], b[2]),
                vmulq_f64(a[3], b[3]),
            ]
        }
    }

    #[inline(always)]
    fn div(self, a: V, b: V) -> V {
        // SAFETY: the processor has the instructions, of which `self` is the proof.
        unsafe {
            [
                vdivq_f64(a[0], b[0]),
                vdivq_f64(a[1], b[1]),
                vdivq_f64(a[2], b[2]),
                vdivq_f64(a[3], b[3]),
            ]
        }
    }

    #[inline(always)]
    fn mul_add(self, a: V, b: V, c: V) -> V {
        // SAFETY: the processor has the instructions, of which `self` is the proof.
        unsafe {
            [
                vfmaq_f64(c[0], a[0], b[0]),
                vfmaq_f64(c[1], a[1], b[1]),
                vfmaq_f64(c[2], a[2], b[2]),
                vfmaq_f64(c[3], a[3], b[3]),
            ]
        }
    }

    #[inline(always)]
    fn max(self, a: V, b: V) -> V {
        #[inline(always)]
        fn larger(a: float64x2_t, b: float64x2_t) -> float64x2_t {
            // SAFETY: called below, where `self` is the proof.
            unsafe { vbslq_f64(vcgtq_f64(a, b), a, b) }
        }
        [larger(a[0], b[0]), larger(a[1], b[1]), larger(a[2], b[2]), larger(a[3], b[3])]
    }

    #[inline(always)]
    fn minus_abs(self, v: V) -> V {
        // SAFETY: the processor has the instructions, of which `self` is the proof.
        unsafe {
            [
                vnegq_f64(vabsq_f64(v[0])),
                vnegq_f64(vabsq_f64(v[1])),
                vnegq_f64(vabsq_f64(v[2])),
                vnegq_f64(vabsq_f64(v[3])),
            ]
        }
    }

    #[inline(always)]
    fn select(self, sign: V, negative: V, positive: V) -> V {
        #[inline(always)]
        fn choose(sign: float64x2_t, negative: float64x2_t, positive: float64x2_t) -> float64x2_t {
            // SAFETY: called below, where `self` is the proof.
            unsafe { vbslq_f64(vcltzq_s64(vreinterpretq_s64_f64(sign)), negative, positive) }
        }
        [
            choose(sign[0], negative[0], positive[0]),
            choose(sign[1], negative[1], positive[1]),
            choose(sign[2], negative[2], positive[2]),
            choose(sign[3], negative[3], positive[3]),
        ]
    }

    #[inline(always)]
    fn shift_exponent(self, v: V, bits: V) -> V {
        #[inline(always)]
        fn shift(v: float64x2_t, bits: float64x2_t) -> float64x2_t {
            // SAFETY: called below, where `self` is the proof.
            unsafe {
                let k = vshlq_n_s64::<52>(vreinterpretq_s64_f64(bits));
                vreinterpretq_f64_s64(vaddq_s64(vreinterpretq_s64_f64(v), k))
            }
        }
        [shift(v[0], bits[0]), shift(v[1], bits[1]), shift(v[2], bits[2]), shift(v[3], bits[3])]
    }

    #[inline(always)]
    fn flip_if_odd(self, v: V, bits: V) -> V {
        #[inline(always)]
        fn flip(v: float64x2_t, bits: float64x2_t) -> float64x2_t {
            // SAFETY: called below, where `self` is the proof.
            unsafe {
                let sign = vshlq_n_s64::<63>(vreinterpretq_s64_f64(bits));
                vreinterpretq_f64_s64(veorq_s64(vreinterpretq_s64_f64(v), sign))
            }
        }
        [flip(v[0], bits[0]), flip(v[1], bits[1]), flip(v[2], bits[2]), flip(v[3], bits[3])]
    }
}
