//! Records of delimited text (RFC 4180), with a bound on everything that a file could make large.
//!
//! Fields are separated by a comma, a semicolon, a tab or a bar, whichever the first line has most of. A
//! field in quotes may hold delimiters, line breaks and, doubled, quotes. Lines end with `\n`, `\r\n`
//! or `\r`; empty ones are passed over, and so is a byte order mark.

use super::delimiter::most_frequent;
use super::lines::LONGEST;
use super::special::Special;
use std::io::{self, Read};

/// The most fields of a record, as many as a sparse row has columns.
pub(crate) const MOST_FIELDS: usize = 1 << 16;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads one record at a time into one buffer.
pub(crate) struct Delimited<R> {
    source: R,
    buffer: Vec<u8>,
    // The next record starts here, and the bytes read end there.
    start: usize,
    end: usize,
    ended: bool,
    delimiter: u8,
    // Bytes that may end a field or begin quotes.
    special: Special,
    line: u64,
    next_line: u64,
    // The fields of the record at hand, in the buffer or, if one has quotes, in the text.
    fields: Vec<(u32, u32)>,
    text: Vec<u8>,
    quoted: bool,
}

/// Why there is no next record.
#[derive(Debug)]
pub(crate) enum Fault {
    Io(io::Error),
    /// A record longer than [`LONGEST`].
    TooLong,
    /// More than [`MOST_FIELDS`].
    TooMany,
    /// The file ends within quotes.
    Unclosed,
}

/// Where a record ends, and how many lines it takes.
struct End {
    next: usize,
    lines: u64,
}

impl<R: Read> Delimited<R> {
    pub fn new(source: R) -> Result<Delimited<R>, Fault> {
        let mut records = Delimited {
            source,
            buffer: vec![0; 1 << 18],
            start: 0,
            end: 0,
            ended: false,
            delimiter: b',',
            special: Special([0; 4]),
            line: 0,
            next_line: 1,
            fields: Vec::new(),
            text: Vec::new(),
            quoted: false,
        };
        while !records.ended && records.end < BYTE_ORDER_MARK.len() {
            records.refill()?;
        }
        if records.buffer[..records.end].starts_with(BYTE_ORDER_MARK) {
            records.start = BYTE_ORDER_MARK.len();
        }
        // The whole first line, or as much of it as is looked at.
        let has_line = |it: &Self| it.buffer[it.start..it.end].contains(&b'\n');
        while !records.ended && !has_line(&records) && records.end < records.buffer.len() {
            records.refill()?;
        }
        records.delimiter = match &records.buffer[records.start..records.end] {
            // A first line for Excel says what separates.
            &[b's', b'e', b'p', b'=', delimiter, b'\r' | b'\n', ..] => {
                records.start += 5;
                delimiter
            }
            text => most_frequent(text),
        };
        records.special = Special([records.delimiter, b'\n', b'\r', b'"']);
        Ok(records)
    }

    /// The first bytes, before anything is taken from them.
    pub fn beginning(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Moves to the next record; false at the end.
    pub fn advance(&mut self) -> Result<bool, Fault> {
        loop {
            self.skip_empty_lines();
            if self.start == self.end && self.ended {
                return Ok(false);
            }
            if self.start < self.end
                && let Some(end) = self.scan()?
            {
                self.start = end.next;
                self.line = self.next_line;
                self.next_line += end.lines;
                // A line of blanks is as good as empty.
                if self.count() == 1 && !self.quoted && self.field(0).is_some_and(is_blank) {
                    continue;
                }
                return Ok(true);
            }
            self.refill()?;
        }
    }

    /// The line on which the record at hand starts, counted from one.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The line on which the next record starts.
    pub fn next_line(&self) -> u64 {
        self.next_line
    }

    /// Fields of the record at hand.
    pub fn count(&self) -> usize {
        self.fields.len()
    }

    /// One of them.
    pub fn field(&self, index: usize) -> Option<&[u8]> {
        let &(start, end) = self.fields.get(index)?;
        let bytes = if self.quoted { &self.text } else { &self.buffer };
        Some(&bytes[start as usize..end as usize])
    }

    fn skip_empty_lines(&mut self) {
        while let Some(&byte) = self.buffer[self.start..self.end].first() {
            match byte {
                b'\n' => self.start += 1,
                // Its second half may not have been read yet.
                b'\r' if self.end - self.start == 1 && !self.ended => return,
                b'\r' if self.buffer[self.start..self.end].get(1) == Some(&b'\n') => {
                    self.start += 2;
                }
                b'\r' => self.start += 1,
                _ => return,
            }
            self.next_line += 1;
        }
    }

    /// Finds the fields of the next record, unless more bytes are needed.
    fn scan(&mut self) -> Result<Option<End>, Fault> {
        self.fields.clear();
        self.quoted = false;
        let bytes = &self.buffer[..self.end];
        let (mut at, mut field) = (self.start, self.start);
        loop {
            at = self.special.next(bytes, at);
            let Some(&byte) = bytes.get(at) else {
                if !self.ended {
                    return Ok(None);
                }
                self.fields.push((field as u32, at as u32));
                return Ok(Some(End { next: at, lines: 1 }));
            };
            if byte == b'"' {
                // Quotes begin a field; within one they are letters.
                if bytes[field..at].iter().all(|&byte| byte == b' ') {
                    return self.scan_quoted();
                }
                at += 1;
                continue;
            }
            self.fields.push((field as u32, at as u32));
            if self.fields.len() > MOST_FIELDS {
                return Err(Fault::TooMany);
            }
            if byte != self.delimiter {
                return Ok(after_line(bytes, at, self.ended).map(|next| End { next, lines: 1 }));
            }
            at += 1;
            field = at;
        }
    }

    /// The same for a record with quotes, whose fields are put together anew.
    fn scan_quoted(&mut self) -> Result<Option<End>, Fault> {
        self.fields.clear();
        self.text.clear();
        self.quoted = true;
        let bytes = &self.buffer[..self.end];
        let (mut at, mut lines) = (self.start, 1);
        loop {
            let field = self.text.len();
            let blanks = bytes[at..].iter().take_while(|&&byte| byte == b' ').count();
            if bytes.get(at + blanks) == Some(&b'"') {
                at += blanks + 1;
                loop {
                    match (bytes.get(at), bytes.get(at + 1)) {
                        (None, _) if self.ended => return Err(Fault::Unclosed),
                        (None, _) => return Ok(None),
                        (Some(b'"'), None) if !self.ended => return Ok(None),
                        (Some(b'"'), Some(b'"')) => {
                            self.text.push(b'"');
                            at += 2;
                        }
                        (Some(b'"'), _) => {
                            at += 1;
                            break;
                        }
                        (Some(&byte), _) => {
                            lines += u64::from(byte == b'\n');
                            self.text.push(byte);
                            at += 1;
                        }
                    }
                }
            }
            let end = bytes[at..]
                .iter()
                .position(|&byte| byte == self.delimiter || matches!(byte, b'\n' | b'\r'));
            if end.is_none() && !self.ended {
                return Ok(None);
            }
            let end = end.map_or(bytes.len(), |size| at + size);
            self.text.extend_from_slice(&bytes[at..end]);
            self.fields.push((field as u32, self.text.len() as u32));
            if self.fields.len() > MOST_FIELDS {
                return Err(Fault::TooMany);
            }
            match bytes.get(end) {
                None => return Ok(Some(End { next: end, lines })),
                Some(&byte) if byte == self.delimiter => at = end + 1,
                Some(_) => {
                    return Ok(after_line(bytes, end, self.ended).map(|next| End { next, lines }));
                }
            }
        }
    }

    /// Reads once; makes room first, up to the bound.
    fn refill(&mut self) -> Result<(), Fault> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.end == self.buffer.len() {
            if self.end >= LONGEST {
                return Err(Fault::TooLong);
            }
            self.buffer.resize((2 * self.end).min(LONGEST), 0);
        }
        loop {
            match self.source.read(&mut self.buffer[self.end..]) {
                Ok(size) => {
                    self.end += size;
                    self.ended = size == 0;
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Fault::Io(error)),
            }
        }
    }
}

fn is_blank(field: &[u8]) -> bool {
    field.trim_ascii().is_empty()
}

/// What follows the line break at `at`, unless it is not known yet.
fn after_line(bytes: &[u8], at: usize, ended: bool) -> Option<usize> {
    match (bytes[at], bytes.get(at + 1)) {
        (b'\r', Some(b'\n')) => Some(at + 2),
        (b'\r', None) if !ended => None,
        _ => Some(at + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a byte at a time, the worst that a pipe can do.
    struct Drops<'a>(&'a [u8]);

    impl Read for Drops<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let size = self.0.len().min(buffer.len()).min(1);
            buffer[..size].copy_from_slice(&self.0[..size]);
            self.0 = &self.0[size..];
            Ok(size)
        }
    }

    fn read(source: impl Read) -> Vec<(u64, Vec<String>)> {
        let mut records = Delimited::new(source).unwrap();
        let mut all = Vec::new();
        while records.advance().unwrap() {
            let fields = (0..records.count())
                .map(|index| String::from_utf8(records.field(index).unwrap().to_vec()).unwrap());
            all.push((records.line(), fields.collect()));
        }
        all
    }

    #[track_caller]
    fn check(text: &str, expected: &[(u64, &[&str])]) {
        let expected: Vec<(u64, Vec<String>)> = expected
            .iter()
            .map(|(line, fields)| (*line, fields.iter().map(|&field| field.to_owned()).collect()))
            .collect();
        assert_eq!(read(text.as_bytes()), expected, "{text:?}");
        assert_eq!(read(Drops(text.as_bytes())), expected, "{text:?} in drops");
    }

    #[test]
    fn records_are_those_of_the_standard() {
        check("a,b\n1,2\n", &[(1, &["a", "b"]), (2, &["1", "2"])]);
        check("a,b\r\n1,\r\n\r\n,2", &[(1, &["a", "b"]), (2, &["1", ""]), (4, &["", "2"])]);
        check("a,b\r1,2\r", &[(1, &["a", "b"]), (2, &["1", "2"])]);
        check("\u{feff}a\n1", &[(1, &["a"]), (2, &["1"])]);
        check(
            "\"a, \"\"b\"\"\",\"c\nd\"\n1,x\"y\"\n",
            &[(1, &["a, \"b\"", "c\nd"]), (3, &["1", "x\"y\""])],
        );
        check("a, \"b, c\" ,d\n", &[(1, &["a", "b, c ", "d"])]);
        check("a;b,c;d\n1;2;3\n", &[(1, &["a", "b,c", "d"]), (2, &["1", "2", "3"])]);
        check("a\tb c\n1\t\n", &[(1, &["a", "b c"]), (2, &["1", ""])]);
        check("\"a;b;c\",d\n", &[(1, &["a;b;c", "d"])]);
        check("sep=;\r\na,b;c\n", &[(2, &["a,b", "c"])]);
        check("sep=|a\n", &[(1, &["sep=", "a"])]);
        check("a,b\n  \n1,2\n \t ", &[(1, &["a", "b"]), (3, &["1", "2"])]);
        check("", &[]);
        check("\n\r\n\n", &[]);
    }

    /// Whatever is quoted comes back, whole or a byte at a time.
    #[test]
    fn quoted_fields_come_back() {
        let letters = ["a", ",", ";", "\t", "\"", "\n", "\r", " ", "ä"];
        let mut state = 2015_u64;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        for _ in 0..300 {
            let width = 2 + draw(3);
            let mut expected = Vec::new();
            let mut text = String::new();
            for _ in 0..1 + draw(4) {
                let word = |_| (0..draw(6)).map(|_| letters[draw(9) as usize]).collect();
                let fields: Vec<String> = (0..width).map(word).collect();
                let quoted: Vec<String> = fields
                    .iter()
                    .map(|field| format!("\"{}\"", field.replace('"', "\"\"")))
                    .collect();
                text += &(quoted.join(",") + if draw(2) == 0 { "\n" } else { "\r\n" });
                expected.push(fields);
            }
            let fields = |records: Vec<(u64, Vec<String>)>| -> Vec<Vec<String>> {
                records.into_iter().map(|(_, fields)| fields).collect()
            };
            assert_eq!(fields(read(text.as_bytes())), expected, "{text:?}");
            assert_eq!(fields(read(Drops(text.as_bytes()))), expected, "{text:?} in drops");
        }
    }

    #[test]
    fn nothing_grows_without_bound() {
        for endless in [b'1', b'"', b'\n', 0] {
            let quotes = &b"a,\""[..];
            let source = quotes.chain(io::repeat(endless).take(64 << 20));
            let mut records = Delimited::new(source).unwrap();
            let fault = loop {
                match records.advance() {
                    Ok(true) => {}
                    other => break other,
                }
            };
            assert!(matches!(fault, Err(Fault::TooLong | Fault::Unclosed)), "{endless}: {fault:?}");
            assert!(records.buffer.len() <= LONGEST && records.text.len() <= LONGEST);
        }
        let mut records = Delimited::new(io::repeat(b',')).unwrap();
        assert!(matches!(records.advance(), Err(Fault::TooMany)));
        let mut records = Delimited::new(&b"a\n\"b"[..]).unwrap();
        assert!(records.advance().unwrap());
        assert!(matches!(records.advance(), Err(Fault::Unclosed)));
    }
}
