//! Levels and increments on the batches of one order of rows.
//!
//! ```text
//! 𝒟_t = the first n_t rows of the order
//! nested       Δ_t = φ(𝒟_t) − φ(𝒟_{t−1})
//! antithetic   Δ_t = φ(𝒟_t) − mean over ⌊n_t / n_{t−1}⌋ disjoint groups of n_{t−1} rows of φ(group)
//! ```
//!
//! In a uniformly random order every batch and every group is by itself a uniform random subset, so
//! the mean of φ_t is the same wherever it appears, and the sum telescopes.

use debias::{Coupling, Ledger, Schedule, Term};

/// φ_1, …, φ_depth on nested batches, given how a batch is estimated.
pub fn nested_levels<E>(
    schedule: &Schedule,
    depth: usize,
    order: &[usize],
    mut estimate: impl FnMut(&[usize]) -> Result<Term, E>,
) -> Result<Vec<Term>, E> {
    let mut seen = 0;
    (1..=depth)
        .map(|level| {
            let size = schedule.size(level);
            let mut term = estimate(&order[..size])?;
            // Nested batches share rows: only the new ones are looked at for the first time.
            term.cost.distinct_rows = (size - seen) as u64;
            seen = size;
            Ok(term)
        })
        .collect()
}

/// Δ_t, given how a batch is estimated; Δ_1 = φ_1.
pub fn level_increment<E>(
    schedule: &Schedule,
    level: usize,
    coupling: Coupling,
    order: &[usize],
    mut estimate: impl FnMut(&[usize]) -> Result<Term, E>,
) -> Result<Term, E> {
    let order = &order[..schedule.size(level)];
    let mut term = estimate(order)?;
    if level == 1 {
        return Ok(term);
    }
    let groups = groups(schedule, level, coupling);
    for group in order.chunks_exact(schedule.size(level - 1)).take(groups) {
        let below = estimate(group)?;
        for (value, below) in term.value.iter_mut().zip(&below.value) {
            *value -= below / groups as f64;
        }
        term.cost += Ledger { distinct_rows: 0, ..below.cost };
    }
    Ok(term)
}

/// The expected cost of Δ_t, given that of a level.
pub fn increment_cost(
    schedule: &Schedule,
    level: usize,
    coupling: Coupling,
    level_cost: impl Fn(usize) -> f64,
) -> f64 {
    let below = match level {
        1 => 0.0,
        _ => groups(schedule, level, coupling) as f64 * level_cost(level - 1),
    };
    level_cost(level) + below
}

fn groups(schedule: &Schedule, level: usize, coupling: Coupling) -> usize {
    match coupling {
        Coupling::Nested => 1,
        Coupling::Antithetic => schedule.groups(level),
    }
}
