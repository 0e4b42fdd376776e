//! Progress of a download.

/// An observer of the download of one file.
pub trait Progress: Sync {
    /// A transfer begins, or begins again, with `done` bytes of `total` already there.
    fn start(&self, file: &str, done: u64, total: Option<u64>);
    /// The number of bytes that are there now.
    fn reached(&self, bytes: u64);
    /// A message: a retry, a fresh start.
    fn note(&self, text: &str);
    /// The transfer has ended, successfully or not.
    fn finish(&self);
}

/// Ignores all progress.
#[cfg(test)]
pub struct Silent;

#[cfg(test)]
impl Progress for Silent {
    fn start(&self, _file: &str, _done: u64, _total: Option<u64>) {}
    fn reached(&self, _bytes: u64) {}
    fn note(&self, _text: &str) {}
    fn finish(&self) {}
}
