//! The uniform design: rows of high leverage kept exact, and uniform samples of the rest.
//!
//! It serves models without linear predictors, and the experiments that show what strata improve on.
//!
//! ```text
//! anchor   Newton on a share of the rows, then over all of them until a step is below 0.1 sds
//! points   once per replicate: mirrored pairs around the centre of the base density, or, where there
//!          is a core, the draws of a chain on it
//! levels   the same points, reweighted by the remainders of the sampled rows
//! ```
//!
//! Every pass and every row of the share is part of the set-up cost.
//!
//! ```
//! use debias::engine::{Forgetful, Unobserved, replicate};
//! use debias::{Debiased, Depths, Scheme, Tradeoff, unpiloted};
//! use anchored::uniform::{Anchor, doubling};
//! use data::DenseRows;
//! use debias::{Form, Seed, Summary};
//! use models::logistic::DenseLogistic;
//! use models::prior::Prior;
//! use posterior::DenseBlock;
//! use samplers::Functional;
//!
//! let mut block = DenseBlock::zeros(20_000, 1);
//! for i in 0..20_000 {
//!     let x = (i as f64).sin();
//!     block.column_mut(0)[i] = x;
//!     block.targets_mut()[i] = if (17.0 * i as f64).cos() < x { 1.0 } else { -1.0 };
//! }
//! let rows = DenseRows::new(block);
//! let model = DenseLogistic::new(1, Prior::Gaussian { standard_deviation: 1.0 })?;
//!
//! let anchor = Anchor::climb(&model, &rows, &[0.0; 2], 1000, Seed(1))?;
//! let (schedule, functionals) = (doubling(20_000, 256)?, Functional::means(2));
//! let path = anchor.path(&schedule, &functionals, 16)?;
//! let form = Form::AntitheticSingleTerm;
//! let law = unpiloted(schedule.sizes(), &Tradeoff::level_costs(&path, form), 1.0, 0.25)?;
//! let depths = Depths::draw(&law, Scheme::Stratified, 40, 20, Seed(1))?;
//! let run = replicate(&Debiased::new(&path, form, depths)?, 0..40, Seed(1), &Forgetful, &Unobserved)?;
//! let weight = Summary::of_groups(&run.functional(0), 20)?;
//! // A hundredth of a posterior standard deviation, from a few passes.
//! assert!(weight.standard_error < 0.01 * anchor.frame.factor().row(0)[0], "{weight:?}");
//! assert!(anchor.passes <= 5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod anchor;
mod chosen;
mod coupled;
mod paths;
mod posterior;
mod reweighting;
mod shared_path;

pub use self::posterior::{AnchoredLevel, AnchoredPosterior, RestRows};
pub use anchor::{Anchor, AnchorError, frame_of};
pub use coupled::CoupledPath;
pub use paths::{AnchoredPath, Points, doubling};
pub use reweighting::Reweighting;
pub use shared_path::{SharedPath, SharedPathError};
