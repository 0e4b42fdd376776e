//! A level estimate of your own: a closed form in place of a chain.
//!
//! ```text
//! x_i ~ Exponential(λ),   λ ~ Gamma(a, b)        E[λ ∣ n rows] = (a + n) / (b + Σ x_i)
//! ```
//!
//! The posterior of a rate of waiting times is known, so that φ_t is two sums over its rows and has no
//! error of its own: the estimate is then unbiased without a caveat.
//!
//! ```sh
//! cargo run --release --package examples --bin own-level-estimate
//! ```

use rand::RngExt;
use rand_distr::Exp1;
use std::convert::Infallible;
use unbiased_bayes::{
    Answer, DenseBlock, DenseRows, EstimateError, Estimation, Functional, LevelEstimate, Model,
    PartialPosterior, Rng, Rows, Seed, Stop,
};

/// A rate with a Gamma prior.
struct Waiting {
    /// a.
    shape: f64,
    /// b.
    rate: f64,
}

impl Model for Waiting {
    type Block = DenseBlock;

    fn dimension(&self) -> usize {
        1
    }

    fn log_prior(&self, theta: &[f64]) -> f64 {
        (self.shape - 1.0) * theta[0].ln() - self.rate * theta[0]
    }

    fn log_likelihood(&self, theta: &[f64], block: &DenseBlock) -> f64 {
        block.column(0).iter().map(|x| theta[0].ln() - theta[0] * x).sum()
    }
}

/// φ_t = (a + n) / (b + Σ x).
struct ClosedForm;

impl LevelEstimate<Waiting> for ClosedForm {
    type Error = Infallible;

    fn estimate(
        &self,
        posterior: &mut PartialPosterior<'_, Waiting>,
        _: &mut Rng,
    ) -> Result<Vec<f64>, Infallible> {
        let Waiting { shape, rate } = posterior.model();
        // Reading the rows is what costs, and is counted here.
        let times = posterior.read_rows().column(0);
        Ok(vec![(shape + times.len() as f64) / (rate + times.iter().sum::<f64>())])
    }

    fn expected_cost(&self, rows: usize) -> f64 {
        rows as f64
    }
}

fn answer(model: &Waiting, rows: &DenseRows) -> Result<Answer, EstimateError> {
    let named = vec![("rate".to_owned(), Functional::Mean(0))];
    let question = Estimation::new(model, rows).asking(named).stop(Stop::Replicates(200));
    question.run_with(&ClosedForm)
}

/// Waiting times with rate two.
fn times(count: usize, seed: Seed) -> DenseRows {
    let rng = &mut seed.stream(0);
    let mut block = DenseBlock::zeros(count, 1);
    block.column_mut(0).fill_with(|| 0.5 * rng.sample::<f64, _>(Exp1));
    DenseRows::new(block)
}

/// The same closed form on all rows.
fn exact(model: &Waiting, rows: &DenseRows) -> f64 {
    let sum: f64 = rows.block().column(0).iter().sum();
    (model.shape + rows.count() as f64) / (model.rate + sum)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (rows, model) = (times(1_000_000, Seed(1)), Waiting { shape: 2.0, rate: 1.0 });
    let answer = answer(&model, &rows)?;
    let found = &answer.estimates[0].summary;
    println!(
        "{:.5} ± {:.5}, exactly {:.5}",
        found.mean,
        found.standard_error,
        exact(&model, &rows)
    );
    println!("{}", answer.guarantees.sentence());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails for a right estimator once in about ten thousand seeds.
    #[test]
    fn it_finds_the_closed_form_of_all_rows() {
        let (rows, model) = (times(50_000, Seed(2)), Waiting { shape: 2.0, rate: 1.0 });
        let answer = answer(&model, &rows).unwrap();
        let found = &answer.estimates[0].summary;
        let z = (found.mean - exact(&model, &rows)) / found.standard_error;
        assert!(z.abs() < 4.0, "{found:?}: {z}");
    }
}
