//! Why a file was not fetched.

use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why a file was not fetched.
#[derive(Debug, Error)]
pub enum FetchError {
    /// Neither the manifest nor a mirror says where the file is.
    #[error("{file}: no public address, and no mirror that has it")]
    NoSource {
        /// The file.
        file: String,
    },
    /// The mirror does not have the file.
    #[error("{file}: not in {}", mirror.display())]
    NotInMirror {
        /// The file.
        file: String,
        /// The folder.
        mirror: PathBuf,
    },
    /// The host does not answer, or stops answering.
    #[error("cannot get {url}: {reason} (attempt {attempts})")]
    Unreachable {
        /// The address.
        url: String,
        /// What went wrong last.
        reason: String,
        /// How often it was tried.
        attempts: u32,
    },
    /// The host answers that it will not.
    #[error("{url}: answered {status}")]
    Status {
        /// The address.
        url: String,
        /// The HTTP status.
        status: u16,
    },
    /// The file is not as long as it should be.
    #[error("{from}: {found} bytes, expected {expected}")]
    Size {
        /// Where it came from.
        from: String,
        /// Its size; at least this, if it was not read to the end.
        found: u64,
        /// The size in the manifest.
        expected: u64,
    },
    /// The file is not the one in the manifest.
    #[error("{from}: sha256 {found}, expected {expected}")]
    Checksum {
        /// Where it came from.
        from: String,
        /// Its sum.
        found: String,
        /// The sum in the manifest, or the one recorded at the first download.
        expected: String,
    },
    /// The file passed the sums but not the inspection.
    #[error("{from}: {reason}")]
    Content {
        /// Where it came from.
        from: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The folder of downloads cannot be written or read.
    #[error("{}: {source}", path.display())]
    Disk {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Another fetch is under way.
    #[error("another fetch holds {}", path.display())]
    Locked {
        /// The lock.
        path: PathBuf,
    },
    /// The network cannot be used at all.
    #[error("cannot set up the network client: {reason}")]
    Client {
        /// What went wrong.
        reason: String,
    },
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
