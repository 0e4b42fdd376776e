//! A trial on points that no replicate will see: how large the first level must be, and what a replicate
//! is worth.

use crate::explored::{ExploreError, law};
use crate::layout::Layout;
use crate::path::EnrichedPath;
use crate::points::PointSource;
use debias::{Coupling, Ledger, Path, Seed};
use posterior::{Rows, Smooth};

/// Effective points over points that are wanted at the first level and at a deep one.
pub(crate) const WANTED: f64 = 0.5;
/// The deep level has 2 to this power as many rows as the first.
const DEEP: usize = 3;
/// Replicates of the trial.
pub(crate) const TRIALS: usize = 8;

/// What a trial tells about a replicate.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The variance of each functional's estimate in one replicate.
    pub variances: Vec<f64>,
    /// The posterior standard deviation of each functional's integrand, roughly.
    pub deviations: Vec<f64>,
    /// E Δ_2² of each functional.
    pub increments: Vec<f64>,
    /// Effective points over points at the first level, and at a deep one.
    pub shares: (f64, f64),
    /// Gradients of the base per transition of a chain; zero where points are not drawn by chains.
    pub gradients: f64,
}

/// Tries first levels from twice the base on, until points keep their weight there.
pub(crate) fn choose_first<R, M>(
    path: &mut EnrichedPath<'_, R, M>,
    base: usize,
    most: usize,
    gradients: f64,
    seed: Seed,
    ledger: &mut Ledger,
) -> Result<Trial, ExploreError>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let (kinds, share_at) = (path.rows.kinds(), path.layout().share());
    let mut first = 2 * base;
    path.exponents = path.strata.exponents(first as f64);
    // A third of the points is enough to see whether the base is like a deep level.
    let level = (1 + DEEP).min(path.levels());
    let rng = &mut seed.child("deep").stream(0);
    let all = match &path.points {
        PointSource::Chains { chains, .. } => {
            PointSource::Chains { chains: chains.clone(), replicates: TRIALS / 2 }
        }
        mirrored => mirrored.clone(),
    };
    let points = all.draw(path.model, path.anchor, path.functionals, 0, rng);
    let found = path.level_on(&points, &path.sample(level, rng), level)?;
    *ledger += found.cost;
    let deep = found.value[share_at];
    if deep < WANTED {
        return Err(ExploreError::Share { base, first, share: deep });
    }
    loop {
        let trial = trial(path, deep, gradients, seed, ledger)?;
        if trial.shares.0 >= WANTED {
            return Ok(trial);
        }
        if first >= kinds || 2 * first > most {
            return Err(ExploreError::Share { base, first, share: trial.shares.0 });
        }
        first *= 2;
        path.exponents = path.strata.exponents(first as f64);
    }
}

/// A few replicates up to the second level.
fn trial<R, M>(
    path: &EnrichedPath<'_, R, M>,
    deep: f64,
    gradients: f64,
    seed: Seed,
    ledger: &mut Ledger,
) -> Result<Trial, ExploreError>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let layout: Layout = path.layout();
    let seed = seed.child("trial");
    let (mut firsts, mut steps) = (Vec::new(), Vec::new());
    for replicate in 0..TRIALS as u64 {
        let rng = &mut seed.stream(replicate);
        let (mut points, _) = path.begin_replicate(replicate, rng)?;
        let first = path.increment(&mut points, 1, Coupling::Antithetic, rng)?;
        *ledger += first.cost;
        firsts.push(first.value);
        if path.levels() > 1 {
            let step = path.increment(&mut points, 2, Coupling::Antithetic, rng)?;
            *ledger += step.cost;
            steps.push(step.value);
        }
    }
    let mean = |terms: &[Vec<f64>], at: usize| {
        terms.iter().map(|term| term[at]).sum::<f64>() / terms.len() as f64
    };
    let square = |terms: &[Vec<f64>], at: usize, about: f64| {
        terms.iter().map(|term| (term[at] - about).powi(2)).sum::<f64>()
    };
    let law = law(path.levels());
    let sum: f64 =
        (2..=path.levels()).map(|level| 4f64.powi(2 - level as i32) / law.tail(level)).sum();
    let (mut variances, mut deviations, mut increments) = (Vec::new(), Vec::new(), Vec::new());
    for (at, functional) in path.functionals.iter().enumerate() {
        let centre = functional.integrand(path.anchor.centre());
        let own = mean(&firsts, at);
        let spread = mean(&firsts, layout.second_moment(at)) - (own - centre).powi(2);
        deviations.push(spread.max(0.0).sqrt());
        let step =
            if steps.is_empty() { 0.0 } else { square(&steps, at, 0.0) / steps.len() as f64 };
        variances.push(square(&firsts, at, own) / (firsts.len() - 1) as f64 + sum * step);
        increments.push(step);
    }
    // A few replicates tell little about one functional, and more about all of them: each variance
    // is drawn half-way to the typical one, in units of the posterior variances.
    let mut relative: Vec<f64> =
        variances.iter().zip(&deviations).map(|(v, s)| v / (s * s)).collect();
    relative.sort_by(f64::total_cmp);
    let typical = relative[relative.len() / 2];
    for (variance, deviation) in variances.iter_mut().zip(&deviations) {
        if typical.is_finite() {
            *variance = 0.5 * (*variance + typical * deviation * deviation);
        }
    }
    let shares = (mean(&firsts, layout.share()), deep);
    Ok(Trial { variances, deviations, increments, shares, gradients })
}
