//! The no-U-turn sampler (Hoffman & Gelman 2014; Betancourt 2017), as nuts-rs implements it.
//!
//! Multinomial sampling along a trajectory that doubles until it turns back; in the warm-up the step
//! size by dual averaging and a diagonal metric from draws and gradients. The warm-up is that of
//! nuts-rs and not Stan's: the metric is updated at every draw over growing windows, so the
//! 100 + 500 of the paper adapts here where Stan at its defaults would not.
//!
//! Everything runs on the calling thread, and the chain's own generator is seeded from ours, so a
//! run is a function of the target, the start and the state of `rng`. Every gradient goes through
//! the target and is counted there, those of the search for a first step size included.
//!
//! A log density that is −∞ or NaN inside a trajectory ends it as a divergence. Start away from the
//! mode: where a gradient is exactly zero the first metric is undefined.

use crate::{Draws, Length, Point, SampleError, Sampler, StartError, Step};
use debias::Rng;
use nuts_rs::{
    Chain, CpuLogpFunc, CpuMath, CpuMathError, DiagNutsSettings, HasDims, LogpError, NutsError,
    Settings,
};
use posterior::Target;
use std::collections::HashMap;

/// NUTS with a diagonal metric; in a frame, with the frame's metric times a diagonal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nuts {
    /// The mean acceptance over trees at which the step size settles.
    pub target_acceptance: f64,
    /// Doublings after which a trajectory ends even if it has not turned.
    pub max_depth: u64,
}

impl Default for Nuts {
    fn default() -> Nuts {
        Nuts { target_acceptance: 0.8, max_depth: 10 }
    }
}

impl Sampler for Nuts {
    fn sample(
        &self,
        target: &mut dyn Target,
        start: &[f64],
        length: Length,
        rng: &mut Rng,
    ) -> Result<Draws, SampleError> {
        let dimension = target.dimension();
        if length.draws == 0 {
            return Err(SampleError::Empty);
        }
        if start.len() != dimension {
            return Err(StartError::Dimension { start: start.len(), dimension }.into());
        }
        let mut settings = DiagNutsSettings {
            num_tune: length.warm_up as u64,
            num_draws: length.draws as u64,
            maxdepth: self.max_depth,
            store_gradient: true,
            ..DiagNutsSettings::default()
        };
        settings.adapt_options.step_size_settings.target_accept = self.target_acceptance;

        let mut chain = settings
            .new_chain(0, CpuMath::new(Counted { target }), rng)
            .map_err(|error| stopped(0, error))?;
        chain.set_position(start).map_err(|error| match error.downcast_ref() {
            Some(NutsError::LogpFailure(cause)) => match cause.downcast_ref() {
                Some(&NotFinite { log_density }) => StartError::LogDensity { log_density }.into(),
                None => stopped(0, &error),
            },
            _ => stopped(0, &error),
        })?;

        let mut draws = Draws::new(dimension);
        for transition in 0..length.transitions() {
            let (position, _, stats, progress) =
                chain.expanded_draw().map_err(|error| stopped(transition, error))?;
            if transition < length.warm_up {
                draws.warm_up_divergences += usize::from(progress.diverging);
                continue;
            }
            let gradient = stats.point.gradient.unwrap_or_default();
            let log_density = stats.point.logp;
            let step = Step {
                acceptance: stats.adapt.step_size.mean_tree_accept,
                diverged: progress.diverging,
                energy: Some(stats.point.energy),
            };
            draws.step_size = Some(stats.adapt.step_size.step_size_bar);
            draws.push(&Point { position: position.into_vec(), log_density, gradient }, step);
        }
        Ok(draws)
    }
}

/// nuts-rs reports in prose; the transition is ours.
fn stopped(transition: usize, reason: impl std::fmt::Display) -> SampleError {
    SampleError::Nuts { transition, reason: reason.to_string() }
}

/// A target as nuts-rs wants it.
struct Counted<'a> {
    target: &'a mut dyn Target,
}

/// The log density at a point of a trajectory is −∞, +∞ or NaN.
#[derive(Debug, thiserror::Error)]
#[error("the log density is {log_density}")]
struct NotFinite {
    log_density: f64,
}

impl LogpError for NotFinite {
    fn is_recoverable(&self) -> bool {
        true
    }
}

impl HasDims for Counted<'_> {
    fn dim_sizes(&self) -> HashMap<String, u64> {
        HashMap::from([("unconstrained_parameter".to_string(), self.dim() as u64)])
    }
}

impl CpuLogpFunc for Counted<'_> {
    type LogpError = NotFinite;
    type FlowParameters = ();
    // Nothing but the position is kept, and the chain returns that by itself.
    type ExpandedVector = Vec<f64>;

    fn dim(&self) -> usize {
        self.target.dimension()
    }

    fn logp(&mut self, position: &[f64], gradient: &mut [f64]) -> Result<f64, NotFinite> {
        let log_density = self.target.gradient(position, gradient);
        if log_density.is_finite() { Ok(log_density) } else { Err(NotFinite { log_density }) }
    }

    fn expand_vector<R>(&mut self, _rng: &mut R, _array: &[f64]) -> Result<Vec<f64>, CpuMathError>
    where
        R: nuts_rs::rand::Rng + ?Sized,
    {
        Ok(Vec::new())
    }
}
