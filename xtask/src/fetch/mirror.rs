//! Where a file is asked for.

use super::Entry;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A place that stands in for the hosts of the manifests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mirror {
    /// A folder; it may hold a file compressed, as `<name>.bz2` or `<name>.gz`.
    Folder(PathBuf),
    /// An address under which the files lie.
    Url(String),
}

/// One place to get a file from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// An address.
    Url(String),
    /// A file, to be unpacked if it has a suffix that the wanted one has not.
    File(PathBuf),
}

impl Mirror {
    /// An address if it begins with `http://` or `https://`, else a folder.
    pub fn parse(text: &str) -> Mirror {
        if text.starts_with("http://") || text.starts_with("https://") {
            Mirror::Url(text.trim_end_matches('/').to_owned())
        } else {
            Mirror::Folder(PathBuf::from(text))
        }
    }

    /// Where this mirror has a file, if it has it.
    pub fn source(&self, entry: &Entry) -> Option<Source> {
        match self {
            Mirror::Url(base) => Some(Source::Url(format!("{base}/{}", entry.path))),
            Mirror::Folder(folder) => ["", ".bz2", ".gz"]
                .iter()
                .map(|suffix| folder.join(format!("{}{suffix}", entry.path)))
                .find(|path| path.is_file())
                .map(Source::File),
        }
    }
}

/// Opens a file of a mirror, unpacked if the wanted name lacks its suffix.
pub(crate) fn open(path: &Path, wanted: &str) -> io::Result<Box<dyn Read>> {
    if path.ends_with(wanted) { Ok(Box::new(File::open(path)?)) } else { Ok(data::open(path)?) }
}
