//! Rows on disk, for data larger than memory.
//!
//! ```text
//! header   128 bytes: magic, byte order, kind, width, rows, chunks, directory, sha256
//! chunk    8192 rows (the last one fewer), starting at a multiple of 64 bytes
//! …
//! directory   where each chunk starts, 8 bytes each
//! ```
//!
//! A dense chunk holds the columns one after the other and the targets last, each padded with
//! zeros to a multiple of [`LANES`] values: the layout of [`posterior::DenseBlock`]. A sparse chunk
//! holds the number of entries, a flag for values, n + 1 offsets of 4 bytes, n targets, the values
//! unless all are one, and the columns of 2 bytes, or of 4 if the width is above 65 536, each part padded
//! to 8 bytes. A mixed chunk is a dense one, followed by the codes of each category, of 2 bytes or, if the
//! width is above 65 535, of 4, each padded to 8 bytes; behind the directory of such a file stand the
//! covariate of each column of numbers and the column that each category is multiplied with, 8 bytes
//! each, all ones for none.
//!
//! Numbers are little-endian. The sum covers all that follows the header and then the header, its
//! own place taken as zeros; it is checked whenever a file is opened.

use bytemuck::{Pod, Zeroable};
use posterior::LANES;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Rows a chunk, as many as a pass takes at a time.
pub(super) const CHUNK: usize = 1 << 13;
/// Bytes before the first chunk.
pub(super) const HEADER: usize = size_of::<Header>();
/// Chunks start at multiples of this.
pub(super) const ALIGNMENT: usize = 64;
const MAGIC: [u8; 8] = *b"rows-v1\n";
const BYTE_ORDER: u32 = 0x0102_0304;

/// Dense rows.
pub(super) const DENSE: u32 = 0;
/// Sparse rows.
pub(super) const SPARSE: u32 = 1;
/// Numbers and categories side by side.
pub(super) const MIXED: u32 = 2;
/// No covariate, or no column, in the shape of a mixed file.
pub(super) const NOTHING: u64 = u64::MAX;

/// The first bytes of a file.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(super) struct Header {
    pub magic: [u8; 8],
    pub byte_order: u32,
    pub kind: u32,
    pub width: u64,
    pub rows: u64,
    pub directory: u64,
    pub sha256: [u8; 32],
    /// Columns of numbers and categories of a mixed file.
    pub parts: [u64; 2],
    pub reserved: [u64; 5],
}

/// Why a mapped file was refused.
#[derive(Debug, Error)]
pub enum MappedError {
    /// The file cannot be opened or mapped.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file was not made by the importer.
    #[error("{}: begins with {found:?}, which is no file of rows", path.display())]
    Magic {
        /// The file.
        path: PathBuf,
        /// Its first bytes.
        found: Vec<u8>,
    },
    /// The file holds the other kind of rows.
    #[error("{}: holds {found} rows, not {expected}", path.display())]
    Kind {
        /// The file.
        path: PathBuf,
        /// What was asked for.
        expected: &'static str,
        /// What it holds.
        found: &'static str,
    },
    /// The bytes are not those that were written.
    #[error("{}: sha256 {found}, but {expected} was written", path.display())]
    Checksum {
        /// The file.
        path: PathBuf,
        /// The sum in the header.
        expected: String,
        /// The sum of the bytes.
        found: String,
    },
    /// The parts do not fit together.
    #[error("{}: chunk {chunk} at byte {start} is malformed", path.display())]
    Chunk {
        /// The file.
        path: PathBuf,
        /// Which chunk, counted from zero; one past the last for the directory.
        chunk: usize,
        /// Where it starts.
        start: u64,
    },
}

impl Header {
    /// A header whose sum is still to be filled in.
    pub fn new(kind: u32, width: usize, rows: u64, directory: u64) -> Header {
        Header {
            magic: MAGIC,
            byte_order: BYTE_ORDER,
            kind,
            width: width as u64,
            rows,
            directory,
            sha256: [0; 32],
            parts: [0; 2],
            reserved: [0; 5],
        }
    }

    /// Whether the file was made by this version on a machine of this byte order.
    pub fn is_ours(&self) -> bool {
        self.magic == MAGIC && self.byte_order == BYTE_ORDER && self.kind <= MIXED
    }
}

/// The name of a kind.
pub(super) fn kind_name(kind: u32) -> &'static str {
    match kind {
        DENSE => "dense",
        SPARSE => "sparse",
        _ => "mixed",
    }
}

/// Rows in a chunk out of `rows` in all.
pub(super) fn rows_in_chunk(rows: usize, chunk: usize) -> usize {
    CHUNK.min(rows - chunk * CHUNK)
}

/// Values from one column of a dense chunk to the next.
pub(super) fn stride(rows: usize) -> usize {
    rows.next_multiple_of(LANES)
}
