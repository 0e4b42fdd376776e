//! Levels that differ from one base density by what the sampled rows say.
//!
//! ```text
//! π_t(θ) ∝ π_0(θ) · exp{ (N/n_t) Σ_{i ∈ 𝒟_t} r_i(θ) }
//! ```
//!
//! On an anchored path r_i = ℓ_i − q_i: one likelihood a row, and all levels can share the points
//! that were drawn from π_0. Sums over disjoint batches add up, so that a level of many rows can be
//! summed block by block.

use debias::Ledger;

/// How levels differ from their base.
pub trait Reweighting<B: ?Sized>: Sync {
    /// Σ_{i ∈ block} r_i(θ) at each of many points (d numbers each, one after the other), and the
    /// work.
    fn remainders(&self, points: &[f64], block: &B) -> (Vec<f64>, Ledger);
}
