//! Why a file was not fetched.

use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why a file was not fetched.
#[derive(Debug, Error)]
pub enum FetchError {
    /// Neither the manifest nor a mirror says where the file is.
    #[error("{file}: no public address, and no mirror that has it")]
    NoSource { file: String },
    /// The mirror does not have the file.
    #[error("{file}: not in {}", mirror.display())]
    NotInMirror { file: String, mirror: PathBuf },
    /// The host does not answer, or stops answering.
    #[error("cannot get {url}: {reason} (attempt {attempts})")]
    Unreachable { url: String, reason: String, attempts: u32 },
    /// The host answers that it will not.
    #[error("{url}: answered {status}")]
    Status { url: String, status: u16 },
    /// The file has another size; at least `found`, if it was not read to the end.
    #[error("{from}: {found} bytes, expected {expected}")]
    Size { from: String, found: u64, expected: u64 },
    /// The file is not the one in the manifest.
    #[error("{from}: sha256 {found}, expected {expected}")]
    Checksum { from: String, found: String, expected: String },
    /// The file passed the sums but not the inspection.
    #[error("{from}: {reason}")]
    Content { from: String, reason: String },
    /// The folder of downloads cannot be written or read.
    #[error("{}: {source}", path.display())]
    Disk { path: PathBuf, source: io::Error },
    /// Another fetch is under way.
    #[error("another fetch holds {}", path.display())]
    Locked { path: PathBuf },
    /// The network cannot be used at all.
    #[error("cannot set up the network client: {reason}")]
    Client { reason: String },
}

impl FetchError {
    /// Whether the data could not be had, rather than being wrong or impossible to store.
    pub fn is_missing(&self) -> bool {
        matches!(
            self,
            FetchError::NoSource { .. }
                | FetchError::NotInMirror { .. }
                | FetchError::Unreachable { .. }
                | FetchError::Status { .. }
        )
    }
}
