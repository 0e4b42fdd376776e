//! Which byte separates the fields of a table.

const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// The delimiter that the first line has most of, outside of quotes; a comma in doubt.
pub(super) fn most_frequent(text: &[u8]) -> u8 {
    let mut counts = [0; DELIMITERS.len()];
    let mut quoted = false;
    for &byte in text {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' | b'\r' if !quoted && counts != [0; DELIMITERS.len()] => break,
            _ if quoted => {}
            _ => {
                if let Some(index) = DELIMITERS.iter().position(|&delimiter| delimiter == byte) {
                    counts[index] += 1;
                }
            }
        }
    }
    let most = counts.iter().max().copied().unwrap_or(0);
    DELIMITERS[counts.iter().position(|&count| count == most).unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_decides() {
        for (text, expected) in [
            ("a,b,c\n1;2;3;4;5\n", b','),
            ("a;b,c;d\n", b';'),
            ("a\tb\r\n1,2,3\n", b'\t'),
            ("a|b|c, d\n", b'|'),
            ("\"a;b;c\",d\n", b','),
            ("alone\n", b','),
            ("", b','),
        ] {
            assert_eq!(most_frequent(text.as_bytes()), expected, "{text:?}");
        }
    }
}
