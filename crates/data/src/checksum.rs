//! sha256 as lower-case hexadecimal.

use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The sum of the bytes of a file, as they are on disk.
pub fn sha256_of_file(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex(&hash.finalize())),
            size => hash.update(&buffer[..size]),
        }
    }
}

/// The sum of one file, or, for more or fewer, the sum of their sums.
pub fn sha256_of_files(paths: &[PathBuf]) -> io::Result<String> {
    if let [path] = paths {
        return sha256_of_file(path);
    }
    let mut hash = Sha256::new();
    for path in paths {
        hash.update(sha256_of_file(path)?);
    }
    Ok(hex(&hash.finalize()))
}

/// Lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_file_has_the_well_known_sum() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert_eq!(
            sha256_of_file(file.path()).unwrap(),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
    }
}
