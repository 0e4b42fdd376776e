//! Manifests: what a data set is, where its files are, how to know them.

use serde::Deserialize;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use thiserror::Error;

/// What the names of unfinished downloads, their versions and their recorded sums end in.
pub(crate) const SUFFIXES: [&str; 3] = [".partial", ".partial-version", ".sha256"];

/// A data set.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Its short name.
    pub name: String,
    /// What it is, in a line.
    pub title: String,
    /// Whose it is.
    pub source: String,
    /// What may be done with it.
    pub licence: String,
    /// Its files.
    #[serde(rename = "file")]
    pub files: Vec<Entry>,
}

/// A file of a data set.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its name in the folder of downloads.
    pub path: String,
    /// Where it can be had, in the order of asking; none if only a mirror has it.
    #[serde(default)]
    pub urls: Vec<String>,
    /// Its size in bytes, where known.
    pub size: Option<u64>,
    /// Its sha256; where none is published, that of the first download is recorded, and a later
    /// one must equal it.
    pub sha256: Option<String>,
    /// Its rows, where known.
    pub rows: Option<u64>,
}

impl Entry {
    /// A sum with what it is worth: without a published one, the first download was believed.
    pub fn described(&self, sum: &str) -> String {
        let trusted = if self.sha256.is_none() { ", trusted on first use" } else { "" };
        format!("sha256 {sum}{trusted}")
    }
}

/// Why a manifest was refused.
#[derive(Debug, Error)]
pub enum ManifestError {
    /// It cannot be read.
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    /// It is no manifest.
    #[error("{}: {source}", path.display())]
    Toml { path: PathBuf, source: toml::de::Error },
    /// A file's name leads out of the folder of downloads, or is one that unfinished downloads have.
    #[error("{}: file name \"{name}\" is not a plain name of a whole file", path.display())]
    Name { path: PathBuf, name: String },
    /// A sum is not 64 hexadecimal digits.
    #[error("{}: sha256 \"{sum}\" of {name} is not 64 lower-case hexadecimal digits", path.display())]
    Sum { path: PathBuf, name: String, sum: String },
}

impl Manifest {
    /// Reads a manifest.
    pub fn load(path: &Path) -> Result<Manifest, ManifestError> {
        let text = fs::read_to_string(path)
            .map_err(|source| ManifestError::Io { path: path.to_owned(), source })?;
        Manifest::parse(&text, path)
    }

    /// All manifests of a folder, `*.toml`, by name.
    pub fn load_all(folder: &Path) -> Result<Vec<Manifest>, ManifestError> {
        let io = |source| ManifestError::Io { path: folder.to_owned(), source };
        let mut paths = Vec::new();
        for item in fs::read_dir(folder).map_err(io)? {
            let path = item.map_err(io)?.path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                paths.push(path);
            }
        }
        let loaded: Result<Vec<_>, _> = paths.iter().map(|path| Manifest::load(path)).collect();
        let mut manifests = loaded?;
        manifests.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(manifests)
    }

    /// Reads the text of a manifest; the path is for messages.
    pub fn parse(text: &str, path: &Path) -> Result<Manifest, ManifestError> {
        let manifest: Manifest = toml::from_str(text)
            .map_err(|source| ManifestError::Toml { path: path.to_owned(), source })?;
        for file in &manifest.files {
            let mut parts = Path::new(&file.path).components();
            let plain = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None));
            let ours = SUFFIXES.iter().any(|suffix| file.path.ends_with(suffix));
            if !plain || ours || file.path.starts_with('.') {
                let name = file.path.clone();
                return Err(ManifestError::Name { path: path.to_owned(), name });
            }
            let is_sum = |sum: &str| {
                sum.len() == 64 && sum.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
            };
            if let Some(sum) = file.sha256.as_ref().filter(|sum| !is_sum(sum)) {
                let (name, sum) = (file.path.clone(), sum.clone());
                return Err(ManifestError::Sum { path: path.to_owned(), name, sum });
            }
        }
        Ok(manifest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(file: &str) -> Result<Manifest, ManifestError> {
        let head = "name = 'a'\ntitle = 'b'\nsource = 'c'\nlicence = 'd'\n[[file]]\n";
        Manifest::parse(&(head.to_owned() + file), Path::new("a.toml"))
    }

    #[test]
    fn manifests_say_all_there_is_to_know() {
        let manifest = parse("path = 'x.csv'\nurls = ['http://h/x']\nsize = 3\nrows = 1").unwrap();
        assert_eq!(manifest.files[0].urls, ["http://h/x"]);
        assert_eq!((manifest.files[0].size, &manifest.files[0].sha256), (Some(3), &None));
    }

    #[test]
    fn bad_manifests_are_refused() {
        let ours = ["x.partial", "x.partial-version", "x.sha256"];
        for path in ["../x", "/x", "a/b", "", ".lock", ".."].iter().chain(&ours) {
            let refused = parse(&format!("path = '{path}'"));
            assert!(matches!(refused, Err(ManifestError::Name { .. })), "{path}");
        }
        assert!(matches!(parse("path = 'x'\nsha256 = 'ab'"), Err(ManifestError::Sum { .. })));
        assert!(matches!(parse("path = 'x'\nsha265 = 'ab'"), Err(ManifestError::Toml { .. })));
    }
}
