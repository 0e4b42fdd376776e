//! The posterior given all rows, with counts, for chains that look at every row.

use crate::counted::CountedRows;
use debias::Ledger;
use posterior::{Regression, Rows, Smooth, Target};

/// Parts of an evaluation, which run side by side.
const PARTS: usize = 16;

/// p(θ) Π_i p(y_i ∣ x_i · θ)^{count_i}.
pub struct WholePosterior<'a, R: Rows, M> {
    model: &'a M,
    regression: &'a dyn Regression<R::Block>,
    rows: &'a CountedRows<'a, R>,
    ledger: Ledger,
}

impl<'a, R, M> WholePosterior<'a, R, M>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    /// The posterior given these rows.
    pub fn new(
        model: &'a M,
        regression: &'a dyn Regression<R::Block>,
        rows: &'a CountedRows<'a, R>,
    ) -> WholePosterior<'a, R, M> {
        WholePosterior { model, regression, rows, ledger: Ledger::default() }
    }
}

impl<R, M> Target for WholePosterior<'_, R, M>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    fn dimension(&self) -> usize {
        self.model.dimension()
    }

    fn log_density(&mut self, theta: &[f64]) -> f64 {
        let mut unused = vec![0.0; theta.len()];
        self.gradient(theta, &mut unused)
    }

    fn gradient(&mut self, theta: &[f64], gradient: &mut [f64]) -> f64 {
        gradient.fill(0.0);
        let mut value = self.model.add_prior_gradient(theta, gradient);
        let zero = || (0.0, vec![0.0; theta.len()]);
        let parts = self.rows.in_parts(PARTS, zero, |(value, gradient), range| {
            self.rows.visit(range, |block, counts| {
                let mut values = vec![0.0; counts.len()];
                let mut slopes = vec![0.0; self.regression.predictors() * counts.len()];
                self.regression.likelihoods(theta, block, &mut values, &mut slopes);
                for (l, count) in values.iter().zip(counts) {
                    *value += l * count;
                }
                for slopes in slopes.chunks_mut(counts.len()) {
                    slopes.iter_mut().zip(counts).for_each(|(slope, count)| *slope *= count);
                }
                self.regression.add_rows(&slopes, block, gradient);
            });
        });
        for (part, slopes) in parts {
            value += part;
            gradient.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += slope);
        }
        self.ledger.gradients += self.rows.kinds() as u64;
        value
    }

    fn ledger(&self) -> Ledger {
        self.ledger
    }
}
