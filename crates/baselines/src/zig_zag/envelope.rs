//! How fast rows can turn a path round, at most.
//!
//! Row j pulls coordinate i by x_ji D_j(θ) more than it does at the centre θ*, where
//!
//! ```text
//! D_j(θ) = p(x_jᵀθ) − p(x_jᵀθ*),    p(η) = 1/(1 + e^{−η}),
//! |D_j| ≤ min(1, |x_jᵀ(θ − θ*)|/4) ≤ min(1, ‖x_j ∘ σ‖ ‖(θ − θ*)/σ‖ / 4)
//! ```
//!
//! whatever the label is, because p is Lipschitz with 1/4. With |v_i| = σ_i all coordinates
//! together are turned by row j at a rate of at most S_j |D_j|, S_j = Σ_i σ_i |x_ji|: two maxima over
//! the rows bound all of them.

use debias::Ledger;
use models::design::Design;
use posterior::{Rows, pass};

/// Maxima over the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Envelope {
    /// max_j S_j.
    pub pull: f64,
    /// max_j S_j ‖x_j ∘ σ‖.
    pub stiffness: f64,
}

impl Envelope {
    /// One pass over all rows, given σ.
    pub fn of<R>(rows: &R, scales: &[f64]) -> (Envelope, Ledger)
    where
        R: Rows,
        R::Block: Design,
    {
        let visit = |block: R::Block| {
            let mut most = Envelope::default();
            let mut x = Vec::with_capacity(scales.len());
            let count = posterior::Block::rows(&block);
            for row in 0..count {
                block.row(row, &mut x);
                let pull = pull(&x, scales);
                let square: f64 = x.iter().map(|&(i, x)| (x * scales[i]).powi(2)).sum();
                most.widen(Envelope { pull, stiffness: pull * square.sqrt() });
            }
            (most, count as u64)
        };
        let (envelope, count) = pass(rows, visit, (Envelope::default(), 0), |total, part| {
            total.0.widen(part.0);
            total.1 += part.1;
        });
        (envelope, Ledger { likelihoods: count, distinct_rows: count, ..Ledger::default() })
    }

    fn widen(&mut self, other: Envelope) {
        self.pull = self.pull.max(other.pull);
        self.stiffness = self.stiffness.max(other.stiffness);
    }
}

/// S_j.
pub fn pull(x: &[(usize, f64)], scales: &[f64]) -> f64 {
    x.iter().map(|&(i, x)| (x * scales[i]).abs()).sum()
}
