//! Rows as they enter a linear predictor: η_i = Σ_j x_ij w_j + bias.
//!
//! A parameter vector holds the d weights and then, **last**, the bias. A layout has to give
//! three things: the sweep (η, then Xᵀ times something made of η), the Gram matrix Xᵀ diag(c) X,
//! and the quadratic forms x_iᵀ C x_i; in all of them a row carries a one after its covariates.

mod dense;
mod patterns;
mod sparse;

pub use patterns::{NotBinary, PatternBlock, Patterned};

use crate::simd::Level;
use posterior::Block;

/// What turns predictors into row weights, given the targets of the same rows.
pub type Link<'a> = dyn FnMut(&[f64], &mut [f64]) + 'a;

/// A block whose rows can be multiplied by a vector.
pub trait Design: Block {
    /// d, the number of covariates.
    fn width(&self) -> usize;

    /// One target a row.
    fn targets(&self) -> &[f64];

    /// Piece after piece of consecutive rows: computes η from the d + 1 parameters, lets `link`
    /// overwrite η with a weight u a row, and adds Σ_i u_i (x_i, 1) to `gradient` if there is one.
    fn sweep(
        &self,
        level: Level,
        parameters: &[f64],
        link: &mut Link<'_>,
        gradient: Option<&mut [f64]>,
    );

    /// Adds Σ_i c_i (x_i, 1)(x_i, 1)ᵀ to the (d + 1)² entries of `matrix`.
    fn add_gram(&self, level: Level, weights: &[f64], matrix: &mut [f64]);

    /// (x_i, 1)ᵀ C (x_i, 1) for each row, C symmetric with (d + 1)² entries.
    fn quadratic_forms(&self, matrix: &[f64]) -> Vec<f64>;
}
