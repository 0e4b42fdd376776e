//! The energy fraction of missing information, E-FMI (Betancourt 2016).
//!
//! ```text
//! E-FMI = mean (E_n − E_{n−1})² / var E
//! ```
//!
//! Below about 0.3 the momenta change the energy too little at a time to explore its tails.

use super::chains::variance;

/// E-FMI of one chain's energies; NaN for fewer than two.
pub fn energy_fraction(energies: &[f64]) -> f64 {
    if energies.len() < 2 {
        return f64::NAN;
    }
    let jumps: f64 = energies.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum();
    jumps / (energies.len() - 1) as f64 / variance(energies)
}
