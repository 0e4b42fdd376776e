//! The anchored path with uniform samples of rows, behind the same front door.
//!
//! The front door takes it for models whose rows have no linear predictor. A regression that keeps its
//! predictors to itself is such a model.
//!
//! Its trial and its pilot know no budget and can take hours. Beyond a cap on evaluations the likelihood is no
//! number any more, at no cost: whatever is running comes to an end, and its answer is thrown away.

use super::front_door::Answered;
use posterior::{Block, Differentiable, Model, Rows, Smooth};
use std::sync::atomic::{AtomicU64, Ordering};
use unbiased_bayes::{Estimation, Method, RunHooks, Target};

/// A model without kinks that does not tell what its linear predictors are, and counts its evaluations.
struct Opaque<'a, M> {
    model: &'a M,
    evaluations: AtomicU64,
    cap: u64,
}

impl<M: Smooth> Opaque<'_, M> {
    fn exhausted(&self) -> bool {
        self.evaluations.load(Ordering::Relaxed) > self.cap
    }

    /// Evaluates a block, or does not.
    fn counted(&self, block: &M::Block, value: impl FnOnce() -> f64) -> f64 {
        if self.exhausted() {
            return f64::NAN;
        }
        self.evaluations.fetch_add(block.rows() as u64, Ordering::Relaxed);
        value()
    }
}

impl<M: Smooth> Model for Opaque<'_, M> {
    type Block = M::Block;

    fn dimension(&self) -> usize {
        self.model.dimension()
    }

    fn log_prior(&self, theta: &[f64]) -> f64 {
        self.model.log_prior(theta)
    }

    fn log_likelihood(&self, theta: &[f64], block: &M::Block) -> f64 {
        self.counted(block, || self.model.log_likelihood(theta, block))
    }
}

impl<M: Smooth> Differentiable for Opaque<'_, M> {
    fn start(&self) -> Vec<f64> {
        self.model.start()
    }

    fn add_prior_gradient(&self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        self.model.add_prior_gradient(theta, gradient)
    }

    fn add_gradient(&self, theta: &[f64], block: &M::Block, gradient: &mut [f64]) -> f64 {
        self.counted(block, || self.model.add_gradient(theta, block, gradient))
    }
}

impl<M: Smooth> Smooth for Opaque<'_, M> {
    fn add_prior_hessian(&self, theta: &[f64], hessian: &mut [f64]) {
        self.model.add_prior_hessian(theta, hessian);
    }

    fn add_hessian(
        &self,
        theta: &[f64],
        block: &M::Block,
        gradient: &mut [f64],
        hessian: &mut [f64],
    ) -> f64 {
        self.counted(block, || self.model.add_hessian(theta, block, gradient, hessian))
    }

    fn remainder_scores(&self, anchor: &[f64], covariance: &[f64], block: &M::Block) -> Vec<f64> {
        self.model.remainder_scores(anchor, covariance, block)
    }
}

/// The posterior means of all weights to a standard error in posterior sds within so many passes, or why there
/// are none.
pub fn uniform<R, M>(
    (model, rows): (&M, &R),
    (error, passes): (f64, f64),
    seed: u64,
    hooks: RunHooks<'_>,
) -> anyhow::Result<Result<Answered, String>>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let cap = (passes * rows.count() as f64) as u64;
    let model = Opaque { model, evaluations: AtomicU64::new(0), cap };
    let question = Estimation::new(&model, rows).method(Method::Anchored).seed(seed);
    let answer = question.target(Target::PosteriorSds(error)).hooks(hooks).run();
    anyhow::ensure!(!hooks.observer.cancelled(), "stopped");
    if model.exhausted() {
        return Ok(Err(format!("stopped at {passes} passes")));
    }
    Ok(answer.map(Answered::from).map_err(|error| {
        let mut sentence = error.to_string();
        let mut cause = std::error::Error::source(&error);
        while let Some(deeper) = cause {
            sentence.push_str(&format!(": {deeper}"));
            cause = deeper.source();
        }
        sentence
    }))
}
