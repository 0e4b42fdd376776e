//! Gradients from mini-batches, unbiased and noisy.
//!
//! ```text
//! ĝ(θ) = ∇ ln p(θ) + (N/b) Σ_{i∈B} ∇ℓ_i(θ)
//! ĝ(θ) = ∇ ln p(θ) + Σ_i ∇ℓ_i(θ̂) + (N/b) Σ_{i∈B} [∇ℓ_i(θ) − ∇ℓ_i(θ̂)]      about a centre θ̂
//! ```
//!
//! B are b rows drawn without replacement, anew for every gradient. The variance of the first form
//! is of order N²/b wherever θ is; that of the second of order N² |θ − θ̂|²/b, which in a posterior
//! is N/b (Baker, Fearnhead, Fox & Nemeth 2019).

use crate::seen_rows::SeenRows;
use debias::{Ledger, Rng};
use models::anchor::Mode;
use posterior::{Differentiable, Rows, subset};

/// A point with the gradient of all rows there, and what it cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Centre {
    /// θ̂.
    pub theta: Vec<f64>,
    /// Σ_i ∇ℓ_i(θ̂).
    pub gradient: Vec<f64>,
    /// The passes that found it.
    pub ledger: Ledger,
}

impl Centre {
    /// Where the last pass of Newton's method was: one step before the mode, and the gradient of
    /// all rows is there already.
    pub fn of(mode: &Mode) -> Centre {
        let (theta, gradient) = (mode.expansion.anchor.clone(), mode.expansion.gradient.clone());
        Centre { theta, gradient, ledger: mode.ledger }
    }
}

/// ĝ, counted.
pub(crate) struct StochasticGradient<'a, R, M> {
    rows: &'a R,
    model: &'a M,
    batch: usize,
    centre: Option<&'a Centre>,
    seen: SeenRows,
    ledger: Ledger,
}

impl<'a, R: Rows, M: Differentiable<Block = R::Block>> StochasticGradient<'a, R, M> {
    pub(crate) fn new(
        rows: &'a R,
        model: &'a M,
        batch: usize,
        centre: Option<&'a Centre>,
    ) -> StochasticGradient<'a, R, M> {
        let ledger = centre.map_or(Ledger::default(), |centre| centre.ledger);
        let seen = SeenRows::new(rows.count());
        StochasticGradient { rows, model, batch, centre, seen, ledger }
    }

    /// Overwrites `gradient` with ĝ(θ).
    pub(crate) fn at(&mut self, theta: &[f64], gradient: &mut [f64], rng: &mut Rng) {
        let indices = subset(self.rows.count(), self.batch, rng);
        self.seen.see(&indices);
        self.ledger.gradients += self.batch as u64;
        let block = self.rows.gather(&indices);
        let scale = self.rows.count() as f64 / self.batch as f64;
        gradient.fill(0.0);
        self.model.add_gradient(theta, &block, gradient);
        if let Some(centre) = self.centre {
            self.ledger.gradients += self.batch as u64;
            let mut there = vec![0.0; theta.len()];
            self.model.add_gradient(&centre.theta, &block, &mut there);
            for ((here, there), all) in gradient.iter_mut().zip(there).zip(&centre.gradient) {
                *here += all / scale - there;
            }
        }
        gradient.iter_mut().for_each(|slope| *slope *= scale);
        self.model.add_prior_gradient(theta, gradient);
    }

    /// The work so far, the centre's included.
    pub(crate) fn ledger(&self) -> Ledger {
        let distinct_rows = self.seen.count().max(self.ledger.distinct_rows);
        Ledger { distinct_rows, ..self.ledger }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smooth_mode;
    use data::{Generated, LogisticLaw};
    use debias::{Seed, Summary};
    use models::logistic::DenseLogistic;
    use models::prior::Prior;

    /// The mean of 3000 batches is the gradient of all rows, with a centre and without: twenty means
    /// at |z| < 4, once in 800 seeds. Near the mode the centre takes away most of the variance.
    #[test]
    fn gradients_are_unbiased_and_a_centre_calms_them() {
        let rows = Generated::new(LogisticLaw::paper(), Seed(51), 1000);
        let model = DenseLogistic::new(9, Prior::Laplace { scale: 1.0 }).unwrap();
        let (mode, _) = smooth_mode(&model, &rows).unwrap();
        let centre = Centre::of(&mode);
        let theta: Vec<f64> = centre.theta.iter().map(|x| x + 0.1).collect();
        let mut exact = vec![0.0; 10];
        model.add_prior_gradient(&theta, &mut exact);
        model.add_gradient(&theta, &rows.range(0..1000), &mut exact);
        let summaries = [None, Some(&centre)].map(|centre| {
            let mut noisy = StochasticGradient::new(&rows, &model, 50, centre);
            let rng = &mut Seed(52).stream(0);
            let mut draws = vec![Vec::new(); 10];
            for _ in 0..3000 {
                let mut gradient = vec![0.0; 10];
                noisy.at(&theta, &mut gradient, rng);
                draws.iter_mut().zip(gradient).for_each(|(draws, slope)| draws.push(slope));
            }
            draws.iter().map(|draws| Summary::of(draws).unwrap()).collect::<Vec<_>>()
        });
        for (j, exact) in exact.iter().enumerate() {
            for seen in summaries.iter().map(|summaries| &summaries[j]) {
                assert!((seen.mean - exact).abs() < 4.0 * seen.standard_error, "{seen:?} {exact}");
            }
            let (plain, centred) = (summaries[0][j].variance, summaries[1][j].variance);
            assert!(centred < 0.1 * plain, "coordinate {j}: {centred} and {plain}");
        }
    }
}
