//! Draws of the levels of a path, from which every form follows.

use debias::{Coupling, Estimate, Estimator, Ledger, Path, Replicates, Rng};

/// φ_1, …, φ_K on nested batches, then Δ_1, …, Δ_K antithetic, each on a batch of its own; what is
/// asked may be a linear map of the functionals.
pub struct LevelDraws<'a, P, F> {
    pub path: &'a P,
    pub levels: usize,
    pub map: F,
}

impl<P, F> Estimator for LevelDraws<'_, P, F>
where
    P: Path,
    F: Fn(&[f64]) -> Vec<f64> + Sync,
{
    type Error = P::Error;

    fn estimate(&self, _: u64, rng: &mut Rng) -> Result<Estimate, P::Error> {
        let (mut shared, mut cost) = self.path.begin(rng)?;
        let mut terms = self.path.prefix(&mut shared, self.levels, rng)?;
        for level in 1..=self.levels {
            terms.push(self.path.increment(&mut shared, level, Coupling::Antithetic, rng)?);
        }
        let mut value = Vec::new();
        for term in &terms {
            value.extend((self.map)(&term.value));
            cost += Ledger { ..term.cost };
        }
        Ok(Estimate { value, depth: self.levels, cost })
    }

    fn expected_cost(&self, _: u64) -> f64 {
        (1..=self.levels)
            .map(|t| self.path.level_cost(t) + self.path.increment_cost(t, Coupling::Antithetic))
            .sum()
    }
}

/// The draws, level by level.
pub struct Drawn {
    levels: usize,
    width: usize,
    run: Replicates,
    /// The entries of a value that are asked for.
    entries: std::ops::Range<usize>,
}

impl Drawn {
    /// Of replicates of [`LevelDraws`] on so many levels.
    pub fn new(run: Replicates, levels: usize) -> Drawn {
        let width = run.width() / (2 * levels);
        Drawn { levels, width, run, entries: 0..width }
    }

    /// The same draws with some of their entries only.
    pub fn only(&self, entries: std::ops::Range<usize>) -> Drawn {
        Drawn { levels: self.levels, width: self.width, run: self.run.clone(), entries }
    }

    /// K.
    pub fn levels(&self) -> usize {
        self.levels
    }

    /// How many replicates there are.
    pub fn count(&self) -> usize {
        self.run.count()
    }

    fn term(&self, replicate: usize, place: usize) -> &[f64] {
        &self.run.value(replicate)[place * self.width..][..self.width][self.entries.clone()]
    }

    /// φ_t of a replicate's nested batches.
    pub fn level(&self, replicate: usize, level: usize) -> &[f64] {
        self.term(replicate, level - 1)
    }

    /// Δ_t of a replicate; for t = 1 that is φ_1.
    pub fn increment(&self, replicate: usize, level: usize, coupling: Coupling) -> Vec<f64> {
        match coupling {
            Coupling::Antithetic => self.term(replicate, self.levels + level - 1).to_vec(),
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
