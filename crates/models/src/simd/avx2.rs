//! Eight lanes in two 256-bit registers.

use super::{Kernel, LANES, Simd};
use std::arch::x86_64::*;

/// Proof that the processor can do this.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

type V = [__m256d; 2];

impl Avx2 {
    #[inline(always)]
    pub(super) fn new() -> Option<Avx2> {
        (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Avx2(()))
    }

    #[inline(always)]
    pub(super) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx2,fma")]
        fn compiled<K: Kernel>(simd: Avx2, kernel: K) -> K::Output {
            kernel.run(simd)
        }
        // SAFETY: `self` exists only where the features were detected.
        unsafe { compiled(self, kernel) }
    }
}

impl Simd for Avx2 {
    type V = V;

    #[inline(always)]
    fn splat(self, x: f64) -> V {
        // SAFETY: the processor has the instructions, of which `self` is the proof.
        unsafe { [_mm256_set1_pd(x); 2] }
    }

    #[inline(always)]
    fn load(self, from: &[f64; LANES]) -> V {
        // SAFETY: as above; the array has eight entries, and the access needs no alignment.
        unsafe { [_mm256_loadu_pd(from.as_ptr()), _mm256_loadu_pd(from.as_ptr().add(4))] }
    }

    #[inline(always)]
    fn store(self, v: V, to: &mut [f64; LANES]) {
        // SAFETY: as above; the array has eight entries, and the access needs no alignment.
        unsafe {
            _mm256_storeu_pd(to.as_mut_ptr(), v[0]);
            _mm256_storeu_pd(to.as_mut_ptr().add(4), v[1]);
        }
    }

    #[inline(always)]
    fn add(self, a: V, b: V) -> V {
        // SAFETY: the processor has the instructions, of which `self` is the proof.
        unsafe { [_mm256_add_pd(a[0], b[0]), _mm256_add_pd(a[1], b[1])] }
    }

    #[inline(always)]
    fn sub(self, a: V, b: V) -> V {
        // SAFETY: the processor has the instructions, of which `self` is the proof.
        unsafe { [_mm256_sub_pd(a[0], b[0]), _mm256_sub_pd(a[1], b[1])] }
    }

    #[inline(always)]
    fn mul(self, a: V, b: V) -> V {
        // SAFETY: the processor has the instructions, of which `self` is the proof.
        unsafe { [_mm256_mul_pd(a[0], b[0]), _mm256_mul_pd(a[1], b[1])] }
    }

    #[inline(always)]
    fn div(self, a: V, b: V) -> V {
        // SAFETY: the processor has the instructions, of which `self` is the proof.
        unsafe { [_mm256_div_pd(a[0], b[0]), _mm256_div_pd(a[1], b[1])] }
    }

    #[inline(always)]
    fn mul_add(self, a: V, b: V, c: V) -> V {
        // SAFETY: the processor has the instructions, of which `self` is the proof.
        unsafe { [_mm256_fmadd_pd(a[0], b[0], c[0]), _mm256_fmadd_pd(a[1], b[1], c[1])] }
    }

    #[inline(always)]
    fn max(self, a: V, b: V) -> V {
        // SAFETY: the processor has the instructions, of which `self` is the proof.
        unsafe { [_mm256_max_pd(a[0], b[0]), _mm256_max_pd(a[1], b[1])] }
    }

    #[inline(always)]
    fn minus_abs(self, v: V) -> V {
        // SAFETY: the processor has the instructions, of which `self` is the proof.
        unsafe {
            let sign = _mm256_set1_pd(-0.0);
            [_mm256_or_pd(v[0], sign), _mm256_or_pd(v[1], sign)]
        }
    }

    #[inline(always)]
    fn select(self, sign: V, negative: V, positive: V) -> V {
        // SAFETY: the processor has the instructions, of which `self` is the proof.
        unsafe {
            [
                _mm256_blendv_pd(positive[0], negative[0], sign[0]),
                _mm256_blendv_pd(positive[1], negative[1], sign[1]),
            ]
        }
    }

    #[inline(always)]
    fn shift_exponent(self, v: V, bits: V) -> V {
        #[inline(always)]
        fn shift(v: __m256d, bits: __m256d) -> __m256d {
            // SAFETY: called below, where `self` is the proof.
            unsafe {
                let k = _mm256_slli_epi64::<52>(_mm256_castpd_si256(bits));
                _mm256_castsi256_pd(_mm256_add_epi64(_mm256_castpd_si256(v), k))
            }
        }
        [shift(v[0], bits[0]), shift(v[1], bits[1])]
    }

    #[inline(always)]
    fn flip_if_odd(self, v: V, bits: V) -> V {
        #[inline(always)]
        fn flip(v: __m256d, bits: __m256d) -> __m256d {
            // SAFETY: called below, where `self` is the proof.
            unsafe {
                let sign = _mm256_slli_epi64::<63>(_mm256_castpd_si256(bits));
                _mm256_xor_pd(v, _mm256_castsi256_pd(sign))
            }
        }
        [flip(v[0], bits[0]), flip(v[1], bits[1])]
    }
}
