//! Everything before the first replicate: collapse, anchor, base, and a trial that is thrown away.
//!
//! The trial runs on points that no replicate will see, so its choices bias nothing. It doubles the
//! base sample while the points are worth little at a deep level, doubles the first sample while
//! they are worth little at the first, and predicts the variance of a replicate:
//!
//! ```text
//! Var Z ≈ Var φ_1 + E Δ_2² Σ_{t ≥ 2} 4^{−(t−2)} / P(T ≥ t)
//! ```
//!
//! since antithetic increments shrink like 1/n, in squares like 1/n².

use crate::anchor::Anchor;
use crate::anchor_error::AnchorError;
use crate::base::{Base, BaseDensity};
use crate::chains::{CHAINS, Chains, ChainsError};
use crate::counted::CountedRows;
use crate::layout::Direction;
use crate::located::thresholds;
use crate::path::{EnrichedPath, NoWeight};
use crate::points::PointSource;
use crate::strata::Strata;
use crate::trial::{FirstLevel, MOST_TRIALS, PLANNED, TRIALS, Trial, WANTED, choose_first};
use debias::engine::{Observer, Store};
use debias::{Ledger, Path, Seed, Truncation};
use posterior::{Regression, Rows, Smooth};
use samplers::{Functional, Student};
use std::sync::Arc;

/// Rows of the base sample and of the first level for each parameter, and at least.
const BASE_PER_PARAMETER: usize = 4;
const LEAST_BASE: usize = 256;
/// Mirrored points must be worth more: their proposal has no tail of a skewed posterior, and a share
/// below this is the sign of one.
const MIRRORED: f64 = 0.95;
/// Parameters up to which mirrored points are tried, and their degrees of freedom.
const FEW: usize = 16;
const DEGREES: f64 = 30.0;
/// Rows of the first level of mirrored points: at the start, since they have no base, and at most.
const FIRST: usize = 128;
const LARGEST_FIRST: usize = 16 * FIRST;
/// P(T ≥ t) = 2^{−α(t−1)}: below the rate 2 of the squares, above the rate 1 of the costs.
const ALPHA: f64 = 1.5;
/// Variances of the trial are noisy, and the worst of many functionals must reach its target: that much more is
/// planned, with which most answers do.
const MARGIN: f64 = 2.0;
/// The fewest replicates with an error bar.
pub const LEAST_REPLICATES: usize = 48;

/// All rows with their quadratic and their strata.
pub struct AnchoredRows<'a, R: Rows> {
    /// The rows, with counts.
    pub rows: CountedRows<'a, R>,
    /// The quadratic.
    pub anchor: Anchor,
    /// The rows by octaves of their score.
    pub strata: Strata,
}

impl<'a, R: Rows> AnchoredRows<'a, R> {
    /// Collapses the rows and finds their anchor.
    pub fn find<M: Smooth<Block = R::Block>>(
        model: &M,
        regression: &dyn Regression<R::Block>,
        rows: &'a R,
        seed: Seed,
    ) -> Result<AnchoredRows<'a, R>, AnchorError> {
        let mut rows = CountedRows::collapse(rows, regression, seed);
        if rows.collapsed() {
            rows.keep(model.dimension());
        }
        let (anchor, strata) = Anchor::find(model, regression, &rows, seed.child("anchor"))?;
        Ok(AnchoredRows { rows, anchor, strata })
    }
}

/// A path that is ready but for its points.
pub struct Explored<'a, R: Rows, M> {
    path: EnrichedPath<'a, R, M>,
    source: Source<'a, R, M>,
    points: usize,
    seed: Seed,
    /// What the trial found.
    pub trial: Trial,
    /// All work of base and trials.
    pub ledger: Ledger,
}

enum Source<'a, R: Rows, M> {
    Mirrored,
    Chains { rows: usize, chains: Box<Chains<'a, BaseDensity<'a, M, R::Block>>> },
}

/// Why the path is not worth it, or cannot be.
#[derive(Debug, thiserror::Error)]
pub enum ExploreError {
    /// No anchor.
    #[error(transparent)]
    Anchor(#[from] AnchorError),
    /// A base with a few rows for each parameter is most of the data.
    #[error("a base for {parameters} parameters would take {base} of {rows} rows")]
    Parameters {
        /// d.
        parameters: usize,
        /// Rows that the base would have.
        base: usize,
        /// Distinct rows.
        rows: usize,
    },
    /// The weights would need too many rows.
    #[error(
        "with {base} rows in the base and {first} in the first level, points are worth {share:.2} of \
         their number, and {WANTED} is wanted"
    )]
    Share {
        /// |S₀|.
        base: usize,
        /// n_1.
        first: usize,
        /// Effective points over points.
        share: f64,
    },
    /// A chain did not run.
    #[error(transparent)]
    Chains(#[from] ChainsError),
    /// All points of a trial lost their weight.
    #[error(transparent)]
    NoWeight(#[from] NoWeight),
}

/// The law of the depth on so many levels.
pub fn law(levels: usize) -> Truncation {
    let tail = |level: usize| 2f64.powf(-ALPHA * (level as f64 - 1.0));
    let mass = |level| tail(level) - if level < levels { tail(level + 1) } else { 0.0 };
    Truncation::from_masses((1..=levels).map(mass).collect())
        .expect("masses of a geometric law are positive and add up to one")
}

impl<'a, R, M> Explored<'a, R, M>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    /// Chooses base and first level for replicates of so many points; neither may
    /// grow beyond `most` rows, unless that is all of them.
    #[expect(
        clippy::too_many_arguments,
        reason = "one call, and each argument is a different thing"
    )]
    pub fn new(
        model: &'a M,
        regression: &'a dyn Regression<R::Block>,
        anchored: &'a AnchoredRows<'a, R>,
        functionals: &'a [Functional],
        points: usize,
        most: usize,
        seed: Seed,
        store: &'a dyn Store,
        observer: &dyn Observer,
    ) -> Result<Explored<'a, R, M>, ExploreError> {
        let (d, kinds) = (model.dimension(), anchored.rows.kinds());
        let mut base = (BASE_PER_PARAMETER * d).max(LEAST_BASE).min(kinds);
        if base > most {
            return Err(ExploreError::Parameters { parameters: d, base, rows: kinds });
        }
        let mut ledger = Ledger::default();
        let mut path = EnrichedPath {
            model,
            regression,
            rows: &anchored.rows,
            anchor: &anchored.anchor,
            strata: &anchored.strata,
            exponents: Vec::new(),
            functionals,
            directions: Direction::all(functionals, &anchored.anchor),
            thresholds: Vec::new(),
            points: PointSource::Chains { chains: Vec::new(), replicates: 1 },
        };
        if d <= FEW
            && model.groups().is_empty()
            && let Ok(proposal) = Student::new(anchored.anchor.frame.clone(), DEGREES)
        {
            path.points = PointSource::Mirrored { proposal, pairs: points / 2 };
            let first =
                FirstLevel { base: 0, rows: FIRST, most: most.min(LARGEST_FIRST), share: MIRRORED };
            if let Ok(trial) = choose_first(&mut path, first, 0.0, seed, &mut ledger) {
                let source = Source::Mirrored;
                return Ok(Explored { path, source, points, seed, trial, ledger });
            }
        }
        for attempt in 0.. {
            let exponents = anchored.strata.exponents(base as f64);
            let sample = anchored.strata.draw(&exponents, &mut seed.child("base").stream(attempt));
            let found =
                Base::new(regression, &anchored.anchor, &anchored.rows, &anchored.strata, &sample);
            ledger.gradients += found.rows() as u64;
            let found = Arc::new(found);
            let mut chains = Chains::begin(
                &anchored.anchor.frame,
                anchored.anchor.centring.as_ref(),
                model.kinks(),
                || found.density(model, regression, &anchored.anchor),
                seed.child("chains"),
                (store, &format!("base-{base}")),
            )?;
            chains.settle(TRIALS * points / CHAINS, observer)?;
            let gradients = chains.work_per_transition() / found.rows().max(1) as f64;
            path.points = PointSource::Chains { chains: chains.draws(), replicates: TRIALS };
            let first = FirstLevel { base, rows: 2 * base, most, share: WANTED };
            let trial = choose_first(&mut path, first, gradients, seed, &mut ledger);
            match trial {
                Ok(trial) => {
                    let source = Source::Chains { rows: found.rows(), chains: Box::new(chains) };
                    return Ok(Explored { path, source, points, seed, trial, ledger });
                }
                Err(error) => {
                    ledger += chains.ledger();
                    if base >= kinds || 2 * base > most {
                        return Err(error);
                    }
                    base = (2 * base).min(kinds);
                }
            }
        }
        unreachable!("the base grows until it is a share of the rows")
    }

    /// Rows of the base sample, for one gradient of the chains.
    pub fn base_rows(&self) -> usize {
        match self.source {
            Source::Mirrored => 0,
            Source::Chains { rows, .. } => rows,
        }
    }

    /// Rows that a level is expected to sample.
    pub fn expected_rows(&self, level: usize) -> f64 {
        self.path.expected_rows(level)
    }

    /// P.
    pub fn points(&self) -> usize {
        self.points
    }

    /// L.
    pub fn levels(&self) -> usize {
        self.path.levels()
    }

    /// Replicates that are needed for these standard errors, by the trial.
    pub fn replicates(&self, errors: &[f64]) -> usize {
        let needed = self.trial.variances.iter().zip(errors).map(|(v, error)| v / (error * error));
        let needed = (MARGIN * needed.fold(0.0, f64::max)).ceil();
        (needed as usize).clamp(LEAST_REPLICATES, 1 << 20).next_multiple_of(CHAINS)
    }

    /// Goes on with the trial while it plans many times its own replicates: one odd replicate of eight would
    /// make a plan far too long. The errors that are asked for may depend on what it has found.
    pub fn look_closer(
        &mut self,
        errors: impl Fn(&Trial) -> Vec<f64>,
        observer: &dyn Observer,
    ) -> Result<(), ExploreError> {
        loop {
            let count = 2 * self.trial.count();
            if count > MOST_TRIALS
                || self.replicates(&errors(&self.trial)) <= PLANNED * self.trial.count()
            {
                return Ok(());
            }
            if let Source::Chains { chains, .. } = &mut self.source {
                chains.enter(&format!("trial-{count}"));
                chains.advance(count * self.points / CHAINS, observer)?;
                self.path.points =
                    PointSource::Chains { chains: chains.draws(), replicates: count };
            }
            self.trial.extend(&self.path, count, self.seed, &mut self.ledger)?;
        }
    }

    /// Expected evaluations of one replicate, its points included.
    pub fn replicate_cost(&self) -> f64 {
        let (law, levels) = (law(self.levels()), 1..=self.levels());
        let rows: f64 = levels.map(|level| law.tail(level) * self.expected_rows(level)).sum();
        let chain = self.trial.gradients * (self.points * self.base_rows()) as f64;
        rows * (self.points + 1) as f64 + chain
    }

    /// The work of set-up and trial, that of the anchor included.
    pub fn spent(&self) -> Ledger {
        self.path.anchor.ledger + self.ledger + self.source.ledger()
    }

    /// Draws the points of so many replicates, new ones, and returns the path and all work of
    /// set-up, trial and chains. Quantiles at these probabilities are wanted of these functionals: each
    /// gets two thresholds for its distribution function, around where the trial has it.
    pub fn path(
        mut self,
        replicates: usize,
        quantiles: &[(usize, Vec<f64>)],
        observer: &dyn Observer,
    ) -> Result<(EnrichedPath<'a, R, M>, Ledger), ExploreError> {
        let mut path = self.path;
        if let Source::Chains { chains, .. } = &mut self.source {
            let drawn = chains.draws();
            path.thresholds = thresholds(quantiles, &path.directions, path.anchor, &drawn);
            chains.discard();
            chains.enter("points");
            chains.advance(replicates * self.points / CHAINS, observer)?;
            path.points = PointSource::Chains { chains: chains.draws(), replicates };
        } else {
            path.thresholds = thresholds(quantiles, &path.directions, path.anchor, &[]);
        }
        let spent = path.anchor.ledger + self.ledger + self.source.ledger();
        Ok((path, spent))
    }
}

impl<R: Rows, M> Source<'_, R, M>
where
    M: Smooth<Block = R::Block>,
{
    fn ledger(&self) -> Ledger {
        match self {
            Source::Mirrored => Ledger::default(),
            Source::Chains { chains, .. } => chains.ledger(),
        }
    }
}
