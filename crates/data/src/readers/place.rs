//! Where in a file something was found.

use std::fmt;

/// A position for error messages: the file as it was named, line and column counted from one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, as the caller named it.
    pub file: String,
    /// The line; the header of a table is line 1.
    pub line: u64,
    /// The byte within the line for libsvm, the field within the record for tables.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// The beginning of a value, fit to be shown: bad files hold values of ten megabytes.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    const SHOWN: usize = 40;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(SHOWN)]);
    // Shown within double quotes, where an apostrophe is only that.
    let mut shown = text.escape_debug().to_string().replace("\\'", "'");
    if bytes.len() > SHOWN {
        shown.push('…');
    }
    shown
}
