//! Eight lanes in one 512-bit register.

use super::{Kernel, LANES, Simd};
use std::arch::x86_64::*;

/// Proof that the processor can do this.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(());

type V = __m512d;

impl Avx512 {
    #[inline(always)]
    pub(super) fn new() -> Option<Avx512> {
        is_x86_feature_detected!("avx512f").then_some(Avx512(()))
    }

    #[inline(always)]
    pub(super) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx512f")]
        fn compiled<K: Kernel>(simd: Avx512, kernel: K) -> K::Output {
            kernel.run(simd)
        }
        // SAFETY: `self` exists only where the features were detected.
        unsafe { compiled(self, kernel) }
    }
}

impl Simd for Avx512 {
    type V = V;

    #[inline(always)]
    fn splat(self, x: f64) -> V {
        // SAFETY: the processor has the instructions, of which `self` is the proof.
        unsafe { _mm512_set1_pd(x) }
    }

    #[inline(always)]
    fn load(self, from: &[f64; LANES]) -> V {
        // SAFETY: as above; the array has eight entries, and the access needs no alignment.
        unsafe { _mm512_loadu_pd(from.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, v: V, to: &mut [f64; LANES]) {
        // SAFETY: as above; the array has eight entries, and the access needs no alignment.
        unsafe {
            _mm512_storeu_pd(to.as_mut_ptr(), v);
        }
    }

    #[inline(always)]
    fn add(self, a: V, b: V) -> V {
        // SAFETY: the processor has the instructions, of which `self` is the proof.
        unsafe { _mm512_add_pd(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: V, b: V) -> V {
        // SAFETY: the processor has the instructions, of which `self` is the proof.
        unsafe { _mm512_sub_pd(a, b) }
    }

    #[inline(always)]
    fn mul(self, a: V, b: V) -> V {
        // SAFETY: the processor has the instructions, of which `self` is the proof.
        unsafe { _mm512_mul_pd(a, b) }
    }

    #[inline(always)]
    fn div(self, a: V, b: V) -> V {
        // SAFETY: the processor has the instructions, of which `self` is the proof.
        unsafe { _mm512_div_pd(a, b) }
    }

    #[inline(always)]
    fn mul_add(self, a: V, b: V, c: V) -> V {
        // SAFETY: the processor has the instructions, of which `self` is the proof.
        unsafe { _mm512_fmadd_pd(a, b, c) }
    }

    #[inline(always)]
    fn max(self, a: V, b: V) -> V {
        // SAFETY: the processor has the instructions, of which `self` is the proof.
        unsafe { _mm512_max_pd(a, b) }
    }

    #[inline(always)]
    fn minus_abs(self, v: V) -> V {
        // SAFETY: the processor has the instructions, of which `self` is the proof.
        unsafe {
            _mm512_castsi512_pd(_mm512_or_si512(
                _mm512_castpd_si512(v),
                _mm512_set1_epi64(i64::MIN),
            ))
        }
    }

    #[inline(always)]
    fn select(self, sign: V, negative: V, positive: V) -> V {
        // SAFETY: the processor has the instructions, of which `self` is the proof.
        unsafe {
            let set = _mm512_cmplt_epi64_mask(_mm512_castpd_si512(sign), _mm512_setzero_si512());
            _mm512_mask_blend_pd(set, positive, negative)
        }
    }

    #[inline(always)]
    fn shift_exponent(self, v: V, bits: V) -> V {
        // SAFETY: the processor has the instructions, of which `self` is the proof.
        unsafe {
            let k = _mm512_slli_epi64::<52>(_mm512_castpd_si512(bits));
            _mm512_castsi512_pd(_mm512_add_epi64(_mm512_castpd_si512(v), k))
        }
    }

    #[inline(always)]
    fn flip_if_odd(self, v: V, bits: V) -> V {
        // SAFETY: the processor has the instructions, of which `self` is the proof.
        unsafe {
            let sign = _mm512_slli_epi64::<63>(_mm512_castpd_si512(bits));
            _mm512_castsi512_pd(_mm512_xor_si512(_mm512_castpd_si512(v), sign))
        }
    }
}
