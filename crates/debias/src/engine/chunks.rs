//! Replicates dealt into chunks of about equal work.

use std::ops::Range;

/// Chunks a run is cut into, dear replicates apart: one holds about a fiftieth
/// of the work, so little is lost to a kill, and files stay few.
const CHUNKS: usize = 48;

/// Which replicates make up which chunk; a function of the expected costs alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Chunks {
    // Replicates by falling expected cost, then by index.
    order: Vec<u32>,
    // Invariant: chunk k is order[bounds[k]..bounds[k + 1]]; no chunk is empty.
    bounds: Vec<usize>,
    work: f64,
}

impl Chunks {
    /// Deals the replicates of a range, given the expected cost of each.
    pub fn deal(range: Range<u64>, expected_cost: impl Fn(u64) -> f64) -> Chunks {
        let costs: Vec<f64> = range.map(|replicate| weight(expected_cost(replicate))).collect();
        let mut order: Vec<u32> = (0..costs.len() as u32).collect();
        // A stable sort: equal costs stay in order.
        order.sort_by(|&a, &b| costs[b as usize].total_cmp(&costs[a as usize]));
        let work: f64 = order.iter().map(|&index| costs[index as usize]).sum();
        let mut bounds = vec![0];
        let mut held = 0.0;
        for (position, &index) in order.iter().enumerate() {
            held += costs[index as usize];
            if held >= work / CHUNKS as f64 || position + 1 == order.len() {
                bounds.push(position + 1);
                held = 0.0;
            }
        }
        Chunks { order, bounds, work }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.bounds.len() - 1
    }

    /// The replicates of a chunk, counted from the start of the range.
    pub fn members(&self, chunk: usize) -> &[u32] {
        &self.order[self.bounds[chunk]..self.bounds[chunk + 1]]
    }

    /// Expected cost of all replicates.
    pub fn work(&self) -> f64 {
        self.work
    }
}

/// An expected cost as the plan and the progress count it: a plan needs weights, and what they are
/// can change no result.
pub(super) fn weight(expected_cost: f64) -> f64 {
    if expected_cost.is_finite() && expected_cost > 0.0 { expected_cost } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_replicate_has_one_place_and_dear_ones_come_first() {
        let cost =
            |replicate: u64| if replicate == 700 { 1e6 } else { 1.0 + (replicate % 7) as f64 };
        let chunks = Chunks::deal(0..1000, cost);
        assert_eq!(chunks.members(0), [700]);
        let mut all: Vec<u32> =
            (0..chunks.count()).flat_map(|chunk| chunks.members(chunk).to_vec()).collect();
        all.sort_unstable();
        assert_eq!(all, (0..1000).collect::<Vec<u32>>());
        assert_eq!(Chunks::deal(0..1000, |_| 1.0).count(), CHUNKS);
        assert_eq!(Chunks::deal(5..8, |_| f64::NAN).count(), 3);
    }
}
