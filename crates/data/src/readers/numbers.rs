//! Numbers from text, to the last bit.
//!
//! Up to fifteen digits with or without a point, by far the most, are read eight characters at a time
//! within one word: both the digits, below 2⁵³, and the power of ten are exact, so that their ratio is
//! rounded once, as it should be. All others take the way of the standard library.

/// Eight zeros, and eight points, as characters.
const ZEROS: u64 = 0x3030_3030_3030_3030;
const POINTS: u64 = 0x2e2e_2e2e_2e2e_2e2e;
/// The lowest and the highest bit of every byte.
const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// 10⁰, …, 10¹⁵, all of them exact.
const POWERS: [f64; 16] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// A finite number.
pub(crate) fn number(field: &[u8]) -> Option<f64> {
    short_number(field)
        .or_else(|| super::libsvm::parse(field).filter(|value: &f64| value.is_finite()))
}

/// The first byte that is zero, counted from the lowest, as the highest bit of that byte; bits above it
/// mean nothing.
pub(super) fn zero_byte(word: u64) -> u64 {
    word.wrapping_sub(LOW) & !word & HIGH
}

/// Eight characters, the first in the lowest byte.
pub(super) fn eight(text: &[u8]) -> Option<u64> {
    text.first_chunk().map(|text| u64::from_le_bytes(*text))
}

/// A number without exponent, of at most fifteen digits.
fn short_number(field: &[u8]) -> Option<f64> {
    let digits = field.strip_prefix(b"-").unwrap_or(field);
    let length = digits.len();
    let (mut high, mut low) = match length {
        0..=7 => (ZEROS, few(digits)),
        8 => (ZEROS, eight(digits)?),
        9..=16 => {
            let first = eight(digits)?;
            let shift = 8 * (16 - length) as u32;
            // Only what stands before the last eight characters.
            let high = if shift == 0 { first } else { (first << shift) | (ZEROS >> (64 - shift)) };
            (high, eight(&digits[length - 8..])?)
        }
        _ => return None,
    };
    let mut decimals = 0;
    let mut count = length;
    let (in_low, in_high) = (zero_byte(low ^ POINTS), zero_byte(high ^ POINTS));
    if in_high != 0 {
        let place = in_high.trailing_zeros() / 8;
        high = without(high, place) | u64::from(b'0');
        decimals = 15 - place as usize;
        count -= 1;
    } else if in_low != 0 {
        let place = in_low.trailing_zeros() / 8;
        low = without(low, place) | (high >> 56);
        high = (high << 8) | u64::from(b'0');
        decimals = 7 - place as usize;
        count -= 1;
    }
    if !(1..=15).contains(&count) {
        return None;
    }
    let whole = 100_000_000 * eight_digits(high)? + eight_digits(low)?;
    let value = whole as f64 / POWERS[decimals];
    Some(if length < field.len() { -value } else { value })
}

/// Fewer than eight characters with zeros in front of them.
fn few(text: &[u8]) -> u64 {
    let mut word = ZEROS;
    if let (Some(first), Some(last)) = (text.first_chunk::<4>(), text.last_chunk::<4>()) {
        let [first, last] = [first, last].map(|four| u64::from(u32::from_le_bytes(*four)));
        // Both are where they belong, and agree where they overlap.
        return (word >> (8 * text.len())) | (first << (8 * (8 - text.len()))) | (last << 32);
    }
    for &byte in text {
        word = (word >> 8) | (u64::from(byte) << 56);
    }
    word
}

/// The characters without that at a place; those before it move up, and the lowest byte is free.
fn without(word: u64, place: u32) -> u64 {
    let above = !(u64::MAX >> (56 - 8 * place));
    let above = if place == 7 { 0 } else { above };
    (word & above) | ((word << 8) & !above)
}

/// The number that eight characters are, if all are digits.
fn eight_digits(word: u64) -> Option<u64> {
    let digits = word ^ ZEROS;
    // A byte above nine carries into its highest bit.
    if ((digits.wrapping_add(0x7676_7676_7676_7676)) | digits) & HIGH != 0 {
        return None;
    }
    // Neighbours make pairs, pairs make fours, fours make eight: each in every other place.
    let pairs = (10 * digits + (digits >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (100 * pairs + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    Some((10_000 * fours + (fours >> 32)) & 0xffff_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shortcut gives the bits of the long way.
    #[test]
    fn short_numbers_are_rounded_once() {
        let mut words: Vec<String> =
            ["0", "-0", ".5", "5.", "-.25", "0.1", "999999999999999", "0.00000000000001", "1.10"]
                .map(str::to_owned)
                .to_vec();
        let mut state = 2015_u64;
        for _ in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let digits = (state >> 14) % 1_000_000_000_000_000;
            let decimals = (state % 16) as usize;
            let text = format!("{digits:0>16}");
            let (whole, part) = text[1..].split_at(15 - decimals.min(14));
            words.push(format!("{}{whole}.{part}", if state.is_multiple_of(3) { "-" } else { "" }));
        }
        for word in words {
            let expected: f64 = word.parse().unwrap();
            let found = short_number(word.as_bytes()).unwrap();
            assert_eq!(found.to_bits(), expected.to_bits(), "{word}");
        }
        for word in ["", "-", ".", "-.", "1e5", "+3", "1.2.3", "1_0", "inf", "1234567890123456"] {
            assert_eq!(short_number(word.as_bytes()), None, "{word}");
        }
        assert_eq!([number(b"1e5"), number(b"+3"), number(b"inf")], [Some(1e5), Some(3.0), None]);
    }

    /// Every way of writing up to sixteen characters, digits of every kind and a point anywhere or nowhere.
    #[test]
    fn every_length_and_every_place_of_the_point() {
        let mut state = 2016_u64;
        for _ in 0..20_000 {
            for length in 1..=17 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let point = (state >> 60) as usize;
                let wrong = state >> 52 & 0xff;
                let letter = |at: usize| match at {
                    // Now and then something that is no digit, signs next to the digits among them.
                    _ if wrong == at as u64 => b"e+-:/ ,x\0"[(state >> 40) as usize % 9] as char,
                    _ if at == point => '.',
                    _ => char::from(b'0' + (state >> (3 * at)) as u8 % 10),
                };
                let text: String = (0..length).map(letter).collect();
                let text = if state & 1 == 0 { text } else { format!("-{text}") };
                let bits = |value: Option<f64>| value.map(f64::to_bits);
                let plain = text.trim_start_matches('-').bytes();
                let plain = plain.clone().all(|byte| byte.is_ascii_digit() || byte == b'.')
                    && !text.starts_with("--");
                let count = text.bytes().filter(u8::is_ascii_digit).count();
                let size = text.strip_prefix('-').unwrap_or(&text).len();
                let expected = (plain && count <= 15 && size <= 16).then(|| text.parse().ok());
                assert_eq!(bits(short_number(text.as_bytes())), bits(expected.flatten()), "{text}");
            }
        }
    }
}
