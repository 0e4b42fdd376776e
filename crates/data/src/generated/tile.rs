//! Where the random words of a row are.
//!
//! All words come from one ChaCha8 stream, and row i owns the words i·w, …, i·w + w − 1 of it. A
//! ChaCha block is a pure function of key and position, so any row is reached at once, alone or
//! with its neighbours.
//!
//! The other ways are a stream for each row, and a stream for each block of rows, of which all up
//! to the wanted one are made; both with the usual ziggurat, which takes a random number of words.
//! Time per row of ten values relative to this way, one core, the best of many runs
//! (`cargo bench --bench generated` measures them again):
//!
//! | | full pass | 100 of 10⁸ rows | 10⁴ | 10⁶ |
//! |---|---|---|---|---|
//! | words by index, as here | 1 (39 ns) | 1 (123 ns) | 1 (118 ns) | 1 (343 ns, fresh memory) |
//! | a stream per row | 3.6 | 1.1 | 1.2 | 1.2 |
//! | a stream per 64 rows | 1.3 | 12 | 24 | – |
//! | a stream per 256 rows | 1.2 | 45 | 96 | – |
//!
//! Ten bare normals from the ziggurat, with neither rows nor labels, take 1.2 of a row here.

use debias::{Rng, Seed};
use rand::Rng as _;

/// Rows turned from words into values together: a few kilobytes, in the nearest cache.
pub const TILE: usize = 64;

/// One word of each row of a tile.
pub type Words = [u64; TILE];

/// One value of each row of a tile.
pub type Values = [f64; TILE];

/// Reads the words of rows out of the stream, into columns.
pub struct Reader {
    stream: Rng,
    width: usize,
    scratch: Vec<u64>,
    columns: Vec<Words>,
}

impl Reader {
    /// A reader of `width` words a row.
    pub fn new(seed: Seed, width: usize) -> Reader {
        Reader {
            stream: seed.stream(0),
            width,
            scratch: vec![0; width * TILE],
            columns: vec![[0; TILE]; width],
        }
    }

    /// The words of `count` rows from `first` on.
    pub fn range(&mut self, first: usize, count: usize) -> &[Words] {
        self.seek(first);
        self.stream.fill_bytes(bytemuck::cast_slice_mut(&mut self.scratch[..count * self.width]));
        self.transpose(count)
    }

    /// The words of these rows.
    pub fn gather(&mut self, rows: &[usize]) -> &[Words] {
        for (slot, &row) in rows.iter().enumerate() {
            self.seek(row);
            let words = &mut self.scratch[slot * self.width..][..self.width];
            self.stream.fill_bytes(bytemuck::cast_slice_mut(words));
        }
        self.transpose(rows.len())
    }

    fn seek(&mut self, row: usize) {
        // The stream counts words of 32 bits.
        self.stream.set_word_pos(2 * self.width as u128 * row as u128);
    }

    fn transpose(&mut self, count: usize) -> &[Words] {
        for (k, column) in self.columns.iter_mut().enumerate() {
            for (word, row) in
                column.iter_mut().zip(self.scratch.chunks_exact(self.width)).take(count)
            {
                *word = u64::from_le(row[k]);
            }
        }
        &self.columns
    }
}
