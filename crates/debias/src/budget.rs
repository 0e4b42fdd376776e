//! How many replicates a cost budget buys, without bias.
//!
//! Expensive replicates are special ones: they went deep. A rule that stops on cost therefore
//! looks at the answer. Let τ_1, τ_2, … be the costs and n the number of replicates that fit,
//! τ_1 + … + τ_n ≤ budget < τ_1 + … + τ_{n+1}.
//!
//! - Averaging the n that fit, and answering nothing when n = 0, loses E[Z; τ > budget]: biased.
//! - Averaging n + 1, the one that crosses the line included: biased, too, by order 1/budget.
//! - Averaging **max(n, 1)** is exactly unbiased (Glynn & Heidelberger 1990, "Bias properties of
//!   budget constrained simulations"). On the event {n = k} the first k pairs (Z_i, τ_i) can change
//!   places, so E[Z̄_k; n = k] = E[Z_1; n = k]. Summed over k ≥ 1 that is E[Z_1; τ_1 ≤ budget], and
//!   the case n = 0 adds E[Z_1; τ_1 > budget].
//!
//! The replicates must be independent and alike: no strata.

/// max(n, 1), where n is the number of leading costs whose sum stays within the budget.
///
/// Costs are those expected for the depths drawn, so the answer is known before any work is done.
/// When all of them fit the answer is their number: the caller drew too few.
pub fn within_budget(costs: impl IntoIterator<Item = f64>, budget: f64) -> u64 {
    let mut spent = 0.0;
    let fitting = costs.into_iter().take_while(|cost| {
        spent += cost;
        spent <= budget
    });
    (fitting.count() as u64).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Exact mean of the average over `rule(costs)` replicates, all sequences enumerated; an
    /// answer of zero replicates counts as the estimate zero.
    fn exact_mean(rule: impl Fn(&[f64]) -> usize) -> f64 {
        // (probability, Z, cost): deep replicates are dear, and differ in value.
        let outcomes = [(0.5, 1.0, 1.0), (0.3, 4.0, 3.0), (0.2, -7.0, 8.0)];
        let length = 7;
        let mut total = 0.0;
        for code in 0..3_usize.pow(length) {
            let draws: Vec<_> = (0..length).map(|i| outcomes[code / 3_usize.pow(i) % 3]).collect();
            let chance: f64 = draws.iter().map(|draw| draw.0).product();
            let costs: Vec<f64> = draws.iter().map(|draw| draw.2).collect();
            let kept = rule(&costs);
            let sum: f64 = draws[..kept].iter().map(|draw| draw.1).sum();
            total += chance * sum / kept.max(1) as f64;
        }
        total
    }

    const MEAN: f64 = 0.5 * 1.0 + 0.3 * 4.0 - 0.2 * 7.0;

    fn fitting(costs: &[f64], budget: f64) -> usize {
        (1..=costs.len()).take_while(|&n| costs[..n].iter().sum::<f64>() <= budget).count()
    }

    #[test]
    fn the_rule_is_exactly_unbiased() {
        for budget in [0.5, 1.0, 2.5, 4.0, 6.9] {
            let mean = exact_mean(|costs| within_budget(costs.iter().copied(), budget) as usize);
            assert!((mean - MEAN).abs() < 1e-12, "budget {budget}: {mean}");
        }
    }

    /// Mutation: the two rules that look as good are caught by the same enumeration.
    #[test]
    fn dropping_or_keeping_the_last_one_is_biased() {
        let dropped = exact_mean(|costs| fitting(costs, 6.0));
        let kept = exact_mean(|costs| fitting(costs, 6.0) + 1);
        assert!((dropped - MEAN).abs() > 0.1, "{dropped}");
        assert!((kept - MEAN).abs() > 0.1, "{kept}");
    }
}
