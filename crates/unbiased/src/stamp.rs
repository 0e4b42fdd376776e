//! What the system tells of a file without reading it: enough to see that it was not touched.
//!
//! Size and time of change can both be kept by whoever changes a file; the time of the last change of
//! its entry (ctime) and its number (inode) cannot. Clocks of file systems tick every few
//! milliseconds, so a file that changed just now may change again within one tick: such a file has no
//! stamp, and its content is summed the next time.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Older than any tick of any common file system.
const SETTLED: Duration = Duration::from_secs(3);

/// Size, times and number of a file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Stamp {
    bytes: u64,
    modified: [i64; 2],
    changed: [i64; 2],
    inode: [u64; 2],
}

impl Stamp {
    /// Of a file as it is now.
    pub fn of(path: &Path) -> io::Result<Stamp> {
        Ok(Stamp::from(&fs::metadata(path)?))
    }

    /// The stamp, if the file has not changed for a while.
    pub fn settled(self) -> Option<Stamp> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let limit = now.saturating_sub(SETTLED).as_secs() as i64;
        (self.changed[0] < limit && self.modified[0] < limit).then_some(self)
    }

    /// Megabytes.
    pub fn megabytes(&self) -> f64 {
        self.bytes as f64 / 1e6
    }
}

#[cfg(unix)]
impl From<&Metadata> for Stamp {
    fn from(about: &Metadata) -> Stamp {
        use std::os::unix::fs::MetadataExt;
        Stamp {
            bytes: about.len(),
            modified: [about.mtime(), about.mtime_nsec()],
            changed: [about.ctime(), about.ctime_nsec()],
            inode: [about.dev(), about.ino()],
        }
    }
}

/// Elsewhere there is no time of change that cannot be set: no file is ever settled.
#[cfg(not(unix))]
impl From<&Metadata> for Stamp {
    fn from(about: &Metadata) -> Stamp {
        let never = [i64::MAX, 0];
        Stamp { bytes: about.len(), modified: never, changed: never, inode: [0, 0] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_is_not_settled() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let stamp = Stamp::of(file.path()).unwrap();
        assert_eq!(stamp.clone().settled(), None);
        let old = Stamp { changed: [1, 0], modified: [1, 0], ..stamp };
        assert_eq!(old.clone().settled(), Some(old));
    }
}
