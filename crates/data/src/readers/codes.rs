//! Codes of cells, and a map by codes, which need no more than a multiplication to be spread.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The code of a cell, in a dictionary: cells of a column with the same two numbers hold the same text. A
/// dictionary is never used again after another one.
pub type CellCode = (u64, u64);

/// The dictionary of all floats, by their bits.
pub(super) const FLOATS: u64 = 2;

/// A map whose keys are numbers.
pub(super) type CodeMap<V> = HashMap<u64, V, Spreads>;

/// Makes such hashes.
pub(super) type Spreads = BuildHasherDefault<Spread>;

/// Multiplies by an odd number near 2⁶⁴ divided by the golden ratio, and folds.
#[derive(Clone, Copy, Default)]
pub(super) struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u64(&mut self, number: u64) {
        let product = u128::from(self.0 ^ number) * 0x9e37_79b9_7f4a_7c15;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
