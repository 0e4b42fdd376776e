//! Chains on their way, kept in a store, so that a killed run goes on where it was.
//!
//! All there is of four chains, their states, draws, generators and work, is one text. It is written from
//! time to time and when the run is stopped; what it holds changes nothing but where a run begins.

use crate::chains::CHAINS;
use debias::engine::{Store, StoreError};
use debias::{Ledger, Rng};
use samplers::{Chain, Factor, TreeState};

/// Evaluations between two writes, about a second's worth, and how many for each number written, so that
/// writing is a small share of the work.
const LEAST: u64 = 40_000_000;
const PER_NUMBER: u64 = 100;
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
    pub careful: bool,
    pub before: Ledger,
    pub chains: Vec<KeptChain>,
}

impl Kept {
    /// Numbers that a write takes.
    fn numbers(&self) -> usize {
        let of_chain = |one: &KeptChain| 2 * one.chain.draws.count() * one.chain.draws.dimension();
        self.chains.iter().map(of_chain).sum()
    }
}

/// Writes chains into a store under one name.
pub(crate) struct Keeper<'a> {
    store: &'a dyn Store,
    name: String,
    /// Evaluations at which the next write is due.
    next: u64,
}

impl<'a> Keeper<'a> {
    pub fn new(store: &'a dyn Store, name: String) -> Keeper<'a> {
        Keeper { store, name, next: LEAST }
    }

    /// The same store under another name.
    pub fn renamed(&self, name: &str) -> Keeper<'a> {
        Keeper { name: format!("{}-{name}", self.name), ..*self }
    }

    /// What was kept of chains of this dimension.
    pub fn load(&self, dimension: usize) -> Option<Kept> {
        let kept: Kept = serde_json::from_str(&self.store.load_text(&self.name)?).ok()?;
        (kept.chains.len() == CHAINS && kept.factor.dimension() == dimension).then_some(kept)
    }

    /// Whether it is time to write again after so many evaluations.
    pub fn due(&self, evaluations: u64) -> bool {
        evaluations >= self.next
    }

    /// Writes the chains after so many evaluations, unless they are too large for that.
    pub fn save(&mut self, kept: &Kept, evaluations: u64) -> Result<(), StoreError> {
        let numbers = kept.numbers();
        if numbers <= MOST {
            self.store.save_text(&self.name, &serde_json::to_string(kept)?)?;
        }
        self.next = evaluations + LEAST.max(PER_NUMBER * numbers as u64);
        Ok(())
    }
}
