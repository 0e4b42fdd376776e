//! Eight numbers at a time, on whatever the processor offers.
//!
//! A kernel is written once over one small trait and compiled for each [`Level`]; the best level of the
//! machine is found when the program runs, so one binary serves all. Every level works on eight
//! lanes (one, two or four registers), so the order of additions is the same on all of them: the
//! levels with fused multiply-add agree bit for bit, the scalar one to rounding.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;

pub(crate) use posterior::LANES;

/// What a processor can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// x86 with 512-bit registers.
    Avx512,
    /// x86 with 256-bit registers and fused multiply-add.
    Avx2,
    /// ARM with 128-bit registers and fused multiply-add.
    Neon,
    /// Anything: plain arithmetic, no fused multiply-add.
    Scalar,
}

/// Work that can be compiled for any level.
pub(crate) trait Kernel {
    type Output;
    /// Must be `#[inline(always)]`, to be compiled with the features of its caller.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// Arithmetic on eight lanes. A value of an implementor is proof that the processor can do it.
pub(crate) trait Simd: Copy {
    type V: Copy;
    fn splat(self, x: f64) -> Self::V;
    fn load(self, from: &[f64; LANES]) -> Self::V;
    fn store(self, v: Self::V, to: &mut [f64; LANES]);
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    fn div(self, a: Self::V, b: Self::V) -> Self::V;
    /// a · b + c.
    fn mul_add(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// The larger; `b` where one of the two is not a number.
    fn max(self, a: Self::V, b: Self::V) -> Self::V;
    /// −|v|.
    fn minus_abs(self, v: Self::V) -> Self::V;
    /// `negative` where the sign bit of `sign` is set, else `positive`.
    fn select(self, sign: Self::V, negative: Self::V, positive: Self::V) -> Self::V;
    /// v · 2ᵏ, where the lowest eleven bits of `bits` are k in two's complement.
    fn shift_exponent(self, v: Self::V, bits: Self::V) -> Self::V;
    /// −v where the lowest bit of `bits` is set, else v.
    fn flip_if_odd(self, v: Self::V, bits: Self::V) -> Self::V;
}

impl Level {
    /// Levels of this machine, best first; the last is always [`Level::Scalar`].
    pub fn available() -> Vec<Level> {
        let mut levels = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            if avx512::Avx512::new().is_some() {
                levels.push(Level::Avx512);
            }
            if avx2::Avx2::new().is_some() {
                levels.push(Level::Avx2);
            }
        }
        #[cfg(target_arch = "aarch64")]
        if neon::Neon::new().is_some() {
            levels.push(Level::Neon);
        }
        levels.push(Level::Scalar);
        levels
    }

    /// The best level of this machine.
    pub fn best() -> Level {
        #[cfg(target_arch = "x86_64")]
        {
            if avx512::Avx512::new().is_some() {
                return Level::Avx512;
            }
            if avx2::Avx2::new().is_some() {
                return Level::Avx2;
            }
        }
        #[cfg(target_arch = "aarch64")]
        if neon::Neon::new().is_some() {
            return Level::Neon;
        }
        Level::Scalar
    }

    /// Runs a kernel at this level, or plainly where the machine does not have it.
    #[inline]
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => match avx512::Avx512::new() {
                Some(simd) => simd.run(kernel),
                None => kernel.run(scalar::Scalar),
            },
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => match avx2::Avx2::new() {
                Some(simd) => simd.run(kernel),
                None => kernel.run(scalar::Scalar),
            },
            #[cfg(target_arch = "aarch64")]
            Level::Neon => match neon::Neon::new() {
                Some(simd) => simd.run(kernel),
                None => kernel.run(scalar::Scalar),
            },
            _ => kernel.run(scalar::Scalar),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation once, on lanes chosen to tell it from its neighbours.
    struct Everything;

    impl Kernel for Everything {
        type Output = Vec<[f64; LANES]>;
        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> Vec<[f64; LANES]> {
            let a = simd.load(&[1.0, -2.0, 3.5, -0.0, 0.0, 8.0, f64::NAN, -1e300]);
            let b = simd.load(&[2.0, 4.0, -0.5, 1.0, -1.0, 8.0, 1.0, 1e300]);
            // Integers in the low bits of 1.5 · 2⁵².
            let k = simd.load(
                &[0.0, 1.0, -1.0, 2.0, 3.0, -3.0, 0.0, -2.0].map(|k: f64| k + 6755399441055744.0),
            );
            let results = [
                simd.splat(3.0),
                simd.add(a, b),
                simd.sub(a, b),
                simd.mul(a, b),
                simd.div(a, b),
                simd.mul_add(a, b, b),
                simd.max(b, a),
                simd.minus_abs(a),
                simd.select(a, b, simd.splat(0.25)),
                simd.shift_exponent(b, k),
                simd.flip_if_odd(b, k),
            ];
            results
                .map(|v| {
                    let mut lanes = [0.0; LANES];
                    simd.store(v, &mut lanes);
                    lanes
                })
                .to_vec()
        }
    }

    #[test]
    fn all_levels_do_the_same() {
        let plain = Level::Scalar.run(Everything);
        assert_eq!(plain[9], [2.0, 8.0, -0.25, 4.0, -8.0, 1.0, 1.0, 2.5e299]);
        assert_eq!(plain[10], [2.0, -4.0, 0.5, 1.0, 1.0, -8.0, 1.0, 1e300]);
        for level in Level::available() {
            for (own, plain) in level.run(Everything).iter().zip(&plain) {
                assert_eq!(own.map(f64::to_bits), plain.map(f64::to_bits), "{level:?}");
            }
        }
        assert_eq!(Level::best(), Level::available()[0]);
    }
}
