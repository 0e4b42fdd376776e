//! The anchored path with uniform samples of rows, behind the same front door.
//!
//! The front door takes it for models whose rows have no linear predictor. A regression that keeps its
//! predictors to itself is such a model.

use super::front_door::Answered;
use posterior::{Differentiable, Model, Rows, Smooth};
use unbiased_bayes::{Estimation, Method, RunHooks, Stop};

/// A model without kinks that does not tell what its linear predictors are.
struct Opaque<'a, M>(&'a M);

impl<M: Smooth> Model for Opaque<'_, M> {
    type Block = M::Block;

    fn dimension(&self) -> usize {
        self.0.dimension()
    }

    fn log_prior(&self, theta: &[f64]) -> f64 {
        self.0.log_prior(theta)
    }

    fn log_likelihood(&self, theta: &[f64], block: &M::Block) -> f64 {
        self.0.log_likelihood(theta, block)
    }
}

impl<M: Smooth> Differentiable for Opaque<'_, M> {
    fn start(&self) -> Vec<f64> {
        self.0.start()
    }

    fn add_prior_gradient(&self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        self.0.add_prior_gradient(theta, gradient)
    }

    fn add_gradient(&self, theta: &[f64], block: &M::Block, gradient: &mut [f64]) -> f64 {
        self.0.add_gradient(theta, block, gradient)
    }
}

impl<M: Smooth> Smooth for Opaque<'_, M> {
    fn add_prior_hessian(&self, theta: &[f64], hessian: &mut [f64]) {
        self.0.add_prior_hessian(theta, hessian);
    }

    fn add_hessian(
        &self,
        theta: &[f64],
        block: &M::Block,
        gradient: &mut [f64],
        hessian: &mut [f64],
    ) -> f64 {
        self.0.add_hessian(theta, block, gradient, hessian)
    }

    fn remainder_scores(&self, anchor: &[f64], covariance: &[f64], block: &M::Block) -> Vec<f64> {
        self.0.remainder_scores(anchor, covariance, block)
    }
}

/// The posterior means of all weights, or the sentence with which the front door gives up.
pub fn uniform<R, M>(
    (model, rows): (&M, &R),
    stop: Stop,
    seed: u64,
    hooks: RunHooks<'_>,
) -> anyhow::Result<Result<Answered, String>>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let model = Opaque(model);
    let question = Estimation::new(&model, rows).method(Method::Anchored).stop(stop).seed(seed);
    let answer = question.hooks(hooks).run();
    anyhow::ensure!(!hooks.observer.cancelled(), "stopped");
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
