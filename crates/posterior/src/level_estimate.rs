//! How φ_t = Ê[φ(θ) ∣ 𝒟_t] is computed.

use crate::{Model, PartialPosterior};
use debias::{Caveat, Rng};

/// A way from a partial posterior to its expectations: a closed form, a chain, coupled chains.
pub trait LevelEstimate<M: Model + ?Sized>: Sync {
    /// Why there is no estimate.
    type Error: std::error::Error + Send + Sync + 'static;

    /// The functionals, in a fixed order, with all work counted by the posterior.
    fn estimate(
        &self,
        posterior: &mut PartialPosterior<'_, M>,
        rng: &mut Rng,
    ) -> Result<Vec<f64>, Self::Error>;

    /// Why its mean is not exactly the posterior expectation, if it is not.
    fn caveats(&self) -> Vec<Caveat> {
        Vec::new()
    }

    /// Expected likelihood evaluations on a batch of this size.
    fn expected_cost(&self, rows: usize) -> f64;
}
