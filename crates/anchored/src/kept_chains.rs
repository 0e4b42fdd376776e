//! Chains on their way, kept in a store, so that a killed run goes on where it was.
//!
//! All there is of four chains, their states, draws, generators and work, is one text. It is written from
//! time to time and when the run is stopped; what it holds changes nothing but where a run begins.

use crate::chains::CHAINS;
use debias::engine::{Store, StoreError};
use debias::{Ledger, Rng};
use samplers::{Chain, Factor, TreeState};
use std::time::{Duration, Instant};

/// The shortest time between two writes, and how many times as long as a write it is at least.
const LEAST: Duration = Duration::from_secs(1);
const TIMES: u32 = 20;
/// Numbers beyond which a write would take seconds, and chains are not kept.
const MOST: usize = 10_000_000;

/// One chain between two transitions.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
pub(crate) struct KeptChain {
    pub chain: Chain<TreeState>,
    pub rng: Rng,
    pub ledger: Ledger,
}

/// All chains, in the metric that they have.
#[derive(serde::Serialize, serde::Deserialize)]
pub(crate) struct Kept {
    pub factor: Factor,
    pub mended: usize,
    pub before: Ledger,
    pub chains: Vec<KeptChain>,
}

/// Writes chains into a store under one name.
pub(crate) struct Keeper<'a> {
    store: &'a dyn Store,
    name: String,
    last: Instant,
    took: Duration,
}

impl<'a> Keeper<'a> {
    pub fn new(store: &'a dyn Store, name: String) -> Keeper<'a> {
        Keeper { store, name, last: Instant::now(), took: Duration::ZERO }
    }

    /// The same store under another name.
    pub fn renamed(&self, name: &str) -> Keeper<'a> {
        Keeper::new(self.store, format!("{}-{name}", self.name))
    }

    /// What was kept of chains of this dimension.
    pub fn load(&self, dimension: usize) -> Option<Kept> {
        let kept: Kept = serde_json::from_str(&self.store.load_text(&self.name)?).ok()?;
        (kept.chains.len() == CHAINS && kept.factor.dimension() == dimension).then_some(kept)
    }

    /// Whether it is time to write again.
    pub fn due(&self) -> bool {
        self.last.elapsed() > LEAST.max(TIMES * self.took)
    }

    /// Writes the chains, unless they are too large for that.
    pub fn save(&mut self, kept: &Kept) -> Result<(), StoreError> {
        let numbers = |one: &KeptChain| 2 * one.chain.draws.count() * one.chain.draws.dimension();
        if kept.chains.iter().map(numbers).sum::<usize>() <= MOST {
            let began = Instant::now();
            self.store.save_text(&self.name, &serde_json::to_string(kept)?)?;
            self.took = began.elapsed();
        }
        self.last = Instant::now();
        Ok(())
    }
}
