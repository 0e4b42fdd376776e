//! One process at a time in a folder of work.
//!
//! The lock belongs to the open file, so the system gives it back when the process ends, however it
//! ends. The file holds the number of the process, for people who wait.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::thread;
use std::time::Duration;

/// The name of the file within the folder.
const NAME: &str = ".lock";
/// How often a waiting process tries again.
const PATIENCE: Duration = Duration::from_millis(50);

/// The right to write into a folder, given back when dropped.
#[derive(Debug)]
pub struct FolderLock {
    // Closing the file gives the lock back.
    _file: File,
}

impl FolderLock {
    /// Makes the folder if need be and waits until no other process holds it. `waiting` is called
    /// once, before the first wait, with the number of the other process if it can be read;
    /// `cancelled` ends the wait with [`io::ErrorKind::Interrupted`].
    pub fn acquire(
        folder: &Path,
        waiting: &dyn Fn(Option<u32>),
        cancelled: &dyn Fn() -> bool,
    ) -> io::Result<FolderLock> {
        fs::create_dir_all(folder)?;
        let path = folder.join(NAME);
        let mut options = OpenOptions::new();
        // The number in the file is the holder's: it is not cleared before the lock is ours.
        let mut file = options.read(true).write(true).create(true).truncate(false).open(&path)?;
        let mut told = false;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                // Some network file systems have no locks; working there is better than not working.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                    break;
                }
                Err(TryLockError::Error(error)) => return Err(error),
                Err(TryLockError::WouldBlock) if cancelled() => {
                    return Err(io::ErrorKind::Interrupted.into());
                }
                Err(TryLockError::WouldBlock) => {
                    if !told {
                        waiting(holder(&mut file));
                        told = true;
                    }
                    thread::sleep(PATIENCE);
                }
            }
        }
        // A full disk must not keep anybody from working: the number is for people only.
        let write = |file: &mut File| {
            file.set_len(0)?;
            file.rewind()?;
            write!(file, "{}", std::process::id())
        };
        write(&mut file).ok();
        Ok(FolderLock { _file: file })
    }
}

/// The number in the file.
fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.take(16).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn the_second_waits_and_learns_who_is_first() {
        let folder = tempfile::tempdir().unwrap();
        let never = || false;
        let quiet = |_: Option<u32>| panic!("nobody else is here");
        let first = FolderLock::acquire(folder.path(), &quiet, &never).unwrap();
        let given_back = AtomicBool::new(false);
        thread::scope(|scope| {
            let second = scope.spawn(|| {
                let told = AtomicBool::new(false);
                let waiting = |other: Option<u32>| {
                    assert_eq!(other, Some(std::process::id()));
                    told.store(true, Ordering::SeqCst);
                };
                FolderLock::acquire(folder.path(), &waiting, &never).unwrap();
                assert!(told.load(Ordering::SeqCst) && given_back.load(Ordering::SeqCst));
            });
            thread::sleep(3 * PATIENCE);
            given_back.store(true, Ordering::SeqCst);
            drop(first);
            second.join().unwrap();
        });
        FolderLock::acquire(folder.path(), &quiet, &never).unwrap();
    }

    #[test]
    fn a_wait_can_be_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let _first = FolderLock::acquire(folder.path(), &|_| (), &|| false).unwrap();
        let error = FolderLock::acquire(folder.path(), &|_| (), &|| true).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::Interrupted);
    }
}
