//! Levels that differ from one base density by what the sampled rows say.
//!
//! ```text
//! π_t(θ) ∝ π_0(θ) · exp r(θ; 𝒟_t)
//! ```
//!
//! On an anchored path r is (N/n_t) Σ_{i ∈ 𝒟_t} [ℓ_i(θ) − q_i(θ)]: one likelihood a row, and all
//! levels can share the points that were drawn from π_0.

/// How levels differ from their base.
pub trait Reweighting<B: ?Sized>: Sync {
    /// ln π_t(θ) − ln π_0(θ), up to a constant, for the level that sees these rows.
    fn log_ratio(&self, theta: &[f64], block: &B) -> f64;
}
