//! A law from a pilot on the first levels.
//!
//! The pilot draws the moments ν_1, …, ν_K of a form on the K cheapest levels, fits the decay of the
//! deepest three and extends it to L. From then on everything is arithmetic: the best law under any cost cap,
//! its predicted cost, variance and work × variance. The pilot's replicates are its own and are
//! thrown away: `Pilot` gives back laws, never values.
//!
//! Errors of all predictions come from the grouped jackknife: the pilot is worked out again with
//! each of [`GROUPS`] groups of replicates left out, SE² = (G − 1)/G · Σ (θ_g − θ̄)². They know of
//! the pilot's noise and not of a decay that changes its slope further on.

use crate::choice::of_least_product;
use crate::tradeoff::{Moments, square};
use crate::{
    Decay, DecayError, Form, Interval, Ledger, OptimalError, Path, Schedule, Seed, Term, Tradeoff,
    Truncation, TruncationError, optimal,
};
use rayon::prelude::*;
use thiserror::Error;

/// Groups of the jackknife.
const GROUPS: usize = 20;

/// Second moments of increments below this share of the variance of φ_1 are taken for rounding.
const ROUNDING: f64 = 1e-5;

/// How much a pilot may look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct PilotSettings {
    /// K: levels looked at, three at least.
    pub levels: usize,
    /// Replicates a level, a multiple of twenty.
    pub replicates: usize,
}

/// The moments of the first levels of a path under a form.
#[derive(Clone, Debug)]
pub struct Pilot {
    form: Form,
    sizes: Vec<f64>,
    costs: Vec<f64>,
    // draws[t − 1][r]: φ_t of a coupled sum, Δ_t otherwise.
    draws: Vec<Vec<Vec<f64>>>,
    spent: Ledger,
}

/// Whether work × variance under the best law stays bounded as the data grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Growth {
    /// β is above one: bounded.
    Bounded,
    /// β cannot be told from one: at most like log² N.
    Logarithmic,
    /// β is below one: like N^{1−β}.
    Growing,
}

/// A law with what is to be expected from it.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct TunedLaw {
    /// The law.
    pub law: Truncation,
    /// The moments it was made for.
    pub tradeoff: Tradeoff,
    /// β and its interval.
    pub beta: (f64, Interval),
    /// Expected cost of a replicate.
    pub cost: f64,
    /// Predicted variance of a replicate and its interval.
    pub variance: (f64, Interval),
    /// Predicted work × variance.
    pub product: f64,
    /// How the product would behave under the best law as N grows.
    pub growth: Growth,
    /// The work of the pilot, which belongs to the cost of the estimate.
    pub pilot: Ledger,
    /// Levels whose increments the pilot took for rounding, and counted as a floor instead.
    pub rounded: usize,
}

impl TunedLaw {
    /// What the law rests on beside measured moments, in a sentence; nothing where it does not.
    pub fn assumption(&self) -> Option<String> {
        (self.rounded > 0).then(|| {
            format!(
                "on {} of its levels the pilot found increments below {ROUNDING:.0e} of the variance of \
                 φ_1, where rounding begins: that corrections are worth no more than that, and fall \
                 like n^-2 from there, is assumed and not measured",
                self.rounded
            )
        })
    }
}

/// Why there is no law.
#[derive(Debug, Error)]
pub enum TunerError<E: std::error::Error + 'static> {
    /// The pilot cannot be run as asked.
    #[error(
        "a pilot of {replicates} replicates on {levels} of {available} levels; it needs at least \
         three levels and a multiple of {GROUPS} replicates, two groups' worth or more"
    )]
    Settings {
        /// Levels asked for.
        levels: usize,
        /// Levels there are.
        available: usize,
        /// Replicates asked for.
        replicates: usize,
    },
    /// A level could not be computed.
    #[error("the pilot failed at level {level}")]
    Level {
        /// The level.
        level: usize,
        /// Why.
        source: E,
    },
    /// The increments show no decay to extend.
    #[error(transparent)]
    Decay(#[from] DecayError),
    /// No law under the cap.
    #[error(transparent)]
    Optimal(#[from] OptimalError),
    /// The law asked for does not exist.
    #[error(transparent)]
    Truncation(#[from] TruncationError),
    /// The variance would grow with the data.
    #[error(
        "increments shrink like n^-{beta:.2} (95 % interval {low:.2} to {high:.2}), too slowly for \
         {threshold:.2}: the variance at a fixed cost would grow with the data, from {variance:.3e} \
         now to about {larger:.3e} with ten times the rows"
    )]
    Grows {
        /// β.
        beta: f64,
        /// Lower end of its interval.
        low: f64,
        /// Upper end of its interval.
        high: f64,
        /// What β would have to exceed.
        threshold: f64,
        /// Predicted variance.
        variance: f64,
        /// The same, extrapolated to ten times the rows.
        larger: f64,
    },
}

impl Pilot {
    /// Draws the moments of the first levels, on all threads.
    pub fn run<P: Path>(
        path: &P,
        schedule: &Schedule,
        form: Form,
        settings: PilotSettings,
        seed: Seed,
    ) -> Result<Pilot, TunerError<P::Error>> {
        let PilotSettings { levels, replicates } = settings;
        let available = path.levels();
        if levels < 3
            || levels > available
            || !replicates.is_multiple_of(GROUPS)
            || replicates < 2 * GROUPS
        {
            return Err(TunerError::Settings { levels, available, replicates });
        }
        let seed = seed.child("pilot");
        let failed = |level| move |source| TunerError::Level { level, source };
        let one = |replicate: usize| -> Result<(Vec<Term>, Ledger), TunerError<P::Error>> {
            let rng = &mut seed.stream(replicate as u64);
            let (mut shared, opening) = path.begin(rng).map_err(failed(0))?;
            let terms = if form == Form::CoupledSum {
                path.prefix(&mut shared, levels, rng).map_err(failed(levels))?
            } else {
                let mut increment =
                    |t| path.increment(&mut shared, t, form.coupling(), rng).map_err(failed(t));
                (1..=levels).map(&mut increment).collect::<Result<_, _>>()?
            };
            Ok((terms, opening))
        };
        let all: Vec<_> = (0..replicates).into_par_iter().map(one).collect::<Result<_, _>>()?;
        let mut draws = vec![Vec::with_capacity(replicates); levels];
        let mut spent = Ledger::default();
        // Variances do not depend on where zero is, but the digits left of them do: φ_1 is measured
        // from its first draw.
        let zero = all.first().map_or(Vec::new(), |(terms, _)| terms[0].value.clone());
        for (mut terms, opening) in all {
            spent += opening;
            if form != Form::CoupledSum {
                terms[0].value.iter_mut().zip(&zero).for_each(|(value, zero)| *value -= zero);
            }
            for (level, term) in terms.into_iter().enumerate() {
                spent += term.cost;
                draws[level].push(term.value);
            }
        }
        let sizes = schedule.sizes().iter().map(|&size| size as f64).collect();
        Ok(Pilot { form, sizes, costs: Tradeoff::level_costs(path, form), draws, spent })
    }

    /// The best law under a cost cap; without one, the law of least work × variance.
    pub fn optimal<E: std::error::Error>(
        &self,
        cap: Option<f64>,
    ) -> Result<TunedLaw, TunerError<E>> {
        let tradeoff = self.tradeoff()?;
        let law = match cap {
            Some(cap) => optimal(&tradeoff, cap)?,
            None => independent(&tradeoff)?,
        };
        // Any law of bounded cost falls at least like 1/n.
        unless_growing(self.predict(law)?, 1.0)
    }

    /// The law of least work × variance, refused by nobody: where the product would grow with the
    /// data, [`TunedLaw::growth`] says so.
    pub fn best<E: std::error::Error>(&self) -> Result<TunedLaw, TunerError<E>> {
        Ok(self.predict(independent(&self.tradeoff()?)?)?)
    }

    /// The pilot of one functional alone.
    ///
    /// # Panics
    /// If there is no such functional.
    pub fn of_functional(&self, entry: usize) -> Pilot {
        let one = |draw: &Vec<f64>| vec![draw[entry]];
        let draws = self.draws.iter().map(|level| level.iter().map(one).collect()).collect();
        Pilot { draws, sizes: self.sizes.clone(), costs: self.costs.clone(), ..*self }
    }

    /// The form of its replicates.
    pub(crate) fn form(&self) -> Form {
        self.form
    }

    /// The same draws under another form of the same increments at the same cost.
    pub(crate) fn in_form(&self, form: Form) -> Pilot {
        Pilot { form, ..self.clone() }
    }

    /// E Δ_1, …, E Δ_K, but for where E φ_1 is measured from.
    pub(crate) fn mean_increments(&self) -> Vec<Vec<f64>> {
        let all: Vec<usize> = (0..self.draws[0].len()).collect();
        let mut means: Vec<Vec<f64>> =
            (0..self.draws.len()).map(|level| self.moments(&all, level).mean).collect();
        if self.form == Form::CoupledSum {
            for level in (1..means.len()).rev() {
                let (below, here) = means.split_at_mut(level);
                here[0].iter_mut().zip(&below[level - 1]).for_each(|(here, below)| *here -= below);
            }
        }
        means
    }

    /// The number of functionals.
    pub fn width(&self) -> usize {
        self.draws[0][0].len()
    }

    /// The geometric law with this exponent, which β must not stay below.
    pub fn geometric<E: std::error::Error>(&self, alpha: f64) -> Result<TunedLaw, TunerError<E>> {
        unless_growing(self.predict(Truncation::geometric(alpha, self.sizes.len())?)?, alpha)
    }

    /// The moments of all levels, those beyond the pilot by the fitted decay.
    pub fn tradeoff(&self) -> Result<Tradeoff, DecayError> {
        Ok(self.fitted(None)?.0)
    }

    /// What any law would do: for a law that is given, and refused by nobody.
    pub fn predict(&self, law: Truncation) -> Result<TunedLaw, DecayError> {
        let (tradeoff, decay) = self.fitted(None)?;
        let mut betas = Vec::with_capacity(GROUPS);
        let mut variances = Vec::with_capacity(GROUPS);
        for group in 0..GROUPS {
            let (tradeoff, decay) = self.fitted(Some(group))?;
            betas.push(decay.beta);
            variances.push(tradeoff.variance(&law));
        }
        let beta = (decay.beta, jackknife(decay.beta, &betas));
        let growth = match beta.1 {
            Interval { low, .. } if low > 1.0 => Growth::Bounded,
            Interval { high, .. } if high < 1.0 => Growth::Growing,
            _ => Growth::Logarithmic,
        };
        let (cost, product) = (tradeoff.cost(&law), tradeoff.product(&law));
        let variance = tradeoff.variance(&law);
        let variance = (variance, jackknife(variance, &variances));
        let (pilot, rounded) = (self.spent, self.rounded());
        Ok(TunedLaw { law, tradeoff, beta, cost, variance, product, growth, pilot, rounded })
    }

    /// Moments and decay with one group of replicates left out or none.
    fn fitted(&self, without: Option<usize>) -> Result<(Tradeoff, Decay), DecayError> {
        let keep: Vec<usize> = (0..self.draws[0].len())
            .filter(|replicate| without.is_none_or(|group| replicate % GROUPS != group))
            .collect();
        let levels = self.draws.len();
        let mut tradeoff = if self.form == Form::CoupledSum {
            // Distances to the deepest level of the pilot stand for those to φ_L: with nested
            // batches the steps between levels hardly depend on where the path ends.
            let distances: Vec<f64> = (0..levels).map(|t| self.distance(&keep, t)).collect();
            Tradeoff::coupled_sum(&distances, self.costs.clone())
        } else {
            let moments: Vec<Moments> = (0..levels).map(|t| self.moments(&keep, t)).collect();
            let mut tradeoff = Tradeoff::independent(self.form, &moments, self.costs.clone());
            // The square of a sample mean exceeds that of the mean by its variance.
            tradeoff.gains[0] += moments[1..]
                .iter()
                .map(|level| (level.second - square(&level.mean)) / keep.len() as f64)
                .sum::<f64>();
            // What rounding leaves shows no decay, or a growing one. Such moments count as this share
            // of the variance of φ_1, falling like n⁻²: more than they are, and next to nothing.
            for level in 1..levels {
                let floor = self.floor(&moments[0], level);
                tradeoff.gains[level] = tradeoff.gains[level].max(floor);
            }
            tradeoff
        };
        // The decay is a property of deep levels: where a prior or a curvature still rules, moments
        // may even rise. So the deepest three are fitted.
        let from = levels.saturating_sub(3).max(1);
        let decay = Decay::fit(&self.sizes[from..levels], &tradeoff.gains[from..])?;
        tradeoff.gains.extend(self.sizes[levels..].iter().map(|&size| decay.at(size)));
        if self.form == Form::CoupledSum {
            tradeoff.gains[0] = -tradeoff.gains[1..].iter().sum::<f64>();
        }
        Ok((tradeoff, decay))
    }

    /// What an increment counts for at least: a share of the variance of φ_1, falling like n⁻².
    fn floor(&self, first: &Moments, level: usize) -> f64 {
        let scale = ROUNDING * (first.second - square(&first.mean));
        scale * (self.sizes[1] / self.sizes[level]).powi(2)
    }

    /// Levels whose increments lie below that.
    fn rounded(&self) -> usize {
        if self.form == Form::CoupledSum {
            return 0;
        }
        let all: Vec<usize> = (0..self.draws[0].len()).collect();
        let first = self.moments(&all, 0);
        let below = |level: &usize| self.moments(&all, *level).second < self.floor(&first, *level);
        (1..self.draws.len()).filter(below).count()
    }

    /// E ‖φ_t − φ_K‖².
    fn distance(&self, keep: &[usize], level: usize) -> f64 {
        let deepest = &self.draws[self.draws.len() - 1];
        let total: f64 = keep
            .iter()
            .flat_map(|&replicate| self.draws[level][replicate].iter().zip(&deepest[replicate]))
            .map(|(here, there)| (here - there).powi(2))
            .sum();
        total / keep.len() as f64
    }

    /// E Δ_t and E ‖Δ_t‖².
    fn moments(&self, keep: &[usize], level: usize) -> Moments {
        let count = keep.len() as f64;
        let mut mean = vec![0.0; self.draws[level][0].len()];
        let mut second = 0.0;
        for &replicate in keep {
            let draw = &self.draws[level][replicate];
            mean.iter_mut().zip(draw).for_each(|(mean, entry)| *mean += entry / count);
            second += square(draw) / count;
        }
        Moments { mean, second }
    }
}

/// The law of least work × variance of independent depths.
fn independent(tradeoff: &Tradeoff) -> Result<Truncation, OptimalError> {
    Ok(of_least_product(tradeoff, |law| tradeoff.product(law))?.0)
}

fn unless_growing<E: std::error::Error>(
    tuned: TunedLaw,
    threshold: f64,
) -> Result<TunedLaw, TunerError<E>> {
    let (beta, Interval { low, high }) = tuned.beta;
    if high >= threshold {
        return Ok(tuned);
    }
    let variance = tuned.variance.0;
    let larger = variance * 10f64.powf(threshold - beta);
    Err(TunerError::Grows { beta, low, high, threshold, variance, larger })
}

fn jackknife(estimate: f64, left_out: &[f64]) -> Interval {
    let groups = left_out.len() as f64;
    let mean = left_out.iter().sum::<f64>() / groups;
    let squares: f64 = left_out.iter().map(|value| (value - mean).powi(2)).sum();
    Interval::student(estimate, ((groups - 1.0) / groups * squares).sqrt(), groups - 1.0)
}
