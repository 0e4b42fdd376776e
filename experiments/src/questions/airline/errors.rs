//! Errors of predictions, as they pile up over repetitions.

use serde::Serialize;

/// The error of a running mean.
#[derive(Serialize)]
pub struct Running {
    pub method: &'static str,
    pub repetition: i64,
    pub replicates: i64,
    pub rows: f64,
    pub rmse: f64,
}

/// The error of one batch.
#[derive(Serialize)]
pub struct OneBatch {
    pub rows: i64,
    pub repetition: i64,
    pub rmse: f64,
}

/// The errors of a method at its end, one per repetition.
pub fn last(running: &[Running], method: &str, replicates: usize) -> Vec<f64> {
    let at = |row: &&Running| row.method == method && row.replicates == replicates as i64;
    running.iter().filter(at).map(|row| row.rmse).collect()
}
