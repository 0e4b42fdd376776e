//! Work × variance of any form, law and depth scheme from draws of the levels.
//!
//! Moments of levels beyond the draws follow the decay of the deepest that were drawn; their mean
//! increments are taken for zero, so that no scheme gains from them. The default is what the library
//! does: one quarter of the draws is the pilot that chooses form and law.

use super::level_draws::{Drawn, square};
use debias::{
    Coupling, Decay, DecayError, DepthMeans, Form, Moments, Scheme, Tradeoff, Truncation, optimal,
};

/// Replicates in a group of depths: a thousand in twenty groups.
const GROUP: usize = 50;
/// The deepest levels that the decay is fitted to.
const DEEPEST: usize = 4;

/// How the default draws its depths.
pub const DEFAULT_SCHEME: Scheme = Scheme::Stratified;

/// The levels of a path: sizes, costs by form, φ_L, and the draws.
pub struct Ladder {
    pub sizes: Vec<f64>,
    pub costs: Vec<(Form, Vec<f64>)>,
    pub truth: Vec<f64>,
    pub drawn: Drawn,
}

/// The moments of a form: gains and costs of all levels, and mean increments.
pub struct Measured {
    pub tradeoff: Tradeoff,
    means: DepthMeans,
}

impl Ladder {
    /// c_1, …, c_L.
    pub fn costs(&self, form: Form) -> Vec<f64> {
        self.costs
            .iter()
            .find(|(known, _)| *known == form)
            .map_or(Vec::new(), |(_, costs)| costs.clone())
    }

    /// The same levels with some of their entries only.
    pub fn only(&self, entries: std::ops::Range<usize>) -> Ladder {
        let Ladder { sizes, costs, truth, drawn } = self;
        let drawn = drawn.only(entries);
        Ladder { sizes: sizes.clone(), costs: costs.clone(), truth: truth.clone(), drawn }
    }

    /// The moments of a form by some of the replicates.
    pub fn measured(&self, form: Form, keep: &[usize]) -> Result<Measured, DecayError> {
        let (levels, coupling) = (self.drawn.levels(), form.coupling());
        let moments: Vec<Moments> =
            (1..=levels).map(|level| self.moments(level, coupling, keep)).collect();
        let means = moments.iter().map(|level| level.mean.clone()).collect();
        let means = DepthMeans { form, means };
        let costs = self.costs(form);
        let tradeoff = if form == Form::CoupledSum {
            let mut distances: Vec<f64> =
                (1..=levels).map(|level| self.distance(level, keep)).collect();
            let from = levels.saturating_sub(DEEPEST);
            let decay = Decay::fit(&self.sizes[from..levels], &distances[from..])?;
            distances.extend(self.sizes[levels..].iter().map(|&size| decay.at(size)));
            if let Some(last) = distances.last_mut().filter(|_| levels < self.sizes.len()) {
                *last = 0.0;
            }
            Tradeoff::coupled_sum(&distances, costs)
        } else {
            let mut tradeoff = Tradeoff::independent(form, &moments, costs);
            // The square of a sample mean exceeds that of the mean by its variance.
            tradeoff.gains[0] += moments[1..]
                .iter()
                .map(|level| (level.second - square(&level.mean)) / keep.len() as f64)
                .sum::<f64>();
            let from = levels.saturating_sub(DEEPEST).max(1);
            let decay = Decay::fit(&self.sizes[from..levels], &tradeoff.gains[from..])?;
            tradeoff.gains.extend(self.sizes[levels..].iter().map(|&size| decay.at(size)));
            tradeoff
        };
        Ok(Measured { tradeoff, means })
    }

    /// The form and the law that the library would choose from these draws as its pilot.
    pub fn default_choice(&self, pilot: &[usize], cap: f64) -> anyhow::Result<(Form, Truncation)> {
        let mut best: Option<(f64, Form, Truncation)> = None;
        for form in [Form::AntitheticSingleTerm, Form::AntitheticSum] {
            let measured = self.measured(form, pilot)?;
            let Some(law) = measured.best_optimal(cap, DEFAULT_SCHEME) else { continue };
            let product = measured.product(&law, DEFAULT_SCHEME);
            if best.as_ref().is_none_or(|best| product < best.0) {
                best = Some((product, form, law));
            }
        }
        let (_, form, law) = best.ok_or_else(|| anyhow::anyhow!("no law costs at most {cap}"))?;
        Ok((form, law))
    }

    /// E ‖φ_t − φ_L‖².
    fn distance(&self, level: usize, keep: &[usize]) -> f64 {
        let one = |&replicate: &usize| {
            let difference = self.drawn.level(replicate, level).iter().zip(&self.truth);
            difference.map(|(value, truth)| (value - truth).powi(2)).sum::<f64>()
        };
        keep.iter().map(one).sum::<f64>() / keep.len() as f64
    }

    fn moments(&self, level: usize, coupling: Coupling, keep: &[usize]) -> Moments {
        let count = keep.len() as f64;
        // Variances do not depend on where zero is, but the digits left of them do.
        let zero = if level == 1 { self.truth.clone() } else { vec![0.0; self.truth.len()] };
        let mut mean = vec![0.0; self.truth.len()];
        let mut second = 0.0;
        for &replicate in keep {
            let mut draw = self.drawn.increment(replicate, level, coupling);
            draw.iter_mut().zip(&zero).for_each(|(draw, zero)| *draw -= zero);
            mean.iter_mut().zip(&draw).for_each(|(mean, draw)| *mean += draw / count);
            second += square(&draw) / count;
        }
        Moments { mean, second }
    }
}

impl Measured {
    /// Expected cost × variance under a law and a scheme.
    pub fn product(&self, law: &Truncation, scheme: Scheme) -> f64 {
        let variance = self.tradeoff.variance(law) - self.means.saving(law, scheme, GROUP);
        self.tradeoff.cost(law) * variance
    }

    /// The geometric law of least product that costs no more than the cap, and its exponent.
    pub fn best_geometric(&self, cap: f64, scheme: Scheme) -> Option<(f64, Truncation)> {
        let levels = self.tradeoff.levels();
        let laws = (0..=150).map(|step| 0.3 + 0.02 * f64::from(step));
        let laws =
            laws.filter_map(|alpha| Some((alpha, Truncation::geometric(alpha, levels).ok()?)));
        laws.filter(|(_, law)| self.tradeoff.cost(law) <= cap * (1.0 + 1e-9))
            .min_by(|a, b| self.product(&a.1, scheme).total_cmp(&self.product(&b.1, scheme)))
    }

    /// The optimal law of least product that costs no more than the cap.
    pub fn best_optimal(&self, cap: f64, scheme: Scheme) -> Option<Truncation> {
        let least = self.tradeoff.costs[0];
        let caps = (0..60).map(|step| least * (cap / least).powf(f64::from(step) / 59.0));
        caps.filter_map(|cap| optimal(&self.tradeoff, cap).ok())
            .min_by(|a, b| self.product(a, scheme).total_cmp(&self.product(b, scheme)))
    }
}
