//! Gaussian approximations of a regression's posterior, whose means are rivals: the mode, the mean to the
//! next order after it, and variational inference, all by the crate `anchored`.

use anchored::{AnchoredRows, fixed_point, laplace};
use debias::Seed;
use posterior::{Rows, Smooth};
use serde::{Deserialize, Serialize};

/// The means by each approximation, and the evaluations they take.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Approximations {
    /// θ̂.
    pub mode: (Vec<f64>, f64),
    /// To the next order.
    pub next_order: (Vec<f64>, f64),
    /// m.
    pub variational: (Vec<f64>, f64),
}

/// All three, for a model with linear predictors. Each is charged the search for the anchor and its own
/// passes from there; equal rows count once.
pub fn approximations<R, M>(model: &M, rows: &R, seed: Seed) -> anyhow::Result<Approximations>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let regression = model.regression();
    let regression = regression.ok_or_else(|| anyhow::anyhow!("no linear predictors"))?;
    let AnchoredRows { rows, anchor, .. } = AnchoredRows::find(model, regression, rows, seed)?;
    let before = anchor.ledger.evaluations() as f64;
    let found = laplace(model, regression, &rows, &anchor)?;
    let closest = fixed_point(model, regression, &rows, &anchor)?;
    let passes = found.ledger.evaluations() as f64;
    Ok(Approximations {
        // The last pass is for third derivatives.
        mode: (found.mode, before + passes - rows.kinds() as f64),
        next_order: (found.next_order, before + passes),
        variational: (closest.mean, before + closest.ledger.evaluations() as f64),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::anchored::newton;
    use crate::problems::ordinary::{Law, Regression};
    use models::laplace_mean::laplace_mean;

    /// The closed form of the logistic third derivative, on rows with a skewed weight.
    #[test]
    fn the_next_order_is_that_of_the_closed_form() -> anyhow::Result<()> {
        let problem = Law::Rare.rows(Seed(3), 2000)?;
        let Regression::Logistic(model) = Law::Rare.regression()? else {
            anyhow::bail!("labels make a logistic regression");
        };
        let found = approximations(&model, &problem.rows, Seed(4))?;
        let mode = newton(&model, &problem.rows, &[0.0; 6], 1e-3, 50)?;
        let (closed, _) = laplace_mean(&model, &problem.rows, &mode);
        for (j, (ours, closed)) in found.next_order.0.iter().zip(&closed).enumerate() {
            let sd = mode.covariance.entry(j, j).sqrt();
            assert!((ours - closed).abs() < 1e-2 * sd, "{j}: {ours} and {closed}");
        }
        // The rare weight is skewed to the left: its mean lies below its mode.
        assert!(found.next_order.0[4] < found.mode.0[4]);
        assert!(found.variational.0[4] < found.mode.0[4]);
        Ok(())
    }
}
