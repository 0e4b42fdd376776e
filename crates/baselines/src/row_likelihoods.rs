//! Rows one by one, for tests that ask how much the rows disagree.
//!
//! ```text
//! ℓ_i(θ') − ℓ_i(θ), and a bound on its range over all rows
//! ```
//!
//! The bound looks at the box that holds all covariates, which one pass finds.

use models::log_gaussian::LogGaussian;
use models::logistic::DenseLogistic;
use posterior::{DenseBlock, Model, Rows, pass};

/// A model whose rows can be told apart.
pub trait RowLikelihoods: Model<Block = DenseBlock> {
    /// ln p(x_i ∣ θ) for each row, up to a constant a row.
    fn row_log_likelihoods(&self, theta: &[f64], block: &DenseBlock) -> Vec<f64>;

    /// At least max_i − min_i of ℓ_i(θ') − ℓ_i(θ) over rows in the box.
    fn range(&self, extent: &Extent, theta: &[f64], proposal: &[f64]) -> f64;
}

/// The smallest and largest value of each covariate.
#[derive(Clone, Debug, PartialEq)]
pub struct Extent {
    /// One pair a covariate.
    pub sides: Vec<(f64, f64)>,
}

impl Extent {
    /// One pass over all rows.
    pub fn of<R: Rows<Block = DenseBlock>>(rows: &R) -> Extent {
        let side = |column: &[f64]| {
            column
                .iter()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(*x), b.max(*x)))
        };
        let visit = |block: DenseBlock| -> Vec<(f64, f64)> {
            (0..block.width()).map(|c| side(block.column(c))).collect()
        };
        let join = |total: &mut Vec<(f64, f64)>, part: Vec<(f64, f64)>| {
            if total.is_empty() {
                *total = part;
            } else {
                for (total, part) in total.iter_mut().zip(part) {
                    *total = (total.0.min(part.0), total.1.max(part.1));
                }
            }
        };
        Extent { sides: pass(rows, visit, Vec::new(), join) }
    }
}

/// |ℓ_i(θ') − ℓ_i(θ)| ≤ |(x_i, 1)·(θ' − θ)|, the logistic loss having slopes below one.
impl RowLikelihoods for DenseLogistic {
    fn row_log_likelihoods(&self, theta: &[f64], block: &DenseBlock) -> Vec<f64> {
        DenseLogistic::row_log_likelihoods(self, theta, block)
    }

    fn range(&self, extent: &Extent, theta: &[f64], proposal: &[f64]) -> f64 {
        let bias = extent.sides.len();
        let largest: f64 = extent
            .sides
            .iter()
            .zip(theta.iter().zip(proposal))
            .map(|((low, high), (from, to))| (to - from).abs() * low.abs().max(high.abs()))
            .sum();
        2.0 * (largest + (proposal[bias] - theta[bias]).abs())
    }
}

/// ℓ' − ℓ is a parabola in y: its extremes lie at the ends of the box or at the vertex.
impl RowLikelihoods for LogGaussian {
    fn row_log_likelihoods(&self, theta: &[f64], block: &DenseBlock) -> Vec<f64> {
        block.column(0).iter().copied().map(gaussian(theta)).collect()
    }

    fn range(&self, extent: &Extent, theta: &[f64], proposal: &[f64]) -> f64 {
        let (low, high) = extent.sides[0];
        let (before, after) = (gaussian(theta), gaussian(proposal));
        let difference = |y: f64| after(y) - before(y);
        let (old, new) = ((-2.0 * theta[1]).exp(), (-2.0 * proposal[1]).exp());
        let vertex = (theta[0] * old - proposal[0] * new) / (old - new);
        let ends = (difference(low), difference(high));
        let (mut least, mut most) = (ends.0.min(ends.1), ends.0.max(ends.1));
        if low < vertex && vertex < high {
            least = least.min(difference(vertex));
            most = most.max(difference(vertex));
        }
        most - least
    }
}

/// y ↦ ln N(y ∣ μ, σ²) at θ = (μ, ln σ), up to a constant.
fn gaussian(theta: &[f64]) -> impl Fn(f64) -> f64 {
    let (mean, log_deviation) = (theta[0], theta[1]);
    let half_precision = 0.5 * (-2.0 * log_deviation).exp();
    move |y| -log_deviation - half_precision * (y - mean) * (y - mean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use data::{GaussianLaw, Generated, LogisticLaw};
    use debias::Seed;
    use models::prior::Prior;

    fn check<M: RowLikelihoods>(
        model: &M,
        block: &DenseBlock,
        extent: &Extent,
        points: [&[f64]; 2],
    ) {
        let rows = points.map(|theta| model.row_log_likelihoods(theta, block));
        for (theta, rows) in points.iter().zip(&rows) {
            let (sum, all) = (rows.iter().sum::<f64>(), model.log_likelihood(theta, block));
            assert!((sum - all).abs() < 1e-10 * all.abs(), "{sum} {all}");
        }
        let differences: Vec<f64> = rows[0].iter().zip(&rows[1]).map(|(a, b)| b - a).collect();
        let most = differences.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
        let least = differences.iter().fold(f64::INFINITY, |a, b| a.min(*b));
        let range = model.range(extent, points[0], points[1]);
        assert!(range >= (most - least) * (1.0 - 1e-12), "{range} {}", most - least);
    }

    #[test]
    fn rows_add_up_and_stay_within_their_range() {
        let rows = Generated::new(GaussianLaw::log_gaussian(), Seed(1), 500);
        let (block, extent) = (rows.range(0..500), Extent::of(&rows));
        for proposal in [[0.1, 0.3], [-0.2, 0.5], [0.0, 0.2]] {
            check(&LogGaussian, &block, &extent, [&[0.0, 0.35], &proposal]);
        }
        // A parabola whose ends are in the data: the range is met.
        let range = LogGaussian.range(&extent, &[0.0, 0.0], &[0.0, 0.1]);
        let farthest = extent.sides[0].0.abs().max(extent.sides[0].1);
        let expected = 0.5 * farthest.powi(2) * (1.0 - (-0.2f64).exp());
        assert!((range / expected - 1.0).abs() < 1e-12, "{range} {expected}");

        let rows = Generated::new(LogisticLaw::paper(), Seed(1), 500);
        let model = DenseLogistic::new(9, Prior::Laplace { scale: 1.0 }).unwrap();
        let (block, extent) = (rows.range(0..500), Extent::of(&rows));
        check(&model, &block, &extent, [&[1.0; 10], &[0.5; 10]]);
    }
}
