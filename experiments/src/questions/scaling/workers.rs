//! Replicates on many workers: how long the last one takes.

use records::Record;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Methods whose replicates are dealt.
const METHODS: [&str; 3] = ["coupled-sum", "antithetic-single-term", "anchored"];

/// The speed-up of a method on so many workers.
#[derive(Serialize)]
pub(super) struct SpeedUp {
    method: &'static str,
    workers: i64,
    #[serde(rename = "speed-up")]
    speed_up: f64,
}

/// Speed-ups on 1 … 10 000 workers, by the costs that the replicates really had.
pub(super) fn run(record: &Record) -> anyhow::Result<Vec<SpeedUp>> {
    let mut speed_ups = Vec::new();
    for method in METHODS {
        let mut costs: Vec<u64> =
            record.table(method)?.numbers("evaluations")?.iter().map(|&cost| cost as u64).collect();
        // The engine starts the most expensive first.
        costs.sort_by_key(|&cost| Reverse(cost));
        for workers in counts_of_workers() {
            let speed_up = costs.iter().sum::<u64>() as f64 / finished(&costs, workers) as f64;
            speed_ups.push(SpeedUp { method, workers: workers as i64, speed_up });
        }
    }
    Ok(speed_ups)
}

/// The largest speed-up of every method.
pub(super) fn most(speed_ups: &[SpeedUp]) -> [(&'static str, f64); 3] {
    METHODS.map(|method| {
        let own = speed_ups.iter().filter(|row| row.method == method);
        (method, own.map(|row| row.speed_up).fold(0.0, f64::max))
    })
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
