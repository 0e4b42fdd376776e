//! Bytes that end a field or begin quotes, found eight bytes of text at a time.

use super::numbers::{eight, zero_byte};

/// Four bytes that are looked for, eight bytes of text at a time.
#[derive(Clone, Copy)]
pub(super) struct Special(pub [u8; 4]);

impl Special {
    /// The first place from `at` on that holds one of them, or the end.
    #[inline]
    pub fn next(self, bytes: &[u8], mut at: usize) -> usize {
        let everywhere = self.0.map(|byte| u64::from_ne_bytes([byte; 8]));
        while let Some(word) = eight(&bytes[at..]) {
            let [a, b, c, d] = everywhere.map(|byte| zero_byte(word ^ byte));
            let found = a | b | c | d;
            if found != 0 {
                return at + found.trailing_zeros() as usize / 8;
            }
            at += 8;
        }
        while at < bytes.len() && !self.0.contains(&bytes[at]) {
            at += 1;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At every place of texts of every length, next to bytes that differ in one bit.
    #[test]
    fn the_first_one_is_found() {
        let special = Special([b',', b'\n', b'\r', b'"']);
        for length in 0..40 {
            for place in 0..=length {
                for wanted in special.0 {
                    let mut text: Vec<u8> = (0..length)
                        .map(|at| [b'-', b'.', 0x0b, 0x8d, b'#', 0xac, 0xff, 0][at % 8])
                        .collect();
                    text.splice(place.min(length).., [wanted; 3]);
                    for start in 0..=place {
                        assert_eq!(special.next(&text, start), place, "{text:?} from {start}");
                    }
                    text.truncate(place);
                    assert_eq!(special.next(&text, 0), place);
                }
            }
        }
    }
}
