//! What a cell is: a gap, a number, a number in disguise, a date, a word.

use super::cells::Cells;
use super::numbers::number;
use super::table_error::TableError;

/// The longest word that can be a level.
const LONGEST_WORD: usize = 1000;

/// What a cell is that is no gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Number(f64),
    /// `inf`, `1e999`.
    Infinite,
    /// A number with a sign that numbers do not have here: `1,5`, `1 234`, `12%`, `$3`, `0x1F`.
    Dressed,
    /// A date or a time of day.
    Date,
    /// Too long for a level.
    Long,
    Word,
}

impl Kind {
    pub fn of(table: &impl Cells, field: usize) -> Result<Kind, TableError> {
        if let Some(value) = table.finite(field) {
            return Ok(Kind::Number(value));
        }
        let cell = table.field(field);
        let text = std::str::from_utf8(cell).map_err(|_| table.not_text(field))?;
        Ok(match cell {
            _ if text.parse::<f64>().is_ok() => Kind::Infinite,
            _ if is_dressed(text) => Kind::Dressed,
            _ if is_date(cell) => Kind::Date,
            _ if cell.len() > LONGEST_WORD => Kind::Long,
            _ => Kind::Word,
        })
    }
}

/// The spellings of a missing value: those of pandas and R, of databases (`\\N`) and of SAS (`.`).
pub(crate) fn is_gap(cell: &[u8]) -> bool {
    const ANY_CASE: [&[u8]; 7] = [b"NA", b"N/A", b"NaN", b"-NaN", b"null", b"#N/A", b"<NA>"];
    const EXACTLY: [&[u8]; 5] = [b"?", b".", b"\\N", b"#NA", b"None"];
    match cell {
        [] => true,
        // Most cells begin with something else.
        [b'N' | b'n' | b'-' | b'#' | b'<' | b'?' | b'.' | b'\\', ..] if cell.len() <= 4 => {
            EXACTLY.contains(&cell) || ANY_CASE.iter().any(|one| cell.eq_ignore_ascii_case(one))
        }
        _ => false,
    }
}

/// Whether a number is left when a currency, a percent sign, separators of thousands, a decimal comma
/// or the prefix of a hexadecimal number are taken away.
fn is_dressed(text: &str) -> bool {
    const SIGNS: [char; 6] = ['%', '$', '€', '£', '¥', '‰'];
    let digits = text.trim_start_matches(['-', '+']);
    if let Some(hexadecimal) = digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        return !hexadecimal.is_empty() && hexadecimal.bytes().all(|byte| byte.is_ascii_hexdigit());
    }
    let bare = text.trim_matches(SIGNS).trim();
    let bare = bare.trim_start_matches(['-', '+']).trim_matches(SIGNS).trim();
    let separates = |c: char| matches!(c, ',' | ' ' | '\'' | '_' | '\u{a0}' | '\u{202f}');
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = bare.split(separates);
    let first = parts.next().unwrap_or_default();
    let mut signs = bare.matches(separates).peekable();
    if signs.peek().is_none() {
        return bare.len() < text.len() && number(bare.as_bytes()).is_some();
    }
    // Digits follow every sign: any after a comma, three after others, which separate thousands only.
    let (mut last, mut fits) = ("", is_digits(first));
    for (sign, part) in signs.zip(parts) {
        let whole = part.split('.').next().unwrap_or_default();
        fits &= is_digits(whole) && (sign == "," || whole.len() == 3) && !last.contains('.');
        last = part;
    }
    fits && number(last.as_bytes()).is_some()
}

/// 2024-01-31, 31/01/24, 1.2.2024, each with or without a time of day behind it; and 12:30.
fn is_date(cell: &[u8]) -> bool {
    let end = cell.iter().position(|byte| matches!(byte, b' ' | b'T')).unwrap_or(cell.len());
    let day = &cell[..end];
    let sizes = |separator: u8| -> Option<Vec<usize>> {
        let parts = day.split(|&byte| byte == separator);
        parts
            .map(|part| part.iter().all(u8::is_ascii_digit).then_some(part.len()))
            .collect::<Option<Vec<_>>>()
    };
    let dated = [b'-', b'/', b'.']
        .into_iter()
        .filter_map(sizes)
        .any(|sizes| matches!(sizes[..], [4, 1..=2, 1..=2] | [1..=2, 1..=2, 2 | 4]));
    let timed = sizes(b':').is_some_and(|sizes| matches!(sizes[..], [1..=2, 2] | [1..=2, 2, 2]));
    dated || timed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_told_apart() {
        for gap in [
            "", "NA", "na", "N/A", "n/a", "NaN", "nan", "-nan", "null", "NULL", "?", ".", "\\N",
            "#N/A", "#NA", "<NA>", "None",
        ] {
            assert!(is_gap(gap.as_bytes()), "{gap}");
        }
        for word in ["-", "nano", "0", "none", "\\n", "..", "missing"] {
            assert!(!is_gap(word.as_bytes()), "{word}");
        }
        for date in
            ["2024-01-31", "31/1/24", "1.2.2024", "2024-01-31T10:00:00Z", "12:30", "9:15:01"]
        {
            assert!(is_date(date.as_bytes()), "{date}");
        }
        for other in ["1.2.3", "2024-01", "a-b-c", "10.0.0.1", "1-2", "--", "12:3", ""] {
            assert!(!is_date(other.as_bytes()), "{other}");
        }
        for number in [
            "1,5",
            "-1,234,567",
            "1,234.5",
            "1'234",
            "1 234 567",
            "1\u{a0}234,5",
            "12%",
            "-3.5 %",
            "$12",
            "-$1,200.00",
            "3 €",
            "0x1F",
            "-0xff",
        ] {
            assert!(is_dressed(number), "{number}");
        }
        for word in
            ["1,", "a,5", "15", "12 34", "%", "$", "", "0x", "5 Main St", "1, 2", "1 2345", "B12"]
        {
            assert!(!is_dressed(word), "{word}");
        }
    }
}
