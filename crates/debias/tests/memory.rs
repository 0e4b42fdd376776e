//! Ten million replicates of a scalar fit into a gigabyte.

use debias::engine::{Forgetful, Unobserved, replicate};
use debias::{Estimate, Estimator, Ledger, Rng, Seed};
use std::convert::Infallible;

struct Constant;

impl Estimator for Constant {
    type Error = Infallible;

    fn estimate(&self, replicate: u64, _: &mut Rng) -> Result<Estimate, Infallible> {
        Ok(Estimate { value: vec![replicate as f64], depth: 1, cost: Ledger::default() })
    }

    fn expected_cost(&self, _: u64) -> f64 {
        1.0
    }
}

/// The largest memory this process ever held, in bytes, where the system says so.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

#[test]
fn ten_million_replicates_fit_into_a_gigabyte() {
    let count = 10_000_000;
    let run = replicate(&Constant, 0..count, Seed(1), &Forgetful, &Unobserved);
    let run = run.expect("a constant cannot fail");
    assert_eq!(run.value(9_999_999), [9_999_999.0]);
    if let Some(peak) = peak() {
        println!("peak {:.0} MB", peak as f64 / 1e6);
        assert!(peak < 1_000_000_000, "{peak} bytes");
    }
}
