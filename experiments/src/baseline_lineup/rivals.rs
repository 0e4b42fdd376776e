//! The baselines, each with settings that follow from its own formula.
//!
//! Frame and centre come from the same anchor as ours and cost the same, but for Firefly and Zig-Zag,
//! which find their own. In units of the posterior a mini-batch of b rows has gradients of variance
//! V = N/b: ε V/4 = ½ for SGLD and η V/(2α) = ⅓ for SGHMC keep the excess of their spread moderate.

use super::Race;
use super::answers::{Answer, Ask, failed, plainly, rate};
use super::problem::{Problem, nuts};
use crate::weights::Truth;
use baselines::{
    Austerity, Beginning, Brightness, Centre, Confidence, Consensus, Dynamics, Firefly,
    FireflySettings, FullChain, FullPosterior, Ibis, IbisSettings, RowLikelihoods, SequentialTest,
    Sghmc, Sgld, StepSize, StochasticChain, StochasticSettings, SubsampledSettings, SubsampledWalk,
    ZigZag, ZigZagSettings,
};
use debias::{Estimate, Estimator, Ledger, Rng, Schedule};
use models::logistic::DenseLogistic;
use posterior::{DenseBlock, Rows, Smooth};
use records::DataSource;
use samplers::diagnostics::{Chains, mcse_mean};
use samplers::{ByChain, Factor, Frame, Framing, Length, NoUTurn, RandomWalk, Start};
use serde_json::{Value, json};

/// Rows of a mini-batch, and of a first look.
const BATCH: usize = 256;
/// The step of SGLD where control variates keep its gradients calm.
const CALM_STEP: f64 = 0.1;
const FRICTION: f64 = 0.1;
const SHARDS: usize = 8;
/// Wrong decisions that a step of austerity or of the confidence sampler may make.
const AUSTERITY: f64 = 0.05;
const CONFIDENCE: f64 = 0.1;
/// Moves of a particle, and the first rows that particles see.
const MOVES: usize = 3;
const FIRST_ROWS: usize = 64;
const LEAST_PARTICLES: usize = 50;
/// Iterations thrown away, and draws below which a chain is no answer.
const WARM_UP: usize = 50;
const LEAST_DRAWS: usize = 50;
/// Iterations of a trial.
const TRIAL: Length = Length { warm_up: WARM_UP, draws: 100 };
/// Dark rows looked at by Firefly in an iteration, on average.
const LOOKED_AT: f64 = 1000.0;

/// For the settings of the record.
pub(super) fn settings() -> Value {
    json!({
        "batch": BATCH, "sgld_step": "2 b/N", "sgld_centred_step": CALM_STEP, "friction": FRICTION,
        "sghmc_step": "α 2 b/(3 N)", "shards": SHARDS, "austerity": AUSTERITY,
        "confidence": CONFIDENCE, "moves": MOVES, "warm_up": WARM_UP, "dark_rows_looked_at": LOOKED_AT,
    })
}

/// A chain that fills what is left of a budget at so many evaluations an iteration.
fn length(left: f64, rate: f64) -> Option<Length> {
    let draws = (left / rate) as usize;
    let draws = draws.checked_sub(WARM_UP).filter(|draws| *draws >= LEAST_DRAWS)?;
    Some(Length { warm_up: WARM_UP, draws })
}

fn iterations(length: Length) -> f64 {
    (length.warm_up + length.draws) as f64
}

pub(super) fn run<M>(
    race: &mut Race<'_, '_>,
    problem: &Problem<'_, M>,
    beginning: &Beginning,
    truth: &Truth,
    data: &[DataSource],
) -> anyhow::Result<()>
where
    M: Smooth<Block = DenseBlock> + RowLikelihoods,
{
    let name = problem.name;
    let left = |passes: usize| problem.evaluations(passes) - problem.setup();
    let rng = || problem.seed.child("trial").stream(0);

    let posterior = FullPosterior::new(problem.model, problem.rows);
    let full = |length| {
        let chain = problem.chain(Framing::Given(problem.anchor.frame.clone()), length);
        FullChain::new(&posterior, chain).map(|chain| chain.after(problem.anchor.ledger))
    };
    if race.wants("full-nuts") {
        let trial = rate(&full(TRIAL)?, iterations(TRIAL), problem.setup(), &mut rng())?;
        race.ask((name, "full-nuts"), truth, data, |passes| {
            let Some(length) = length(left(passes), trial) else { return Ok(None) };
            let (chain, functionals) = (full(length)?, &problem.functionals);
            let ask: Ask<'_> = Box::new(move |rng| {
                let (draws, cost) = chain.run(rng).map_err(failed)?;
                let (mut means, mut halves) = (Vec::new(), Vec::new());
                for functional in functionals {
                    let values: Vec<f64> = draws.iter().map(|t| functional.integrand(t)).collect();
                    means.push(values.iter().sum::<f64>() / values.len() as f64);
                    halves.push(1.96 * mcse_mean(&Chains::new(vec![values]).map_err(failed)?));
                }
                Ok(Answer { means, halves, evaluations: cost.evaluations() as f64 })
            });
            Ok(Some(ask))
        })?;
    }

    if race.wants("consensus") {
        let frame = problem.shard_frame()?;
        let consensus = |length| {
            let chain = problem.chain(Framing::Given(frame.clone()), length);
            Consensus::new(problem.rows, problem.model, chain, SHARDS)
        };
        let trial = rate(&consensus(TRIAL)?, iterations(TRIAL), 0.0, &mut rng())?;
        race.ask((name, "consensus"), truth, data, |passes| {
            let Some(length) = length(left(passes), trial) else { return Ok(None) };
            Ok(Some(plainly(After {
                estimator: consensus(length)?,
                before: problem.anchor.ledger,
            })))
        })?;
    }

    if race.wants("ibis") {
        let ibis = |particles| {
            let (d, rows) = (problem.model.dimension(), problem.rows);
            let settings = IbisSettings {
                schedule: Schedule::halving(rows.count(), FIRST_ROWS)?,
                shuffled: true,
                beginning: beginning.clone(),
                particles,
                threshold: 0.5,
                kernel: RandomWalk::optimal(d),
                steps: MOVES,
                functionals: problem.functionals.clone(),
            };
            Ok::<_, anyhow::Error>(Ibis::new(rows, problem.model, settings)?)
        };
        let trial = rate(&ibis(LEAST_PARTICLES)?, LEAST_PARTICLES as f64, 0.0, &mut rng())?;
        race.ask((name, "ibis"), truth, data, |passes| {
            let particles = (problem.evaluations(passes) / trial) as usize;
            Ok(if particles < LEAST_PARTICLES { None } else { Some(plainly(ibis(particles)?)) })
        })?;
    }

    let share = BATCH as f64 / problem.rows.count() as f64;
    let (step, calm) = (StepSize::constant(2.0 * share)?, StepSize::constant(CALM_STEP)?);
    let sghmc = Sghmc::new(FRICTION * 2.0 * share / 3.0, FRICTION, 0.0)?;
    race.ask((name, "sgld"), truth, data, |passes| {
        problem.stochastic(Sgld { step }, false, left(passes))
    })?;
    race.ask((name, "sgld-control-variates"), truth, data, |passes| {
        problem.stochastic(Sgld { step: calm }, true, left(passes))
    })?;
    race.ask((name, "sghmc"), truth, data, |passes| {
        problem.stochastic(sghmc, false, left(passes))
    })?;

    problem.walk(race, "austerity", Austerity::new(BATCH, AUSTERITY)?, (truth, data))?;
    problem.walk(race, "confidence", Confidence::new(BATCH, 2.0, CONFIDENCE)?, (truth, data))
}

/// Those that are made for logistic regression.
pub(super) fn run_logistic(
    race: &mut Race<'_, '_>,
    problem: &Problem<'_, DenseLogistic>,
    truth: &Truth,
    data: &[DataSource],
) -> anyhow::Result<()> {
    let Problem { name, rows, model, ref functionals, seed, .. } = *problem;
    let rng = || seed.child("trial").stream(0);
    let firefly = |length| {
        let settings = FireflySettings {
            kernel: nuts(),
            brightness: Brightness::Implicit {
                dark_to_bright: (LOOKED_AT / rows.count() as f64).min(0.1),
            },
            spread: 0.0,
            length,
            functionals: functionals.clone(),
        };
        Firefly::new(rows, model, settings)
    };
    let run = firefly(TRIAL)?.run(TRIAL, &mut rng())?;
    let setup = run.setup.evaluations() as f64;
    let trial = (run.ledger.evaluations() as f64 - setup) / iterations(TRIAL);
    race.ask((name, "firefly"), truth, data, |passes| {
        let Some(length) = length(problem.evaluations(passes) - setup, trial) else {
            return Ok(None);
        };
        Ok(Some(plainly(firefly(length)?)))
    })?;

    // In one unit of time each coordinate moves by one posterior sd.
    const WARM_UP: f64 = 5.0;
    const TRIALS: [f64; 2] = [5.0, 25.0];
    const LEAST: f64 = 5.0;
    let zig_zag = |duration| {
        let functionals = functionals.clone();
        ZigZag::new(
            rows,
            model,
            ZigZagSettings { warm_up: WARM_UP, duration, grid: 0, functionals },
        )
    };
    let cost = |duration| -> anyhow::Result<f64> {
        Ok(zig_zag(duration)?.run(&mut rng())?.ledger.evaluations() as f64)
    };
    let [short, long] = [cost(TRIALS[0])?, cost(TRIALS[1])?];
    let trial = (long - short) / (TRIALS[1] - TRIALS[0]);
    race.ask((name, "zig-zag"), truth, data, |passes| {
        let duration = TRIALS[0] + (problem.evaluations(passes) - short) / trial;
        Ok(if duration < LEAST { None } else { Some(plainly(zig_zag(duration)?)) })
    })
}

impl<M> Problem<'_, M>
where
    M: Smooth<Block = DenseBlock> + RowLikelihoods,
{
    fn chain(&self, framing: Framing, length: Length) -> ByChain<NoUTurn> {
        ByChain {
            sampler: nuts(),
            framing,
            start: Start::Frame { spread: 1.0 },
            length,
            functionals: self.functionals.clone(),
            control_variates: false,
            expected_evaluations: 4.0 * iterations(length),
        }
    }

    /// The Laplace approximation, as wide as that of one shard.
    fn shard_frame(&self) -> anyhow::Result<Frame> {
        let frame = &self.anchor.frame;
        let wide =
            frame.factor().covariance().iter().map(|c| c * SHARDS as f64).collect::<Vec<_>>();
        Ok(Frame::new(frame.mean().to_vec(), Factor::of_covariance(&wide, frame.dimension())?)?)
    }

    fn stochastic<D: Dynamics + Send + 'static>(
        &self,
        dynamics: D,
        centred: bool,
        left: f64,
    ) -> anyhow::Result<Option<Ask<'_>>> {
        // With a centre every row is looked at twice.
        let cost = if centred { 2.0 } else { 1.0 } * BATCH as f64;
        let Some(length) = length(left, cost) else { return Ok(None) };
        let (frame, expansion) = (&self.anchor.frame, self.anchor.posterior.expansion());
        let centre = centred.then(|| Centre {
            theta: expansion.anchor.clone(),
            gradient: expansion.gradient.clone(),
            ledger: self.anchor.ledger,
        });
        let before = if centred { Ledger::default() } else { self.anchor.ledger };
        let settings = StochasticSettings {
            batch: BATCH,
            shape: frame.factor().clone(),
            start: frame.mean().to_vec(),
            centre,
            length,
            functionals: self.functionals.clone(),
        };
        let chain = StochasticChain::new(self.rows, self.model, dynamics, settings)?;
        Ok(Some(plainly(chain.after(before))))
    }

    fn walk<T: SequentialTest + Copy + Send>(
        &self,
        race: &mut Race<'_, '_>,
        method: &'static str,
        test: T,
        (truth, data): (&Truth, &[DataSource]),
    ) -> anyhow::Result<()> {
        if !race.wants(method) {
            return Ok(());
        }
        let frame = &self.anchor.frame;
        let walk = |length| {
            let settings = SubsampledSettings {
                scale: 2.38 / (frame.dimension() as f64).sqrt(),
                shape: frame.factor().clone(),
                start: frame.mean().to_vec(),
                length,
                functionals: self.functionals.clone(),
            };
            let walk = SubsampledWalk::new(self.rows, self.model, test, settings)?;
            Ok::<_, anyhow::Error>(walk.after(self.anchor.ledger))
        };
        let rng = &mut self.seed.child("trial").stream(0);
        let pass = if test.needs_range() { self.evaluations(1) } else { 0.0 };
        let setup = self.setup() + pass;
        let trial = rate(&walk(TRIAL)?, iterations(TRIAL), setup, rng)?;
        race.ask((self.name, method), truth, data, |passes| {
            let Some(length) = length(self.evaluations(passes) - setup, trial) else {
                return Ok(None);
            };
            Ok(Some(plainly(walk(length)?)))
        })
    }
}

/// An estimator with work that went before.
struct After<E> {
    estimator: E,
    before: Ledger,
}

impl<E: Estimator> Estimator for After<E> {
    type Error = E::Error;

    fn estimate(&self, replicate: u64, rng: &mut Rng) -> Result<Estimate, E::Error> {
        let answer = self.estimator.estimate(replicate, rng)?;
        Ok(Estimate { cost: answer.cost + self.before, ..answer })
    }

    fn expected_cost(&self, replicate: u64) -> f64 {
        self.estimator.expected_cost(replicate) + self.before.evaluations() as f64
    }
}
