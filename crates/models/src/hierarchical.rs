//! Group effects with unknown standard deviations, on top of any regression.
//!
//! ```text
//! u_kj ∣ τ_k ~ N(0, exp 2τ_k),   j = 1, …, G_k      τ_k ~ a law of [`SdPrior`]
//! ln p(u_k, τ_k) = −G_k τ_k − ½ exp(−2τ_k) Σ_j u_kj² + ln p(τ_k)
//! ```
//!
//! θ holds the parameters of the regression, the effects among its weights, and then, **last**, τ_1, …, τ_K.
//! Rows meet the regression's own parameters only. The regression's prior must be flat in the effects, whose
//! law is here. Smoothed slopes and curvatures are averages over the effects,
//!
//! ```text
//! E ∂/∂τ = exp(−2τ) Σ_j (u_j² + s_j²) − G,      −E ∂²/∂τ² = 2 exp(−2τ) Σ_j (u_j² + s_j²),
//! ```
//!
//! because the joint density has no useful mode: it grows without end as all effects and τ shrink.

use crate::prior::PriorError;
use crate::sd_prior::SdPrior;
use posterior::{ArrowMatrix, Differentiable, Group, Model, Regression, RowExpansions, Smooth};

/// A regression some of whose weights are group effects.
#[derive(Clone, Debug)]
pub struct Hierarchical<M> {
    model: M,
    // Invariant: effects below the model's dimension; log_sd = dimension + k.
    groups: Vec<Group>,
    laws: Vec<SdPrior>,
}

/// Effects that cannot be.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum HierarchicalError {
    /// No effects, or effects that are no parameters of the model.
    #[error("effects {start}..{end} of a model with {parameters} parameters")]
    Effects {
        /// The first one.
        start: usize,
        /// One after the last.
        end: usize,
        /// Of the model.
        parameters: usize,
    },
    /// A law that is none.
    #[error(transparent)]
    Prior(#[from] PriorError),
}

impl<M: Differentiable> Hierarchical<M> {
    /// These ranges of parameters as the effects of one group each, with the law of its standard
    /// deviation. Without any it is the model itself.
    pub fn new(
        model: M,
        groups: Vec<(std::ops::Range<usize>, SdPrior)>,
    ) -> Result<Hierarchical<M>, HierarchicalError> {
        let parameters = model.dimension();
        let (mut all, mut laws) = (Vec::new(), Vec::new());
        for (k, (effects, law)) in groups.into_iter().enumerate() {
            if effects.is_empty() || effects.end > parameters {
                let (start, end) = (effects.start, effects.end);
                return Err(HierarchicalError::Effects { start, end, parameters });
            }
            laws.push(law.checked()?);
            all.push(Group { effects, log_sd: parameters + k });
        }
        Ok(Hierarchical { model, groups: all, laws })
    }

    /// Parameters of the regression itself.
    fn own(&self) -> usize {
        self.model.dimension()
    }
}

impl<M: Differentiable> Model for Hierarchical<M> {
    type Block = M::Block;

    fn dimension(&self) -> usize {
        self.own() + self.groups.len()
    }

    fn log_prior(&self, theta: &[f64]) -> f64 {
        let mut sum = self.model.log_prior(&theta[..self.own()]);
        for (group, law) in self.groups.iter().zip(&self.laws) {
            let squares: f64 = theta[group.effects.clone()].iter().map(|u| u * u).sum();
            let log_sd = theta[group.log_sd];
            sum += law.derivatives(log_sd)[0]
                - group.effects.len() as f64 * log_sd
                - 0.5 * group.precision(theta) * squares;
        }
        sum
    }

    fn log_likelihood(&self, theta: &[f64], block: &M::Block) -> f64 {
        self.model.log_likelihood(&theta[..self.own()], block)
    }
}

impl<M: Differentiable> Differentiable for Hierarchical<M> {
    fn start(&self) -> Vec<f64> {
        let mut start = self.model.start();
        // A fifth of what the prior allows for easily.
        start.extend(self.laws.iter().map(|law| (0.4 * law.scale()).ln()));
        start
    }

    fn add_prior_gradient(&self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        let own = self.own();
        let mut value = self.model.add_prior_gradient(&theta[..own], &mut gradient[..own]);
        for (group, law) in self.groups.iter().zip(&self.laws) {
            let (log_sd, precision) = (theta[group.log_sd], group.precision(theta));
            let count = group.effects.len() as f64;
            let mut squares = 0.0;
            for j in group.effects.clone() {
                gradient[j] -= precision * theta[j];
                squares += theta[j] * theta[j];
            }
            let [own, slope, _] = law.derivatives(log_sd);
            gradient[group.log_sd] += precision * squares - count + slope;
            value += own - count * log_sd - 0.5 * precision * squares;
        }
        value
    }

    fn add_gradient(&self, theta: &[f64], block: &M::Block, gradient: &mut [f64]) -> f64 {
        let own = self.own();
        self.model.add_gradient(&theta[..own], block, &mut gradient[..own])
    }
}

impl<M: Smooth> Smooth for Hierarchical<M> {
    fn add_prior_hessian(&self, theta: &[f64], hessian: &mut [f64]) {
        let (own, d) = (self.own(), theta.len());
        let mut leading = vec![0.0; own * own];
        self.model.add_prior_hessian(&theta[..own], &mut leading);
        add_leading(own, &leading, d, hessian);
        for (group, law) in self.groups.iter().zip(&self.laws) {
            let (at, precision) = (group.log_sd, group.precision(theta));
            let mut squares = 0.0;
            for j in group.effects.clone() {
                hessian[j * d + j] -= precision;
                hessian[j * d + at] += 2.0 * precision * theta[j];
                hessian[at * d + j] += 2.0 * precision * theta[j];
                squares += theta[j] * theta[j];
            }
            hessian[at * d + at] -= law.derivatives(theta[at])[2] + 2.0 * precision * squares;
        }
    }

    fn add_hessian(
        &self,
        theta: &[f64],
        block: &M::Block,
        gradient: &mut [f64],
        hessian: &mut [f64],
    ) -> f64 {
        let (own, d) = (self.own(), theta.len());
        let mut leading = vec![0.0; own * own];
        let value =
            self.model.add_hessian(&theta[..own], block, &mut gradient[..own], &mut leading);
        add_leading(own, &leading, d, hessian);
        value
    }

    fn regression(&self) -> Option<&dyn Regression<M::Block>> {
        match self.groups.is_empty() {
            true => self.model.regression(),
            false => self.model.regression().map(|_| self as &dyn Regression<M::Block>),
        }
    }

    fn add_smoothed_prior(
        &self,
        theta: &[f64],
        deviations: &[f64],
        gradient: &mut [f64],
        curvature: &mut [f64],
    ) {
        let own = self.own();
        self.model.add_smoothed_prior(
            &theta[..own],
            &deviations[..own],
            &mut gradient[..own],
            &mut curvature[..own],
        );
        for (group, law) in self.groups.iter().zip(&self.laws) {
            let precision = group.precision(theta);
            let mut squares = 0.0;
            for j in group.effects.clone() {
                gradient[j] -= precision * theta[j];
                curvature[j] += precision;
                squares += theta[j].powi(2) + deviations[j].powi(2);
            }
            let at = group.log_sd;
            // What the data says of τ is a smooth function, and the law of τ needs no average.
            let [_, slope, bend] = law.derivatives(theta[at]);
            gradient[at] += precision * squares - group.effects.len() as f64 + slope;
            curvature[at] += 2.0 * precision * squares + bend;
        }
    }

    fn groups(&self) -> &[Group] {
        &self.groups
    }

    fn kinks(&self) -> Option<Vec<f64>> {
        let mut kinks = self.model.kinks()?;
        kinks.resize(self.dimension(), 0.0);
        Some(kinks)
    }

    fn without_kinks(&self) -> Option<Self> {
        let (groups, laws) = (self.groups.clone(), self.laws.clone());
        self.model.without_kinks().map(|model| Hierarchical { model, groups, laws })
    }
}

/// Rows know nothing of τ: everything is asked of the regression, in its own parameters.
impl<M: Smooth> Regression<M::Block> for Hierarchical<M> {
    fn predictors(&self) -> usize {
        self.rows().predictors()
    }

    fn expand(
        &self,
        anchor: &[f64],
        covariance: Option<&ArrowMatrix>,
        cap: f64,
        block: &M::Block,
    ) -> RowExpansions {
        let own = self.own();
        let leading = covariance.map(|matrix| matrix.leading(own));
        self.rows().expand(&anchor[..own], leading.as_deref(), cap, block)
    }

    fn dominant(&self, variances: &[f64], block: &M::Block) -> Vec<u32> {
        self.rows().dominant(variances, block)
    }

    fn remainders(
        &self,
        offset: &[f64],
        block: &M::Block,
        rows: &RowExpansions,
        reach: Option<&[f64]>,
        values: &mut [f64],
        slopes: &mut [f64],
    ) {
        self.rows().remainders(&offset[..self.own()], block, rows, reach, values, slopes);
    }

    fn likelihoods(&self, theta: &[f64], block: &M::Block, values: &mut [f64], slopes: &mut [f64]) {
        self.rows().likelihoods(&theta[..self.own()], block, values, slopes);
    }

    fn add_rows(&self, weights: &[f64], block: &M::Block, sum: &mut [f64]) {
        self.rows().add_rows(weights, block, &mut sum[..self.own()]);
    }

    fn add_gram(&self, weights: &[f64], block: &M::Block, matrix: &mut ArrowMatrix) {
        if !matrix.shape().is_dense() {
            return self.rows().add_gram(weights, block, matrix);
        }
        let own = self.own();
        let mut leading = ArrowMatrix::dense(own, vec![0.0; own * own]);
        self.rows().add_gram(weights, block, &mut leading);
        add_leading(own, &leading.corner, self.dimension(), &mut matrix.corner);
    }

    fn row(&self, block: &M::Block, row: usize, entries: &mut Vec<(usize, f64)>) {
        self.rows().row(block, row, entries);
    }

    fn fingerprints(&self, block: &M::Block) -> Vec<[u64; 2]> {
        self.rows().fingerprints(block)
    }
}

impl<M: Smooth> Hierarchical<M> {
    fn rows(&self) -> &dyn Regression<M::Block> {
        self.model.regression().expect("a regression was found when this one was asked for")
    }
}

/// Adds a matrix of `own`² entries to the leading part of one of d².
fn add_leading(own: usize, leading: &[f64], d: usize, matrix: &mut [f64]) {
    for (line, from) in matrix.chunks_exact_mut(d).zip(leading.chunks_exact(own)) {
        line.iter_mut().zip(from).for_each(|(sum, entry)| *sum += entry);
    }
}
