//! Replicates on many workers: how long the last one takes.

use records::{Record, Table};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Methods whose replicates are dealt.
const METHODS: [&str; 3] = ["coupled-sum", "antithetic-single-term", "anchored"];

/// Speed-ups on 1 … 10 000 workers, by the costs that the replicates really had.
pub(super) fn run(record: &Record) -> anyhow::Result<Table> {
    let (mut methods, mut counts, mut speed_ups) = (vec![], vec![], vec![]);
    for method in METHODS {
        let mut costs: Vec<u64> =
            record.table(method)?.numbers("evaluations")?.iter().map(|&cost| cost as u64).collect();
        // The engine starts the dearest first.
        costs.sort_by_key(|&cost| Reverse(cost));
        for workers in counts_of_workers() {
            methods.push(method.to_owned());
            counts.push(workers as i64);
            speed_ups.push(costs.iter().sum::<u64>() as f64 / finished(&costs, workers) as f64);
        }
    }
    Ok(Table::new("workers")
        .with("method", methods)
        .with("workers", counts)
        .with("speed-up", speed_ups))
}

/// The largest speed-up of every method.
pub(super) fn most(table: &Table) -> anyhow::Result<Vec<(String, f64)>> {
    let (methods, speed_ups) = (table.words("method")?, table.numbers("speed-up")?);
    let of = |method: &str| {
        let own = methods.iter().zip(&speed_ups).filter(|(name, _)| *name == method);
        own.map(|(_, &speed_up)| speed_up).fold(0.0, f64::max)
    };
    Ok(METHODS.iter().map(|&method| (method.to_owned(), of(method))).collect())
}

/// 1, 2, 5, 10, … 10 000.
fn counts_of_workers() -> impl Iterator<Item = usize> {
    (0..=12).map(|place| [1, 2, 5][place % 3] * 10_usize.pow(place as u32 / 3))
}

/// When the last job ends, if every worker takes the next job as soon as it is free.
fn finished(jobs: &[u64], workers: usize) -> u64 {
    let mut free: BinaryHeap<Reverse<u64>> = (0..workers).map(|_| Reverse(0)).collect();
    let mut last = 0;
    for job in jobs {
        let Reverse(start) = free.pop().expect("there is a worker at least");
        last = last.max(start + job);
        free.push(Reverse(start + job));
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_job_is_the_limit() {
        let jobs = [8, 3, 3, 2];
        assert_eq!([1, 2, 3, 100].map(|workers| finished(&jobs, workers)), [16, 8, 8, 8]);
        assert_eq!(counts_of_workers().last(), Some(10_000));
    }
}
