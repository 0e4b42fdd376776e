//! The folder of downloads.

use super::{Entry, FetchError};
use data::sha256_of_file;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// A folder in which every file without a suffix of ours is whole and checked.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

/// Held while fetching; the system lets go of it even if the program is killed.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

impl Drop for Lock {
    /// Closing the file is not enough: a process that is just being started elsewhere in the program
    /// holds a copy of it for a moment, and the lock with it.
    fn drop(&mut self) {
        // The system lets go in the end, whatever happens here.
        self.file.unlock().ok();
    }
}

/// What is there of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Nothing, or this many bytes of an unfinished download.
    Absent { partial: u64 },
    /// The right file, by size and sum.
    Present { sha256: String },
    /// A file of that name which is not the right one.
    Wrong { size: u64, sha256: String },
}

impl Store {
    /// The folder, which is made when first needed.
    pub fn new(folder: &Path) -> Store {
        Store { folder: folder.to_owned() }
    }

    /// Where a file is, or is to be.
    pub fn path(&self, entry: &Entry) -> PathBuf {
        self.folder.join(&entry.path)
    }

    /// Keeps other fetches out for as long as the lock lives.
    pub fn lock(&self) -> Result<Lock, FetchError> {
        let path = self.folder.join(".lock");
        let disk = |source| FetchError::Disk { path: path.clone(), source };
        fs::create_dir_all(&self.folder).map_err(disk)?;
        let file = File::create(&path).map_err(disk)?;
        match file.try_lock() {
            Ok(()) => Ok(Lock { file }),
            Err(TryLockError::WouldBlock) => Err(FetchError::Locked { path }),
            Err(TryLockError::Error(source)) => Err(disk(source)),
        }
    }

    /// Looks at a file and, if it is there, reads it to check its sum.
    pub fn state(&self, entry: &Entry) -> Result<State, FetchError> {
        let path = self.path(entry);
        let disk = |source| FetchError::Disk { path: path.clone(), source };
        let size = match fs::metadata(&path) {
            Ok(metadata) => metadata.len(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(State::Absent { partial: self.had(entry) });
            }
            Err(error) => return Err(disk(error)),
        };
        let sha256 = sha256_of_file(&path).map_err(disk)?;
        let right_size = entry.size.is_none_or(|expected| expected == size);
        let right_sum = self.expected_sum(entry)?.is_none_or(|expected| expected == sha256);
        Ok(if right_size && right_sum {
            State::Present { sha256 }
        } else {
            State::Wrong { size, sha256 }
        })
    }

    /// The sum a file must have: the manifest's, else the one recorded at the first download.
    pub fn expected_sum(&self, entry: &Entry) -> Result<Option<String>, FetchError> {
        if entry.sha256.is_some() {
            return Ok(entry.sha256.clone());
        }
        let path = self.recorded(entry);
        match fs::read_to_string(&path) {
            Ok(text) => Ok(text.split_whitespace().next().map(str::to_owned)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(FetchError::Disk { path, source }),
        }
    }

    /// Gives a finished download its name: its bytes are on the disk before the name is.
    pub(crate) fn keep(&self, entry: &Entry, sha256: &str) -> Result<(), FetchError> {
        let (partial, path) = (self.partial(entry), self.path(entry));
        let disk = |source| FetchError::Disk { path: path.clone(), source };
        File::open(&partial).and_then(|file| file.sync_all()).map_err(disk)?;
        if entry.sha256.is_none() {
            // The format of the sha256sum tool.
            let line = format!("{sha256}  {}\n", entry.path);
            fs::write(self.recorded(entry), line).map_err(disk)?;
        }
        fs::rename(&partial, &path).map_err(disk)?;
        File::open(&self.folder).and_then(|folder| folder.sync_all()).map_err(disk)?;
        self.forget_validator(entry);
        Ok(())
    }

    /// Opens the unfinished download to add to it, or afresh. What stands there under this name and is no
    /// file of its own, a link for one, is never written to: it is replaced.
    pub(crate) fn open_partial(&self, entry: &Entry, resumed: bool) -> io::Result<File> {
        let path = self.partial(entry);
        if resumed && fs::symlink_metadata(&path)?.is_file() {
            let file = OpenOptions::new().append(true).open(&path)?;
            // The same file still, should somebody have put a link there in between.
            if fs::symlink_metadata(&path)?.is_file() {
                return Ok(file);
            }
        }
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => OpenOptions::new().write(true).create_new(true).open(&path),
        }
    }

    /// How much of an unfinished download is there; nothing of what is a link.
    pub(crate) fn had(&self, entry: &Entry) -> u64 {
        let found = fs::symlink_metadata(self.partial(entry)).ok();
        found.filter(fs::Metadata::is_file).map_or(0, |found| found.len())
    }

    /// Throws an unfinished download away.
    pub(crate) fn discard(&self, entry: &Entry) -> Result<(), FetchError> {
        self.forget_validator(entry);
        let path = self.partial(entry);
        match fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(FetchError::Disk { path, source })
            }
            _ => Ok(()),
        }
    }

    /// The unfinished download.
    pub(crate) fn partial(&self, entry: &Entry) -> PathBuf {
        self.folder.join(format!("{}.partial", entry.path))
    }

    /// The version (ETag) of the file that the unfinished download belongs to.
    pub(crate) fn validator(&self, entry: &Entry) -> PathBuf {
        self.folder.join(format!("{}.partial-version", entry.path))
    }

    fn forget_validator(&self, entry: &Entry) {
        // A version left behind is harmless: it only lets a resumed download be refused.
        let _ = fs::remove_file(self.validator(entry));
    }

    fn recorded(&self, entry: &Entry) -> PathBuf {
        self.folder.join(format!("{}.sha256", entry.path))
    }
}
