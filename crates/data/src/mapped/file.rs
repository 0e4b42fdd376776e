//! A mapped file whose header, sum and directory have been checked.

use super::format::{ALIGNMENT, CHUNK, HEADER, Header, MappedError, kind_name};
use crate::checksum::hex;
use memmap2::Mmap;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::path::{Path, PathBuf};

/// When a file was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// Some time ago: its sum is checked.
    Before,
    /// Just now, by this process, which has summed what it wrote.
    Now,
}

/// The bytes of a file, and where its chunks are.
#[derive(Debug)]
pub(super) struct MappedFile {
    map: Mmap,
    path: PathBuf,
    pub width: usize,
    pub rows: usize,
    pub sha256: String,
    /// Columns of numbers and categories of a mixed file, and what stands behind the directory.
    pub parts: [usize; 2],
    pub words: Vec<u64>,
    // Invariant: one start for each chunk, multiples of 8, within the map.
    starts: Vec<usize>,
}

impl MappedFile {
    /// Maps a file and reads it once through to check its sum, unless this process has just written it.
    pub fn open(path: &Path, kind: u32, written: Written) -> Result<MappedFile, MappedError> {
        let io = |source| MappedError::Io { path: path.to_owned(), source };
        let file = File::open(path).map_err(io)?;
        // SAFETY: the map is only read, and only as plain numbers, for which every bit pattern is
        // valid. Nobody may shorten the file under a running program, as with any mapped file.
        let map = unsafe { Mmap::map(&file) }.map_err(io)?;
        let magic = || MappedError::Magic {
            path: path.to_owned(),
            found: map[..map.len().min(8)].to_vec(),
        };
        let header = map.get(..HEADER).ok_or_else(magic)?;
        let header: &Header = bytemuck::try_from_bytes(header).map_err(|_| magic())?;
        if !header.is_ours() {
            return Err(magic());
        }
        if header.kind != kind {
            return Err(MappedError::Kind {
                path: path.to_owned(),
                expected: kind_name(kind),
                found: kind_name(header.kind),
            });
        }
        if written == Written::Before {
            let mut hash = Sha256::new_with_prefix(&map[HEADER..]);
            hash.update(bytemuck::bytes_of(&Header { sha256: [0; 32], ..*header }));
            let sum: [u8; 32] = hash.finalize().into();
            if sum != header.sha256 {
                return Err(MappedError::Checksum {
                    path: path.to_owned(),
                    expected: hex(&header.sha256),
                    found: hex(&sum),
                });
            }
        }
        let header = *header;
        let (starts, words) = directory(&map, &header).ok_or_else(|| MappedError::Chunk {
            path: path.to_owned(),
            chunk: (header.rows / CHUNK as u64) as usize + 1,
            start: header.directory,
        })?;
        Ok(MappedFile {
            map,
            path: path.to_owned(),
            width: header.width as usize,
            rows: header.rows as usize,
            sha256: hex(&header.sha256),
            parts: header.parts.map(|part| part as usize),
            words,
            starts,
        })
    }

    pub fn chunks(&self) -> usize {
        self.starts.len()
    }

    /// The bytes from the start of a chunk on.
    pub fn chunk(&self, chunk: usize) -> &[u8] {
        &self.map[self.starts[chunk]..]
    }

    /// A chunk, or what stands behind the last, does not fit.
    pub fn malformed(&self, chunk: usize) -> MappedError {
        let start = self.starts.get(chunk).map_or(self.map.len(), |&start| start) as u64;
        MappedError::Chunk { path: self.path.clone(), chunk, start }
    }
}

/// Where chunks start, and the words behind the directory, if all lies within the map.
fn directory(map: &[u8], header: &Header) -> Option<(Vec<usize>, Vec<u64>)> {
    let count = usize::try_from(header.rows).ok()?.div_ceil(CHUNK);
    let bytes = map.get(usize::try_from(header.directory).ok()?..)?;
    let words = header.parts[0].checked_add(header.parts[1])?;
    let size = count.checked_add(usize::try_from(words).ok()?)?.checked_mul(8)?;
    let words: &[u64] = bytemuck::try_cast_slice(bytes.get(..size)?).ok()?;
    let (starts, words) = words.split_at(count);
    let fits = |&start: &u64| start % ALIGNMENT as u64 == 0 && start < map.len() as u64;
    let starts = starts.iter().all(fits).then(|| starts.iter().map(|&start| start as usize))?;
    Some((starts.collect(), words.to_vec()))
}

/// Cuts the first bytes off.
pub(super) fn take<'a>(rest: &mut &'a [u8], size: usize) -> Option<&'a [u8]> {
    let (taken, left) = rest.split_at_checked(size)?;
    *rest = left;
    Some(taken)
}
