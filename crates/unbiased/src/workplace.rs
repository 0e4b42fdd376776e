//! The folder in which rows, finished work and results of one data set are kept: one process at a
//! time, and no half files of processes that were killed.

use crate::exit;
use crate::interruption::interrupted;
use records::{FolderLock, write_atomically};
use std::fs;
use std::io;
use std::path::Path;

/// Waits until no other process works in the folder, and sweeps it.
pub fn enter(folder: &Path, say: &dyn Fn(&str)) -> anyhow::Result<FolderLock> {
    let waiting = |other: Option<u32>| {
        let other = other.map_or("another process".to_owned(), |pid| format!("process {pid}"));
        say(&format!(
            "waiting for {other}, which works in {}; --work FOLDER names another place",
            folder.display()
        ));
    };
    let lock = FolderLock::acquire(folder, &waiting, &interrupted).map_err(|error| match error
        .kind()
    {
        io::ErrorKind::Interrupted => exit::usage("stopped while waiting; nothing was changed"),
        _ => cannot_write(folder, &error, "--work FOLDER names another place"),
    })?;
    sweep(folder);
    Ok(lock)
}

/// Makes a folder and writes into it, to know before the work whether one can.
pub fn writable(folder: &Path, advice: &str) -> anyhow::Result<()> {
    // The number keeps two processes from removing each other's file.
    let probe = folder.join(format!(".probe-{}", std::process::id()));
    write_atomically(&probe, b"")
        .and_then(|()| fs::remove_file(&probe))
        .map_err(|error| cannot_write(folder, &error, advice))
}

fn cannot_write(folder: &Path, error: &io::Error, advice: &str) -> anyhow::Error {
    exit::usage(format!("cannot write into {}: {error}; {advice}", folder.display()))
}

/// Removes half files; only the holder of the lock may.
fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let (name, Ok(kind)) = (entry.file_name(), entry.file_type()) else { continue };
        let name = name.to_string_lossy();
        if kind.is_dir() {
            sweep(&entry.path());
        } else if name.starts_with('.') && name.ends_with(".partial") || name.starts_with(".tmp") {
            // What cannot be removed does no harm but takes room.
            fs::remove_file(entry.path()).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_files_are_swept_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "x").unwrap();
            path
        };
        let kept = ["rows", "import.json", "chunks/a/1.chunk", "own.partial"].map(put);
        let half = [".rows.x.partial", ".tmpAbC", "chunks/a/.1.chunk.7.partial"].map(put);
        enter(folder.path(), &|line| panic!("{line}")).unwrap();
        assert!(kept.iter().all(|path| path.exists()) && half.iter().all(|path| !path.exists()));
    }
}
