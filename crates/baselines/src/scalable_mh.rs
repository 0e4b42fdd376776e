//! Scalable Metropolis–Hastings with second-order control variates, SMH-2 (Cornish, Vanetti,
//! Bouchard-Côté, Deligiannidis & Doucet 2019, "Scalable Metropolis–Hastings for exact Bayesian
//! inference with large datasets", Algorithm 2 and section 4).
//!
//! The acceptance factorises over rows,
//!
//! ```text
//! α(θ, θ′) = [1 ∧ e^{f(θ′) − f(θ)}] Π_i [1 ∧ e^{d_i(θ′) − d_i(θ)}],      f = ln p + Q − ln N(μ, C Cᵀ),
//! ```
//!
//! which keeps detailed balance factor by factor, because proposals are reversible with respect to the
//! Gaussian: θ′ = μ + C z′, z′ = √(1 − β²) z + β ξ, the preconditioned Crank–Nicolson form. Row i
//! rejects at the rate (d_i(θ) − d_i(θ′))⁺ of a Poisson process in unit time, and that is thinned: at
//! most
//!
//! ```text
//! |d_i(θ) − d_i(θ′)| ≤ ‖Cᵀ x_i‖³ · M min{ (r³ + r′³)/6,  ½ max(r, r′)² ‖z − z′‖ },     r = ‖z − z*‖,
//! ```
//!
//! M = 1/(6√3). Candidates come at the summed rate from an alias table over ‖Cᵀ x_i‖³, and two likelihood
//! evaluations each, at θ and at θ′, decide; nearly all steps look at a handful of rows whatever N is.
//! The paper bounds in ‖θ − θ*‖₁; the lengths ‖Cᵀ x_i‖ in the coordinates of the Laplace approximation are
//! sharper, as is the second bound for short steps. β is learnt in the warm-up.

use crate::chain_means::{Batches, ChainMeans, no_expectation};
use crate::pooled::Pool;
use crate::taylor::{Place, Remainder, THIRD, Taylor, learnt};
use crate::{Budget, Exhausted, Misfit};
use debias::{Estimate, Estimator, Ledger, Rng};
use models::design::Design;
use posterior::Rows;
use rand::RngExt;
use rand_distr::Exp1;
use rand_distr::weighted::WeightedAliasIndex;
use samplers::{Functional, Length};

/// The baseline.
pub struct ScalableMh<'a, R: Rows> {
    taylor: &'a Taylor<'a, R>,
    settings: ScalableMhSettings,
    // ∝ ‖Cᵀ x_i‖³, and their sum.
    alias: WeightedAliasIndex<f64>,
    total: f64,
    budget: Budget,
}

/// How to move, and what to ask.
#[derive(Clone, Debug)]
pub struct ScalableMhSettings {
    /// β with which the warm-up begins; one proposes afresh from the Gaussian.
    pub step: f64,
    /// Steps to forget, in which β is learnt, and steps to keep.
    pub length: Length,
    /// φ; expectations only.
    pub functionals: Vec<Functional>,
}

/// One chain.
#[derive(Clone, Debug, PartialEq)]
pub struct ScalableMhRun {
    /// The expectations along it.
    pub means: ChainMeans,
    /// The share of kept proposals that were accepted.
    pub acceptance: f64,
    /// β.
    pub step: f64,
    /// Candidates among the rows, of kept and forgotten steps together.
    pub candidates: u64,
    /// The largest probability with which a candidate rejected; at most one, or a bound is wrong.
    pub tightest: f64,
    /// All work, set-up included.
    pub ledger: Ledger,
}

/// Why there is no chain.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ScalableMhError {
    /// β is outside (0, 1].
    #[error("proposals of step {step}")]
    Step {
        /// β.
        step: f64,
    },
    /// A functional is no expectation.
    #[error("functional {functional} is no expectation")]
    Functional {
        /// Which one, from zero.
        functional: usize,
    },
    /// No row moves with the parameters.
    #[error("{rows} rows of length zero")]
    Lengths {
        /// N.
        rows: usize,
    },
    /// No draws were asked for.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// The budget was used up.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

impl<'a, R> ScalableMh<'a, R>
where
    R: Rows,
    R::Block: Design,
{
    /// Chains on rows about a centre.
    pub fn new(
        taylor: &'a Taylor<'a, R>,
        settings: ScalableMhSettings,
    ) -> Result<ScalableMh<'a, R>, ScalableMhError> {
        let ScalableMhSettings { step, length, ref functionals } = settings;
        if !(step > 0.0 && step <= 1.0) {
            return Err(ScalableMhError::Step { step });
        }
        if let Some(functional) = no_expectation(functionals) {
            return Err(ScalableMhError::Functional { functional });
        }
        Misfit::length(length)?;
        let weights: Vec<f64> = taylor.lengths.iter().map(|length| length.powi(3)).collect();
        let total = weights.iter().sum();
        let alias = WeightedAliasIndex::new(weights)
            .map_err(|_| ScalableMhError::Lengths { rows: taylor.lengths.len() })?;
        Ok(ScalableMh { taylor, settings, alias, total, budget: Budget::UNLIMITED })
    }

    /// The same, within a budget.
    pub fn within(self, budget: Budget) -> ScalableMh<'a, R> {
        ScalableMh { budget, ..self }
    }

    /// A chain of this length, from a point of the Gaussian.
    pub fn run(&self, length: Length, rng: &mut Rng) -> Result<ScalableMhRun, ScalableMhError> {
        let taylor = self.taylor;
        self.budget.check(taylor.setup)?;
        let mut place = taylor.place(taylor.normal(rng));
        let mut batches = Batches::new(&self.settings.functionals, length.draws);
        let mut thinning = Thinning { pool: Pool::empty(taylor), candidates: 0, tightest: 0.0 };
        let (mut step, mut accepted) = (self.settings.step, 0);
        let work = |candidates: u64| {
            let mut ledger = taylor.setup;
            ledger.likelihoods += 2 * candidates;
            ledger
        };
        for iteration in 1..=length.transitions() {
            let proposal = taylor.propose(&place, step, rng);
            let accepts = self.accepts(&place, &proposal, &mut thinning, rng);
            if accepts {
                place = proposal;
            }
            if iteration <= length.warm_up {
                step = learnt(step, iteration, accepts);
            } else {
                accepted += usize::from(accepts);
                batches.push(&place.theta, 1.0);
            }
            self.budget.check(work(thinning.candidates))?;
        }
        let Thinning { candidates, tightest, .. } = thinning;
        Ok(ScalableMhRun {
            means: batches.finish(),
            acceptance: accepted as f64 / length.draws as f64,
            step,
            candidates,
            tightest,
            ledger: work(candidates),
        })
    }

    /// Whether all factors accept.
    fn accepts(
        &self,
        from: &Place,
        to: &Place,
        thinning: &mut Thinning<'a, R>,
        rng: &mut Rng,
    ) -> bool {
        // What costs no rows decides first.
        if rng.random::<f64>() >= (to.free - from.free).exp() {
            return false;
        }
        let taylor = self.taylor;
        let distance = |z: &[f64], other: &[f64]| -> f64 {
            z.iter().zip(other).map(|(z, other)| (z - other).powi(2)).sum::<f64>().sqrt()
        };
        let [near, far] = [from, to].map(|place| distance(&place.z, &taylor.origin));
        let apart = (near.powi(3) + far.powi(3)) / 6.0;
        let along = 0.5 * near.max(far).powi(2) * distance(&from.z, &to.z);
        let bound = THIRD * apart.min(along);
        let (mut time, end) = (0.0, bound * self.total);
        loop {
            time += rng.sample::<f64, _>(Exp1);
            if time > end {
                return true;
            }
            thinning.candidates += 1;
            let row = thinning.pool.next(rng, |rng| rng.sample(&self.alias));
            let [d, moved] = [from, to].map(|place| {
                Remainder::of(row.target, row.centre, row.predictor(&place.theta)).value
            });
            let probability = (d - moved) / (bound * taylor.lengths[row.index].powi(3));
            thinning.tightest = thinning.tightest.max(probability);
            if rng.random::<f64>() < probability {
                return false;
            }
        }
    }
}

struct Thinning<'a, R: Rows> {
    pool: Pool<'a, R>,
    candidates: u64,
    tightest: f64,
}

impl<R> Estimator for ScalableMh<'_, R>
where
    R: Rows,
    R::Block: Design,
{
    type Error = ScalableMhError;

    fn estimate(&self, _: u64, rng: &mut Rng) -> Result<Estimate, ScalableMhError> {
        let run = self.run(self.settings.length, rng)?;
        Ok(Estimate { value: run.means.means, depth: 1, cost: run.ledger })
    }

    /// With candidates as they come between two points √d away from the centre.
    fn expected_cost(&self, _: u64) -> f64 {
        let radius = (self.taylor.dimension() as f64).sqrt();
        let candidates = self.total * THIRD * radius.powi(3) / 3.0;
        let steps = self.settings.length.transitions() as f64;
        self.taylor.setup.evaluations() as f64 + 2.0 * steps * candidates
    }
}
