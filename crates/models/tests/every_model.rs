//! What every model promises, from one list.

use debias::{Rng, Seed};
use models::design::PatternBlock;
use models::feature_regression::FeatureRegression;
use models::features::FourierFeatures;
use models::gaussian_mean::GaussianMean;
use models::generalised_linear::{Family, Gaussian, GeneralisedLinear};
use models::log_gaussian::LogGaussian;
use models::logistic::{DenseLogistic, PatternLogistic, SparseLogistic};
use models::prior::Prior;
use models::student::StudentLinear;
use posterior::{DenseBlock, Differentiable, Model, Smooth, SparseBlock};
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};

const ROWS: usize = 75;
const WIDTH: usize = 6;

/// A table of covariates and targets from which any rows can be taken.
struct Table {
    rows: Vec<(Vec<f64>, f64)>,
}

#[derive(Clone, Copy, Debug)]
enum Labels {
    Random,
    AllEqual,
    /// The first covariate decides.
    Separable,
}

fn normal(rng: &mut Rng) -> f64 {
    StandardNormal.sample(rng)
}

impl Table {
    fn new(seed: &str, labels: Labels, covariate: impl Fn(&mut Rng) -> f64) -> Table {
        let mut rng = Seed(7).child(seed).stream(0);
        let rows = (0..ROWS)
            .map(|_| {
                let x: Vec<f64> = (0..WIDTH).map(|_| covariate(&mut rng)).collect();
                let positive = match labels {
                    Labels::Random => rng.random::<f64>() < 0.4,
                    Labels::AllEqual => false,
                    Labels::Separable => x[0] > 0.5,
                };
                (x, if positive { 1.0 } else { -1.0 })
            })
            .collect();
        Table { rows }
    }

    fn dense(&self, width: usize, indices: &[usize]) -> DenseBlock {
        let mut block = DenseBlock::zeros(indices.len(), width);
        for (i, &index) in indices.iter().enumerate() {
            for j in 0..width {
                block.column_mut(j)[i] = self.rows[index].0[j];
            }
            block.targets_mut()[i] = self.rows[index].1;
        }
        block
    }

    fn sparse(&self, indices: &[usize], binary: bool) -> SparseBlock {
        let mut block = SparseBlock::new(WIDTH);
        for &index in indices {
            let (x, y) = &self.rows[index];
            let columns: Vec<u16> =
                (0..WIDTH as u16).filter(|&j| x[usize::from(j)] != 0.0).collect();
            let values: Vec<f64> = columns.iter().map(|&j| x[usize::from(j)]).collect();
            block.push(&columns, if binary { &[] } else { &values }, *y);
        }
        block
    }
}

/// A row has a handful of ones; or, where not binary, a handful of normals.
fn ones(rng: &mut Rng) -> f64 {
    if rng.random::<f64>() < 0.4 { 1.0 } else { 0.0 }
}

fn sparse_normals(rng: &mut Rng) -> f64 {
    if rng.random::<f64>() < 0.4 { normal(rng) } else { 0.0 }
}

const PRIORS: [Prior; 3] =
    [Prior::Flat, Prior::Gaussian { standard_deviation: 1.5 }, Prior::Laplace { scale: 0.7 }];
const LABELS: [Labels; 3] = [Labels::Random, Labels::AllEqual, Labels::Separable];

#[test]
fn gaussian_mean() {
    let table = Table::new("gaussian", Labels::Random, normal);
    let covariance = [2.0, 0.3, -0.2, 0.3, 1.0, 0.1, -0.2, 0.1, 0.5];
    let prior = [1.0, 0.2, 0.0, 0.2, 3.0, 0.5, 0.0, 0.5, 2.0];
    let model = GaussianMean::new(&covariance, &[0.5, -1.0, 0.0], &prior).unwrap();
    check("Gaussian mean", &model, &|indices| table.dense(3, indices), 1e3);
}

#[test]
fn log_gaussian() {
    let table = Table::new("log-gaussian", Labels::Random, normal);
    // σ = e^5 is extreme enough; e^1000 is infinite.
    check("log-Gaussian", &LogGaussian, &|indices| table.dense(1, indices), 5.0);
}

#[test]
fn feature_regression() {
    let table = Table::new("features", Labels::Random, normal);
    let map = FourierFeatures::sample(9, 2, 1.0, &mut Seed(7).child("basis").stream(0)).unwrap();
    let model = FeatureRegression::new(map, 0.8).unwrap();
    check("feature regression", &model, &|indices| table.dense(2, indices), 1e3);
}

#[test]
fn dense_logistic() {
    for (prior, labels) in PRIORS.iter().zip(LABELS) {
        let table = Table::new("dense", labels, normal);
        let model = DenseLogistic::new(WIDTH, *prior).unwrap();
        let name = format!("dense logistic, {prior:?}, {labels:?}");
        check(&name, &model, &|indices| table.dense(WIDTH, indices), 1e3);
    }
}

#[test]
fn sparse_logistic() {
    for (prior, labels) in PRIORS.iter().zip(LABELS) {
        let binary = matches!(labels, Labels::Separable);
        let table = Table::new("sparse", labels, if binary { ones } else { sparse_normals });
        let model = SparseLogistic::new(WIDTH, *prior).unwrap();
        let name = format!("sparse logistic, {prior:?}, {labels:?}");
        check(&name, &model, &|indices| table.sparse(indices, binary), 1e3);
    }
}

#[test]
fn pattern_logistic() {
    for (prior, labels) in PRIORS.iter().zip(LABELS) {
        let table = Table::new("patterns", labels, ones);
        let model = PatternLogistic::new(WIDTH, *prior).unwrap();
        let name = format!("pattern logistic, {prior:?}, {labels:?}");
        let gather = |indices: &[usize]| PatternBlock::new(table.sparse(indices, true)).unwrap();
        check(&name, &model, &gather, 1e3);
    }
}

/// Counts with mean exp η; the targets of the table stand for any.
struct Poisson;

impl Family for Poisson {
    fn derivatives(&self, target: f64, predictor: f64) -> [f64; 3] {
        let mean = predictor.exp();
        [target * predictor - mean, target - mean, -mean]
    }
}

#[test]
fn generalised_linear() {
    for (prior, labels) in PRIORS.iter().zip(LABELS) {
        let table = Table::new("families", labels, sparse_normals);
        let noise = Gaussian::new(0.3).unwrap();
        let linear = GeneralisedLinear::new(noise, WIDTH, *prior).unwrap();
        check("linear, dense", &linear, &|indices| table.dense(WIDTH, indices), 1e3);
        let linear = GeneralisedLinear::new(noise, WIDTH, *prior).unwrap();
        check("linear, sparse", &linear, &|indices| table.sparse(indices, false), 1e3);
        let counts = GeneralisedLinear::new(Poisson, WIDTH, *prior).unwrap();
        // Means of e^60 are extreme enough.
        check("Poisson, dense", &counts, &|indices| table.dense(WIDTH, indices), 5.0);
    }
    assert!(Gaussian::new(0.0).is_err());
}

#[test]
fn student_with_unknown_degrees() {
    for (prior, labels) in PRIORS.iter().zip(LABELS) {
        let table = Table::new("degrees", labels, sparse_normals);
        let model = StudentLinear::new(WIDTH, *prior).unwrap();
        // Scales and degrees of e^60 are extreme enough.
        check("Student, dense", &model, &|indices| table.dense(WIDTH, indices), 5.0);
        let model = StudentLinear::new(WIDTH, *prior).unwrap();
        check("Student, sparse", &model, &|indices| table.sparse(indices, false), 5.0);
    }
}

type Gather<'a, B> = dyn Fn(&[usize]) -> B + 'a;

fn check<M: Smooth>(name: &str, model: &M, gather: &Gather<'_, M::Block>, extreme: f64) {
    check_first_order(name, model, gather, extreme);
    hessian_is_the_slope_of_the_gradient(name, model, gather);
}

fn check_first_order<M: Differentiable>(
    name: &str,
    model: &M,
    gather: &Gather<'_, M::Block>,
    extreme: f64,
) {
    additive_over_rows(name, model, gather);
    gradient_is_the_slope(name, model, gather);
    finite_at_extremes(name, model, gather, extreme);
    same_bits_again(name, model, gather);
    what_is_not_a_number_shows(name, model, gather);
}

fn theta(dimension: usize, stream: u64) -> Vec<f64> {
    let mut rng = Seed(7).child("theta").stream(stream);
    (0..dimension).map(|_| normal(&mut rng)).collect()
}

fn value_and_gradient<M: Differentiable>(
    model: &M,
    theta: &[f64],
    block: &M::Block,
) -> (f64, Vec<f64>) {
    let mut gradient = vec![0.0; theta.len()];
    let value = model.add_gradient(theta, block, &mut gradient);
    (value, gradient)
}

/// Sums of 75 terms in different orders differ by rounding only.
#[track_caller]
fn assert_close(name: &str, a: f64, b: f64, scale: f64, relative: f64) {
    assert!((a - b).abs() <= relative * scale.max(1.0), "{name}: {a} and {b}");
}

fn additive_over_rows<M: Differentiable>(name: &str, model: &M, gather: &Gather<'_, M::Block>) {
    let all: Vec<usize> = (0..ROWS).collect();
    // Reversed, cut at every kind of place (n = 1 included), and each row twice.
    let reversed: Vec<usize> = all.iter().rev().copied().collect();
    let twice: Vec<usize> = all.iter().flat_map(|&i| [i, i]).collect();
    for stream in 0..3 {
        let theta = theta(model.dimension(), stream);
        let (value, gradient) = value_and_gradient(model, &theta, &gather(&all));
        let scale = value.abs() + gradient.iter().map(|g| g.abs()).sum::<f64>();
        let compare = |what: &str, pieces: &[&[usize]], times: f64| {
            let mut sum = (0.0, vec![0.0; theta.len()]);
            for piece in pieces {
                let block = gather(piece);
                let with = model.add_gradient(&theta, &block, &mut sum.1);
                let without = model.log_likelihood(&theta, &block);
                assert_close(&format!("{name}, {what}: two ways"), with, without, scale, 1e-14);
                sum.0 += with;
            }
            let name = format!("{name}, {what}");
            assert_close(&name, sum.0, times * value, scale, 1e-12);
            for (sum, gradient) in sum.1.iter().zip(&gradient) {
                assert_close(&name, *sum, times * gradient, scale, 1e-12);
            }
        };
        compare("all", &[&all], 1.0);
        compare("reversed", &[&reversed], 1.0);
        compare("cut", &[&all[..1], &all[1..9], &all[9..40], &all[40..], &[]], 1.0);
        compare("row by row", &all.chunks(1).collect::<Vec<_>>(), 1.0);
        compare("duplicated", &[&twice], 2.0);
        compare("none", &[&[]], 0.0);
    }
}

/// Central differences with a step of 1e-5 are good to about 1e-9 of the scale.
fn gradient_is_the_slope<M: Differentiable>(name: &str, model: &M, gather: &Gather<'_, M::Block>) {
    let block = gather(&(0..ROWS).collect::<Vec<_>>());
    let step = 1e-5;
    for stream in 0..3 {
        let mut theta = theta(model.dimension(), stream);
        let mut gradient = vec![0.0; theta.len()];
        let prior = model.add_prior_gradient(&theta, &mut gradient);
        assert_close(name, prior, model.log_prior(&theta), prior.abs(), 1e-14);
        let value = prior + model.add_gradient(&theta, &block, &mut gradient);
        for j in 0..theta.len() {
            let middle = theta[j];
            let mut at = |x: f64| {
                theta[j] = x;
                model.log_prior(&theta) + model.log_likelihood(&theta, &block)
            };
            let slope = (at(middle + step) - at(middle - step)) / (2.0 * step);
            theta[j] = middle;
            assert_close(name, slope, gradient[j], value.abs(), 1e-7);
        }
    }
}

fn hessian_is_the_slope_of_the_gradient<M: Smooth>(
    name: &str,
    model: &M,
    gather: &Gather<'_, M::Block>,
) {
    let block = gather(&(0..ROWS).collect::<Vec<_>>());
    let step = 1e-5;
    for stream in 0..3 {
        let mut theta = theta(model.dimension(), stream);
        let d = theta.len();
        let (mut gradient, mut hessian) = (vec![0.0; d], vec![0.0; d * d]);
        let value = model.add_hessian(&theta, &block, &mut gradient, &mut hessian);
        let (same, slopes) = value_and_gradient(model, &theta, &block);
        assert_close(name, value, same, value.abs(), 1e-14);
        for (a, b) in gradient.iter().zip(&slopes) {
            assert_close(name, *a, *b, value.abs(), 1e-14);
        }
        model.add_prior_hessian(&theta, &mut hessian);
        for j in 0..d {
            let middle = theta[j];
            let mut at = |x: f64| {
                theta[j] = x;
                let mut gradient = vec![0.0; d];
                model.add_prior_gradient(&theta, &mut gradient);
                model.add_gradient(&theta, &block, &mut gradient);
                gradient
            };
            let (after, before) = (at(middle + step), at(middle - step));
            theta[j] = middle;
            for k in 0..d {
                let slope = (after[k] - before[k]) / (2.0 * step);
                assert_close(name, slope, hessian[j * d + k], value.abs(), 1e-7);
                assert_eq!(hessian[j * d + k], hessian[k * d + j], "{name}: not symmetric");
            }
        }
    }
}

fn finite_at_extremes<M: Differentiable>(
    name: &str,
    model: &M,
    gather: &Gather<'_, M::Block>,
    extreme: f64,
) {
    let d = model.dimension();
    for rows in [1, ROWS] {
        let block = gather(&(0..rows).collect::<Vec<_>>());
        for pattern in 0..1 << d {
            let theta: Vec<f64> =
                (0..d).map(|j| if pattern >> j & 1 == 0 { extreme } else { -extreme }).collect();
            let mut gradient = vec![0.0; d];
            let value = model.add_prior_gradient(&theta, &mut gradient)
                + model.add_gradient(&theta, &block, &mut gradient);
            assert!(value.is_finite(), "{name} at {theta:?}: {value}");
            assert!(gradient.iter().all(|g| g.is_finite()), "{name} at {theta:?}: {gradient:?}");
        }
    }
}

fn same_bits_again<M: Differentiable>(name: &str, model: &M, gather: &Gather<'_, M::Block>) {
    let all: Vec<usize> = (0..ROWS).collect();
    let theta = theta(model.dimension(), 0);
    let first = value_and_gradient(model, &theta, &gather(&all));
    let second = value_and_gradient(model, &theta, &gather(&all));
    assert_eq!(first.0.to_bits(), second.0.to_bits(), "{name}");
    assert_eq!(first.1, second.1, "{name}");
}

fn what_is_not_a_number_shows<M: Model>(name: &str, model: &M, gather: &Gather<'_, M::Block>) {
    let block = gather(&(0..ROWS).collect::<Vec<_>>());
    for j in 0..model.dimension() {
        let mut theta = theta(model.dimension(), 0);
        theta[j] = f64::NAN;
        let value = model.log_prior(&theta) + model.log_likelihood(&theta, &block);
        assert!(value.is_nan(), "{name}: {value} at {theta:?}");
    }
}
