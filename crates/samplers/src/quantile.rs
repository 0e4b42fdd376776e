//! Quantiles from a distribution function that is known, with errors, at a few thresholds.
//!
//! Around each wanted quantile there are two thresholds c₁ < c₂. Estimates of the function need not rise,
//! so neighbours that do not are pooled first. Then Φ⁻¹(F), which is a straight line for a Gaussian, is
//! taken as a line through the two:
//!
//! ```text
//! Q(p) = c₁ + (Φ⁻¹(p) − z₁) / slope,    z_k = Φ⁻¹(F(c_k)),    slope = (z₂ − z₁) / (c₂ − c₁)
//! dQ = − Σ_k w_k dF_k / (φ(z_k) slope),    w₂ = (Q − c₁) / (c₂ − c₁),  w₁ = 1 − w₂
//! ```
//!
//! Two things bias the inversion: the line's curvature κ, by κ (Q − c₁)(Q − c₂) / 2 slope, which the
//! thresholds of the other quantiles tell, and that Φ⁻¹ is curved at F, by ½ |z| slope Var Q.

use crate::stein::{Standardised, normal_density, normal_probability, normal_quantile};

/// The probabilities at which quantiles are found without being asked for.
pub const PROBABILITIES: [f64; 3] = [0.025, 0.5, 0.975];
/// Thresholds lie this far from where a quantile is expected, in standard deviations.
const AROUND: f64 = 0.15;
/// The slope, times the width of the law, is never taken below the first or above the second of these,
/// one being Gaussian.
const SLOPES: (f64, f64) = (0.2, 5.0);
/// The narrowest law that thresholds are spaced for, in standard deviations.
const NARROWEST: f64 = 0.3;
/// As many draws of a chain as this are worth one, at worst.
const CORRELATED: f64 = 3.0;
/// Estimates of F are kept this far from zero and one.
const EDGE: f64 = 1e-9;

/// A quantile, and how it depends on the values of F.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// p.
    pub probability: f64,
    /// Q(p).
    pub value: f64,
    /// The two thresholds by their numbers.
    pub thresholds: [usize; 2],
    /// dQ/dF at each of them.
    pub sensitivities: [f64; 2],
    /// What taking a line for a curve may have moved the quantile by, without sign.
    curvature: f64,
    /// ½ |z| slope.
    noise: f64,
}

impl Crossing {
    /// The bias of the inversion, without sign, when the quantile has this standard error.
    pub fn bias(&self, error: f64) -> f64 {
        self.curvature + self.noise * error * error
    }
}

/// Two thresholds around each of some places, in their order, for a law that is so many standard
/// deviations wide.
pub fn around(places: &[f64], width: f64) -> Vec<f64> {
    let reach = AROUND * width;
    places.iter().flat_map(|place| [place - reach, place + reach]).collect()
}

/// The quantiles at these probabilities; thresholds 2k and 2k + 1 belong to probability k.
///
/// ```
/// use samplers::{normal_probability, quantiles_of};
///
/// let thresholds = [-0.2, 0.1, 1.1, 1.4];
/// let function = thresholds.map(normal_probability);
/// let found = quantiles_of(&thresholds, &function, &[0.5, 0.9]);
/// assert!(found[0].value.abs() < 1e-9 && (found[1].value - 1.2816).abs() < 1e-4);
/// ```
pub fn quantiles_of(thresholds: &[f64], function: &[f64], probabilities: &[f64]) -> Vec<Crossing> {
    let pooled = pooled(thresholds, function);
    let z: Vec<f64> = pooled.iter().map(|f| normal_quantile(f.clamp(EDGE, 1.0 - EDGE))).collect();
    let line = |k: usize| {
        let (low, high) = (2 * k, 2 * k + 1);
        let apart = thresholds[high] - thresholds[low];
        let (slope, unit) = ((z[high] - z[low]) / apart, apart / (2.0 * AROUND));
        let slope = slope.clamp(SLOPES.0 / unit, SLOPES.1 / unit);
        (slope, 0.5 * (thresholds[low] + thresholds[high]))
    };
    let one = |(k, &probability): (usize, &f64)| {
        let (low, high) = (2 * k, 2 * k + 1);
        let (from, to) = (thresholds[low], thresholds[high]);
        let (slope, middle) = line(k);
        let wanted = normal_quantile(probability);
        // Through the middle of both, so that a slope that was cut favours neither.
        let value = middle + (wanted - 0.5 * (z[low] + z[high])) / slope;
        let share = (value - from) / (to - from);
        let sensitivity = |weight: f64, z: f64| -weight / (normal_density(z).max(EDGE) * slope);
        // The slope elsewhere tells the curvature here.
        let others = (0..probabilities.len()).filter(|&other| other != k).map(line);
        let apart = |other: &(f64, f64)| (other.1 - middle).abs();
        let nearest = others.filter(|other| apart(other) > to - from);
        let nearest = nearest.min_by(|a, b| apart(a).total_cmp(&apart(b)));
        let curvature = nearest.map_or(0.0, |other| (other.0 - slope) / (other.1 - middle));
        Crossing {
            probability,
            value,
            thresholds: [low, high],
            sensitivities: [sensitivity(1.0 - share, z[low]), sensitivity(share, z[high])],
            curvature: (0.5 * curvature * (value - from) * (value - to) / slope).abs(),
            noise: 0.5 * wanted.abs() * slope,
        }
    };
    probabilities.iter().enumerate().map(one).collect()
}

/// Values that rise with their thresholds: neighbours that do not are replaced by their mean.
fn pooled(thresholds: &[f64], values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| thresholds[a].total_cmp(&thresholds[b]));
    // Blocks: their mean and their size.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for &at in &order {
        blocks.push((values[at], 1));
        while let [.., (below, many), (above, few)] = blocks[..]
            && below > above
        {
            let size = many + few;
            let mean = (below * many as f64 + above * few as f64) / size as f64;
            blocks.truncate(blocks.len() - 2);
            blocks.push((mean, size));
        }
    }
    let risen = blocks.iter().flat_map(|&(mean, size)| std::iter::repeat_n(mean, size));
    let mut pooled = vec![0.0; values.len()];
    order.iter().zip(risen).for_each(|(&at, value)| pooled[at] = value);
    pooled
}

/// Where a distribution function is asked for, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Thresholds {
    /// Two around each quantile.
    pub places: Vec<f64>,
    /// Whether the control variate is worth it: near a wall of the density its gradient is far more
    /// variable than what it should correct.
    pub controlled: bool,
}

/// Two thresholds around each quantile, from standardised draws.
pub fn thresholds(points: &[Standardised], probabilities: &[f64]) -> Thresholds {
    let mut drawn: Vec<f64> = points.iter().map(Standardised::place).collect();
    drawn.sort_by(f64::total_cmp);
    let share = |p: f64| drawn[((p * drawn.len() as f64) as usize).min(drawn.len() - 1)];
    // Half of what holds two thirds of the draws; a law that is much narrower is no reason to look closer.
    let width = (0.5 * (share(0.84) - share(0.16))).max(NARROWEST);
    // A quantile lies where draws say, give or take four errors of draws that are correlated: estimates
    // with control variates are finer, and far off where the law is nothing like a Gaussian.
    let band = |p: f64| {
        let error = 4.0 * (CORRELATED * p * (1.0 - p) / drawn.len() as f64).sqrt();
        let low = if p > error { share(p - error) } else { drawn[0] - width };
        let high = if p + error < 1.0 { share(p + error) } else { drawn[drawn.len() - 1] + width };
        (low, high)
    };
    let clamped = |place: f64, p: f64| {
        let (low, high) = band(p);
        place.clamp(low, high)
    };
    let own = |&p: &f64| clamped(normal_quantile(p), p);
    let mut places: Vec<f64> = probabilities.iter().map(own).collect();
    let indicators: Vec<Standardised> =
        drawn.iter().map(|&place| Standardised::plain(place)).collect();
    let spread = |points: &[Standardised]| -> f64 {
        let variance = |&c: &f64| {
            let mean = distribution_function(points, c);
            points.iter().map(|one| (one.below(c) - mean).powi(2)).sum::<f64>()
        };
        places.iter().map(variance).sum()
    };
    let controlled = spread(points) < spread(&indicators);
    let points = if controlled { points } else { &indicators };
    // Two rounds from the Gaussian's own quantiles: the second starts where the first ended.
    for _ in 0..2 {
        let thresholds = around(&places, width);
        let function: Vec<f64> =
            thresholds.iter().map(|&c| distribution_function(points, c)).collect();
        let found = quantiles_of(&thresholds, &function, probabilities);
        for (place, one) in places.iter_mut().zip(found) {
            *place = clamped(one.value, one.probability);
        }
    }
    Thresholds { places: around(&places, width), controlled }
}

fn distribution_function(points: &[Standardised], c: f64) -> f64 {
    let probability = normal_probability(c);
    let sum: f64 = points.iter().map(|one| one.below_with(c, probability)).sum();
    sum / points.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A skewed law with F(c) = Φ(h(c)), h(c) = c − 0.1 (c² − 1): the line through thresholds 0.15 away
    /// misses the quantile by no more than the curvature says.
    #[test]
    fn the_bias_of_a_line_is_sized() {
        let h = |c: f64| c - 0.1 * (c * c - 1.0);
        // h(Q) = Φ⁻¹(p), solved by hand.
        let quantile = |p: f64| 5.0 * (1.0 - (1.0 - 0.4 * (normal_quantile(p) - 0.1)).sqrt());
        let exact = PROBABILITIES.map(quantile);
        let thresholds = around(&exact.map(|q| q + 0.05), 1.0);
        let function: Vec<f64> = thresholds.iter().map(|&c| normal_probability(h(c))).collect();
        for (one, exact) in quantiles_of(&thresholds, &function, &PROBABILITIES).iter().zip(exact) {
            let off = (one.value - exact).abs();
            assert!(off < 5e-3, "{one:?}, {exact}");
            assert!(off < 1.5 * one.bias(0.0) + 1e-9, "{off} where {} was said", one.bias(0.0));
        }
    }

    /// Draws that are positive, skewed and ten times as wide as the Gaussian that should be like them: the
    /// thresholds lie around the quantiles of the draws.
    #[test]
    fn thresholds_follow_the_draws() {
        let place = |k: i32| 10.0 * normal_quantile(0.5 + (f64::from(k) + 0.5) / 512.0);
        // A residual of zero is what an exact Gaussian would have; here it is as wrong as can be.
        let points: Vec<_> = (0..256).map(|k| Standardised::new(place(k), -3.0)).collect();
        let thresholds = thresholds(&points, &PROBABILITIES);
        for (pair, p) in thresholds.places.chunks_exact(2).zip(PROBABILITIES) {
            let exact = 10.0 * normal_quantile(0.5 + 0.5 * p);
            let middle = 0.5 * (pair[0] + pair[1]);
            assert!((middle - exact).abs() < 7.0, "{middle} for {exact}");
            assert!(pair[1] - pair[0] > 1.0);
        }
    }

    /// A half-normal law behind a wall: forces are 400 times the width there, and would drown the indicator.
    /// For a Gaussian that is a little off the control variate is taken.
    #[test]
    fn control_variates_are_left_where_they_do_harm() {
        let at = |k: i32| normal_quantile(0.5 + (f64::from(k) + 0.5) / 512.0);
        let walled = |k| Standardised::new(at(k), if at(k) < 0.1 { 400.0 } else { 0.0 });
        let mild = |k| Standardised::new(normal_quantile((f64::from(k) + 0.5) / 256.0), 0.2);
        let walled: Vec<_> = (0..256).map(walled).collect();
        let mild: Vec<_> = (0..256).map(mild).collect();
        let found = thresholds(&walled, &PROBABILITIES);
        assert!(!found.controlled && thresholds(&mild, &PROBABILITIES).controlled);
        for (pair, p) in found.places.chunks_exact(2).zip(PROBABILITIES) {
            let exact = normal_quantile(0.5 + 0.5 * p);
            assert!((0.5 * (pair[0] + pair[1]) - exact).abs() < 0.3, "{pair:?} for {exact}");
        }
    }

    #[test]
    fn sensitivities_are_derivatives() {
        let thresholds = around(&[0.3, 1.2], 1.0);
        let function = [0.53, 0.7, 0.88, 0.91];
        let found = quantiles_of(&thresholds, &function, &[0.6, 0.9]);
        for one in &found {
            for (at, sensitivity) in one.thresholds.iter().zip(one.sensitivities) {
                let mut moved = function;
                moved[*at] += 1e-6;
                let again = quantiles_of(&thresholds, &moved, &[0.6, 0.9]);
                let same = again.iter().find(|other| other.probability == one.probability);
                let slope = (same.unwrap().value - one.value) / 1e-6;
                assert!((slope / sensitivity - 1.0).abs() < 1e-3, "{slope} {sensitivity}");
            }
        }
    }

    #[test]
    fn neighbours_are_pooled() {
        let values = pooled(&[0.0, 1.0, 2.0, 3.0], &[0.1, 0.4, 0.2, 0.9]);
        for (value, expected) in values.iter().zip([0.1, 0.3, 0.3, 0.9]) {
            assert!((value - expected).abs() < 1e-15);
        }
        // Degenerate functions still give numbers.
        for function in [[0.0; 2], [1.0; 2], [-0.1, 1.2], [0.7, 0.3]] {
            let found = quantiles_of(&[-0.1, 0.1], &function, &[0.5]);
            assert!(found[0].value.is_finite() && found[0].sensitivities[0].is_finite());
        }
    }
}
