//! Work × variance of any form, law and depth scheme from draws of the levels.
//!
//! With m_t = E[Z ∣ T = t], depths in groups of m change nothing but the part of the variance that
//! comes from m_T:
//!
//! ```text
//! V(scheme) = V(independent) − Var m_T + m Var( mean of m_T over a group )
//! ```
//!
//! Moments of levels beyond the draws follow the decay of the deepest that were drawn; their mean
//! increments are taken for zero, so that no scheme gains from them.

use super::level_draws::{Drawn, square};
use debias::{Coupling, Decay, DecayError, Form, Moments, Scheme, Tradeoff, Truncation, optimal};

/// Replicates in a group of depths.
const GROUP: usize = 50;
/// Numbers at which a systematic group is looked at.
const GRID: usize = 256;
/// The deepest levels that the decay is fitted to.
const DEEPEST: usize = 4;

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
    means: Vec<Vec<f64>>,
}

impl Ladder {
    fn costs(&self, form: Form) -> Vec<f64> {
        self.costs
            .iter()
            .find(|(known, _)| *known == form)
            .map_or(Vec::new(), |(_, costs)| costs.clone())
    }

    /// The moments of a form by some of the replicates.
    pub fn measured(&self, form: Form, keep: &[usize]) -> Result<Measured, DecayError> {
        let (levels, coupling) = (self.drawn.levels(), form.coupling());
        let moments: Vec<Moments> =
            (1..=levels).map(|level| self.moments(level, coupling, keep)).collect();
        let mut means: Vec<Vec<f64>> = moments.iter().map(|level| level.mean.clone()).collect();
        means.resize(self.sizes.len(), vec![0.0; self.truth.len()]);
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
    /// The variance of a replicate under a law and a scheme.
    pub fn variance(&self, law: &Truncation, scheme: Scheme) -> f64 {
        let by_depth = self.by_depth(law);
        let whole = [(0.0, 1.0)];
        let alone = spread(&by_depth, law, &whole);
        let grouped = match scheme {
            Scheme::Independent => alone,
            Scheme::Stratified => {
                let size = GROUP as f64;
                let strata: Vec<(f64, f64)> =
                    (0..GROUP).map(|k| (k as f64 / size, (k + 1) as f64 / size)).collect();
                spread(&by_depth, law, &strata)
            }
            Scheme::Systematic => systematic(&by_depth, law),
        };
        self.tradeoff.variance(law) - alone + grouped
    }

    /// Expected cost × variance.
    pub fn product(&self, law: &Truncation, scheme: Scheme) -> f64 {
        self.tradeoff.cost(law) * self.variance(law, scheme)
    }

    /// E[Z ∣ T = t] but for a constant.
    fn by_depth(&self, law: &Truncation) -> Vec<Vec<f64>> {
        let form = self.tradeoff.form;
        let mut sum = vec![0.0; self.means[0].len()];
        (1..=law.levels())
            .map(|level| {
                if level == 1 {
                    return sum.clone();
                }
                if !form.is_sum() {
                    sum.fill(0.0);
                }
                let weight = 1.0 / form.chance(law, level);
                let mean = &self.means[level - 1];
                sum.iter_mut().zip(mean).for_each(|(sum, mean)| *sum += weight * mean);
                sum.clone()
            })
            .collect()
    }

    /// The geometric law of least product that costs no more than the cap, and its exponent.
    pub fn best_geometric(&self, cap: f64) -> Option<(f64, Truncation)> {
        let levels = self.tradeoff.levels();
        let laws = (0..=150).map(|step| 0.3 + 0.02 * f64::from(step));
        let laws =
            laws.filter_map(|alpha| Some((alpha, Truncation::geometric(alpha, levels).ok()?)));
        laws.filter(|(_, law)| self.tradeoff.cost(law) <= cap * (1.0 + 1e-9))
            .min_by(|a, b| self.tradeoff.product(&a.1).total_cmp(&self.tradeoff.product(&b.1)))
    }

    /// The optimal law of least product that costs no more than the cap.
    pub fn best_optimal(&self, cap: f64) -> Option<Truncation> {
        let least = self.tradeoff.costs[0];
        let caps = (0..60).map(|step| least * (cap / least).powf(f64::from(step) / 59.0));
        caps.filter_map(|cap| optimal(&self.tradeoff, cap).ok())
            .min_by(|a, b| self.tradeoff.product(a).total_cmp(&self.tradeoff.product(b)))
    }
}

/// The mean over intervals of the uniform number of the variance of m_T within.
fn spread(by_depth: &[Vec<f64>], law: &Truncation, intervals: &[(f64, f64)]) -> f64 {
    let mut total = 0.0;
    for &(low, high) in intervals {
        let mut mean = vec![0.0; by_depth[0].len()];
        let mut second = 0.0;
        for level in 1..=law.levels() {
            // T = t where the number lies in [P(T ≥ t + 1), P(T ≥ t)).
            let overlap = law.tail(level).min(high) - law.tail(level + 1).max(low);
            if overlap > 0.0 {
                let chance = overlap / (high - low);
                let here = &by_depth[level - 1];
                mean.iter_mut().zip(here).for_each(|(mean, here)| *mean += chance * here);
                second += chance * square(here);
            }
        }
        total += second - square(&mean);
    }
    total / intervals.len() as f64
}

/// m times the variance of the mean of m_T over a systematic group.
fn systematic(by_depth: &[Vec<f64>], law: &Truncation) -> f64 {
    let width = by_depth[0].len();
    let (mut mean, mut second) = (vec![0.0; width], 0.0);
    for step in 0..GRID {
        let shared = (step as f64 + 0.5) / GRID as f64;
        let mut group = vec![0.0; width];
        for k in 0..GROUP {
            let here = &by_depth[law.depth((k as f64 + shared) / GROUP as f64) - 1];
            group.iter_mut().zip(here).for_each(|(group, here)| *group += here / GROUP as f64);
        }
        second += square(&group) / GRID as f64;
        mean.iter_mut().zip(&group).for_each(|(mean, group)| *mean += group / GRID as f64);
    }
    GROUP as f64 * (second - square(&mean)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Increments that are constants: independent depths have the variance of the form, strata that
    /// hold one depth each have none.
    #[test]
    fn strata_take_away_what_depths_add() {
        let tradeoff = Tradeoff {
            form: Form::AntitheticSingleTerm,
            gains: vec![-4.0, 4.0],
            costs: vec![1.0, 2.0],
        };
        // φ_1 = 0, Δ_2 = 2 with chance ½: Z is 0 or 4, variance 4.
        let measured = Measured { tradeoff, means: vec![vec![0.0], vec![2.0]] };
        let law = Truncation::from_masses(vec![0.5, 0.5]).expect("two halves make a law");
        assert!((measured.variance(&law, Scheme::Independent) - 4.0).abs() < 1e-12);
        assert!(measured.variance(&law, Scheme::Stratified).abs() < 1e-12);
        assert!(measured.variance(&law, Scheme::Systematic).abs() < 1e-12);
        // A fortieth is no whole number of strata in fifty: 1.25 of them.
        let law = Truncation::from_masses(vec![0.975, 0.025]).expect("they sum to one");
        let all = measured.variance(&law, Scheme::Independent);
        let strata = measured.variance(&law, Scheme::Stratified);
        assert!(0.0 < strata && strata < 0.5 * all, "{strata} of {all}");
    }
}
