//! Rows as the paper counts them, and how they would come out in other runs of the same law.

use debias::{Depths, Schedule, Scheme, Seed, Truncation, quantile};
use records::Quantity;

/// Simulated runs.
const RUNS: usize = 2000;

/// What the depths of a run say, and the same of simulated runs.
pub struct Usage<'a> {
    /// n_1, …, n_L.
    pub schedule: &'a Schedule,
    /// The law of the depths.
    pub law: &'a Truncation,
    /// The largest batch in print, if there is one.
    pub printed_largest: Option<f64>,
}

impl Usage<'_> {
    /// Quantities `usage/…` of a run with these depths.
    pub fn describe(&self, depths: &[u16], seed: Seed) -> anyhow::Result<Vec<Quantity>> {
        let batch = |depth: usize| self.schedule.size(depth) as f64;
        let all_levels = |depth: usize| self.schedule.sizes()[..depth].iter().sum::<usize>() as f64;
        let depths: Vec<usize> = depths.iter().map(|&depth| depth.into()).collect();
        let batches: Vec<f64> = depths.iter().map(|&depth| batch(depth)).collect();
        let (mut totals, mut means) = (Vec::new(), Vec::new());
        let mut shallow = 0;
        for draw in 0..RUNS {
            let seed = seed.child("usage").child(&draw.to_string());
            let drawn = Depths::draw(self.law, Scheme::Independent, depths.len(), 1, seed)?;
            let drawn: Vec<usize> = (0..depths.len() as u64).map(|r| drawn.depth(r)).collect();
            totals.push(drawn.iter().map(|&depth| all_levels(depth)).sum::<f64>());
            means.push(drawn.iter().map(|&depth| batch(depth)).sum::<f64>() / depths.len() as f64);
            let deepest = drawn.iter().copied().max().unwrap_or(1);
            shallow += usize::from(self.printed_largest.is_some_and(|most| batch(deepest) <= most));
        }
        let deepest = depths.iter().copied().max().unwrap_or(1);
        let quantities = [
            ("median batch", quantile(&batches, 0.5)),
            ("mean batch", batches.iter().sum::<f64>() / batches.len() as f64),
            ("mean batch, low quantile of runs", quantile(&means, 0.025)),
            ("mean batch, high quantile of runs", quantile(&means, 0.975)),
            ("largest batch", batch(deepest)),
            ("rows of the largest replicate", all_levels(deepest)),
            ("rows", depths.iter().map(|&depth| all_levels(depth)).sum()),
            ("rows, low quantile of runs", quantile(&totals, 0.025)),
            ("rows, high quantile of runs", quantile(&totals, 0.975)),
        ];
        let quantity = |(name, value)| Quantity::exact(&format!("usage/{name}"), value);
        let mut quantities: Vec<Quantity> = quantities.map(quantity).into();
        if self.printed_largest.is_some() {
            let share = shallow as f64 / RUNS as f64;
            quantities.push(quantity(("share of runs no deeper than printed", share)));
        }
        Ok(quantities)
    }
}
