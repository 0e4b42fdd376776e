//! Builds of other people's crates, borrowed from the tree by a target folder that is still empty.
//!
//! A copy of the tree has a target folder of its own, and would compile every dependency again, which takes
//! minutes. Cargo knows a crate of a registry by a hash alone, so what the tree has built is good for the copy,
//! too. Our own crates are known by the times of their sources and are never borrowed.

use super::supply::Lock;
use crate::workspace::root;
use anyhow::Context;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;

/// Fills `target` from the tree's target folder, unless something was built there before.
pub fn borrow(target: &Path) -> anyhow::Result<()> {
    let (from, to) = (root().join("target/release"), target.join("release"));
    if to.exists() || !from.join(".fingerprint").exists() {
        return Ok(());
    }
    let lock = Lock::read()?;
    let foreign: BTreeSet<&str> = lock.foreign().map(|one| one.name.as_str()).collect();
    let mut hashes = BTreeSet::new();
    for entry in fs::read_dir(from.join(".fingerprint"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if let Some((package, hash)) = name.rsplit_once('-')
            && foreign.contains(package)
        {
            hashes.insert(hash.to_owned());
        }
    }
    for folder in [".fingerprint", "build", "deps"] {
        for entry in fs::read_dir(from.join(folder))? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            let stem = name.split('.').next().unwrap_or_default();
            if stem.rsplit_once('-').is_some_and(|(_, hash)| hashes.contains(hash)) {
                copy(&from.join(folder).join(&name), &to.join(folder).join(&name))?;
            }
        }
    }
    Ok(())
}

/// Copies a file or a folder with the times of its files, by which cargo knows what is up to date.
fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let name = entry?.file_name();
            copy(&from.join(&name), &to.join(&name))?;
        }
        return Ok(());
    }
    fs::create_dir_all(to.parent().context("a file lies in a folder")?)?;
    fs::copy(from, to).with_context(|| format!("{} cannot be copied", from.display()))?;
    let time = fs::metadata(from)?.modified()?;
    Ok(File::options().write(true).open(to)?.set_modified(time)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, SystemTime};

    #[test]
    fn copies_keep_their_times() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        fs::create_dir_all(from.join("below")).unwrap();
        fs::write(from.join("below/one"), "1").unwrap();
        let past = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        let file = File::options().write(true).open(from.join("below/one")).unwrap();
        file.set_modified(past).unwrap();
        copy(&from, &to).unwrap();
        let there = fs::metadata(to.join("below/one")).unwrap();
        assert_eq!(there.modified().unwrap(), past);
    }
}
