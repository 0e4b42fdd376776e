//! Where the noise of chains becomes the floor, and what removes it.
//!
//! The same antithetic single term with level estimates by chains of 100 to 2000 draws, without and
//! with zero-variance control variates, by coupled chains, by weighted quasi-random points, and where
//! there is one by the closed form. Products are those of the recommended way (optimal law,
//! stratified depths); a chain that is ten times as long costs about ten times as much, so that the
//! product says whether its noise was worth it.

use super::judged::jackknife;
use super::ladder::Ladder;
use super::{Asked, Forms, Size};
use crate::Context;
use crate::weights::evaluations_a_row;
use data::{GaussianLaw, Generated};
use debias::{Caveat, Coupling, Form, Interval, Rng, Schedule, Scheme};
use models::log_gaussian::LogGaussian;
use models::logistic::DenseLogistic;
use models::prior::Prior;
use posterior::{DataPath, Differentiable, LevelEstimate, PartialPosterior};
use records::{DataSource, Table};
use samplers::{
    ByChain, ByCoupledChains, ByKinkedChain, ByPoints, ChainError, Draws, Frame, Framing,
    Functional, Independence, Lagged, Length, Nuts, Start, Student, with_control_variates,
};

const WARM_UP: usize = 100;
const FIRST: usize = 128;
const WEIGHTS: usize = 10;
/// Jackknife groups.
const GROUPS: usize = 20;
/// Degrees of freedom of proposals.
const DEGREES: f64 = 10.0;

/// What chains on the log-Gaussian are compared with.
pub struct Spread {
    /// Work × variance of the paper's estimator, NUTS 100 + 500 inside.
    pub paper: f64,
    /// The closed form.
    pub exact: Ladder,
    pub truth: Vec<f64>,
}

/// What chains on the logistic weights are compared with.
pub struct Weights {
    paper: f64,
    truth: Vec<f64>,
}

/// One way to estimate levels.
pub struct Noise {
    problem: &'static str,
    inference: String,
    draws: f64,
    evaluations: f64,
    /// E ‖Δ‖² at the deepest level drawn.
    deepest: f64,
    product: f64,
    ratio: f64,
    low: f64,
    high: f64,
}

/// NUTS in the coordinates of the Laplace approximation.
pub fn nuts(
    context: &Context<'_>,
    rows: &Generated<GaussianLaw>,
    draws: usize,
) -> anyhow::Result<ByChain<Nuts>> {
    let mut level = ByChain {
        sampler: Nuts::default(),
        framing: Framing::laplace(2),
        start: Start::Frame { spread: 1.0 },
        length: Length { warm_up: WARM_UP, draws },
        functionals: sigma(),
        control_variates: false,
        expected_evaluations: 0.0,
    };
    level.expected_evaluations = evaluations_a_row(context, rows, &LogGaussian, &level, 64)?;
    Ok(level)
}

fn sigma() -> Vec<Functional> {
    vec![Functional::prediction(LogGaussian::sigma)]
}

/// Draws of a chain, asked for the functionals twice: as they are, and with control variates.
struct Twice<F> {
    draws: F,
    functionals: Vec<Functional>,
    evaluations: f64,
}

impl<M, F> LevelEstimate<M> for Twice<F>
where
    M: Differentiable,
    F: Fn(&mut PartialPosterior<'_, M>, &mut Rng) -> Result<Draws, ChainError> + Sync,
{
    type Error = ChainError;

    fn estimate(
        &self,
        posterior: &mut PartialPosterior<'_, M>,
        rng: &mut Rng,
    ) -> Result<Vec<f64>, ChainError> {
        let draws = (self.draws)(posterior, rng)?;
        let mut value = draws.functionals(&self.functionals);
        value.extend(with_control_variates(&draws, &self.functionals)?);
        Ok(value)
    }

    fn caveats(&self) -> Vec<Caveat> {
        vec![Caveat::FiniteChain]
    }

    fn expected_cost(&self, rows: usize) -> f64 {
        self.evaluations * rows as f64
    }
}

/// Every way on the log-Gaussian.
pub fn spread(forms: &mut Forms<'_>, size: &Size, known: Spread) -> anyhow::Result<Vec<Noise>> {
    let problem = "log-Gaussian";
    let seed = forms.context.root.child("log-gaussian").child("rows");
    let rows = Generated::new(GaussianLaw::log_gaussian(), seed, size.log_gaussian_rows);
    let schedule = Schedule::halving(size.log_gaussian_rows, 8)?;
    let mut found = Vec::new();
    for &draws in &size.lengths {
        let chain = nuts(forms.context, &rows, draws)?;
        let evaluations = chain.expected_evaluations;
        let twice = Twice {
            draws: |posterior: &mut PartialPosterior<'_, LogGaussian>, rng: &mut Rng| {
                chain.draws(posterior, rng)
            },
            functionals: sigma(),
            evaluations,
        };
        let name = format!("log-Gaussian, {draws} draws");
        let both =
            drawn(forms, size, (&rows, &LogGaussian, &twice), &schedule, &name, &known.truth)?;
        for (place, inference) in ["chain", "chain and control variates"].into_iter().enumerate() {
            let ladder = Ladder { drawn: both.drawn.only(place..place + 1), ..copy(&both) };
            let noise =
                judged(problem, inference, (draws as f64, evaluations), &ladder, known.paper)?;
            found.push(noise);
        }
    }
    let mut points = ByPoints {
        framing: Framing::laplace(2),
        degrees: DEGREES,
        count: 128,
        floor: 0.0,
        functionals: sigma(),
        expected_evaluations: 0.0,
    };
    points.expected_evaluations =
        evaluations_a_row(forms.context, &rows, &LogGaussian, &points, 64)?;
    let parts = (&rows, &LogGaussian, &points);
    let ladder = drawn(forms, size, parts, &schedule, "log-Gaussian, points", &known.truth)?;
    let cost = (128.0, points.expected_evaluations);
    found.push(judged(problem, "weighted points", cost, &ladder, known.paper)?);

    let mut coupled = pairs(2, sigma())?;
    coupled.expected_evaluations =
        evaluations_a_row(forms.context, &rows, &LogGaussian, &coupled, 64)?;
    let parts = (&rows, &LogGaussian, &coupled);
    let ladder = drawn(forms, size, parts, &schedule, "log-Gaussian, coupled", &known.truth)?;
    let cost = (coupled.lagged.last as f64, coupled.expected_evaluations);
    found.push(judged(problem, "coupled chains", cost, &ladder, known.paper)?);
    found.push(judged(problem, "closed form", (0.0, 1.0), &known.exact, known.paper)?);
    Ok(found)
}

/// Independence chains in the frame of the Laplace approximation that look at the same candidates.
fn pairs(
    dimension: usize,
    functionals: Vec<Functional>,
) -> anyhow::Result<ByCoupledChains<Independence>> {
    Ok(ByCoupledChains {
        kernel: Independence { proposal: Student::new(Frame::standard(dimension), DEGREES)? },
        framing: Framing::laplace(dimension),
        start: Start::Frame { spread: 1.0 },
        lagged: Lagged { lag: 5, burn_in: 10, last: 510, budget: 1_000_000 },
        functionals,
        expected_evaluations: 0.0,
    })
}

/// The levels of a path by some inference.
fn drawn<M, E>(
    forms: &Forms<'_>,
    size: &Size,
    (rows, model, level): (&Generated<GaussianLaw>, &M, &E),
    schedule: &Schedule,
    name: &str,
    truth: &[f64],
) -> anyhow::Result<Ladder>
where
    M: posterior::Model<Block = posterior::DenseBlock>,
    E: LevelEstimate<M>,
{
    let path = DataPath::new(rows, model, level, schedule)?;
    let data = [DataSource {
        name: "log-Gaussian rows".to_owned(),
        rows: size.log_gaussian_rows as u64,
        identity: format!("seed {}", forms.context.root.child("log-gaussian").child("rows").0),
    }];
    let (levels, replicates) = (size.chain_levels, size.chain_replicates);
    let truth = truth.to_vec();
    let asked = Asked { name, path: &path, schedule, levels, replicates, truth, data: &data };
    forms.ladder(&asked, <[f64]>::to_vec)
}

/// The logistic weights under all forms, by chains of 100 + 500.
pub fn logistic(forms: &mut Forms<'_>, size: &Size) -> anyhow::Result<Weights> {
    let (record, source) = forms.context.needed("logistic-synthetic")?;
    let truth = record.table("weights")?.numbers("mean")?;
    let (rows, mut data) = crate::logistic_synthetic::rows(forms.context, size.logistic_rows);
    data.push(source);
    let model = DenseLogistic::new(WEIGHTS - 1, Prior::Laplace { scale: 1.0 })?;
    let mut level = kinked(500)?;
    level.expected_evaluations =
        evaluations_a_row(forms.context, &rows, &model, &level, 16 * FIRST)?;
    let schedule = Schedule::halving(size.logistic_rows, FIRST)?;
    let path = DataPath::new(&rows, &model, &level, &schedule)?;
    let (levels, replicates) = size.logistic;
    let name = "logistic weights";
    let asked = Asked {
        name,
        path: &path,
        schedule: &schedule,
        levels,
        replicates,
        truth: truth.clone(),
        data: &data,
    };
    let ladder = forms.ladder(&asked, <[f64]>::to_vec)?;
    let paper = forms.judge(name, &ladder, 1.0)?;
    forms.data.extend(data.clone());
    Ok(Weights { paper, truth })
}

fn kinked(draws: usize) -> anyhow::Result<ByKinkedChain<DenseLogistic>> {
    Ok(ByKinkedChain {
        stand_in: DenseLogistic::new(WEIGHTS - 1, Prior::like_laplace(1.0))?,
        scale: 1.0,
        framing: Framing::laplace(WEIGHTS),
        length: Length { warm_up: WARM_UP, draws },
        functionals: Functional::means(WEIGHTS),
        expected_evaluations: 0.0,
    })
}

/// Chains of every length on the logistic weights.
pub fn weights(forms: &mut Forms<'_>, size: &Size, known: Weights) -> anyhow::Result<Vec<Noise>> {
    let problem = "logistic weights";
    let (rows, data) = crate::logistic_synthetic::rows(forms.context, size.logistic_rows);
    let model = DenseLogistic::new(WEIGHTS - 1, Prior::Laplace { scale: 1.0 })?;
    let schedule = Schedule::halving(size.logistic_rows, FIRST)?;
    let (levels, replicates) = size.logistic_chains;
    let mut found = Vec::new();
    for &draws in &size.logistic_lengths {
        let chain = kinked(draws)?;
        let evaluations = evaluations_a_row(forms.context, &rows, &model, &chain, 8 * FIRST)?;
        let twice = Twice {
            draws: |posterior: &mut PartialPosterior<'_, DenseLogistic>, rng: &mut Rng| {
                chain.draws(posterior, rng)
            },
            functionals: Functional::means(WEIGHTS),
            evaluations,
        };
        let path = DataPath::new(&rows, &model, &twice, &schedule)?;
        let name = format!("logistic, {draws} draws");
        let asked = Asked {
            name: &name,
            path: &path,
            schedule: &schedule,
            levels,
            replicates,
            truth: known.truth.clone(),
            data: &data,
        };
        let both = forms.ladder(&asked, <[f64]>::to_vec)?;
        for (place, inference) in ["chain", "chain and control variates"].into_iter().enumerate() {
            let entries = place * WEIGHTS..(place + 1) * WEIGHTS;
            let ladder = Ladder { drawn: both.drawn.only(entries), ..copy(&both) };
            let cost = (draws as f64, evaluations);
            found.push(judged(problem, inference, cost, &ladder, known.paper)?);
        }
    }
    Ok(found)
}

fn copy(ladder: &Ladder) -> Ladder {
    let Ladder { sizes, costs, truth, drawn } = ladder;
    let drawn = drawn.only(0..truth.len());
    Ladder { sizes: sizes.clone(), costs: costs.clone(), truth: truth.clone(), drawn }
}

/// The recommended way: tuned on a quarter of the draws, judged on the rest.
fn judged(
    problem: &'static str,
    inference: &str,
    (draws, evaluations): (f64, f64),
    ladder: &Ladder,
    paper: f64,
) -> anyhow::Result<Noise> {
    let form = Form::AntitheticSingleTerm;
    let (tuning, judging): (Vec<usize>, Vec<usize>) =
        (0..ladder.drawn.count()).partition(|replicate| replicate % 4 == 0);
    let tuned = ladder.measured(form, &tuning)?;
    // Up to twenty first levels a replicate: more than any best law of these problems costs.
    let law = tuned.best_optimal(20.0 * tuned.tradeoff.costs[0]);
    let law = law.ok_or_else(|| anyhow::anyhow!("no law for {problem} by {inference}"))?;
    let scheme = Scheme::Stratified;
    let product = ladder.measured(form, &judging)?.product(&law, scheme);
    let mut logs = Vec::new();
    for group in 0..GROUPS {
        let kept = judging.iter().enumerate().filter(|(place, _)| place % GROUPS != group);
        let kept: Vec<usize> = kept.map(|(_, &replicate)| replicate).collect();
        let left = ladder.measured(form, &kept)?.product(&law, scheme);
        logs.push(left.max(f64::MIN_POSITIVE).ln());
    }
    let interval = Interval::student((product / paper).ln(), jackknife(&logs), (GROUPS - 1) as f64);
    let deepest = ladder.drawn.squares(ladder.drawn.levels(), Coupling::Antithetic);
    Ok(Noise {
        problem,
        inference: inference.to_owned(),
        draws,
        evaluations,
        deepest: deepest.iter().sum::<f64>() / deepest.len() as f64,
        product,
        ratio: product / paper,
        low: interval.low.exp(),
        high: interval.high.exp(),
    })
}

/// All ways.
pub fn table(noise: &[Noise]) -> Table {
    let numbers = |number: fn(&Noise) -> f64| noise.iter().map(number).collect::<Vec<_>>();
    Table::new("chains")
        .with("problem", noise.iter().map(|row| row.problem.to_owned()).collect::<Vec<_>>())
        .with("inference", noise.iter().map(|row| row.inference.clone()).collect::<Vec<_>>())
        .with("draws", numbers(|row| row.draws))
        .with("evaluations_a_row", numbers(|row| row.evaluations))
        .with("deepest_increment", numbers(|row| row.deepest))
        .with("product", numbers(|row| row.product))
        .with("ratio", numbers(|row| row.ratio))
        .with("ratio_low", numbers(|row| row.low))
        .with("ratio_high", numbers(|row| row.high))
}
