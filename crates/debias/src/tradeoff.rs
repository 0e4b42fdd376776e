//! What a truncation law pays and what it gains, level by level; exact finite sums.
//!
//! Let x_t be the chance that level t enters: P(T ≥ t) for sums, P(T = t) for single terms. In
//! every form a replicate has
//!
//! ```text
//! expected cost = c_1 + Σ_{t ≥ 2} c_t x_t,      variance = ν_1 + Σ_{t ≥ 2} ν_t / x_t,
//! ```
//!
//! where squares of vectors are sums over their entries, and
//!
//! - coupled sum (Rhee & Glynn 2015, Theorem 1): ν_t = d_{t−1} − d_t with the distances
//!   d_t = E‖φ_t − φ_L‖², and ν_1 = Var φ_L − d_1;
//! - independent increments, summed: ν_t = E‖Δ_t‖² + 2 E Δ_t · Σ_{s > t} E Δ_s, and
//!   ν_1 = Var φ_1 − ‖Σ_{t ≥ 2} E Δ_t‖²;
//! - single term: ν_t = E‖Δ_t‖² with the same ν_1.
//!
//! These hold for independent depths; what other schemes save is the matter of
//! [`crate::DepthMeans`]. Where the levels of a replicate share points, the covariances of φ_1 and
//! the Δ_t are left out.

use crate::{Form, Path, Truncation};

/// Costs and gains of the levels under one form.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Tradeoff {
    /// The form they belong to.
    pub form: Form,
    /// ν_1, …, ν_L.
    pub gains: Vec<f64>,
    /// c_1, …, c_L.
    pub costs: Vec<f64>,
}

/// The moments of an increment Δ_t of independent increments.
#[derive(Clone, Debug, PartialEq)]
pub struct Moments {
    /// E Δ_t.
    pub mean: Vec<f64>,
    /// E ‖Δ_t‖².
    pub second: f64,
}

impl Tradeoff {
    /// c_1, …, c_L of a path under a form.
    pub fn level_costs<P: Path>(path: &P, form: Form) -> Vec<f64> {
        (1..=path.levels()).map(|level| form.level_cost(path, level)).collect()
    }

    /// From the distances d_1, …, d_L = 0 to a fixed φ_L: the paper's estimator on a given data set.
    pub fn coupled_sum(distances: &[f64], costs: Vec<f64>) -> Tradeoff {
        let gains = std::iter::once(-distances[0])
            .chain(distances.windows(2).map(|pair| pair[0] - pair[1]))
            .collect();
        Tradeoff { form: Form::CoupledSum, gains, costs }
    }

    /// From the moments of Δ_1 = φ_1, Δ_2, …, Δ_L drawn independently of each other.
    ///
    /// # Panics
    /// For the coupled sum, whose increments are not independent.
    pub fn independent(form: Form, moments: &[Moments], costs: Vec<f64>) -> Tradeoff {
        assert!(form != Form::CoupledSum, "the increments of a coupled sum are not independent");
        let first_variance = moments[0].second - square(&moments[0].mean);
        let mut gains: Vec<f64> = moments.iter().map(|level| level.second).collect();
        let mut above = vec![0.0; moments[0].mean.len()];
        for level in (2..=moments.len()).rev() {
            let mean = &moments[level - 1].mean;
            if form.is_sum() {
                gains[level - 1] += 2.0 * mean.iter().zip(&above).map(|(a, b)| a * b).sum::<f64>();
            }
            above.iter_mut().zip(mean).for_each(|(above, mean)| *above += mean);
        }
        gains[0] = first_variance - square(&above);
        Tradeoff { form, gains, costs }
    }

    /// L.
    pub fn levels(&self) -> usize {
        self.gains.len()
    }

    /// Expected cost of a replicate.
    pub fn cost(&self, law: &Truncation) -> f64 {
        let above = (2..=self.levels()).map(|t| self.costs[t - 1] * self.form.chance(law, t));
        self.costs[0] + above.sum::<f64>()
    }

    /// Variance of a replicate, summed over functionals.
    pub fn variance(&self, law: &Truncation) -> f64 {
        self.gains[0] + (2..=self.levels()).map(|t| self.contribution(law, t)).sum::<f64>()
    }

    /// What level t ≥ 2 contributes to the variance.
    pub fn contribution(&self, law: &Truncation, level: usize) -> f64 {
        self.gains[level - 1] / self.form.chance(law, level)
    }

    /// Work × variance: the variance of the mean, for one unit of work.
    pub fn product(&self, law: &Truncation) -> f64 {
        self.cost(law) * self.variance(law)
    }
}

/// ‖v‖².
pub(crate) fn square(vector: &[f64]) -> f64 {
    vector.iter().map(|entry| entry * entry).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two levels, worked by hand: φ_1 = ±1 with equal chance, φ_2 = 0, P(T = 2) = 1/4.
    #[test]
    fn two_levels_by_hand() {
        let law = Truncation::from_masses(vec![0.75, 0.25]).unwrap();
        // Z = φ_1 with 3/4, φ_1 − 4 φ_1 = −3 φ_1 with 1/4: variance 3/4 + 9/4 = 3.
        let coupled = Tradeoff::coupled_sum(&[1.0, 0.0], vec![1.0, 2.0]);
        assert_eq!(coupled.variance(&law), 3.0);
        assert_eq!(coupled.cost(&law), 1.5);
        // The same with Δ_2 = −φ_1 drawn on its own: Z = φ_1 + 4 Δ_2 with 1/4, variance 1 + 16/4 = 5.
        let moments = |mean: f64| Moments { mean: vec![mean], second: 1.0 };
        let single =
            Tradeoff::independent(Form::SingleTerm, &[moments(0.0), moments(0.0)], vec![1.0, 3.0]);
        assert_eq!(single.variance(&law), 5.0);
        assert_eq!(single.product(&law), 1.75 * 5.0);
    }

    /// Increments that are constants: Z varies only because T does.
    #[test]
    fn constant_increments_by_hand() {
        let law = Truncation::from_masses(vec![0.5, 0.25, 0.25]).unwrap();
        let constant = |x: f64| Moments { mean: vec![x], second: x * x };
        let levels = [constant(5.0), constant(1.0), constant(-2.0)];
        for (form, values) in
            [(Form::AntitheticSum, [5.0, 7.0, -1.0]), (Form::SingleTerm, [5.0, 9.0, -3.0])]
        {
            let mean: f64 = (1..=3).map(|t| law.mass(t) * values[t - 1]).sum();
            let variance: f64 = (1..=3).map(|t| law.mass(t) * (values[t - 1] - mean).powi(2)).sum();
            let predicted = Tradeoff::independent(form, &levels, vec![1.0; 3]).variance(&law);
            assert!((mean - 4.0).abs() < 1e-12);
            assert!((predicted - variance).abs() < 1e-12, "{form:?}: {predicted} {variance}");
        }
    }
}
