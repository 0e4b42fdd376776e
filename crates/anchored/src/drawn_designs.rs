//! What is drawn at random, against everything that could have been drawn: samples, halves, and the
//! jackknife over all outcomes of eight points.

use crate::designs::{all_halves, all_samples};
use crate::points::{Points, Weights};
use crate::strata::{Notes, OCTAVES, Strata};
use debias::Seed;

/// Three rows of a high score and seven of a low one.
fn strata() -> Strata {
    let octaves = [50, 60, 50, 50, 60, 50, 50, 60, 50, 50].to_vec();
    let sums = vec![1.0; OCTAVES];
    Strata::new(Notes { octaves, keys: Vec::new(), squares: sums.clone(), curvature: sums }, 1)
}

/// Pearson's χ² of draws against equally likely outcomes.
fn statistic<T: PartialEq>(outcomes: &[T], draws: usize, mut draw: impl FnMut() -> T) -> f64 {
    let mut counts = vec![0.0; outcomes.len()];
    for _ in 0..draws {
        let drawn = draw();
        counts[outcomes.iter().position(|one| *one == drawn).unwrap()] += 1.0;
    }
    let expected = draws as f64 / outcomes.len() as f64;
    counts.iter().map(|count: &f64| (count - expected).powi(2) / expected).sum()
}

/// 63 and 15 degrees of freedom; 113.7 and 44.26 are exceeded once in ten thousand seeds.
#[test]
fn samples_and_halves_are_drawn_evenly() {
    let (strata, below) = (strata(), [1, 2]);
    let rng = &mut Seed(31).stream(0);
    let samples = all_samples(&strata, &below);
    assert_eq!(samples.len(), 64);
    let chi = statistic(&samples, 12_800, || strata.draw(&below, rng));
    assert!(chi < 113.7, "samples: χ² = {chi}");
    let sample = strata.draw(&[0, 1], rng);
    let halves = all_halves(&sample, &below);
    assert_eq!(halves.len(), 16);
    let chi = statistic(&halves, 6_400, || strata.halve(&sample, &below, rng));
    assert!(chi < 44.26, "halves: χ² = {chi}");
}

/// Eight points, each either (weight 1, value 0) or (weight 3, value 1): E φ over all 256 outcomes, whose
/// limit is 3/4. The plain ratio is off by −0.0258 and the jackknife by 0.0047; for four points, which are
/// the halves, the jackknife is off by 0.0125, and what remains is said to be a third of the difference.
#[test]
fn the_jackknife_takes_the_first_order_away() {
    const POINTS: usize = 8;
    let points = Points {
        positions: vec![0.0; POINTS],
        log_ratios: vec![0.0; POINTS],
        gradients: vec![0.0; POINTS],
        integrands: vec![0.0; POINTS],
        together: 1,
    };
    let (mut plain, mut mean, mut remaining) = (0.0, 0.0, 0.0);
    for code in 0..1_u32 << POINTS {
        let values: Vec<f64> = (0..POINTS).map(|point| f64::from(code >> point & 1)).collect();
        let log_weights: Vec<f64> = values.iter().map(|value| value * 3f64.ln()).collect();
        let weights = Weights::new(&points, &log_weights).unwrap();
        let over = |weights: &[f64]| -> f64 {
            weights.iter().zip(&values).map(|(w, value)| w * value).sum()
        };
        let share = 1.0 / f64::from(1 << POINTS);
        let all: f64 = log_weights.iter().map(|w| w.exp()).sum();
        plain += share * 3.0 * values.iter().sum::<f64>() / all;
        mean += share * over(&weights.estimate);
        remaining += share * over(&weights.remaining);
        assert!((weights.estimate.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(weights.remaining.iter().sum::<f64>().abs() < 1e-12);
    }
    let (plain, left) = (plain - 0.75, mean - 0.75);
    assert!((plain + 0.025_769).abs() < 1e-6, "{plain}");
    assert!((left - 0.004_711).abs() < 1e-6, "{left}");
    assert!((remaining - (0.0125 - left) / 3.0).abs() < 1e-12, "{remaining}");
}
