//! Rows drawn without replacement, more and more of them, and the spread of what they say.

use crate::seen_rows::SeenRows;
use debias::{Ledger, Rng};
use rand::RngExt;

/// An order of all rows whose beginning is drawn anew in every step.
///
/// Fisher and Yates' shuffle may start from any order, so nothing is ever put back: a step costs as
/// much as the rows it looks at.
pub(crate) struct RowOrder {
    order: Vec<usize>,
    seen: SeenRows,
}

impl RowOrder {
    pub(crate) fn new(rows: usize) -> RowOrder {
        RowOrder { order: (0..rows).collect(), seen: SeenRows::new(rows) }
    }

    /// The rows at these places of a random order; those before `from` stay.
    pub(crate) fn draw(&mut self, from: usize, to: usize, rng: &mut Rng) -> &[usize] {
        let rows = self.order.len() as u64;
        for place in from..to {
            let other = rng.random_range(place as u64..rows) as usize;
            self.order.swap(place, other);
        }
        self.seen.see(&self.order[from..to]);
        &self.order[from..to]
    }

    /// Different rows drawn so far.
    pub(crate) fn distinct(&self) -> u64 {
        self.seen.count()
    }

    /// This work, with the rows drawn.
    pub(crate) fn counted(&self, ledger: Ledger) -> Ledger {
        Ledger { distinct_rows: self.distinct().max(ledger.distinct_rows), ..ledger }
    }
}

/// Mean and spread of numbers that come one by one (Welford 1962).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Running {
    /// How many there were.
    pub(crate) count: usize,
    /// Their mean.
    pub(crate) mean: f64,
    // Σ (x − mean)².
    squares: f64,
}

impl Running {
    pub(crate) fn push(&mut self, value: f64) {
        self.count += 1;
        let offset = value - self.mean;
        self.mean += offset / self.count as f64;
        self.squares += offset * (value - self.mean);
    }

    /// The standard deviation, of n − 1 degrees of freedom.
    pub(crate) fn deviation(&self) -> f64 {
        (self.squares / (self.count as f64 - 1.0)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use debias::Seed;

    #[test]
    fn running_moments_by_hand() {
        let mut running = Running::default();
        [2.0, 4.0, 9.0].into_iter().for_each(|x| running.push(x));
        assert_eq!((running.count, running.mean), (3, 5.0));
        assert!((running.deviation() - 13f64.sqrt()).abs() < 1e-14);
    }

    /// After any number of steps the first row is any row: χ² on 19 degrees of freedom exceeds 60
    /// once in 250 000 seeds.
    #[test]
    fn rows_are_drawn_evenly_and_once() {
        let mut order = RowOrder::new(20);
        let (mut counts, rng) = ([0u32; 20], &mut Seed(5).stream(0));
        for _ in 0..4000 {
            let mut drawn = order.draw(0, 3, rng).to_vec();
            counts[drawn[2]] += 1;
            drawn.extend(order.draw(3, 7, rng));
            drawn.sort_unstable();
            drawn.dedup();
            assert_eq!(drawn.len(), 7, "a row came back in the same step");
        }
        let chi: f64 = counts.iter().map(|&n| (f64::from(n) - 200.0).powi(2) / 200.0).sum();
        assert!(chi < 60.0, "{counts:?}");
        let mut drawn = order.draw(0, 20, rng).to_vec();
        drawn.sort_unstable();
        assert!(drawn.into_iter().eq(0..20));
        assert_eq!(order.distinct(), 20);
    }
}
