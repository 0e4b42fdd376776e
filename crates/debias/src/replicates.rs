//! Many estimates, kept as columns: 42 bytes a replicate of a scalar.

use crate::{Estimate, Ledger};

/// Z_1, …, Z_R with their depths and costs, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replicates {
    // Invariant: values.len() = width · depths.len() and costs.len() = depths.len().
    width: usize,
    values: Vec<f64>,
    depths: Vec<u16>,
    costs: Vec<Ledger>,
}

impl Replicates {
    /// From columns; `None` unless their lengths agree.
    pub fn from_columns(
        width: usize,
        values: Vec<f64>,
        depths: Vec<u16>,
        costs: Vec<Ledger>,
    ) -> Option<Replicates> {
        (width * depths.len() == values.len() && costs.len() == depths.len())
            .then_some(Replicates { width, values, depths, costs })
    }

    /// Room for `count` replicates, all zero.
    pub(crate) fn zeros(width: usize, count: usize) -> Replicates {
        Replicates {
            width,
            values: vec![0.0; width * count],
            depths: vec![0; count],
            costs: vec![Ledger::default(); count],
        }
    }

    pub(crate) fn push(&mut self, estimate: &Estimate) {
        if self.depths.is_empty() {
            self.width = estimate.value.len();
        }
        self.values.extend_from_slice(&estimate.value);
        self.depths.push(estimate.depth as u16);
        self.costs.push(estimate.cost);
    }

    pub(crate) fn copy_into(&self, from: usize, target: &mut Replicates, to: usize) {
        let width = self.width;
        target.values[to * width..][..width].copy_from_slice(self.value(from));
        target.depths[to] = self.depths[from];
        target.costs[to] = self.costs[from];
    }

    /// R.
    pub fn count(&self) -> usize {
        self.depths.len()
    }

    /// The number of functionals.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Z_r, counted from zero.
    pub fn value(&self, replicate: usize) -> &[f64] {
        &self.values[replicate * self.width..][..self.width]
    }

    /// One functional of all replicates.
    pub fn functional(&self, entry: usize) -> Vec<f64> {
        self.values.iter().skip(entry).step_by(self.width.max(1)).copied().collect()
    }

    /// All values, one replicate after the other.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The depths.
    pub fn depths(&self) -> &[u16] {
        &self.depths
    }

    /// The costs.
    pub fn costs(&self) -> &[Ledger] {
        &self.costs
    }

    /// The first so many replicates, or all.
    pub fn first(&self, count: usize) -> Replicates {
        let count = count.min(self.count());
        Replicates {
            width: self.width,
            values: self.values[..self.width * count].to_vec(),
            depths: self.depths[..count].to_vec(),
            costs: self.costs[..count].to_vec(),
        }
    }

    /// The work behind all replicates.
    pub fn total_cost(&self) -> Ledger {
        self.costs.iter().copied().sum()
    }

    /// Appends the replicates that follow.
    ///
    /// # Panics
    /// If they have another number of functionals.
    pub fn append(&mut self, mut next: Replicates) {
        if self.depths.is_empty() {
            *self = next;
            return;
        }
        assert_eq!(self.width, next.width, "replicates of one run have one width");
        self.values.append(&mut next.values);
        self.depths.append(&mut next.depths);
        self.costs.append(&mut next.costs);
    }
}
