//! A stream that is never stored: rows x ~ N(10, 5000²) come in, are used once and forgotten. What is
//! estimated is the posterior mean given as many rows as the last level has.

use data::{GaussianLaw, Generated};
use debias::{Caveat, Coupling, Ledger, Path, Rng, Schedule, Seed, Term};
use models::gaussian_mean::{GaussianMean, GaussianMeanError, RunningRows};
use posterior::Rows;
use rand::Rng as _;
use std::ops::Range;

/// Rows generated at a time, few enough to stay in the cache.
const PIECE: usize = 8192;

/// Fresh rows for every term, used once.
pub struct Stream<'a> {
    /// The mean of the stream, known variance.
    pub model: &'a GaussianMean,
    /// n_1, …, n_L.
    pub schedule: &'a Schedule,
}

impl Stream<'_> {
    /// Generates rows and forgets them.
    fn absorb(
        rows: &Generated<GaussianLaw>,
        range: Range<usize>,
        running: &mut RunningRows,
    ) -> Result<(), GaussianMeanError> {
        for start in range.clone().step_by(PIECE) {
            running.absorb(&rows.range(start..range.end.min(start + PIECE)))?;
        }
        Ok(())
    }

    fn rows(&self, level: usize, rng: &mut Rng) -> Generated<GaussianLaw> {
        Generated::new(GaussianLaw::streaming(), Seed(rng.next_u64()), self.schedule.size(level))
    }

    fn mean(&self, running: &RunningRows) -> Result<f64, GaussianMeanError> {
        Ok(self.model.posterior_of(running)?.mean[0])
    }
}

impl Path for Stream<'_> {
    type Shared = ();
    type Error = GaussianMeanError;

    fn levels(&self) -> usize {
        self.schedule.levels()
    }

    fn caveats(&self) -> Vec<Caveat> {
        vec![Caveat::LastLevelDropped]
    }

    /// A row is read once, however many levels use it: its sums serve them all.
    fn level_cost(&self, level: usize) -> f64 {
        let before = if level == 1 { 0 } else { self.schedule.size(level - 1) };
        (self.schedule.size(level) - before) as f64
    }

    fn increment_cost(&self, level: usize, _: Coupling) -> f64 {
        self.schedule.size(level) as f64
    }

    fn begin(&self, _: &mut Rng) -> Result<((), Ledger), GaussianMeanError> {
        Ok(((), Ledger::default()))
    }

    fn prefix(
        &self,
        _: &mut (),
        depth: usize,
        rng: &mut Rng,
    ) -> Result<Vec<Term>, GaussianMeanError> {
        let rows = self.rows(depth, rng);
        let mut running = RunningRows::new(1);
        let mut seen = 0;
        (1..=depth)
            .map(|level| {
                let size = self.schedule.size(level);
                Self::absorb(&rows, seen..size, &mut running)?;
                let cost = read(size - seen);
                seen = size;
                Ok(Term { value: vec![self.mean(&running)?], cost })
            })
            .collect()
    }

    fn increment(
        &self,
        _: &mut (),
        level: usize,
        coupling: Coupling,
        rng: &mut Rng,
    ) -> Result<Term, GaussianMeanError> {
        let (rows, size) = (self.rows(level, rng), self.schedule.size(level));
        let mut all = RunningRows::new(1);
        let mut below = 0.0;
        let mut start = 0;
        if level > 1 {
            let part = self.schedule.size(level - 1);
            let groups = match coupling {
                Coupling::Nested => 1,
                Coupling::Antithetic => self.schedule.groups(level),
            };
            for _ in 0..groups {
                let mut group = RunningRows::new(1);
                Self::absorb(&rows, start..start + part, &mut group)?;
                below += self.mean(&group)? / groups as f64;
                all.join(&group);
                start += part;
            }
        }
        Self::absorb(&rows, start..size, &mut all)?;
        Ok(Term { value: vec![self.mean(&all)? - below], cost: read(size) })
    }
}

fn read(rows: usize) -> Ledger {
    Ledger { likelihoods: rows as u64, distinct_rows: rows as u64, ..Ledger::default() }
}
