//! Whether to believe a chain (Vehtari, Gelman, Simpson, Carpenter & Bürkner 2021).
//!
//! Everything here looks at one quantity in one or more chains of equal length.

mod chains;
mod effective;
mod energy;
mod error;
mod rhat;
mod summary;

pub use chains::{Chains, ChainsError};
pub use effective::{ess_bulk, ess_mean, ess_tail};
pub use energy::energy_fraction;
pub use error::{mcse_mean, mcse_sd};
pub use rhat::rhat;
pub use summary::Summary;
