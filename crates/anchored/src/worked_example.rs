//! Twelve rows, every sample, every depth: the worked example of docs/anchored-path.md.
//!
//! Each test here is what one planted fault turns red; the fault is named above the test.

use crate::anchor::{Anchor, CAP};
use crate::base::Base;
use crate::calibration::calibrate;
use crate::counted::CountedRows;
use crate::designs::{all_halves, all_samples};
use crate::layout::Direction;
use crate::path::EnrichedPath;
use crate::points::{PointSource, Points};
use crate::strata::{Sample, Strata, octave};
use data::DenseRows;
use debias::{Form, Path, Seed};
use models::logistic::DenseLogistic;
use models::prior::Prior;
use posterior::{DenseBlock, Model, Regression, Rows, Smooth, Target};
use samplers::Functional;
use std::sync::Arc;

const ROWS: usize = 12;

/// Two covariates of very different spread, and one row that stands apart.
fn rows() -> DenseRows {
    let x: Vec<[f64; 2]> = (0..ROWS)
        .map(|i| {
            let t = i as f64;
            [2.0 * (1.3 * t).sin(), if i == 7 { 4.0 } else { 0.3 * (2.1 * t).cos() }]
        })
        .collect();
    let y: Vec<f64> =
        (0..ROWS).map(|i| if (0.7 * i as f64).sin() > 0.1 { 1.0 } else { -1.0 }).collect();
    DenseRows::from_rows(&x, &y).unwrap()
}

fn model() -> DenseLogistic {
    DenseLogistic::new(2, Prior::Gaussian { standard_deviation: 1.5 }).unwrap()
}

struct Example {
    model: DenseLogistic,
    rows: DenseRows,
}

impl Example {
    fn new() -> Example {
        Example { model: model(), rows: rows() }
    }

    fn regression(&self) -> &dyn Regression<DenseBlock> {
        self.model.regression().unwrap()
    }

    /// Calls `check` with a path whose points are given, of which all but the top octave is sampled.
    fn with_path(&self, check: impl Fn(&EnrichedPath<'_, DenseRows, DenseLogistic>, &Points)) {
        let counted = CountedRows::each(&self.rows);
        let (anchor, strata) =
            Anchor::find(&self.model, self.regression(), &counted, Seed(1)).unwrap();
        let functionals = Functional::means(3);
        let path = EnrichedPath {
            model: &self.model,
            regression: self.regression(),
            rows: &counted,
            anchor: &anchor,
            strata: &strata,
            exponents: exponents(&strata),
            functionals: &functionals,
            directions: Direction::all(&functionals, &anchor),
            thresholds: Vec::new(),
            points: PointSource::Chains { chains: Vec::new(), replicates: 1 },
        };
        // Any sixteen points with any log densities will do: exactness is about designs.
        let positions: Vec<f64> = (0..16)
            .flat_map(|p| {
                let z: Vec<f64> = (0..3).map(|j| (f64::from(7 * p + 3 * j)).sin() * 1.5).collect();
                let mut theta = vec![0.0; 3];
                anchor.frame.place(&z, &mut theta);
                theta
            })
            .collect();
        let log_densities: Vec<f64> = (0..16).map(|p| -0.1 * f64::from(p)).collect();
        check(&path, &path.points_at(positions, &log_densities, 4));
    }
}

/// One or two for every octave but the highest, which is in as a whole.
fn exponents(strata: &Strata) -> Vec<u8> {
    let count = strata.exponents(f64::MAX).len();
    (0..count).map(|at| if at == 0 { 0 } else { 1 + (at % 2) as u8 }).collect()
}

fn add(to: &mut [f64], from: &[f64], weight: f64) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += weight * from);
}

/// The sum over depths of every form, over all samples and all halves, is the estimate of all rows.
/// Fault: halves that are not samples of the level below; an increment that forgets one half.
#[test]
fn every_sample_and_every_depth_telescope_to_all_rows() {
    Example::new().with_path(|path, points| {
        let width = path.layout().functionals;
        let levels = path.levels();
        assert!(levels >= 3, "{levels} levels");
        let mut means: Vec<Vec<f64>> = Vec::new();
        let mut increments: Vec<Vec<f64>> = vec![vec![0.0; width]];
        for level in 1..=levels {
            let samples = all_samples(path.strata, &Strata::level(&path.exponents, level));
            let mut mean = vec![0.0; width];
            for sample in &samples {
                let value = path.level_on(points, sample, level).unwrap().value;
                add(&mut mean, &value[..width], 1.0 / samples.len() as f64);
            }
            means.push(mean);
            if level == 1 {
                continue;
            }
            let below = Strata::level(&path.exponents, level - 1);
            let mut increment = vec![0.0; width];
            for sample in &samples {
                let halves = all_halves(sample, &below);
                let share = 1.0 / (samples.len() * halves.len()) as f64;
                for pair in &halves {
                    let step = path.increment_on(points, sample, pair, level).unwrap().value;
                    add(&mut increment, &step[..width], share);
                }
            }
            increments.push(increment);
        }
        let whole = all_samples(path.strata, &Strata::level(&path.exponents, levels));
        assert_eq!(whole.len(), 1, "the last level is all rows");
        let target = path.level_on(points, &whole[0], levels).unwrap().value;
        // E Z of the antithetic sum and of the antithetic single term, whatever the law is.
        let mut sum = means[0].clone();
        increments.iter().for_each(|step| add(&mut sum, step, 1.0));
        for (j, (sum, target)) in sum.iter().zip(&target).enumerate() {
            assert!((sum - target).abs() < 1e-12, "weight {j}: {sum} for {target}");
        }
        // The first level alone is off by far more.
        let off = means[0].iter().zip(&target).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off > 1e-6, "the first level is off by {off}");
        assert_eq!(Form::AntitheticSum.coupling(), debias::Coupling::Antithetic);
    });
}

/// Over all samples of a level, a row is in with weight one on average.
/// Fault: a weight 2ᵏ⁺¹ for 2ᵏ in one octave; blocks that are not padded.
#[test]
fn weights_are_one_over_the_chance_to_be_in() {
    Example::new().with_path(|path, _| {
        for level in 1..=path.levels() {
            let samples = all_samples(path.strata, &Strata::level(&path.exponents, level));
            let mut weights = [0.0; ROWS];
            for one in samples.iter().flat_map(Sample::picked) {
                weights[one.row as usize] += one.weight() / samples.len() as f64;
            }
            assert!(weights.iter().all(|w| (w - 1.0).abs() < 1e-12), "{level}: {weights:?}");
        }
    });
}

/// What a generator draws is what the enumeration lists.
#[test]
fn draws_and_halves_are_those_of_the_enumeration() {
    Example::new().with_path(|path, _| {
        let rng = &mut Seed(2).stream(0);
        let first = Strata::level(&path.exponents, 1);
        let listed = all_samples(path.strata, &first);
        for _ in 0..200 {
            assert!(listed.contains(&path.strata.draw(&first, rng)));
            let sample = path.sample(2, rng);
            let halves = path.strata.halve(&sample, &first, rng);
            assert!(all_halves(&sample, &first).contains(&halves));
            assert!(halves.iter().all(|half| listed.contains(half)));
        }
    });
}

/// Fault: a row in two strata, or in none; the score of another anchor.
#[test]
fn every_row_is_in_the_octave_of_its_score() {
    Example::new().with_path(|path, _| {
        let whole = path.strata.draw(&vec![0; path.exponents.len()], &mut Seed(0).stream(0));
        let mut seen: Vec<u32> = whole.picked().iter().map(|one| one.row).collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..ROWS as u32).collect::<Vec<_>>());
        let block = path.rows.gather(&(0..ROWS).collect::<Vec<_>>()).0;
        let covariance = Some(&path.anchor.covariance.entries);
        let found = path.regression.expand(path.anchor.centre(), covariance, CAP, &block);
        let mut last = u8::MAX;
        for places in &whole.places {
            let octaves: Vec<u8> =
                places.iter().flatten().map(|&row| octave(found.score[row as usize])).collect();
            assert!(octaves.iter().all(|octave| *octave == octaves[0]), "{octaves:?}");
            assert!(octaves[0] < last, "octaves fall from stratum to stratum");
            last = octaves[0];
        }
    });
}

/// The log weights of the last level are those of the posterior itself, and the level's own remainders
/// go on as they are far from the anchor.
/// Fault: a last level that is not exact; a tail guard in a level.
#[test]
fn the_last_level_is_the_posterior() {
    let example = Example::new();
    example.with_path(|path, _| {
        let far: Vec<f64> = (0..16)
            .flat_map(|p| {
                let z = [12.0 * f64::from(p - 8), 9.0 * f64::from(p % 5), f64::from(p)];
                let mut theta = vec![0.0; 3];
                path.anchor.frame.place(&z, &mut theta);
                theta
            })
            .collect();
        let log_posterior: Vec<f64> = far
            .chunks_exact(3)
            .map(|theta| {
                let block = example.rows.block();
                example.model.log_prior(theta) + example.model.log_likelihood(theta, block)
            })
            .collect();
        // Points that are said to come from the posterior itself have equal weights at the last level.
        let points = path.points_at(far, &log_posterior, 4);
        let levels = path.levels();
        let whole = path.sample(levels, &mut Seed(1).stream(0));
        let value = path.level_on(&points, &whole, levels).unwrap().value;
        let share = value[path.layout().share()];
        assert!((share - 1.0).abs() < 1e-9, "{share}");
    });
}

/// Integrating the base density times the weights of the last level gives the posterior mean.
/// Fault: an unguarded base remainder in the weights; a base that is drawn again.
#[test]
fn the_weights_undo_the_base_that_points_were_drawn_from() {
    let example = Example::new();
    example.with_path(|path, _| {
        let sample = path.sample(1, &mut Seed(5).stream(0));
        let base = Base::new(path.regression, path.anchor, path.rows, path.strata, &sample);
        let base = Arc::new(base);
        let mut density = base.density(path.model, path.regression, path.anchor);
        // The base differs from its own unguarded self only where a predictor strays.
        let centre = path.anchor.centre().to_vec();
        let direct = density.log_density(&centre);
        assert!((density.log_density(&centre) - direct).abs() < 1e-12, "the base is one function");
        let mut positions = Vec::new();
        let mut log_base = Vec::new();
        let mut log_posterior = Vec::new();
        const SIDE: i32 = 20;
        for (a, b, c) in (-SIDE..=SIDE)
            .flat_map(|a| (-SIDE..=SIDE).flat_map(move |b| (-SIDE..=SIDE).map(move |c| (a, b, c))))
        {
            let z = [a, b, c].map(|step| 6.5 * f64::from(step) / f64::from(SIDE));
            let mut theta = vec![0.0; 3];
            path.anchor.frame.place(&z, &mut theta);
            log_base.push(density.log_density(&theta));
            let block = example.rows.block();
            log_posterior.push(
                example.model.log_prior(&theta) + example.model.log_likelihood(&theta, block),
            );
            positions.extend(theta);
        }
        let mean = |log_weights: &[f64]| -> f64 {
            let top = log_weights.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b));
            let weights = log_weights.iter().map(|w| (w - top).exp());
            let (mut sum, mut total) = (0.0, 0.0);
            for (theta, weight) in positions.chunks_exact(3).zip(weights) {
                sum += weight * theta[0];
                total += weight;
            }
            sum / total
        };
        let truth = mean(&log_posterior);
        // log ratio = ln p + Q − ln π₀; with the remainders of all rows it is ln π − ln π₀.
        let points = path.points_at(positions.clone(), &log_base, 4);
        let all: Vec<usize> = (0..ROWS).collect();
        let (block, counts) = path.rows.gather(&all);
        let covariance = Some(&path.anchor.covariance.entries);
        let found = path.regression.expand(&centre, covariance, CAP, &block);
        let (mut values, mut slopes) = (vec![0.0; ROWS], vec![0.0; ROWS]);
        let mut by_path = Vec::new();
        for (point, log_base) in log_base.iter().enumerate() {
            let theta = &positions[3 * point..][..3];
            let offset: Vec<f64> = theta.iter().zip(&centre).map(|(a, b)| a - b).collect();
            path.regression.remainders(&offset, &block, &found, None, &mut values, &mut slopes);
            let remainder: f64 = values.iter().zip(&counts).map(|(r, c)| r * c).sum();
            by_path.push(log_base + points.log_ratios[point] + remainder);
        }
        let found = mean(&by_path);
        assert!((found - truth).abs() < 1e-9, "{found} for {truth}");
        assert!((mean(&log_base) - truth).abs() > 1e-4, "the base alone is not the posterior");
    });
}

/// Far away, a sampled row of the base continues as its tangent and a saturated one does not.
/// Fault: no guard, or a guard for all rows.
#[test]
fn the_base_is_guarded_where_rows_are_sampled() {
    Example::new().with_path(|path, _| {
        let curvature = |sample: &Sample| {
            let base = Base::new(path.regression, path.anchor, path.rows, path.strata, sample);
            let mut density = Arc::new(base).density(path.model, path.regression, path.anchor);
            let at = |density: &mut dyn Target, far: f64| {
                let theta: Vec<f64> = path.anchor.centre().iter().map(|x| x + far).collect();
                let mut gradient = vec![0.0; 3];
                density.gradient(&theta, &mut gradient);
                gradient.iter().sum::<f64>()
            };
            at(&mut density, 60.0) - at(&mut density, 50.0)
        };
        // −∇²Q and the prior alone, over ten steps of (1, 1, 1).
        let hessian: f64 = path.anchor.quadratic.hessian.corner.iter().sum();
        let quadratic = 10.0 * (hessian - 3.0 / 1.5_f64.powi(2));
        let sampled = path.strata.draw(&vec![1; path.exponents.len()], &mut Seed(1).stream(0));
        assert!((curvature(&sampled) - quadratic).abs() < 1e-6 * quadratic.abs());
        // With every row in and none of them guarded, far away only the prior bends the density.
        let whole = path.strata.draw(&vec![0; path.exponents.len()], &mut Seed(1).stream(0));
        let prior = -30.0 / 1.5_f64.powi(2);
        assert!((curvature(&whole) - prior).abs() < 1e-3 * prior.abs());
    });
}

/// Fault: calibration that counts saturated rows; calibration by the totals of another level.
#[test]
fn calibrated_weights_reproduce_the_totals_of_unsaturated_rows() {
    Example::new().with_path(|path, _| {
        let all = (0..ROWS).collect::<Vec<_>>();
        let (block, _) = path.rows.gather(&all);
        let covariance = Some(&path.anchor.covariance.entries);
        let found = path.regression.expand(path.anchor.centre(), covariance, CAP, &block);
        let dominant = path.regression.dominant(&path.anchor.variances, &block);
        let rng = &mut Seed(3).stream(0);
        for level in 1..path.levels() {
            let sample = path.sample(level, rng);
            let picked = sample.picked();
            let mut weights = vec![0.0; ROWS];
            let mut unsaturated = vec![false; ROWS];
            for one in &picked {
                weights[one.row as usize] = one.weight();
                unsaturated[one.row as usize] = one.exponent > 0;
            }
            let before = weights.clone();
            let totals = path.strata.unsaturated_curvature(&sample.exponents);
            calibrate(&mut weights, &unsaturated, &dominant, &found, &totals);
            for j in 0..3 {
                let hv = |i: usize| -found.second[i] * found.variance[i];
                let mine = |i: &usize| dominant[*i] as usize == j && unsaturated[*i];
                let sum: f64 = (0..ROWS).filter(mine).map(|i| weights[i] * hv(i)).sum();
                assert!(sum == 0.0 || (sum - totals[j]).abs() < 1e-12 * totals[j], "{j}");
            }
            for i in (0..ROWS).filter(|&i| !unsaturated[i]) {
                assert_eq!(weights[i], before[i], "saturated rows keep their weight");
            }
        }
    });
}

/// Equal rows are counted, and the posterior stays the same.
#[test]
fn collapsed_rows_have_the_same_posterior() {
    let once = rows();
    let indices: Vec<usize> = (0..60).map(|i| i % ROWS).collect();
    let many = DenseRows::new(once.gather(&indices));
    let model = model();
    let regression = model.regression().unwrap();
    let counted = CountedRows::collapse(&many, regression, Seed(1));
    assert_eq!((counted.kinds(), counted.total()), (ROWS, 60));
    assert_eq!(counted.gather(&[0, 11]).1, [5.0, 5.0]);
    let mut whole = crate::WholePosterior::new(&model, regression, &counted);
    let theta = [0.3, -0.2, 0.1];
    let direct = model.log_prior(&theta) + model.log_likelihood(&theta, many.block());
    assert!((whole.log_density(&theta) - direct).abs() < 1e-11);
    assert!(!CountedRows::collapse(&once, regression, Seed(1)).collapsed());
}
