//! Parameters that never meet in a row, such as the levels of one category: the head of the arrow that
//! Hessians and covariances are shaped like.
//!
//! Two parameters are neighbours if a row has both. The head is an independent set of this graph: the
//! parameters in order of how many neighbours they have, each unless a neighbour of it is in already.
//! Of two crossed categories that takes most of the larger one, whose levels have fewer neighbours.

use crate::counted::CountedRows;
use posterior::{ArrowShape, Regression, Rows};

/// A head is worth it from so many parameters on, if it holds at least half of all.
const LEAST: usize = 32;
/// Parameters that more than one row in so many has are in the tail: they would have too many neighbours.
const COMMON: usize = 3;
/// Pairs of neighbours up to which they are listed: beyond, there is no head.
const MOST_PAIRS: usize = 1 << 23;
/// Pairs gathered by one part of a pass before repeats are taken out.
const BATCH: usize = 1 << 20;
/// Parts of a pass.
const PARTS: usize = 16;

/// The shape of the Hessians of these rows, in so many parameters.
pub(crate) fn shape<R: Rows>(
    regression: &dyn Regression<R::Block>,
    rows: &CountedRows<'_, R>,
    dimension: usize,
) -> ArrowShape {
    if dimension < 2 * LEAST {
        return ArrowShape::dense(dimension);
    }
    let head = head(regression, rows, dimension).unwrap_or_default();
    let worth = head.len() >= LEAST && 2 * head.len() >= dimension;
    ArrowShape::with_head(dimension, if worth { head } else { Vec::new() })
}

fn head<R: Rows>(
    regression: &dyn Regression<R::Block>,
    rows: &CountedRows<'_, R>,
    dimension: usize,
) -> Option<Vec<usize>> {
    let counts = rows.in_parts(
        PARTS,
        || vec![0usize; dimension],
        |counts, range| {
            rows.visit(range, |block, own| {
                let mut entries = Vec::new();
                for row in 0..own.len() {
                    regression.row(block, row, &mut entries);
                    entries.iter().for_each(|&(column, _)| counts[column] += 1);
                }
            });
        },
    );
    let count = |column: usize| counts.iter().map(|part| part[column]).sum::<usize>();
    // A parameter that no row has, such as one that all rows share, has neighbours all the same.
    let rare: Vec<bool> =
        (0..dimension).map(|column| (1..=rows.kinds() / COMMON).contains(&count(column))).collect();
    if 2 * rare.iter().filter(|rare| **rare).count() < dimension {
        return None;
    }
    let zero = || Some(Vec::new());
    let parts = rows.in_parts(PARTS, zero, |found: &mut Option<Vec<u64>>, range| {
        let Some(pairs) = found else { return };
        rows.visit(range, |block, own| {
            let mut entries = Vec::new();
            for row in 0..own.len() {
                regression.row(block, row, &mut entries);
                entries.retain(|&(column, _)| rare[column]);
                for (at, &(column, _)) in entries.iter().enumerate() {
                    for &(other, _) in &entries[..at] {
                        let (low, high) = (column.min(other) as u64, column.max(other) as u64);
                        pairs.push(low << 32 | high);
                    }
                }
            }
        });
        if pairs.len() > BATCH {
            pairs.sort_unstable();
            pairs.dedup();
            if pairs.len() > MOST_PAIRS / PARTS {
                *found = None;
            }
        }
    });
    let mut pairs: Vec<u64> = parts.into_iter().collect::<Option<Vec<_>>>()?.concat();
    pairs.sort_unstable();
    pairs.dedup();
    let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); dimension];
    for pair in pairs {
        let (low, high) = ((pair >> 32) as usize, (pair & u64::from(u32::MAX)) as usize);
        neighbours[low].push(high as u32);
        neighbours[high].push(low as u32);
    }
    let mut order: Vec<usize> = (0..dimension).filter(|&column| rare[column]).collect();
    order.sort_by_key(|&column| (neighbours[column].len(), column));
    let mut taken = vec![false; dimension];
    for column in order {
        taken[column] = !neighbours[column].iter().any(|&other| taken[other as usize]);
    }
    Some((0..dimension).filter(|&column| taken[column]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::generalised_linear::Poisson;
    use models::regression::FamilyRows;
    use models::simd::Level;
    use posterior::SparseBlock;

    /// A number, a category of fifty levels and, in front of it, one of ten, each crossed with all.
    struct Crossed;

    impl Rows for Crossed {
        type Block = SparseBlock;

        fn count(&self) -> usize {
            2000
        }

        fn gather(&self, indices: &[usize]) -> SparseBlock {
            let mut block = SparseBlock::new(61);
            for &i in indices {
                let columns = [(i % 10) as u16, 10 + (i / 10 % 50) as u16, 60];
                block.push(&columns, &[1.0, 1.0, 0.5], 1.0);
            }
            block
        }
    }

    #[test]
    fn the_levels_of_the_larger_category_are_the_head() {
        let regression = FamilyRows { family: Poisson, level: Level::best() };
        let counted = CountedRows::each(&Crossed);
        // The bias, and a parameter that no row has.
        let found = shape::<Crossed>(&regression, &counted, 63);
        assert_eq!(found, ArrowShape::dense(63));
        let wide = shape::<Crossed>(&regression, &counted, 64);
        assert_eq!(wide.head(), (10..60).collect::<Vec<_>>());
        assert_eq!(wide.tail().len(), 14);
    }
}
