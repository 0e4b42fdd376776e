//! Anchored paths, ready to run.
//!
//! ```text
//! anchor   Newton on a share of the rows, then over all of them until a step is below 0.1 sds
//! points   once a replicate: mirrored pairs around the centre of the base density, or, where there
//!          is a core, the draws of a chain on it
//! levels   the same points, reweighted by the remainders of the sampled rows
//! ```
//!
//! Every pass and every row of the share is part of the set-up cost.

mod anchor;
mod chosen;
mod paths;
pub(crate) mod settled;

pub use anchor::{Anchor, AnchorError, frame_of};
pub use paths::{AnchoredPath, Points, doubling};
