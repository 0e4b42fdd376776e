//! Checkpoints: finished chunks, and values that serialise, in a folder, one file each.

use crate::chunk_bytes::{Unsound, from_bytes, to_bytes};
use crate::{RunKey, digest, write_atomically};
use debias::Replicates;
use debias::engine::{ChunkId, Store, StoreError};
use serde::{Serialize, de::DeserializeOwned};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The file that keeps how long the work took.
const SECONDS: &str = "seconds.txt";

/// The chunks of one step of one experiment.
pub struct ChunkFolder {
    folder: PathBuf,
    key: String,
    // What people should know: why something was done again.
    remarks: Mutex<Vec<String>>,
}

impl ChunkFolder {
    /// Opens the folder for a run. Chunks of a run with another key are removed, and the remarks
    /// say what changed.
    pub fn open(folder: &Path, key: &RunKey) -> io::Result<ChunkFolder> {
        fs::create_dir_all(folder)?;
        let path = folder.join("key.json");
        let mut remarks = Vec::new();
        let before = fs::read(&path).ok();
        let known: Option<RunKey> =
            before.as_deref().and_then(|bytes| serde_json::from_slice(bytes).ok());
        if known.as_ref() != Some(key) {
            match &known {
                Some(known) => {
                    remarks.push(format!("run again: {}", key.changes_since(known).join(", ")))
                }
                None if before.is_some() => {
                    remarks.push(format!("run again: {} is damaged", path.display()));
                }
                None => {}
            }
            for entry in fs::read_dir(folder)? {
                fs::remove_file(entry?.path())?;
            }
            let text =
                serde_json::to_vec_pretty(key).expect("a key holds nothing that JSON cannot");
            write_atomically(&path, &text)?;
        }
        Ok(ChunkFolder {
            folder: folder.to_owned(),
            key: key.digest(),
            remarks: Mutex::new(remarks),
        })
    }

    /// Why something was done again, in the order in which it was found.
    pub fn remarks(&self) -> Vec<String> {
        self.remarks.lock().expect("no code under this lock panics").clone()
    }

    /// Seconds that earlier runs have worked on these chunks.
    pub fn seconds(&self) -> f64 {
        let text = fs::read_to_string(self.folder.join(SECONDS)).ok();
        text.and_then(|text| text.trim().parse().ok()).unwrap_or(0.0)
    }

    /// Keeps the seconds that all runs together have worked on them.
    pub fn keep_seconds(&self, total: f64) {
        // For people: a run goes on without it.
        write_atomically(&self.folder.join(SECONDS), format!("{total:.3}\n").as_bytes()).ok();
    }

    /// A value that was kept under this name, if it is sound and of this run.
    pub fn value<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        let body = self.load_text(name)?;
        let value = serde_json::from_str(&body).ok();
        if value.is_none() {
            self.remark(format!(
                "{} done again: it holds something else",
                self.file(name).display()
            ));
        }
        value
    }

    /// Keeps any value that serialises.
    pub fn keep_value<T: Serialize>(&self, name: &str, value: &T) -> Result<(), StoreError> {
        self.save_text(name, &serde_json::to_string(value)?)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.json"))
    }

    /// A checksum that covers the key of the run.
    fn seal(&self, body: &str) -> String {
        digest(format!("{}\n{body}", self.key).as_bytes())
    }

    fn path(&self, id: &ChunkId) -> PathBuf {
        self.folder.join(format!("{}-{}-{:04}.chunk", id.range.start, id.range.end, id.chunk))
    }

    fn remark(&self, text: String) {
        self.remarks.lock().expect("no code under this lock panics").push(text);
    }
}

impl Store for ChunkFolder {
    fn load(&self, id: &ChunkId) -> Option<Replicates> {
        let path = self.path(id);
        let bytes = fs::read(&path).ok()?;
        let why = match from_bytes(&self.key, &bytes) {
            Ok(chunk) if chunk.count() == id.replicates => return Some(chunk),
            Ok(_) | Err(Unsound::Damaged) => "its checksum does not match",
            Err(Unsound::OtherRun) => "it belongs to another run",
        };
        self.remark(format!("chunk {} done again: {why}", path.display()));
        None
    }

    fn save(&self, id: &ChunkId, chunk: &Replicates) -> Result<(), StoreError> {
        let path = self.path(id);
        write_atomically(&path, &to_bytes(&self.key, chunk))
            .map_err(|error| format!("{} cannot be written: {error}", path.display()).into())
    }

    fn load_text(&self, name: &str) -> Option<String> {
        let path = self.file(name);
        let text = fs::read_to_string(&path).ok()?;
        let sealed = text.split_once('\n').filter(|(seal, body)| *seal == self.seal(body));
        if sealed.is_none() {
            self.remark(format!("{} done again: its checksum does not match", path.display()));
        }
        sealed.map(|(_, body)| body.to_owned())
    }

    fn save_text(&self, name: &str, text: &str) -> Result<(), StoreError> {
        let path = self.file(name);
        write_atomically(&path, format!("{}\n{text}", self.seal(text)).as_bytes())
            .map_err(|error| format!("{} cannot be written: {error}", path.display()).into())
    }
}
