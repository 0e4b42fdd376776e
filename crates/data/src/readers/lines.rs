//! Lines of bounded length.

use std::io::{self, BufRead};

/// The longest line a reader takes: 2¹⁶ columns of a long number each.
pub(crate) const LONGEST: usize = 4 << 20;

/// Reads one line at a time into one buffer, without its end (`\n` or `\r\n`).
pub(crate) struct Lines<R> {
    source: R,
    buffer: Vec<u8>,
    number: u64,
}

/// What [`Lines::next`] found.
pub(crate) enum Line<'a> {
    /// A line and its number, counted from one.
    Text(u64, &'a [u8]),
    /// A line longer than [`LONGEST`], by its number and its beginning.
    TooLong(u64, &'a [u8]),
    End,
}

impl<R: BufRead> Lines<R> {
    pub fn new(source: R) -> Lines<R> {
        Lines { source, buffer: Vec::new(), number: 0 }
    }

    /// The number of the last line.
    pub fn number(&self) -> u64 {
        self.number
    }

    pub fn next(&mut self) -> io::Result<Line<'_>> {
        self.buffer.clear();
        self.number += 1;
        loop {
            let available = match self.source.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if available.is_empty() {
                if self.buffer.is_empty() {
                    return Ok(Line::End);
                }
                break;
            }
            let end = available.iter().position(|&byte| byte == b'\n');
            let taken = end.unwrap_or(available.len());
            self.buffer.extend_from_slice(&available[..taken]);
            self.source.consume(taken + usize::from(end.is_some()));
            if self.buffer.len() > LONGEST {
                return Ok(Line::TooLong(self.number, &self.buffer));
            }
            if end.is_some() {
                break;
            }
        }
        if self.buffer.last() == Some(&b'\r') {
            self.buffer.pop();
        }
        Ok(Line::Text(self.number, &self.buffer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_lose_their_ends_and_keep_the_rest() {
        let mut lines = Lines::new(&b"a \r\n\nb\rc\r\nlast"[..]);
        for expected in [&b"a "[..], b"", b"b\rc", b"last"] {
            assert!(matches!(lines.next().unwrap(), Line::Text(_, text) if text == expected));
        }
        assert!(matches!(lines.next().unwrap(), Line::End));
    }

    #[test]
    fn a_line_without_end_stops_at_the_bound() {
        let endless = io::BufReader::new(io::repeat(b'1'));
        assert!(matches!(
            Lines::new(endless).next().unwrap(),
            Line::TooLong(1, text) if text.len() < LONGEST + 100_000
        ));
    }
}
