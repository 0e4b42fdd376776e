//! What the depths themselves add to the variance, and what a scheme takes away of it.
//!
//! With m_t = E[Z ∣ T = t], depths in groups of m change nothing but the part of the variance of a
//! mean that comes from m_T:
//!
//! ```text
//! V(scheme) = V(independent) − Var m_T + m Var( mean of m_T over a group )
//! sum          m_t = E φ_1 + Σ_{2 ≤ s ≤ t} E Δ_s / P(T ≥ s)
//! single term  m_t = E φ_1 + E Δ_t / P(T = t)
//! ```
//!
//! V is the variance of a mean of replicates times their number.

use crate::tradeoff::square;
use crate::{Form, Scheme, Truncation};

/// Numbers at which a systematic group is looked at.
const GRID: usize = 256;

/// The mean increments of a form.
#[derive(Clone, Debug, PartialEq)]
pub struct DepthMeans {
    /// The form.
    pub form: Form,
    /// E Δ_1, …, E Δ_K; those of deeper levels are taken for zero, so that no scheme gains from them.
    pub means: Vec<Vec<f64>>,
}

impl DepthMeans {
    /// V(independent) − V(scheme) under a law, for depths drawn in groups of this size.
    pub fn saving(&self, law: &Truncation, scheme: Scheme, group: usize) -> f64 {
        let by_depth = self.by_depth(law);
        let alone = within(&by_depth, law, 1);
        match scheme {
            Scheme::Independent => 0.0,
            Scheme::Stratified => alone - within(&by_depth, law, group),
            Scheme::Systematic => alone - systematic(&by_depth, law, group),
        }
    }

    /// m_1, …, m_L but for E φ_1.
    fn by_depth(&self, law: &Truncation) -> Vec<Vec<f64>> {
        let mut sum = vec![0.0; self.means[0].len()];
        let mut all = vec![sum.clone()];
        for level in 2..=law.levels() {
            if !self.form.is_sum() {
                sum.fill(0.0);
            }
            if let Some(mean) = self.means.get(level - 1) {
                let weight = 1.0 / self.form.chance(law, level);
                sum.iter_mut().zip(mean).for_each(|(sum, mean)| *sum += weight * mean);
            }
            all.push(sum.clone());
        }
        all
    }
}

/// The mean over so many strata of the uniform number of the variance of m_T within.
fn within(by_depth: &[Vec<f64>], law: &Truncation, strata: usize) -> f64 {
    let mut total = 0.0;
    for stratum in 0..strata {
        let (low, high) = (stratum as f64 / strata as f64, (stratum + 1) as f64 / strata as f64);
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
    total / strata as f64
}

/// m times the variance of the mean of m_T over a systematic group.
fn systematic(by_depth: &[Vec<f64>], law: &Truncation, group: usize) -> f64 {
    let (width, size) = (by_depth[0].len(), group as f64);
    let (mut mean, mut second) = (vec![0.0; width], 0.0);
    for step in 0..GRID {
        let shared = (step as f64 + 0.5) / GRID as f64;
        let mut shares = vec![0.0; by_depth.len()];
        for k in 0..group {
            shares[law.depth((k as f64 + shared) / size) - 1] += 1.0 / size;
        }
        let mut together = vec![0.0; width];
        for (share, here) in shares.iter().zip(by_depth).filter(|(share, _)| **share > 0.0) {
            together.iter_mut().zip(here).for_each(|(sum, here)| *sum += share * here);
        }
        second += square(&together) / GRID as f64;
        mean.iter_mut().zip(&together).for_each(|(mean, sum)| *mean += sum / GRID as f64);
    }
    size * (second - square(&mean)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Increments that are constants: independent depths have the variance of the form, strata that
    /// hold one depth each have none.
    #[test]
    fn strata_take_away_what_depths_add() {
        // φ_1 = 0, Δ_2 = 2 with chance ½: Z is 0 or 4, variance 4.
        let means =
            DepthMeans { form: Form::AntitheticSingleTerm, means: vec![vec![0.0], vec![2.0]] };
        let law = Truncation::from_masses(vec![0.5, 0.5]).expect("two halves make a law");
        assert_eq!(means.saving(&law, Scheme::Independent, 50), 0.0);
        for scheme in [Scheme::Stratified, Scheme::Systematic] {
            assert!((means.saving(&law, scheme, 50) - 4.0).abs() < 1e-12);
            assert!(means.saving(&law, scheme, 1).abs() < 1e-12, "one stratum saves nothing");
        }
        // A fortieth is no whole number of strata in fifty: 1.25 of them.
        let law = Truncation::from_masses(vec![0.975, 0.025]).expect("they sum to one");
        let all = 4.0 / 0.025 - 4.0;
        let saving = means.saving(&law, Scheme::Stratified, 50);
        assert!(0.5 * all < saving && saving < all, "{saving} of {all}");
    }
}
