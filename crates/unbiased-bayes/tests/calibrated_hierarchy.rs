//! Simulation-based calibration (Talts et al. 2018) of group effects and their standard deviation.
//!
//! ```text
//! sd, u, bias ~ prior,  y ∣ u, bias,  draws ~ posterior:   the rank of the truth among 63 draws is uniform
//! ```
//!
//! Classes in five groups of unequal sizes, one of which has two rows: the posterior of the standard
//! deviation has a long tail towards zero, where effects and their standard deviation shrink together. χ² over
//! eight bins with seven degrees of freedom, critical at 29.88 with a false-alarm rate of one in ten
//! thousand; four tests, so a right program fails once in about 2500 seeds.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use rand::RngExt;
use rand_distr::StandardNormal;
use unbiased_bayes::{
    Bernoulli, Estimation, GeneralisedLinear, Hierarchical, Method, Prior, Priors, SdPrior, Seed,
    SparseBlock, SparseRows, Stop,
};

const SIMULATIONS: u64 = 240;
const RANKS: usize = 64;
const THIN: usize = 8;
const CRITICAL: f64 = 29.88;
const SIZES: [usize; 5] = [2, 5, 10, 30, 80];

#[test]
fn ranks_of_effects_bias_and_standard_deviation_are_uniform() {
    // The first effect, the last one, the bias and ln sd.
    let watched = [0, 4, 5, 6];
    let mut counts = [[0.0; 8]; 4];
    for index in 0..SIMULATIONS {
        let mut rng = Seed(78).stream(index);
        let mut normal = || rng.sample::<f64, _>(StandardNormal);
        let sd = normal().abs();
        let mut theta: Vec<f64> = SIZES.iter().map(|_| sd * normal()).collect();
        theta.extend([normal(), sd.ln()]);
        let mut block = SparseBlock::new(SIZES.len());
        for (group, &size) in SIZES.iter().enumerate() {
            for _ in 0..size {
                let chance = 1.0 / (1.0 + (-theta[group] - theta[5]).exp());
                let target = if rng.random::<f64>() < chance { 1.0 } else { -1.0 };
                block.push(&[group as u16], &[1.0], target);
            }
        }
        let rows = SparseRows::new(block);
        let mut laws = vec![Prior::Flat; SIZES.len()];
        laws.push(Prior::Gaussian { standard_deviation: 1.0 });
        let model = GeneralisedLinear::new(Bernoulli, SIZES.len(), Priors::each(laws)).unwrap();
        let law = SdPrior::HalfNormal { scale: 1.0 };
        let model = Hierarchical::new(model, vec![(0..SIZES.len(), law)]).unwrap();
        let question = Estimation::new(&model, &rows).method(Method::Nuts).seed(index);
        let answer = question.stop(Stop::Replicates(RANKS * THIN)).run().unwrap();
        for (counts, j) in counts.iter_mut().zip(watched) {
            let draws: Vec<f64> = answer.draws.iter().flat_map(|one| one.coordinate(j)).collect();
            let few = draws.iter().step_by(draws.len() / (RANKS - 1)).take(RANKS - 1);
            let below = few.filter(|draw| **draw < theta[j]).count();
            counts[below * 8 / RANKS] += 1.0;
        }
    }
    for (counts, j) in counts.iter().zip(watched) {
        let expected = SIMULATIONS as f64 / 8.0;
        let statistic: f64 = counts.iter().map(|c| (c - expected).powi(2) / expected).sum();
        assert!(statistic < CRITICAL, "parameter {j}: χ² {statistic}, {counts:?}");
    }
}
