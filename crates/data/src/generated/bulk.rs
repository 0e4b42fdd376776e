//! Random words into normals, uniforms and logistics, a tile of rows at a time.
//!
//! One 64-bit word gives two normals (Box & Muller 1958): its upper 40 bits a radius, the lower
//! 24 an angle,
//!
//! ```text
//! u = (k + ½)/2⁴⁰,  r = √(−2 ln u),  a = 2π (j + ½)/2²⁴,   z₁ = r cos a,  z₂ = r sin a.
//! ```
//!
//! The radius ends at 7.54, beyond which lies 10⁻¹² of the mass, and the angles form a lattice
//! that only values below 10⁻⁷ could show. Where a ziggurat takes more words now and then, here
//! every value has its place in the stream, which is what lets a row be found by its index.

use super::elementary::{ln, sin_cos};
use super::tile::{TILE, Values, Words};
use std::f64::consts::FRAC_PI_2;

/// The two normals of one word.
#[inline(always)]
fn normal_pair(word: u64) -> (f64, f64) {
    let u = between_zero_and_one(word >> 24 << 24, 0.5f64.powi(41));
    let radius = (-2.0 * ln(u)).sqrt();
    // 22 bits turn within a quarter, −π/4 to π/4; the other two choose the quarter.
    let turn = between_zero_and_one(word << 42, 0.5f64.powi(23)) - 0.5;
    let (sin, cos) = sin_cos(FRAC_PI_2 * turn);
    let (sin, cos) = (radius * sin, radius * cos);
    let odd = word >> 22 & 1 == 1;
    let (x, y) = (if odd { sin } else { cos }, if odd { cos } else { sin });
    // Right and left, (c, s) and (−c, −s), or above and below, (s, c) and (−s, −c).
    let sign = word << 40 & 1 << 63;
    (f64::from_bits(x.to_bits() ^ sign), f64::from_bits(y.to_bits() ^ sign))
}

/// The upper 52 bits as a fraction, moved up by half of its lattice's spacing.
#[inline(always)]
fn between_zero_and_one(word: u64, half: f64) -> f64 {
    // The bits become the mantissa of a number between one and two; the difference is exact.
    f64::from_bits(word >> 12 | 0x3ff0_0000_0000_0000) - (1.0 - half)
}

/// A uniform of 52 bits, never zero or one.
#[inline(always)]
fn uniform(word: u64) -> f64 {
    between_zero_and_one(word, 0.5f64.powi(53))
}

/// Defines a tile kernel that runs with the widest vectors it may use, to the same last bit.
macro_rules! kernel {
    ($(#[$doc:meta])* $name:ident($($arg:ident: $type:ty),*) $body:block) => {
        $(#[$doc])*
        pub fn $name($($arg: $type),*) {
            #[inline(always)]
            fn body($($arg: $type),*) $body

            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                fn avx2($($arg: $type),*) {
                    body($($arg),*)
                }
                if std::arch::is_x86_feature_detected!("avx2")
                    && std::arch::is_x86_feature_detected!("fma")
                {
                    // SAFETY: the processor has just been asked for both.
                    return unsafe { avx2($($arg),*) };
                }
            }
            body($($arg),*)
        }
    };
}

kernel! {
    /// Two columns of standard normals.
    normal_pairs(words: &Words, first: &mut Values, second: &mut Values) {
        for i in 0..TILE {
            (first[i], second[i]) = normal_pair(words[i]);
        }
    }
}

kernel! {
    /// A column of standard normals.
    normals(words: &Words, values: &mut Values) {
        for i in 0..TILE {
            values[i] = normal_pair(words[i]).0;
        }
    }
}

kernel! {
    /// A column of uniforms between zero and one.
    uniforms(words: &Words, values: &mut Values) {
        for i in 0..TILE {
            values[i] = uniform(words[i]);
        }
    }
}

kernel! {
    /// A column of standard exponentials, −ln u.
    exponentials(words: &Words, values: &mut Values) {
        for i in 0..TILE {
            values[i] = -ln(uniform(words[i]));
        }
    }
}

kernel! {
    /// Scales a column and adds its part to the linear predictors: x ← s x, η ← η + β x.
    scale_and_predict(scale: f64, weight: f64, column: &mut Values, predictors: &mut Values) {
        for i in 0..TILE {
            column[i] *= scale;
            predictors[i] += weight * column[i];
        }
    }
}

kernel! {
    /// Labels of a logistic regression: +1 with probability 1/(1 + e^{−η}), else −1.
    ///
    /// ln u/(1 − u) is logistic, and falls below η with just that probability.
    labels(words: &Words, predictors: &Values, values: &mut Values) {
        for i in 0..TILE {
            let u = uniform(words[i]);
            values[i] = if ln(u / (1.0 - u)) < predictors[i] { 1.0 } else { -1.0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng as _;

    #[test]
    fn wide_vectors_give_the_bits_of_single_numbers() {
        let mut rng = debias::Seed(1).stream(0);
        for _ in 0..1000 {
            let words: Words = std::array::from_fn(|_| rng.next_u64());
            let [mut first, mut second] = [[0.0; TILE]; 2];
            normal_pairs(&words, &mut first, &mut second);
            for i in 0..TILE {
                assert_eq!((first[i], second[i]), normal_pair(words[i]));
            }
            exponentials(&words, &mut first);
            for i in 0..TILE {
                assert_eq!(first[i], -ln(uniform(words[i])));
            }
        }
    }

    #[test]
    fn the_extremes_are_finite() {
        for word in [0, u64::MAX, u64::MAX << 24, (1 << 24) - 1] {
            let (x, y) = normal_pair(word);
            assert!((x * x + y * y).sqrt() < 7.55, "{x} {y}");
            assert!(uniform(word) > 0.0 && uniform(word) < 1.0);
        }
        assert_eq!(uniform(0) + uniform(u64::MAX), 1.0);
    }

    #[test]
    fn a_word_turns_as_its_low_bits_say() {
        // The smallest angle of each quarter, at one radius.
        let (x, y) = normal_pair(1 << 63);
        for (quarter, expected) in [(0, (x, y)), (1, (y, x)), (2, (-x, -y)), (3, (-y, -x))] {
            assert_eq!(normal_pair(1 << 63 | quarter << 22), expected);
        }
        let distinct: std::collections::BTreeSet<_> = (0..4)
            .map(|quarter| normal_pair(1 << 63 | quarter << 22))
            .map(|(a, b)| (a > 0.0, b > 0.0, a.abs() > b.abs()))
            .collect();
        assert_eq!(distinct.len(), 4);
    }
}
