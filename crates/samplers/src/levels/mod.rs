//! Level estimates: φ_t by running something on a partial posterior.

mod chain;
mod coupled;
mod framing;
mod kinked;
mod points;
mod start;

pub use chain::{ByChain, ChainError};
pub use coupled::{ByCoupledChains, CoupledError};
pub use framing::{Framing, FramingError};
pub use kinked::ByKinkedChain;
pub use points::{ByPoints, PointsError};
pub use start::{Start, StartRuleError};
