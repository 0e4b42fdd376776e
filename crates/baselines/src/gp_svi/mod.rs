//! Gaussian process regression by stochastic variational inference (Hensman, Fusi & Lawrence
//! 2013, "Gaussian Processes for Big Data"): GP-SVI, the paper's rival on the flight delays.
//!
//! ```text
//! f ~ GP(0, k),  y_i ∣ f ~ N(f(x_i), λ)      k(x, x') = v exp(−½ Σ_c (x_c − x'_c)²/ℓ_c²)
//! u = f(Z) = L w,  L Lᵀ = k(Z, Z),  w ~ N(0, I)      φ_i = L⁻¹ k(Z, x_i)
//! q(w) = N(μ, P⁻¹)
//!
//! ln p(y) ≥ Σ_i { ln N(y_i ∣ φ_iᵀμ, λ) − [v − φ_iᵀφ_i + φ_iᵀP⁻¹φ_i] / 2λ } − KL(q ‖ N(0, I))
//! ```
//!
//! which is their equation (4) with the inducing variables whitened: N/b times the sum over a
//! mini-batch of b rows estimates it without bias. A step of the natural gradient moves the
//! natural parameters P and h = Pμ towards what the batch alone would ask for (their equation 11),
//!
//! ```text
//! P ← (1 − ρ) P + ρ (I + (N/bλ) Σ φ_i φ_iᵀ)      h ← (1 − ρ) h + ρ (N/bλ) Σ φ_i y_i
//! ```
//!
//! and Adam (Kingma & Ba 2015) climbs the same estimate in ln ℓ, ln v and ln λ. Whitening keeps q
//! sensible while these move; the KL term does not depend on them.
//!
//! | file | idea |
//! |---|---|
//! | `settings` | what to run, and why it cannot be run |
//! | `hyperparameters` | ℓ, v, λ and their logarithms |
//! | `inducing` | Z: random rows, or k-means |
//! | `projection` | k(Z, Z) = L Lᵀ, k(Z, x), φ |
//! | `whitened` | q(w) and its natural gradient |
//! | `bound` | the bound and its gradient |
//! | `adam` | Adam |
//! | `training` | the loop |
//! | `fitted` | predictions |
//!
//! Work is shared out in pieces of fixed size whose results are added in order: one seed gives the
//! same bytes on any number of threads.

mod adam;
mod bound;
mod fitted;
mod hyperparameters;
mod inducing;
mod matrices;
mod projection;
mod settings;
mod training;
mod whitened;

pub use fitted::{GpSviFitted, GpSviPredictions, Predictions};
pub use hyperparameters::Hyperparameters;
pub use inducing::InducingInputs;
pub use settings::{GpSvi, GpSviError, GpSviSettings};
pub use training::{Progress, Training};
