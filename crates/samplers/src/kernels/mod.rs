//! One kernel a file.

mod adaptive_walk;
mod hmc;
mod independence;
mod kinked;
mod mala;
mod mixture;
mod no_u_turn;
#[cfg(test)]
mod quartic;
mod random_walk;
mod step_size;
mod tree;
mod tree_warm_up;

pub use adaptive_walk::{AdaptiveWalk, WalkState};
pub use hmc::Hmc;
pub use independence::{Independence, Weighed};
pub use kinked::{KinkScale, KinkedNoUTurn};
pub use mala::Mala;
pub use mixture::Mixture;
pub use no_u_turn::{Metric, NoUTurn, TreeState};
pub use random_walk::RandomWalk;
pub use step_size::Stepped;

pub(crate) use hmc::trajectory;
pub(crate) use independence::consider;
pub(crate) use mixture::Sides;
pub(crate) use random_walk::metropolis;
