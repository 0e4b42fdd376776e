//! A pass over all rows: block by block, on all threads, summed in the order of the rows.

use crate::Rows;
use rayon::prelude::*;

/// Rows a block: about the second-level cache of one core at ten columns.
const BLOCK: usize = 1 << 13;
/// Blocks in flight at a time, which bounds the memory whatever N is.
const WINDOW: usize = 64;

/// Folds `combine` over the values of `visit` on consecutive blocks, always in the same order, so
/// that the result has the same bytes on any number of threads.
pub fn pass<R, T>(
    rows: &R,
    visit: impl Fn(R::Block) -> T + Sync,
    mut total: T,
    mut combine: impl FnMut(&mut T, T),
) -> T
where
    R: Rows,
    T: Send,
{
    let count = rows.count();
    let mut start = 0;
    while start < count {
        let end = count.min(start + BLOCK * WINDOW);
        let parts: Vec<T> = (start..end)
            .into_par_iter()
            .step_by(BLOCK)
            .map(|from| visit(rows.range(from..end.min(from + BLOCK))))
            .collect();
        for part in parts {
            combine(&mut total, part);
        }
        start = end;
    }
    total
}
