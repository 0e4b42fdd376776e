//! Which rows were looked at, a bit each: mini-batches overlap, and a row counts once.

/// The rows seen so far.
#[derive(Clone, Debug)]
pub(crate) struct SeenRows {
    bits: Vec<u64>,
    count: u64,
}

impl SeenRows {
    /// None of N rows.
    pub(crate) fn new(rows: usize) -> SeenRows {
        SeenRows { bits: vec![0; rows.div_ceil(64)], count: 0 }
    }

    /// Takes note of these rows.
    pub(crate) fn see(&mut self, indices: &[usize]) {
        for &row in indices {
            let (word, bit) = (&mut self.bits[row / 64], 1 << (row % 64));
            self.count += u64::from(*word & bit == 0);
            *word |= bit;
        }
    }

    /// How many different rows there were.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_counts_once() {
        let mut seen = SeenRows::new(130);
        seen.see(&[0, 129, 64, 0]);
        seen.see(&[64, 63]);
        assert_eq!(seen.count(), 4);
    }
}
