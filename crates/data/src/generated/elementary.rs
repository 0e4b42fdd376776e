//! Logarithm, sine and cosine from exactly rounded operations alone.
//!
//! ```text
//! x = 2^e m, √½ ≤ m < √2, s = (m − 1)/(m + 1):   ln x = e ln 2 + 2 Σ_k s^{2k+1}/(2k + 1)
//! |a| ≤ π/4:   sin a = Σ_k (−1)^k a^{2k+1}/(2k + 1)!     cos a = Σ_k (−1)^k a^{2k}/(2k)!
//! ```
//!
//! IEEE fixes +, −, ×, ÷, √ and the fused a·b + c to the last bit, so a generated row is the same
//! on any machine and at any vector width; the platform's own `ln` and `cos` are not. Nothing
//! branches, so that a loop over these becomes vector code. A processor without a fused
//! instruction gets the same bits from software, slowly.

use std::f64::consts::{FRAC_1_SQRT_2, LN_2};

/// 2⁵², from which on floats are whole numbers.
const TWO_52: f64 = 4_503_599_627_370_496.0;

/// ln x for a normal, positive x, within a few units in the last place of max(1, |ln x|).
#[inline(always)]
pub fn ln(x: f64) -> f64 {
    // Shifting the exponent's origin to √½ puts m between √½ and √2 without a comparison.
    // 1024 more keeps it from turning negative: vectors of 64 bits have no signed shift.
    let shifted = x.to_bits().wrapping_sub(FRAC_1_SQRT_2.to_bits()).wrapping_add(1024 << 52);
    let mantissa = (shifted & 0x000f_ffff_ffff_ffff).wrapping_add(FRAC_1_SQRT_2.to_bits());
    let m = f64::from_bits(mantissa);
    // The exponent becomes a float by way of the bits of 2⁵² + 1024 + e.
    let e = f64::from_bits(0x4330_0000_0000_0000 | shifted >> 52) - (TWO_52 + 1024.0);
    let s = (m - 1.0) / (m + 1.0);
    let z = s * s;
    // |s| ≤ 0.1716, so the first term left out is s¹⁹/19 < 2·10⁻¹⁶.
    let [c3, c5, c7, c9] = [1.0 / 3.0, 1.0 / 5.0, 1.0 / 7.0, 1.0 / 9.0];
    let [c11, c13, c15, c17] = [1.0 / 11.0, 1.0 / 13.0, 1.0 / 15.0, 1.0 / 17.0];
    let sum = polynomial(z, [c3, c5, c7, c9, c11, c13, c15, c17]);
    f64::mul_add(e, LN_2, 2.0 * f64::mul_add(s * z, sum, s))
}

/// Σ_k c_k z^k by Estrin's scheme: three fused steps deep, where Horner's would be seven.
#[inline(always)]
fn polynomial(z: f64, c: [f64; 8]) -> f64 {
    let (z2, z4) = (z * z, z * z * (z * z));
    let low = f64::mul_add(f64::mul_add(c[3], z, c[2]), z2, f64::mul_add(c[1], z, c[0]));
    let high = f64::mul_add(f64::mul_add(c[7], z, c[6]), z2, f64::mul_add(c[5], z, c[4]));
    f64::mul_add(high, z4, low)
}

/// 1/3!, 1/5!, …, 1/17!, of alternating sign: sin a = a + a³ Σ_k c_k a^{2k}.
const SIN: [f64; 8] = [
    -1.0 / 6.0,
    1.0 / 120.0,
    -1.0 / 5040.0,
    1.0 / 362_880.0,
    -1.0 / 39_916_800.0,
    1.0 / 6_227_020_800.0,
    -1.0 / 1_307_674_368_000.0,
    1.0 / 355_687_428_096_000.0,
];

/// 1/2!, 1/4!, …, 1/16!, of alternating sign: cos a = 1 + a² Σ_k c_k a^{2k}.
const COS: [f64; 8] = [
    -1.0 / 2.0,
    1.0 / 24.0,
    -1.0 / 720.0,
    1.0 / 40_320.0,
    -1.0 / 3_628_800.0,
    1.0 / 479_001_600.0,
    -1.0 / 87_178_291_200.0,
    1.0 / 20_922_789_888_000.0,
];

/// (sin a, cos a) for |a| ≤ π/4, to the last place or two.
#[inline(always)]
pub fn sin_cos(a: f64) -> (f64, f64) {
    let z = a * a;
    (f64::mul_add(a * z, polynomial(z, SIN), a), f64::mul_add(z, polynomial(z, COS), 1.0))
}

/// cos 2πt for |t| below 2⁵⁰.
#[inline(always)]
pub fn cos_turn(t: f64) -> f64 {
    // Adding 1.5·2⁵² leaves the nearest whole number in the low bits.
    const MAGIC: f64 = 1.5 * TWO_52;
    let shifted = 4.0 * t + MAGIC;
    let quarter = shifted.to_bits() & 3;
    let (sin, cos) = sin_cos(std::f64::consts::TAU * (t - 0.25 * (shifted - MAGIC)));
    let value = if quarter & 1 == 1 { sin } else { cos };
    if quarter == 1 || quarter == 2 { -value } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_agree_with_the_platform() {
        let mut x = 1e-13;
        while x < 1e13 {
            assert!((ln(x) - x.ln()).abs() <= 6e-16 * x.ln().abs().max(1.0), "ln {x}");
            x *= 1.000_37;
        }
        assert_eq!(ln(1.0), 0.0);
    }

    #[test]
    fn turns_agree_with_the_platform() {
        for k in -40_000..40_000 {
            let t = f64::from(k) * 2.5e-4 + 1e-7;
            let exact = (std::f64::consts::TAU * t.fract()).cos();
            assert!((cos_turn(t) - exact).abs() < 4e-15, "cos 2π·{t}");
        }
        for k in -1000..=1000 {
            let a = f64::from(k) * std::f64::consts::FRAC_PI_4 / 1000.0;
            let (sin, cos) = sin_cos(a);
            assert!((sin - a.sin()).abs() < 3e-16 && (cos - a.cos()).abs() < 3e-16, "{a}");
        }
    }
}
