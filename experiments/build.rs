//! Digests the sources that make numbers, so that chunks and records know their code.

use sha2::{Digest, Sha256};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Everything from which an experiment's numbers follow; figures and reports are not among it.
const SOURCES: [&str; 10] = [
    "crates/debias/src",
    "crates/posterior/src",
    "crates/data/src",
    "crates/models/src",
    "crates/samplers/src",
    "crates/anchored/src",
    "crates/baselines/src",
    "crates/unbiased-bayes/src",
    "experiments/src",
    "Cargo.lock",
];

fn main() -> io::Result<()> {
    let root = Path::new("..");
    let mut files = Vec::new();
    for source in SOURCES {
        let path = root.join(source);
        println!("cargo::rerun-if-changed={}", path.display());
        collect(&path, &mut files)?;
    }
    files.sort();
    let mut hasher = Sha256::new();
    for file in files {
        hasher.update(file.to_string_lossy().as_bytes());
        hasher.update(fs::read(&file)?);
    }
    let digest: String =
        hasher.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    println!("cargo::rustc-env=CODE_DIGEST={digest}");
    Ok(())
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if path.is_file() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        collect(&entry?.path(), files)?;
    }
    Ok(())
}
