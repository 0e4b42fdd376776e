//! Chains that sample rows about a centre, on the problems that are logistic regressions: SMH-2, the signed
//! block-Poisson estimator, HMC-ECS and UBUBU.
//!
//! Their centre is the mode and their Gaussian the Laplace approximation, by Newton's method on all rows. Each
//! runs for as long as so many passes allow, and says what its own batches or replicates say of its errors; its
//! cost to the target is that of its set-up and of the rest times (its standard error / the target)². Fewer draws
//! than are worth an answer give none.

use super::TARGET;
use super::runs::Figures;
use crate::Work;
use crate::methods::taylor::{NOISE, Samplers};
use crate::problems::ordinary::Ordinary;
use baselines::{Budget, ChainMeans, Taylor};
use debias::{Estimator, Interval, Ledger, Rng};
use models::anchor::newton;
use models::logistic::SparseLogistic;
use posterior::Rows;
use records::MethodId;
use samplers::{Factor, Frame, Functional, Length};
use serde::{Deserialize, Serialize};

/// Passes over all rows after the set-up.
pub(super) const PASSES: f64 = 50.0;
/// Draws of a chain: discarded, at least for an answer, and at most.
const WARM_UP: usize = 100;
const LEAST: usize = 100;
const MOST: usize = 20_000;
/// Replicates of UBUBU, at least and at most.
const REPLICATES: (usize, usize) = (8, 1000);
/// Newton's method ends at this step in posterior sds, and after so many passes.
const STEP: f64 = 0.01;
const NEWTON: u64 = 50;

pub(super) const METHODS: [MethodId; 4] =
    [MethodId::ScalableMh, MethodId::BlockPoisson, MethodId::HmcEcs, MethodId::Ububu];

/// What a sampler found, or why it gives no answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Sampled {
    found: Result<Found, String>,
    evaluations: f64,
    setup: f64,
}

/// An answer, its standard errors, and their degrees of freedom: batches or replicates less one.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Found {
    means: Vec<f64>,
    errors: Vec<f64>,
    freedom: f64,
}

impl Sampled {
    /// Work and errors, in these posterior sds; nothing without an answer.
    pub(super) fn figures(&self, sds: &[f64]) -> Option<(&[f64], Figures)> {
        let Found { means, errors, .. } = self.found.as_ref().ok()?;
        let claimed = errors.iter().zip(sds).map(|(error, sd)| error / sd).fold(0.0, f64::max);
        let times = (claimed / TARGET).powi(2);
        let cost = self.setup + (self.evaluations - self.setup) * times;
        Some((means, Figures { spent: self.evaluations, cost, claimed, predicted: 0.0 }))
    }

    /// How many of the 95 % intervals hold the truth; nothing without an answer.
    pub(super) fn covered(&self, truth: &[f64]) -> Option<usize> {
        let Found { means, errors, freedom } = self.found.as_ref().ok()?;
        let holds = |(j, truth): (usize, &f64)| {
            Interval::student(means[j], errors[j], *freedom).covers(*truth)
        };
        Some(truth.iter().enumerate().filter(|&one| holds(one)).count())
    }

    /// Why there is no answer.
    pub(super) fn sentence(&self) -> Option<&str> {
        self.found.as_ref().err().map(String::as_str)
    }
}

/// All four, so many times each: first every method once, then every method again.
pub(super) fn sampled(
    model: &SparseLogistic,
    problem: &Ordinary,
    (step, times): (&str, usize),
    work: &Work<'_>,
) -> anyhow::Result<Vec<(MethodId, Sampled)>> {
    let rows = &problem.rows;
    let d = problem.law.weights();
    let mode = newton(model, rows, &vec![0.0; d], STEP, NEWTON)?;
    let factor = Factor::of_covariance(&mode.covariance.entries(), d)?;
    let frame = Frame::new(mode.theta.clone(), factor)?;
    let taylor = &Taylor::about(rows, model, &mode.expansion, frame, mode.ledger);
    let (noise_points, noise_rows) = NOISE;
    let rng = &mut work.context.step_seed(step).child("noise").stream(0);
    let samplers = &Samplers {
        taylor,
        rows: rows.count(),
        noise: taylor.noise(noise_points, noise_rows, rng),
        functionals: &Functional::means(d),
        length: Length { warm_up: WARM_UP, draws: LEAST },
    };
    let setup = taylor.setup().evaluations() + (noise_points * noise_rows) as u64;
    let run = Run { samplers, setup, allowed: PASSES * rows.count() as f64 };
    let methods = METHODS.into_iter().cycle().take(times * METHODS.len());
    let methods: Vec<MethodId> = methods.collect();
    let found = work.each(step, methods.len(), |at, rng| run.of(methods[at], rng))?;
    Ok(methods.into_iter().zip(found).collect())
}

/// A set-up, and what may be spent after it.
struct Run<'a, R: Rows> {
    samplers: &'a Samplers<'a, R>,
    setup: u64,
    allowed: f64,
}

impl<R> Run<'_, R>
where
    R: Rows,
    R::Block: models::design::Design,
{
    fn of(&self, method: MethodId, rng: &mut Rng) -> anyhow::Result<Sampled> {
        let samplers = self.samplers;
        let budget = Budget(self.setup + self.allowed as u64);
        match method {
            MethodId::ScalableMh => {
                let chain = samplers.scalable_mh()?.within(budget);
                self.chain(rng, |length, rng| {
                    chain.run(length, rng).map(|run| (run.means, run.ledger)).map_err(Into::into)
                })
            }
            MethodId::BlockPoisson => {
                let chain = samplers.block_poisson()?.within(budget);
                self.chain(rng, |length, rng| {
                    chain.run(length, rng).map(|run| (run.means, run.ledger)).map_err(Into::into)
                })
            }
            MethodId::HmcEcs => {
                let chain = samplers.hmc_ecs()?.within(budget);
                self.chain(rng, |length, rng| {
                    chain.run(length, rng).map(|run| (run.means, run.ledger)).map_err(Into::into)
                })
            }
            _ => self.replicates(rng),
        }
    }

    /// A short chain tells what a draw costs, and a long one has as many as are allowed.
    fn chain(
        &self,
        rng: &mut Rng,
        run: impl Fn(Length, &mut Rng) -> anyhow::Result<(ChainMeans, Ledger)>,
    ) -> anyhow::Result<Sampled> {
        let length = |draws| Length { warm_up: WARM_UP, draws };
        let before = self.samplers.taylor.setup().evaluations();
        let (_, ledger) = match run(length(LEAST), rng) {
            Ok(short) => short,
            Err(error) => return Ok(self.none(self.allowed, error.to_string())),
        };
        let spent = (ledger.evaluations() - before) as f64;
        // A tenth is left to chance, and the short chain is not spent again.
        let affordable = 0.9 * (self.allowed - spent) / (spent / (WARM_UP + LEAST) as f64);
        let draws = (affordable as usize).saturating_sub(WARM_UP).min(MOST);
        if draws < LEAST {
            let each = spent / (WARM_UP + LEAST) as f64;
            return Ok(self.none(spent, format!("a draw takes {each:.1e} evaluations")));
        }
        match run(length(draws), rng) {
            Ok((found, ledger)) => {
                let spent = ledger.evaluations() - before;
                let freedom = found.batches as f64 - 1.0;
                Ok(self.answer(Found { means: found.means, errors: found.errors, freedom }, spent))
            }
            Err(error) => Ok(self.none(self.allowed, error.to_string())),
        }
    }

    /// Replicates of UBUBU while they are allowed.
    fn replicates(&self, rng: &mut Rng) -> anyhow::Result<Sampled> {
        let kinetic = self.samplers.ububu()?;
        let before = self.samplers.taylor.setup().evaluations();
        let (mut values, mut spent): (Vec<Vec<f64>>, u64) = (Vec::new(), 0);
        while (spent as f64) < self.allowed && values.len() < REPLICATES.1 {
            let left = Budget(before + self.allowed as u64 - spent);
            match self.samplers.ububu()?.within(left).estimate(values.len() as u64, rng) {
                Ok(one) => {
                    spent += one.cost.evaluations() - before;
                    values.push(one.value);
                }
                // Work that was cut short is spent all the same.
                Err(_) => spent = self.allowed as u64,
            }
        }
        let count = values.len() as f64;
        if values.len() < REPLICATES.0 {
            let each = kinetic.expected_cost(0) - before as f64;
            let sentence = format!("{count} replicates of about {each:.1e} evaluations");
            return Ok(self.none(spent as f64, sentence));
        }
        let mean = |j: usize| values.iter().map(|value| value[j]).sum::<f64>() / count;
        let means: Vec<f64> = (0..values[0].len()).map(mean).collect();
        let error = |(j, mean): (usize, &f64)| {
            let squares: f64 = values.iter().map(|value| (value[j] - mean).powi(2)).sum();
            (squares / (count - 1.0) / count).sqrt()
        };
        let errors = means.iter().enumerate().map(error).collect();
        Ok(self.answer(Found { means, errors, freedom: count - 1.0 }, spent))
    }

    fn answer(&self, found: Found, spent: u64) -> Sampled {
        if found.means.iter().chain(&found.errors).any(|value| !value.is_finite()) {
            return self.none(spent as f64, "its estimates are not finite".to_owned());
        }
        let setup = self.setup as f64;
        Sampled { found: Ok(found), evaluations: setup + spent as f64, setup }
    }

    fn none(&self, spent: f64, sentence: String) -> Sampled {
        let setup = self.setup as f64;
        Sampled { found: Err(sentence), evaluations: setup + spent, setup }
    }
}
