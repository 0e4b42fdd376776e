//! Rows with counts: equal rows become one row, and the posterior stays exactly the same.
//!
//! ```text
//! Σ_i ℓ(y_i, x_i · θ) = Σ_{distinct (x, y)} count · ℓ(y, x · θ)
//! ```
//!
//! A row with a case weight counts so many times; those of equal rows are added up.
//!
//! Data with categories only often has a few thousand distinct rows among millions. Equal rows are
//! found by fingerprints of 128 bits; where 10⁵ random rows are nearly all different, nothing is
//! collapsed.

use debias::Seed;
use posterior::{Block, Regression, Rows, subset};
use rayon::prelude::*;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

/// Rows looked at before all of them are.
const LOOK: usize = 100_000;
/// Collapsing pays where distinct rows are at most this share of all.
const WORTH: f64 = 0.8;
/// Rows per block, and blocks in flight.
const BLOCK: usize = 1 << 13;
const WINDOW: usize = 32;

/// Numbers, rows times parameters, up to which rows are kept gathered.
const GATHERED: usize = 1 << 26;

/// Rows, each with the number of times that it occurs.
pub struct CountedRows<'a, R: Rows> {
    rows: &'a R,
    // Nothing where every row counts once.
    distinct: Option<Distinct>,
    // Block after block, once they have been gathered.
    gathered: Vec<(R::Block, Vec<f64>)>,
}

#[derive(Debug)]
struct Distinct {
    /// The index of the first row of each kind.
    first: Vec<usize>,
    counts: Vec<f64>,
}

/// Fingerprints are hashes already.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for word in bytes.as_chunks::<8>().0 {
            self.0 ^= u64::from_ne_bytes(*word);
        }
    }

    fn write_usize(&mut self, _: usize) {}
}

/// The case weight of each row.
fn weights<B: Block>(block: &B) -> Vec<f64> {
    block.weights().map_or_else(|| vec![1.0; block.rows()], <[f64]>::to_vec)
}

type Seen = HashMap<[u64; 2], u32, BuildHasherDefault<AsItIs>>;

impl<'a, R: Rows> CountedRows<'a, R> {
    /// Every row once.
    pub fn each(rows: &'a R) -> CountedRows<'a, R> {
        CountedRows { rows, distinct: None, gathered: Vec::new() }
    }

    /// Equal rows together, if at least a fifth of the rows are repeats.
    pub fn collapse(
        rows: &'a R,
        regression: &dyn Regression<R::Block>,
        seed: Seed,
    ) -> CountedRows<'a, R> {
        let count = rows.count();
        if count > 2 * LOOK {
            let sample = subset(count, LOOK, &mut seed.child("collapse").stream(0));
            let mut seen = Seen::default();
            for indices in sample.chunks(BLOCK) {
                for print in regression.fingerprints(&rows.gather(indices)) {
                    seen.insert(print, 0);
                }
            }
            // A sample sees fewer repeats than all rows do: only a look without any ends here.
            if seen.len() == LOOK {
                return CountedRows::each(rows);
            }
        }
        let mut seen = Seen::default();
        let mut distinct = Distinct { first: Vec::new(), counts: Vec::new() };
        for start in (0..count).step_by(BLOCK * WINDOW) {
            let end = count.min(start + BLOCK * WINDOW);
            let prints: Vec<(Vec<[u64; 2]>, Vec<f64>)> = (start..end)
                .into_par_iter()
                .step_by(BLOCK)
                .map(|from| {
                    let block = rows.range(from..end.min(from + BLOCK));
                    (regression.fingerprints(&block), weights(&block))
                })
                .collect();
            let prints =
                prints.into_iter().flat_map(|(prints, weights)| prints.into_iter().zip(weights));
            for (index, (print, weight)) in (start..).zip(prints) {
                let next = distinct.first.len() as u32;
                let kind = *seen.entry(print).or_insert(next);
                if kind == next {
                    distinct.first.push(index);
                    distinct.counts.push(0.0);
                }
                distinct.counts[kind as usize] += weight;
            }
            if distinct.first.len() > LOOK && distinct.first.len() as f64 > WORTH * end as f64 {
                return CountedRows::each(rows);
            }
        }
        if distinct.first.len() as f64 > WORTH * count as f64 {
            return CountedRows::each(rows);
        }
        CountedRows { rows, distinct: Some(distinct), gathered: Vec::new() }
    }

    /// Some of these rows, drawn at random: a partial posterior, in which the prior weighs more and
    /// keeps parameters from running away that few of its rows speak of.
    pub fn sample(&self, size: usize, seed: Seed) -> CountedRows<'a, R> {
        let mut chosen = subset(self.kinds(), size, &mut seed.stream(0));
        chosen.sort_unstable();
        let chosen: Vec<(usize, f64)> = chosen.into_iter().map(|kind| (kind, 1.0)).collect();
        self.weighted(&chosen)
    }

    /// These rows, each so many times as often.
    pub(crate) fn weighted(&self, chosen: &[(usize, f64)]) -> CountedRows<'a, R> {
        let kinds: Vec<usize> = chosen.iter().map(|&(kind, _)| kind).collect();
        let counts = self.gather(&kinds).1.into_iter().zip(chosen);
        let distinct = Distinct {
            first: kinds.iter().map(|&kind| self.original(kind)).collect(),
            counts: counts.map(|(count, (_, times))| count * times).collect(),
        };
        CountedRows { rows: self.rows, distinct: Some(distinct), gathered: Vec::new() }
    }

    /// The number of different rows.
    pub fn kinds(&self) -> usize {
        self.distinct.as_ref().map_or(self.rows.count(), |distinct| distinct.first.len())
    }

    /// N, the number of rows with all repeats.
    pub fn total(&self) -> usize {
        self.rows.count()
    }

    /// Whether equal rows were put together.
    pub fn collapsed(&self) -> bool {
        self.distinct.is_some()
    }

    fn original(&self, kind: usize) -> usize {
        self.distinct.as_ref().map_or(kind, |distinct| distinct.first[kind])
    }

    /// These rows, and how often they occur.
    pub fn gather(&self, kinds: &[usize]) -> (R::Block, Vec<f64>) {
        let original: Vec<usize> = kinds.iter().map(|&kind| self.original(kind)).collect();
        let block = self.rows.gather(&original);
        let counts = match &self.distinct {
            Some(distinct) => kinds.iter().map(|&kind| distinct.counts[kind]).collect(),
            None => weights(&block),
        };
        (block, counts)
    }

    /// Gathers all rows once for passes to come, if they take no more than half a gigabyte with so
    /// many numbers per row.
    pub fn keep(&mut self, width: usize) {
        if self.gathered.is_empty() && self.kinds() * width <= GATHERED {
            let count = self.kinds();
            let starts = (0..count).into_par_iter().step_by(BLOCK);
            self.gathered =
                starts.map(|start| self.range(start..count.min(start + BLOCK))).collect();
        }
    }

    /// Visits the rows of one block of a pass.
    pub(crate) fn visit(&self, range: Range<usize>, visit: impl FnOnce(&R::Block, &[f64])) {
        match self.gathered.get(range.start / BLOCK) {
            Some((block, counts)) => visit(block, counts),
            None => {
                let (block, counts) = self.range(range);
                visit(&block, &counts);
            }
        }
    }

    /// Consecutive rows, and how often they occur.
    fn range(&self, range: Range<usize>) -> (R::Block, Vec<f64>) {
        match &self.distinct {
            Some(distinct) => {
                (self.rows.gather(&distinct.first[range.clone()]), distinct.counts[range].to_vec())
            }
            None => {
                let block = self.rows.range(range);
                let counts = weights(&block);
                (block, counts)
            }
        }
    }

    /// A pass over all rows in at most `parts` parts of consecutive blocks, which run on all threads;
    /// their results come back in order. The parts depend on nothing but their number and the rows.
    pub fn in_parts<T: Send>(
        &self,
        parts: usize,
        zero: impl Fn() -> T + Sync,
        visit: impl Fn(&mut T, Range<usize>) + Sync,
    ) -> Vec<T> {
        let count = self.kinds();
        let blocks = count.div_ceil(BLOCK);
        let parts = parts.clamp(1, blocks.max(1));
        (0..parts)
            .into_par_iter()
            .map(|part| {
                let mut total = zero();
                for block in part * blocks / parts..(part + 1) * blocks / parts {
                    visit(&mut total, block * BLOCK..count.min((block + 1) * BLOCK));
                }
                total
            })
            .collect()
    }
}
