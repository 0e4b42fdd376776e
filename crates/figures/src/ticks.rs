//! Labels of axes.

use std::ops::Range;

/// Powers of ten as 10ⁿ, everything between them without a label.
pub(crate) fn power_of_ten(value: &f64) -> String {
    let exponent = value.log10();
    if (exponent - exponent.round()).abs() > 1e-6 {
        return String::new();
    }
    format!("10{}", superscript(exponent.round() as i32))
}

/// 1, 2 and 5 times powers of ten, everything between them without a label.
pub(crate) fn one_two_five(value: &f64) -> String {
    let lead = value / 10_f64.powf((value.log10() + 1e-6).floor());
    let shown = [1.0, 2.0, 5.0].iter().any(|digit| (lead - digit).abs() < 1e-6);
    if shown { format!("{value:.0}") } else { String::new() }
}

/// A number for a title, to two digits.
pub(crate) fn in_words(value: f64) -> String {
    let exponent = value.abs().log10().floor();
    match exponent {
        e if e >= 1.0 => format!("{value:.0}"),
        e if e >= -3.0 => format!("{value:.*}", (1.0 - e) as usize),
        _ => format!("{:.1}·10{}", value / 10f64.powf(exponent), superscript(exponent as i32)),
    }
    .replace('-', "−")
}

/// A number without trailing zeros.
pub(crate) fn plain(value: &f64) -> String {
    trimmed(*value, 3)
}

/// Numbers with as many digits as it takes to tell the ends of a range apart, three at least.
pub(crate) fn fitted(range: &Range<f64>) -> impl Fn(&f64) -> String + use<> {
    let digits = (1.3 - (range.end - range.start).log10()).ceil().clamp(3.0, 12.0) as usize;
    let tiny = digits > 5 && range.contains(&0.0);
    move |value| match tiny {
        // Around zero, powers of ten are shorter than zeros.
        true if value.abs() > 1e-3 * 10f64.powi(-(digits as i32) + 2) => {
            format!("{value:.1e}").replace('-', "−")
        }
        true => "0".to_owned(),
        false => trimmed(*value, digits),
    }
}

fn trimmed(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.replace('-', "−") }
}

fn superscript(exponent: i32) -> String {
    exponent
        .to_string()
        .chars()
        .map(|digit| match digit {
            '-' => '⁻',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            other => char::from_u32(0x2070 + other.to_digit(10).unwrap_or(0)).unwrap_or(other),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels() {
        assert_eq!(power_of_ten(&1000.0), "10³");
        assert_eq!(power_of_ten(&1e-14), "10⁻¹⁴");
        assert_eq!(power_of_ten(&20.0), "");
        assert_eq!(
            [900.0, 1000.0, 2000.0, 3000.0, 5000.0, 20_000.0].map(|value| one_two_five(&value)),
            ["", "1000", "2000", "", "5000", "20000"]
        );
        assert_eq!(fitted(&(1.0..1.0002))(&1.000_15), "1.00015");
        assert_eq!(fitted(&(-2e-8..2e-8))(&-1.5e-8), "−1.5e−8");
        assert_eq!(fitted(&(-2e-8..2e-8))(&1e-24), "0");
        assert_eq!(fitted(&(0.0..2.0))(&0.123_456), "0.123");
        assert_eq!([86.04, 0.0134, 1.14e-6].map(in_words), ["86", "0.013", "1.1·10⁻⁶"]);
        assert_eq!([plain(&0.5), plain(&-2.0), plain(&-0.0001)], ["0.5", "−2", "0"]);
    }
}
