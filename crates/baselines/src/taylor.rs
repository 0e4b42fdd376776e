//! What rows leave of their second-order expansions at a centre, for methods that sample them.
//!
//! ```text
//! ln π(θ) = ln p(θ) + Q(θ) + Σ_i d_i(θ)          Q = Σ_i q_i
//! d_i(θ)  = ℓ_i(θ) − q_i(θ)                      q_i(θ) = ℓ_i(θ*) + ℓ′_i δ_i + ½ ℓ″_i δ_i²
//! δ_i     = x_i · (θ − θ*)
//! ```
//!
//! Q costs no rows, and the d_i are small near the centre: of the order N^(−3/2) each where a posterior
//! of N rows sits. Scalable Metropolis–Hastings, the block-Poisson estimator, energy-conserving
//! subsampling and unbiased kinetic Langevin sampling all live on that. Logistic regression, whose
//! third derivative in the predictor is at most 1/(6√3), in any layout.
//!
//! The expansions are in the predictor alone, so that one pass which keeps x_i · θ* makes all of them:
//! afterwards d_i at one θ is one likelihood evaluation.

use crate::{SmoothModeError, smooth_mode};
use debias::{Ledger, Rng};
use models::anchor::Expansion;
use models::design::Design;
use models::logistic::Logistic;
use models::simd::Level;
use posterior::{Model, Rows, pass};
use rand::RngExt;
use rand_distr::StandardNormal;
use samplers::Frame;

/// max |ℓ‴|: s (1 − s) |1 − 2 s| is largest at s = ½ ± 1/(2√3).
pub(crate) const THIRD: f64 = 0.096_225_044_864_937_63;

/// The share of proposals that warm-ups aim at, and the shortest step they try.
const ACCEPTANCE: f64 = 0.6;
const SHORTEST: f64 = 0.01;

/// All rows about one centre.
pub struct Taylor<'a, R: Rows> {
    pub(crate) rows: &'a R,
    pub(crate) model: &'a Logistic<R::Block>,
    /// Q.
    pub(crate) sum: Expansion,
    /// x_i · θ*.
    pub(crate) predictors: Vec<f64>,
    /// ‖Cᵀ x_i‖, C the factor of the frame: |δ_i| ≤ ‖Cᵀ x_i‖ ‖z − z*‖.
    pub(crate) lengths: Vec<f64>,
    /// The Gaussian N(μ, C Cᵀ) from which proposals come: θ = μ + C z.
    pub(crate) frame: Frame,
    /// z* of the centre.
    pub(crate) origin: Vec<f64>,
    pub(crate) setup: Ledger,
}

/// d_i and its slope in the predictor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Remainder {
    pub(crate) value: f64,
    pub(crate) slope: f64,
}

/// A place of a chain.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) z: Vec<f64>,
    pub(crate) theta: Vec<f64>,
    /// ln p(θ) + Q(θ) − ln N(θ; μ, C Cᵀ): what is left of ln π without the d_i, up to a constant.
    pub(crate) free: f64,
}

impl<'a, R> Taylor<'a, R>
where
    R: Rows,
    R::Block: Design,
{
    /// About the mode under a smooth prior, with the Laplace approximation as its Gaussian.
    pub fn at_mode(
        rows: &'a R,
        model: &'a Logistic<R::Block>,
    ) -> Result<Taylor<'a, R>, SmoothModeError> {
        let (mode, frame) = smooth_mode(model, rows)?;
        Ok(Taylor::about(rows, model, &mode.expansion, frame, mode.ledger))
    }

    /// About the centre of an expansion of all rows that is there already, after so much work; one pass
    /// more.
    pub fn about(
        rows: &'a R,
        model: &'a Logistic<R::Block>,
        expansion: &Expansion,
        frame: Frame,
        before: Ledger,
    ) -> Taylor<'a, R> {
        let covariance = frame.factor().covariance();
        let visit = |block: R::Block| {
            let mut predictors = Vec::new();
            let mut link = |_: &[f64], eta: &mut [f64]| predictors.extend_from_slice(eta);
            block.sweep(Level::best(), &expansion.anchor, &mut link, None);
            let squares = block.quadratic_forms(&covariance);
            (predictors, squares.into_iter().map(|square| square.max(0.0).sqrt()).collect())
        };
        let none = (Vec::with_capacity(rows.count()), Vec::with_capacity(rows.count()));
        let (predictors, lengths) =
            pass(rows, visit, none, |total: &mut (Vec<_>, Vec<f64>), part| {
                total.0.extend(part.0);
                total.1.extend(part.1);
            });
        let count = rows.count() as u64;
        let mut setup = before + Ledger { likelihoods: count, ..Ledger::default() };
        setup.distinct_rows = count;
        let origin = frame.coordinates(&expansion.anchor);
        Taylor { rows, model, sum: expansion.clone(), predictors, lengths, frame, origin, setup }
    }

    /// The work that found the centre and the predictors; it counts in every answer.
    pub fn setup(&self) -> Ledger {
        self.setup
    }

    /// d.
    pub fn dimension(&self) -> usize {
        self.frame.dimension()
    }

    /// N² Var d_i(θ), the mean over so many θ from the Gaussian, each by so many rows: the variance of
    /// N d_i for one row at random, by which methods choose how many rows they take. The work is
    /// the product of both.
    pub fn noise(&self, points: usize, rows: usize, rng: &mut Rng) -> f64 {
        let count = self.rows.count();
        let mut sum = 0.0;
        for _ in 0..points {
            let place = self.place(self.normal(rng));
            let some: Vec<usize> = (0..rows).map(|_| self.any_row(rng)).collect();
            let values = self.remainders(&place.theta, &self.rows.gather(&some), &some);
            let mean = values.iter().map(|d| d.value).sum::<f64>() / rows as f64;
            let squares: f64 = values.iter().map(|d| (d.value - mean).powi(2)).sum();
            sum += squares / (rows as f64 - 1.0) / points as f64;
        }
        sum * (count as f64).powi(2)
    }

    pub(crate) fn any_row(&self, rng: &mut Rng) -> usize {
        // The same on any platform.
        rng.random_range(0..self.rows.count() as u64) as usize
    }

    /// z ~ N(0, I).
    pub(crate) fn normal(&self, rng: &mut Rng) -> Vec<f64> {
        (0..self.dimension()).map(|_| rng.sample(StandardNormal)).collect()
    }

    pub(crate) fn place(&self, z: Vec<f64>) -> Place {
        let mut theta = vec![0.0; z.len()];
        self.frame.place(&z, &mut theta);
        let square: f64 = z.iter().map(|z| z * z).sum();
        let free = self.model.log_prior(&theta) + self.sum.at(&theta) + 0.5 * square;
        Place { z, theta, free }
    }

    /// z′ = √(1 − β²) z + β ξ, ξ ~ N(0, I): reversible with respect to the Gaussian.
    pub(crate) fn propose(&self, from: &Place, step: f64, rng: &mut Rng) -> Place {
        let kept = (1.0 - step * step).max(0.0).sqrt();
        let move_on = |z: &f64| kept * z + step * rng.sample::<f64, _>(StandardNormal);
        self.place(from.z.iter().map(move_on).collect())
    }

    /// d_i of the rows of a block, given which they are.
    pub(crate) fn remainders(
        &self,
        theta: &[f64],
        block: &R::Block,
        indices: &[usize],
    ) -> Vec<Remainder> {
        let mut found = Vec::with_capacity(indices.len());
        let mut link = |targets: &[f64], eta: &mut [f64]| {
            let there = &indices[found.len()..];
            found.extend(
                eta.iter()
                    .zip(targets)
                    .zip(there)
                    .map(|((&eta, &y), &row)| Remainder::of(y, self.predictors[row], eta)),
            );
        };
        block.sweep(Level::best(), theta, &mut link, None);
        found
    }
}

/// β after a proposal of the warm-up, by steps of Robbins & Monro on its logarithm.
pub(crate) fn learnt(step: f64, iteration: usize, accepted: bool) -> f64 {
    let change = f64::from(u8::from(accepted)) - ACCEPTANCE;
    (step * (2.0 * change / (iteration as f64).sqrt()).exp()).clamp(SHORTEST, 1.0)
}

impl Remainder {
    /// For a label ±1, the predictor at the centre and that at θ.
    pub(crate) fn of(y: f64, centre: f64, eta: f64) -> Remainder {
        let (there, here) = (Bent::at(y * centre), Bent::at(y * eta));
        let (delta, curvature) = (y * (eta - centre), there.s * (1.0 - there.s));
        let value = here.log - there.log - delta * (there.s - 0.5 * delta * curvature);
        Remainder { value, slope: y * (here.s - there.s + curvature * delta) }
    }
}

/// ln 1/(1 + e^{−z}) and its slope s = 1/(1 + e^z).
struct Bent {
    log: f64,
    s: f64,
}

impl Bent {
    fn at(z: f64) -> Bent {
        let e = (-z.abs()).exp();
        let s = if z > 0.0 { e / (1.0 + e) } else { 1.0 / (1.0 + e) };
        Bent { log: z.min(0.0) - e.ln_1p(), s }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use data::{DenseRows, Generated, LogisticLaw};
    use debias::Seed;
    use models::logistic::DenseLogistic;
    use models::prior::Prior;

    #[test]
    fn remainders_are_what_the_expansion_leaves() {
        let likelihood = |y: f64, eta: f64| -(-y * eta).exp().ln_1p();
        for y in [-1.0f64, 1.0] {
            for centre in [-3.0, -0.2, 0.0, 1.5] {
                let s = 1.0 / (1.0 + (y * centre).exp());
                for step in -40..=40 {
                    let delta = f64::from(step) * 0.1;
                    let eta = centre + delta;
                    let direct = likelihood(y, eta) - likelihood(y, centre) - y * s * delta
                        + 0.5 * s * (1.0 - s) * delta * delta;
                    let Remainder { value, slope } = Remainder::of(y, centre, eta);
                    assert!((value - direct).abs() < 1e-13, "{centre} {eta}");
                    assert!(value.abs() <= THIRD / 6.0 * delta.abs().powi(3) + 1e-15);
                    let above = Remainder::of(y, centre, eta + 1e-5).value;
                    let below = Remainder::of(y, centre, eta - 1e-5).value;
                    assert!((slope - (above - below) / 2e-5).abs() < 1e-9);
                }
            }
        }
        // The bound on the third derivative is met.
        let s = 0.5 + 0.5 / 3f64.sqrt();
        assert!((s * (1.0 - s) * (2.0 * s - 1.0) - THIRD).abs() < 1e-16);
    }

    /// ln p + Q + Σ d_i is the log density of all rows, and lengths bound the predictors' moves.
    #[test]
    fn the_parts_add_up_to_the_posterior() {
        let rows = DenseRows::new(Generated::new(LogisticLaw::paper(), Seed(5), 300).range(0..300));
        let model = DenseLogistic::new(9, Prior::Laplace { scale: 1.0 }).unwrap();
        let taylor = Taylor::at_mode(&rows, &model).unwrap();
        let all: Vec<usize> = (0..300).collect();
        let rng = &mut Seed(6).stream(0);
        let mut gaps = Vec::new();
        for _ in 0..3 {
            let place = taylor.place(taylor.normal(rng));
            let square: f64 = place.z.iter().map(|z| z * z).sum();
            let left = taylor.remainders(&place.theta, rows.block(), &all);
            let parts = place.free - 0.5 * square + left.iter().map(|d| d.value).sum::<f64>();
            let whole =
                model.log_prior(&place.theta) + model.log_likelihood(&place.theta, rows.block());
            gaps.push(whole - parts);
            let away = taylor.frame.coordinates(&place.theta);
            let far: f64 =
                away.iter().zip(&taylor.origin).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
            for (row, d) in left.iter().enumerate() {
                let bound = THIRD / 6.0 * (taylor.lengths[row] * far).powi(3);
                assert!(d.value.abs() <= bound * (1.0 + 1e-9) + 1e-15, "{row}");
            }
        }
        assert!(gaps.iter().all(|gap| gap.abs() < 1e-9), "{gaps:?}");
    }
}
