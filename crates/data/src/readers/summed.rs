//! A file that is read and summed in one pass.

use super::open::{BUFFER, unpack};
use crate::checksum::hex;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The sha256 of a file's bytes as they are on disk, taken while somebody reads it.
pub struct Sum {
    shared: Arc<Mutex<Summed>>,
}

struct Summed {
    file: File,
    hash: Sha256,
}

struct Reader {
    shared: Arc<Mutex<Summed>>,
    cancelled: fn() -> bool,
}

/// Opens a file as [`super::open`] does; the sum is complete when reading has ended. Reading fails
/// as soon as `cancelled` says so.
pub fn open_summed(
    path: &Path,
    cancelled: fn() -> bool,
) -> io::Result<(Box<dyn Read + Send>, Sum)> {
    let summed = Summed { file: File::open(path)?, hash: Sha256::new() };
    let shared = Arc::new(Mutex::new(summed));
    let reader = Reader { shared: Arc::clone(&shared), cancelled };
    Ok((unpack(BufReader::with_capacity(BUFFER, reader))?, Sum { shared }))
}

impl Sum {
    /// Reads what no reader has asked for, and gives the sum in lower-case hexadecimal.
    pub fn finish(self) -> io::Result<String> {
        let mut rest = Reader { shared: self.shared, cancelled: || false };
        io::copy(&mut rest, &mut io::sink())?;
        let sum = lock(&rest.shared).hash.finalize_reset();
        Ok(hex(&sum))
    }
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if (self.cancelled)() {
            return Err(io::Error::other("interrupted"));
        }
        let mut summed = lock(&self.shared);
        let size = summed.file.read(buffer)?;
        summed.hash.update(&buffer[..size]);
        Ok(size)
    }
}

fn lock(shared: &Mutex<Summed>) -> MutexGuard<'_, Summed> {
    // A panic while reading leaves a sum that nobody will ask for.
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sha256_of_file;
    use std::io::Write;

    #[test]
    fn all_bytes_on_disk_count() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gz.write_all(&b"1,2,3\n".repeat(100_000)).unwrap();
        file.write_all(&gz.finish().unwrap()).unwrap();
        let whole = sha256_of_file(file.path()).unwrap();
        for taken in [0, 10, u64::MAX] {
            let (text, sum) = open_summed(file.path(), || false).unwrap();
            io::copy(&mut text.take(taken), &mut io::sink()).unwrap();
            assert_eq!(sum.finish().unwrap(), whole);
        }
        assert!(open_summed(file.path(), || true).is_err());
    }
}
