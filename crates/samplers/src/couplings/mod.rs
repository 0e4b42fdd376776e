//! Pairs of chains that meet (Jacob, O'Leary & Atchadé 2020).

mod hmc;
mod independence;
mod lagged;
mod maximal;
mod reflection;
mod total_variation;
mod walk;

pub use lagged::{CoupledKernel, CouplingError, Lagged, Unbiased};
pub use maximal::{Law, maximal};
pub use reflection::reflection;
pub use total_variation::total_variation_bound;
pub use walk::{CoupledWalk, WalkCoupling};
