//! A target on which integrators are tested.

use debias::Ledger;
use posterior::Target;

/// −ln π = θ⁴/4 in each coordinate: nothing that an integrator could get right by luck.
pub(crate) struct Quartic;

impl Target for Quartic {
    fn dimension(&self) -> usize {
        2
    }

    fn log_density(&mut self, theta: &[f64]) -> f64 {
        self.gradient(theta, &mut [0.0; 2])
    }

    fn gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        for j in 0..2 {
            gradient[j] = -theta[j].powi(3);
        }
        -0.25 * theta.iter().map(|x| x.powi(4)).sum::<f64>()
    }

    fn ledger(&self) -> Ledger {
        Ledger::default()
    }
}
