//! One kernel a file.

mod adaptive_walk;
mod hmc;
mod independence;
mod mala;
mod mixture;
mod random_walk;
mod step_size;

pub use adaptive_walk::{AdaptiveWalk, WalkState};
pub use hmc::{Hmc, trajectory};
pub use independence::{Independence, Weighed};
pub use mala::Mala;
pub use mixture::{Mixture, Sides};
pub use random_walk::RandomWalk;
pub use step_size::Stepped;

pub(crate) use independence::consider;
pub(crate) use random_walk::metropolis;
