//! Draws of the levels of a path, from which every form follows.

use crate::Work;
use debias::{Coupling, Path};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The draws, replicate by replicate.
#[derive(Clone)]
pub struct Drawn {
    replicates: Vec<LevelDraws>,
    /// The entries of a value that are asked for.
    entries: Range<usize>,
}

/// Of one replicate.
#[derive(Clone, Serialize, Deserialize)]
struct LevelDraws {
    /// φ_1, …, φ_K on nested batches.
    levels: Vec<Vec<f64>>,
    /// Δ_1, …, Δ_K antithetic, each on a batch of its own.
    increments: Vec<Vec<f64>>,
}

impl Drawn {
    /// Draws so many levels of a path so often; what is asked may be a linear map of the functionals.
    pub fn draw<P: Path>(
        work: &Work<'_>,
        step: &str,
        path: &P,
        levels: usize,
        replicates: usize,
        map: impl Fn(&[f64]) -> Vec<f64> + Sync,
    ) -> anyhow::Result<Drawn> {
        let replicates = work.each(step, replicates, |_, rng| {
            let (mut shared, _) = path.begin(rng)?;
            let nested = path.prefix(&mut shared, levels, rng)?;
            let increments = (1..=levels)
                .map(|level| {
                    let term = path.increment(&mut shared, level, Coupling::Antithetic, rng)?;
                    Ok(map(&term.value))
                })
                .collect::<Result<_, P::Error>>()?;
            Ok(LevelDraws {
                levels: nested.iter().map(|term| map(&term.value)).collect(),
                increments,
            })
        })?;
        let entries = 0..replicates[0].levels[0].len();
        Ok(Drawn { replicates, entries })
    }

    /// The same draws with some of their entries only.
    pub fn only(&self, entries: Range<usize>) -> Drawn {
        Drawn { entries, ..self.clone() }
    }

    /// K.
    pub fn levels(&self) -> usize {
        self.replicates[0].levels.len()
    }

    /// How many replicates there are.
    pub fn count(&self) -> usize {
        self.replicates.len()
    }

    /// φ_t of a replicate's nested batches.
    pub fn level(&self, replicate: usize, level: usize) -> &[f64] {
        &self.replicates[replicate].levels[level - 1][self.entries.clone()]
    }

    /// Δ_t of a replicate; for t = 1 that is φ_1.
    pub fn increment(&self, replicate: usize, level: usize, coupling: Coupling) -> Vec<f64> {
        match coupling {
            Coupling::Antithetic => {
                self.replicates[replicate].increments[level - 1][self.entries.clone()].to_vec()
            }
            Coupling::Nested if level == 1 => self.level(replicate, 1).to_vec(),
            Coupling::Nested => {
                let (here, below) =
                    (self.level(replicate, level), self.level(replicate, level - 1));
                here.iter().zip(below).map(|(here, below)| here - below).collect()
            }
        }
    }

    /// ‖Δ_t‖² of every replicate.
    pub fn squares(&self, level: usize, coupling: Coupling) -> Vec<f64> {
        (0..self.count()).map(|r| square(&self.increment(r, level, coupling))).collect()
    }
}

/// ‖v‖².
pub fn square(vector: &[f64]) -> f64 {
    vector.iter().map(|entry| entry * entry).sum()
}
