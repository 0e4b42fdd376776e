//! Anchored posteriors: exact at the last level, near it long before, counted all along.

use anchored::uniform::{AnchoredPosterior, Reweighting};
use debias::Seed;
use models::anchor::{CoreChoice, Expansion, NewtonError, newton, survey};
use models::laplace_mean::laplace_mean;
use models::log_gaussian::LogGaussian;
use models::logistic::DenseLogistic;
use models::prior::Prior;
use posterior::{Block, DenseBlock, Differentiable, PartialPosterior, Rows, Smooth, Target};
use rand_distr::{Distribution, StandardNormal};

/// Dense rows kept in memory.
struct Stored(DenseBlock);

impl Rows for Stored {
    type Block = DenseBlock;

    fn count(&self) -> usize {
        self.0.rows()
    }

    fn gather(&self, indices: &[usize]) -> DenseBlock {
        let mut block = DenseBlock::zeros(indices.len(), self.0.width());
        for j in 0..self.0.width() {
            for (i, &index) in indices.iter().enumerate() {
                block.column_mut(j)[i] = self.0.column(j)[index];
            }
        }
        for (i, &index) in indices.iter().enumerate() {
            block.targets_mut()[i] = self.0.targets()[index];
        }
        block
    }
}

const WIDTH: usize = 4;

/// Standard normal covariates, weights of one, one row in a hundred three times as long.
fn logistic_rows(count: usize) -> Stored {
    let mut rng = Seed(11).child("anchors").stream(0);
    let mut block = DenseBlock::zeros(count, WIDTH);
    for i in 0..count {
        let stretch = if i % 100 == 0 { 3.0 } else { 1.0 };
        let mut eta = -1.0;
        for j in 0..WIDTH {
            let x: f64 = StandardNormal.sample(&mut rng);
            block.column_mut(j)[i] = stretch * x;
            eta += stretch * x;
        }
        let noise: f64 = StandardNormal.sample(&mut rng);
        block.targets_mut()[i] = if eta + 1.7 * noise > 0.0 { 1.0 } else { -1.0 };
    }
    Stored(block)
}

fn model() -> DenseLogistic {
    DenseLogistic::new(WIDTH, Prior::Laplace { scale: 1.0 }).expect("a good prior")
}

#[test]
fn the_last_level_is_the_full_posterior() {
    let rows = logistic_rows(500);
    let model = model();
    let mode = newton(&model, &rows, &[0.0; 5], 2.0, 20).unwrap();
    for size in [0, 1, 37] {
        let choice = CoreChoice { covariance: mode.covariance.entries(), size };
        let found = survey(&model, &rows, &mode.theta, Some(&choice));
        assert_eq!(found.core.len(), size);
        let anchored = AnchoredPosterior::new(&model, &rows, found);
        let rest = anchored.rest();
        let all = rest.gather(&(0..rest.count()).collect::<Vec<_>>());
        let mut last = anchored.level(&all);
        let mut base = anchored.base();
        let mut full = PartialPosterior::new(&model, &rows.0);
        for stream in 0..5 {
            let mut rng = Seed(11).child("theta").stream(stream);
            let theta: Vec<f64> = (0..5).map(|_| StandardNormal.sample(&mut rng)).collect();
            let (mut left, mut right) = ([0.0; 5], [0.0; 5]);
            let (a, b) = (last.gradient(&theta, &mut left), full.gradient(&theta, &mut right));
            // Only the order of additions differs.
            assert!((a - b).abs() <= 1e-12 * b.abs(), "{a} {b}");
            assert!((last.log_density(&theta) - b).abs() <= 1e-12 * b.abs());
            for (a, b) in left.iter().zip(right) {
                assert!((a - b).abs() <= 1e-11 * (1.0 + b.abs()), "{a} {b}");
            }
            // The weight of a point is the ratio of the two densities.
            let ratio = last.log_density(&theta) - base.log_density(&theta);
            assert!((last.log_weight(&theta) - ratio).abs() < 1e-9 * (1.0 + ratio.abs()));
            assert_eq!(base.log_weight(&theta), 0.0);
        }
    }
}

#[test]
fn a_level_has_the_right_gradient_and_counts_its_rows() {
    let rows = logistic_rows(400);
    let model = model();
    let mode = newton(&model, &rows, &[0.0; 5], 1.0, 20).unwrap();
    let choice = CoreChoice { covariance: mode.covariance.entries(), size: 20 };
    let found = survey(&model, &rows, &mode.theta, Some(&choice));
    assert_eq!(found.ledger.gradients, 400);
    let anchored = AnchoredPosterior::new(&model, &rows, found);
    assert_eq!(anchored.ledger().gradients, 420);
    let batch = anchored.rest().gather(&[5, 100, 379, 7]);
    let mut level = anchored.level(&batch);
    assert_eq!(level.ledger().evaluations(), 4);
    let mut theta = mode.theta.clone();
    let mut gradient = [0.0; 5];
    level.gradient(&theta, &mut gradient);
    assert_eq!(level.ledger().evaluations(), 4 + 24);
    let step = 1e-5;
    for j in 0..5 {
        let middle = theta[j];
        theta[j] = middle + step;
        let after = level.log_density(&theta);
        theta[j] = middle - step;
        let before = level.log_density(&theta);
        theta[j] = middle;
        let slope = (after - before) / (2.0 * step);
        assert!((slope - gradient[j]).abs() < 1e-5, "{slope} {}", gradient[j]);
    }
    level.log_weight(&theta);
    assert_eq!(level.ledger().likelihoods, 10 * 24 + 4);
    assert_eq!(anchored.base().rows(), 20);
}

/// Groups of one batch add up to it, and the scaled sum is the weight of the level.
#[test]
fn remainders_add_up_over_groups() {
    let rows = logistic_rows(400);
    let model = model();
    let mode = newton(&model, &rows, &[0.0; 5], 1.0, 20).unwrap();
    let anchored = AnchoredPosterior::new(&model, &rows, survey(&model, &rows, &mode.theta, None));
    let mut rng = Seed(11).child("points").stream(0);
    let points: Vec<f64> = (0..3 * 5).map(|_| StandardNormal.sample(&mut rng)).collect();
    let batch: Vec<usize> = (0..40).map(|i| 7 * i).collect();
    let block = anchored.rest().gather(&batch);
    let (whole, ledger) = anchored.remainders(&points, &block);
    assert_eq!((ledger.likelihoods, ledger.gradients), (3 * 40, 40));
    let halves = [&batch[..20], &batch[20..]]
        .map(|group| anchored.remainders(&points, &anchored.rest().gather(group)).0);
    let mut level = anchored.level(&block);
    for k in 0..3 {
        assert!((whole[k] - halves[0][k] - halves[1][k]).abs() < 1e-11);
        let weight = level.log_weight(&points[5 * k..5 * (k + 1)]);
        assert!((10.0 * whole[k] - weight).abs() < 1e-10 * weight.abs());
    }
}

/// With n = N/8 rows the mean remainder one posterior sd out stays far below one.
#[test]
fn a_level_is_near_the_full_posterior_already() {
    let rows = logistic_rows(4096);
    let model = model();
    let mode = newton(&model, &rows, &[0.0; 5], 1e-3, 20).unwrap();
    let found = survey(&model, &rows, &mode.theta, None);
    let anchored = AnchoredPosterior::new(&model, &rows, found);
    let batch = anchored.rest().gather(&(0..512).map(|i| 8 * i + 3).collect::<Vec<_>>());
    let mut level = anchored.level(&batch);
    let mut full = PartialPosterior::new(&model, &rows.0);
    for j in 0..5 {
        let mut theta = mode.theta.clone();
        theta[j] += mode.covariance.entry(j, j).sqrt();
        let centre = level.log_density(&mode.theta) - full.log_density(&mode.theta);
        let moved = level.log_density(&theta) - full.log_density(&theta);
        assert!((moved - centre).abs() < 0.05, "weight {j}: {}", moved - centre);
    }
}

#[test]
fn core_rows_are_the_long_ones() {
    let rows = logistic_rows(1000);
    let model = model();
    let mode = newton(&model, &rows, &[0.0; 5], 0.1, 20).unwrap();
    let choice = CoreChoice { covariance: mode.covariance.entries(), size: 50 };
    let found = survey(&model, &rows, &mode.theta, Some(&choice));
    assert!(found.core.windows(2).all(|pair| pair[0] < pair[1]));
    // A third or more of the ten stretched rows, which are a hundredth of all.
    let long = found.core.iter().filter(|&&index| index % 100 == 0).count();
    assert!(long >= 4, "{long}");
    let scores = model.remainder_scores(&mode.theta, &choice.covariance, &rows.0);
    let least = found.core.iter().map(|&index| scores[index]).fold(f64::INFINITY, f64::min);
    let above = scores.iter().filter(|&&score| score > least).count();
    assert_eq!(above, 49);
}

#[test]
fn newton_finds_the_mode_and_counts_passes() {
    let rows = logistic_rows(2000);
    let smooth = DenseLogistic::new(WIDTH, Prior::Gaussian { standard_deviation: 2.0 }).unwrap();
    let mode = newton(&smooth, &rows, &[0.0; 5], 1e-8, 30).unwrap();
    assert!(mode.passes <= 9, "{} passes", mode.passes);
    assert_eq!(mode.ledger.gradients, mode.passes * 2000);
    assert_eq!(mode.ledger.distinct_rows, 2000);
    let mut slope = [0.0; 5];
    smooth.add_prior_gradient(&mode.theta, &mut slope);
    smooth.add_gradient(&mode.theta, &rows.0, &mut slope);
    assert!(slope.iter().all(|slope| slope.abs() < 1e-7), "{slope:?}");
    // From far away the full step overshoots and is halved.
    let far = newton(&smooth, &rows, &[30.0, -30.0, 30.0, -30.0, 30.0], 1e-8, 200).unwrap();
    for (a, b) in far.theta.iter().zip(&mode.theta) {
        assert!((a - b).abs() < 1e-8, "{a} {b}");
    }
}

/// The posterior mean of a weight and a bias by quadrature over eight standard deviations.
#[test]
fn the_corrected_mean_beats_the_mode() {
    let all = logistic_rows(200);
    let mut block = DenseBlock::zeros(200, 1);
    block.column_mut(0).copy_from_slice(all.0.column(0));
    block.targets_mut().copy_from_slice(all.0.targets());
    let rows = Stored(block);
    for prior in [Prior::Gaussian { standard_deviation: 2.0 }, Prior::Laplace { scale: 1.0 }] {
        let model = DenseLogistic::new(1, prior).unwrap();
        let mode = newton(&model, &rows, &[0.1, -0.1], 1e-10, 40).unwrap();
        let (mean, ledger) = laplace_mean(&model, &rows, &mode);
        assert_eq!(ledger.evaluations(), 200);
        let mut target = PartialPosterior::new(&model, &rows.0);
        let top = target.log_density(&mode.theta);
        let sd = [0, 1].map(|j| mode.covariance.entry(j, j).sqrt());
        let mut sums = [0.0; 3];
        for i in -80..=80 {
            for j in -80..=80 {
                let theta = [
                    mode.theta[0] + 0.1 * f64::from(i) * sd[0],
                    mode.theta[1] + 0.1 * f64::from(j) * sd[1],
                ];
                let weight = (target.log_density(&theta) - top).exp();
                sums[0] += weight;
                sums[1] += weight * theta[0];
                sums[2] += weight * theta[1];
            }
        }
        for j in 0..2 {
            let truth = sums[j + 1] / sums[0];
            let (before, after) = ((mode.theta[j] - truth) / sd[j], (mean[j] - truth) / sd[j]);
            assert!(before.abs() > 0.02, "{prior:?}: the mode is off by {before} sds");
            assert!(after.abs() < 0.15 * before.abs(), "{prior:?}: {before} and {after} sds");
        }
    }
}

#[test]
fn newton_on_the_log_gaussian_meets_its_closed_form() {
    let rows = logistic_rows(1500);
    let mode = newton(&LogGaussian, &rows, &[0.0, 0.0], 1e-9, 30).unwrap();
    // ∂/∂u: 1 − n + Σ r²/σ² = 0.
    let y = rows.0.column(0);
    let mean = y.iter().sum::<f64>() / 1500.0;
    let squares: f64 = y.iter().map(|y| (y - mean).powi(2)).sum();
    assert!((mode.theta[0] - mean).abs() < 1e-10);
    assert!((LogGaussian::sigma(&mode.theta).powi(2) - squares / 1499.0).abs() < 1e-9);
}

#[test]
fn what_newton_cannot_do_it_says() {
    let rows = logistic_rows(3);
    let flat = DenseLogistic::new(WIDTH, Prior::Flat).unwrap();
    // Three rows cannot determine five weights.
    let singular = newton(&flat, &rows, &[0.0; 5], 1.0, 10);
    assert!(matches!(singular, Err(NewtonError::NotConcave { passes: 1, .. })), "{singular:?}");
    let rows = logistic_rows(300);
    let short = newton(&model(), &rows, &[0.0; 5], 1e-12, 2);
    assert!(matches!(short, Err(NewtonError::TooManyPasses { passes: 2, .. })));
    // All labels equal and a flat prior: the mode is at infinity.
    let mut equal = logistic_rows(300);
    equal.0.targets_mut().fill(1.0);
    let endless = newton(&flat, &equal, &[0.0; 5], 1e-6, 500);
    assert!(endless.is_err(), "{endless:?}");
    let lost = newton(&model(), &rows, &[f64::NAN; 5], 1.0, 2);
    assert!(matches!(lost, Err(NewtonError::Start { .. })));
}

/// Blocks of the pass are summed in order: one thread and many give the same bytes.
#[test]
fn a_survey_does_not_depend_on_threads() {
    let rows = logistic_rows(20_000);
    let model = model();
    let theta = [0.3, -0.2, 0.1, 0.5, -1.0];
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let choice = CoreChoice { covariance: vec![0.01; 25], size: 100 };
        pool.install(|| survey(&model, &rows, &theta, Some(&choice)))
    };
    let one = run(1);
    for threads in [2, 5] {
        let many = run(threads);
        assert_eq!(one.expansion, many.expansion);
        assert_eq!(one.core, many.core);
    }
    let whole = Expansion::of_block(&model, &theta, &rows.0);
    assert!((whole.value - one.expansion.value).abs() < 1e-9);
}
