//! Anchored paths: one quadratic for all rows, and random samples of what it leaves.

mod anchor;
mod base;
mod calibration;
mod chains;
mod counted;
mod explored;
mod path;
mod points;
mod strata;
mod whole;
#[cfg(test)]
mod worked_example;

pub use anchor::{Anchor, AnchorError};
pub use base::{Base, BaseDensity};
pub use chains::{CHAINS, Chains, ChainsError, WARM_UP};
pub use counted::CountedRows;
pub use explored::{AnchoredRows, ExploreError, Explored, LEAST_REPLICATES, Trial, law};
pub use path::{EnrichedPath, Layout, NoWeight, Slope, slope};
pub use points::{PointSource, Points};
pub use strata::{Sample, Strata};
pub use whole::WholePosterior;
