//! Rows that enter a model through one linear predictor each: ℓ_i(θ) = ℓ(y_i, η_i), η_i = x_i · θ.
//!
//! Around an anchor θ₀ the predictor of row i moves by D = x_i · (θ − θ₀), which has variance
//! v_i = x_iᵀ C x_i when θ has covariance C. The *smoothed quadratic* of the row is
//!
//! ```text
//! q_i(D) = ℓ(η₀) + E[ℓ′(η₀ + D)] D + ½ E[ℓ″(η₀ + D)] D²,      D ~ N(0, v_i)
//! ```
//!
//! and its *score* is the standard deviation of ℓ − q under the same law: how much a sample that
//! leaves the row out can be off. At v = 0 the quadratic is Taylor's.
//!
//! A row may have a second predictor, the logarithm δ of a dispersion that all rows share and that is
//! the last parameter, and a third of that kind. What a row has for each predictor is then kept predictor after predictor: first
//! all rows' numbers for η, then all rows' numbers for δ; second derivatives are those in ηη, ηδ, δδ.

use crate::ArrowMatrix;

/// The smoothed quadratics of the rows of one block, row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowExpansions {
    /// η₀, the predictor at the anchor.
    pub predictor: Vec<f64>,
    /// v, the variance of the predictor.
    pub variance: Vec<f64>,
    /// ℓ(η₀).
    pub value: Vec<f64>,
    /// E ℓ′.
    pub first: Vec<f64>,
    /// E ℓ″, never positive in η.
    pub second: Vec<f64>,
    /// The standard deviation of ℓ − q.
    pub score: Vec<f64>,
    /// The largest v of all rows, in units in which a change of one matters.
    pub largest: f64,
}

/// What the anchored method asks of a model with linear predictors, one block of rows at a time.
pub trait Regression<B>: Sync {
    /// Predictors of a row: one, and one for each parameter that all rows share.
    fn predictors(&self) -> usize {
        1
    }

    /// The smoothed quadratics at an anchor, when θ has this covariance, of which only entries
    /// between parameters that meet in a row are read; no covariance gives Taylor expansions, with
    /// scores of zero. Variances above `cap` are cut.
    fn expand(
        &self,
        anchor: &[f64],
        covariance: Option<&ArrowMatrix>,
        cap: f64,
        block: &B,
    ) -> RowExpansions;

    /// For each row the column j with the largest x_ij² s_j².
    fn dominant(&self, variances: &[f64], block: &B) -> Vec<u32>;

    /// For each row the remainder r = ℓ(η₀ + D) − q(D) and its slope dr/dD, where D = x · offset.
    /// Beyond `reach`, where it is given, the remainder continues as its tangent.
    fn remainders(
        &self,
        offset: &[f64],
        block: &B,
        rows: &RowExpansions,
        reach: Option<&[f64]>,
        values: &mut [f64],
        slopes: &mut [f64],
    );

    /// For each row ℓ(η) and ℓ′(η) at η = x · θ.
    fn likelihoods(&self, theta: &[f64], block: &B, values: &mut [f64], slopes: &mut [f64]);

    /// Adds Σ_i u_i x_i to `sum`.
    fn add_rows(&self, weights: &[f64], block: &B, sum: &mut [f64]);

    /// Adds Σ_i u_i x_i x_iᵀ to `matrix`; no row has two parameters of its head.
    fn add_gram(&self, weights: &[f64], block: &B, matrix: &mut ArrowMatrix);

    /// Overwrites `entries` with the parameters that row i meets, and with what they are multiplied by.
    fn row(&self, block: &B, row: usize, entries: &mut Vec<(usize, f64)>);

    /// Two numbers of 64 bits for each row that agree for equal rows, targets included, and for
    /// hardly any others.
    fn fingerprints(&self, block: &B) -> Vec<[u64; 2]>;
}
