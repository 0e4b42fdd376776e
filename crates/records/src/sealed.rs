//! JSON under a seal: `{ "sha256": …, "content": … }`, the sum being that of the content written
//! without blanks. What was edited or damaged is not believed.

use crate::{digest, write_atomically};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fs;
use std::io;
use std::path::Path;

/// Why there is no content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsealed {
    /// There is no such file.
    Absent,
    /// It was edited or damaged, or an older version wrote it.
    Damaged,
}

/// Writes the content under its seal, whole or not at all.
pub fn write_sealed(path: &Path, content: &impl Serialize) -> io::Result<()> {
    let content = serde_json::to_value(content)?;
    let sum = digest(&serde_json::to_vec(&content)?);
    let mut text = serde_json::to_vec_pretty(&json!({ "sha256": sum, "content": content }))?;
    text.push(b'\n');
    write_atomically(path, &text)
}

/// The content, if its seal is right.
pub fn read_sealed<T: DeserializeOwned>(path: &Path) -> Result<T, Unsealed> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Unsealed::Absent),
        Err(_) => return Err(Unsealed::Damaged),
    };
    content(&text).ok_or(Unsealed::Damaged)
}

fn content<T: DeserializeOwned>(text: &[u8]) -> Option<T> {
    let mut sealed: Value = serde_json::from_slice(text).ok()?;
    let content = sealed.get_mut("content")?.take();
    let sum = digest(&serde_json::to_vec(&content).ok()?);
    if sealed.get("sha256")?.as_str()? != sum {
        return None;
    }
    serde_json::from_value(content).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_edit_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sealed.json");
        let written = (vec!["age".to_owned(), "ä\"".to_owned()], [0.1, -1e300, 5e-324], 7);
        type Content = (Vec<String>, [f64; 3], i32);
        assert_eq!(read_sealed::<Content>(&path), Err(Unsealed::Absent));
        write_sealed(&path, &written).unwrap();
        assert_eq!(read_sealed(&path), Ok(written.clone()));
        let good = fs::read(&path).unwrap();
        for at in 0..good.len() {
            for change in [1, 0x20] {
                let mut bytes = good.clone();
                bytes[at] ^= change;
                fs::write(&path, &bytes).unwrap();
                let read = read_sealed::<Content>(&path);
                // Other blanks between words, or 1E300 for 1e300, say the same.
                assert!(read.is_err() || read.as_ref() == Ok(&written), "byte {at}");
            }
            fs::write(&path, &good[..at]).unwrap();
            assert!(read_sealed::<Content>(&path).is_err() || at + 1 == good.len(), "{at} bytes");
        }
        // Right seal, other content: a file of another version.
        write_sealed(&path, &"word").unwrap();
        assert_eq!(read_sealed::<Content>(&path), Err(Unsealed::Damaged));
    }
}
