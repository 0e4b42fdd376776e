//! The law of least variance whose expected cost stays under a cap.
//!
//! With a price μ on work, minimise Σ_{t ≥ 2} ν_t / x_t + μ c_t x_t over
//!
//! - sums: 1 ≥ x_2 ≥ … ≥ x_L, solved by pooling adjacent violators of the ratios ν_t / c_t
//!   (Rhee & Glynn 2015, Theorem 3): x = min(1, √(ν / μc)) on each pool;
//! - single terms: Σ x_t ≤ 1, solved by x_t = √(ν_t / (μ c_t + λ)) with the least λ ≥ 0 that fits.
//!
//! The cost falls as μ rises, so bisection finds the price of the cap. Moments that a pilot took
//! for zero must not close a level: one replicate in [`FLOOR`] follows the law with masses ∝ 1/c_t,
//! which spends the same on every level.

use crate::{Tradeoff, Truncation, TruncationError};
use thiserror::Error;

/// The share of replicates that follow the floor law.
const FLOOR: f64 = 1e-3;

/// Why there is no optimal law.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum OptimalError {
    /// Even the cheapest law costs more.
    #[error("no law costs as little as {cap} evaluations a replicate; the least is {least}")]
    Cap {
        /// The cap asked for.
        cap: f64,
        /// The expected cost of the cheapest law.
        least: f64,
    },
    /// A cost is not positive, or a moment not finite.
    #[error("level {level} has gain {gain} at cost {cost}")]
    Level {
        /// The level at fault, counted from one.
        level: usize,
        /// Its ν.
        gain: f64,
        /// Its c.
        cost: f64,
    },
    /// A mass is too small for floating-point numbers.
    #[error(transparent)]
    Truncation(#[from] TruncationError),
}

/// The law of least predicted variance with an expected cost of at most `cap` a replicate.
pub fn optimal(tradeoff: &Tradeoff, cap: f64) -> Result<Truncation, OptimalError> {
    for (index, (&gain, &cost)) in tradeoff.gains.iter().zip(&tradeoff.costs).enumerate() {
        if !(gain.is_finite() && cost.is_finite() && cost > 0.0) {
            return Err(OptimalError::Level { level: index + 1, gain, cost });
        }
    }
    let floor = floor_masses(&tradeoff.costs);
    let law = |price: f64| -> Result<Truncation, OptimalError> {
        Ok(Truncation::from_masses(mix(&masses(tradeoff, price), &floor))?)
    };
    // Beyond this price no level above the first is worth a replicate.
    let (mut low, mut high) = (-700.0_f64, 700.0_f64);
    let least = tradeoff.cost(&law(high.exp())?);
    if cap.is_nan() || cap < least {
        return Err(OptimalError::Cap { cap, least });
    }
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if tradeoff.cost(&law(middle.exp())?) > cap { low = middle } else { high = middle }
    }
    law(high.exp())
}

/// P(T = t) of the best law at a price on work, before the floor.
fn masses(tradeoff: &Tradeoff, price: f64) -> Vec<f64> {
    let gains: Vec<f64> = tradeoff.gains[1..].iter().map(|gain| gain.max(0.0)).collect();
    let costs = &tradeoff.costs[1..];
    let mut masses = vec![0.0; tradeoff.levels()];
    if tradeoff.form.is_sum() {
        let tail = pooled_chances(&gains, costs, price);
        for level in 1..=masses.len() {
            let here = if level == 1 { 1.0 } else { tail[level - 2] };
            masses[level - 1] = here - tail.get(level - 1).copied().unwrap_or(0.0);
        }
    } else {
        masses[1..].copy_from_slice(&bounded_chances(&gains, costs, price));
        masses[0] = (1.0 - masses[1..].iter().sum::<f64>()).max(0.0);
    }
    masses
}

/// The tails x_2 ≥ … ≥ x_L for sums.
fn pooled_chances(gains: &[f64], costs: &[f64], price: f64) -> Vec<f64> {
    // Pools of neighbours (gain, cost, members), with falling gain for the cost.
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for (&gain, &cost) in gains.iter().zip(costs) {
        let mut pool = (gain, cost, 1);
        while let Some(&before) = pools.last() {
            if before.0 * pool.1 > pool.0 * before.1 {
                break;
            }
            pool = (pool.0 + before.0, pool.1 + before.1, pool.2 + before.2);
            pools.pop();
        }
        pools.push(pool);
    }
    pools
        .iter()
        .flat_map(|&(gain, cost, members)| {
            std::iter::repeat_n((gain / (price * cost)).sqrt().min(1.0), members)
        })
        .collect()
}

/// The masses x_2, …, x_L for single terms.
fn bounded_chances(gains: &[f64], costs: &[f64], price: f64) -> Vec<f64> {
    let chances = |crowding: f64| -> Vec<f64> {
        gains
            .iter()
            .zip(costs)
            .map(|(gain, cost)| (gain / (price * cost + crowding)).sqrt())
            .collect()
    };
    let free = chances(0.0);
    if free.iter().sum::<f64>() <= 1.0 {
        return free;
    }
    // Σ √(ν/λ) = 1 at λ = (Σ √ν)², and the price only helps.
    let roots: f64 = gains.iter().map(|gain| gain.sqrt()).sum();
    let (mut low, mut high) = (0.0, roots * roots);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if chances(middle).iter().sum::<f64>() > 1.0 { low = middle } else { high = middle }
    }
    chances(high)
}

fn floor_masses(costs: &[f64]) -> Vec<f64> {
    let total: f64 = costs.iter().map(|cost| 1.0 / cost).sum();
    costs.iter().map(|cost| 1.0 / cost / total).collect()
}

fn mix(masses: &[f64], floor: &[f64]) -> Vec<f64> {
    masses.iter().zip(floor).map(|(mass, floor)| (1.0 - FLOOR) * mass + FLOOR * floor).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Form;

    fn powers(form: Form, levels: i32, beta: f64) -> Tradeoff {
        let gains = (0..levels).map(|t| 2f64.powf(-beta * f64::from(t))).collect();
        Tradeoff { form, gains, costs: (0..levels).map(|t| 2f64.powi(t)).collect() }
    }

    #[test]
    fn no_neighbouring_law_of_the_same_cost_is_better() {
        for form in [Form::CoupledSum, Form::AntitheticSingleTerm] {
            let tradeoff = powers(form, 8, 1.5);
            let cap = 4.0;
            let best = optimal(&tradeoff, cap).unwrap();
            assert!(tradeoff.cost(&best) <= cap * (1.0 + 1e-9));
            for from in 1..=8 {
                for to in 1..=8 {
                    let mut masses: Vec<f64> = (1..=8).map(|t| best.mass(t)).collect();
                    let moved = 0.02 * masses[from - 1];
                    masses[from - 1] -= moved;
                    masses[to - 1] += moved;
                    let other = Truncation::from_masses(masses).unwrap();
                    // The floor costs a thousandth or so, hence the slack.
                    if tradeoff.cost(&other) <= tradeoff.cost(&best) {
                        let (here, there) = (tradeoff.variance(&best), tradeoff.variance(&other));
                        assert!(
                            there > here * (1.0 - 5e-4),
                            "{form:?} {from} {to}: {there} < {here}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn violators_are_pooled_and_zeros_floored() {
        let mut tradeoff = powers(Form::CoupledSum, 5, 1.0);
        tradeoff.gains[2] = 0.0;
        tradeoff.gains[4] = 0.0;
        let law = optimal(&tradeoff, 3.0).unwrap();
        assert!((1..=5).all(|level| law.mass(level) > 0.0));
        let pooled = pooled_chances(&[1.0, 4.0, 1.0], &[1.0, 1.0, 1.0], 10.0);
        assert_eq!(pooled[0], pooled[1]);
        assert!(pooled[1] > pooled[2]);
    }

    #[test]
    fn a_generous_cap_means_all_rows_and_a_mean_one_is_refused() {
        let tradeoff = powers(Form::CoupledSum, 6, 1.0);
        assert!(optimal(&tradeoff, 1e9).unwrap().mass(6) > 0.99);
        let error = optimal(&tradeoff, 0.5).unwrap_err();
        assert!(matches!(error, OptimalError::Cap { cap, least } if cap == 0.5 && least >= 1.0));
        assert!(optimal(&tradeoff, f64::NAN).is_err());
    }
}
