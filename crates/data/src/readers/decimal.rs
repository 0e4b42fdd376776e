//! Numbers as text.

use std::io::Write;

/// A number as the shortest decimal that gives it back; nothing for NaN, which is a gap.
pub(crate) fn put_number(value: f64, text: &mut Vec<u8>) {
    let size = value.abs();
    if value.is_nan() {
    } else if size != 0.0 && !(1e-7..1e17).contains(&size) && value.is_finite() {
        write!(text, "{value:e}").expect("memory takes all");
    } else {
        write!(text, "{value}").expect("memory takes all");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(value: f64) -> String {
        let mut text = Vec::new();
        put_number(value, &mut text);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn numbers_come_back() {
        for value in [0.0, -0.0, 0.1, 1e300, -1e-300, 123456789.125, 1e17, f64::MIN_POSITIVE] {
            let written = written(value);
            assert_eq!(written.parse::<f64>().unwrap().to_bits(), value.to_bits(), "{written}");
            assert!(written.len() < 30, "{written}");
        }
        assert_eq!(written(f64::NAN), "");
    }
}
