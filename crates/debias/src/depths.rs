//! Depths for many replicates, drawn up front.
//!
//! | scheme | uniform numbers in a group of m | |
//! |---|---|---|
//! | independent | U_1, …, U_m | the paper's |
//! | stratified | (k + U_k) / m, k = 0, …, m − 1 | never worse than independent |
//! | systematic | (k + U) / m | one number a group (Vihola 2018) |
//!
//! Each replicate's number is uniform by itself, so every scheme is unbiased. Strata are dealt to
//! the replicates of a group in random order, and groups are independent of each other, so that
//! group means give honest error bars where replicates no longer do.

use crate::{Rng, Seed, Truncation};
use rand::RngExt;
use rand::seq::SliceRandom;
use thiserror::Error;

/// How depths are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    /// Independent of each other.
    Independent,
    /// One uniform number in each stratum of a group.
    Stratified,
    /// One uniform number for all strata of a group.
    Systematic,
}

impl Scheme {
    /// All schemes.
    pub const ALL: [Scheme; 3] = [Scheme::Independent, Scheme::Stratified, Scheme::Systematic];

    /// The numbers of a group, where `uniform` gives the number of a stratum.
    pub fn spread(self, group: usize, mut uniform: impl FnMut() -> f64) -> Vec<f64> {
        match self {
            Scheme::Independent => (0..group).map(|_| uniform()).collect(),
            Scheme::Stratified => {
                (0..group).map(|k| (k as f64 + uniform()) / group as f64).collect()
            }
            Scheme::Systematic => {
                let shared = uniform();
                (0..group).map(|k| (k as f64 + shared) / group as f64).collect()
            }
        }
    }
}

/// T_1, …, T_R, and from what and how they were drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Depths {
    law: Truncation,
    scheme: Scheme,
    groups: usize,
    // Invariant: not empty, each a level of the law.
    depths: Vec<u16>,
}

/// Why depths cannot be drawn.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum DepthsError {
    /// R = 0.
    #[error("no replicates asked for")]
    NoReplicates,
    /// Groups must be of one size.
    #[error("{replicates} replicates cannot be cut into {groups} groups of one size")]
    Groups {
        /// R.
        replicates: usize,
        /// The groups asked for.
        groups: usize,
    },
    /// Depths are kept in 16 bits.
    #[error("{levels} levels are more than 65535")]
    Levels {
        /// L.
        levels: usize,
    },
}

impl Depths {
    /// Draws the depths of `replicates` replicates in `groups` independent groups of one size.
    pub fn draw(
        law: &Truncation,
        scheme: Scheme,
        replicates: usize,
        groups: usize,
        seed: Seed,
    ) -> Result<Depths, DepthsError> {
        if replicates == 0 {
            return Err(DepthsError::NoReplicates);
        }
        if groups == 0 || !replicates.is_multiple_of(groups) {
            return Err(DepthsError::Groups { replicates, groups });
        }
        if law.levels() > usize::from(u16::MAX) {
            return Err(DepthsError::Levels { levels: law.levels() });
        }
        let seed = seed.child("depths");
        let mut depths = Vec::with_capacity(replicates);
        for group in 0..groups {
            let rng: &mut Rng = &mut seed.stream(group as u64);
            let mut uniforms = scheme.spread(replicates / groups, || rng.random::<f64>());
            // Independent numbers keep their order, so that more replicates begin with the same.
            if scheme != Scheme::Independent {
                uniforms.shuffle(rng);
            }
            depths.extend(uniforms.iter().map(|&uniform| law.depth(uniform) as u16));
        }
        Ok(Depths { law: law.clone(), scheme, groups, depths })
    }

    /// The same depth again and again, under the weights of a law: to look at one level.
    ///
    /// # Panics
    /// If there are no replicates, or the law has no such level.
    pub fn constant(law: &Truncation, depth: usize, replicates: usize) -> Depths {
        assert!(replicates > 0 && (1..=law.levels()).contains(&depth), "no such depths");
        let depths = vec![depth as u16; replicates];
        Depths { law: law.clone(), scheme: Scheme::Independent, groups: 1, depths }
    }

    /// The law they were drawn from.
    pub fn law(&self) -> &Truncation {
        &self.law
    }

    /// How they were drawn.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The number of independent groups.
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// R.
    pub fn count(&self) -> usize {
        self.depths.len()
    }

    /// The depth of a replicate.
    pub fn depth(&self, replicate: u64) -> usize {
        usize::from(self.depths[replicate as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With as many levels as there are, a depth tells its uniform number: no two groups begin alike.
    #[test]
    fn groups_are_drawn_apart() {
        let law = Truncation::from_masses(vec![1.0 / 65_000.0; 65_000]).unwrap();
        for scheme in Scheme::ALL {
            let depths = Depths::draw(&law, scheme, 400, 100, Seed(9)).unwrap();
            let mut groups: Vec<Vec<usize>> = (0..100)
                .map(|group| (0..4).map(|k| depths.depth(4 * group + k)).collect())
                .collect();
            groups.sort_unstable();
            groups.dedup();
            assert_eq!(groups.len(), 100, "{scheme:?}");
        }
    }
}
