//! What a caller hears while a file is on its way.

/// Told about the bytes of one file; a library has no terminal of its own.
pub trait Progress: Sync {
    /// A transfer begins, or begins anew, with `done` bytes of `total` already there.
    fn start(&self, file: &str, done: u64, total: Option<u64>);
    /// So many bytes are there by now.
    fn reached(&self, bytes: u64);
    /// Something worth a line: a retry, a fresh start.
    fn note(&self, text: &str);
    /// The transfer is over, well or not.
    fn finish(&self);
}

/// Hears nothing.
#[cfg(test)]
pub struct Silent;

#[cfg(test)]
impl Progress for Silent {
    fn start(&self, _file: &str, _done: u64, _total: Option<u64>) {}
    fn reached(&self, _bytes: u64) {}
    fn note(&self, _text: &str) {}
    fn finish(&self) {}
}
