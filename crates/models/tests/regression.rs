//! Feature regression and Gaussian processes against each other and against plain algebra.

use debias::Seed;
use models::feature_regression::{
    FeaturePredictions, FeatureRegression, FeatureRegressionError, FeatureWeights, predict,
};
use models::features::{FeatureMap, FourierFeatures, InducingFeatures};
use models::gaussian_process::{
    ExactPredictions, GaussianProcess, GaussianProcessError, PivotedPredictions,
};
use models::kernel::SquaredExponential;
use models::linear_algebra::Symmetric;
use posterior::{Block, DenseBlock, Differentiable, LevelEstimate, PartialPosterior, Rows};
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};

/// x uniform on [0, 10]^d, y = Σ sin x + noise.
fn rows(count: usize, width: usize) -> DenseBlock {
    let mut rng = Seed(5).child("regression").stream(count as u64);
    let mut block = DenseBlock::zeros(count, width);
    for i in 0..count {
        let noise: f64 = StandardNormal.sample(&mut rng);
        block.targets_mut()[i] = 0.3 * noise;
        for j in 0..width {
            let x = 10.0 * rng.random::<f64>();
            block.column_mut(j)[i] = x;
            block.targets_mut()[i] += x.sin();
        }
    }
    block
}

fn fourier(count: usize, width: usize) -> FourierFeatures {
    FourierFeatures::sample(count, width, 1.0, &mut Seed(5).child("basis").stream(0))
        .expect("a good basis")
}

/// φ of all rows, row by row.
fn features(map: &impl FeatureMap, block: &DenseBlock) -> Vec<Vec<f64>> {
    let n = block.rows();
    let mut flat = vec![0.0; map.count() * n];
    map.write(block, 0..n, &mut flat);
    (0..n).map(|i| (0..map.count()).map(|j| flat[j * n + i]).collect()).collect()
}

/// The primal form on m features is the dual form with the kernel φ·φ.
#[test]
fn primal_and_dual_agree() {
    let (train, test) = (rows(40, 2), rows(9, 2));
    let noise = 0.7;
    let map = fourier(25, 2);
    let (phi, phi_test) = (features(&map, &train), features(&map, &test));
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut dual = Symmetric::scaled_identity(40, noise);
    for i in 0..40 {
        for j in 0..=i {
            dual.add_entry(i, j, dot(&phi[i], &phi[j]));
        }
    }
    let factor = dual.cholesky().unwrap();
    let regression = FeatureRegression::new(map, noise).unwrap();
    let posterior = regression.posterior(&train).unwrap();
    let (means, variances) =
        (posterior.predictive_mean(&test), posterior.predictive_variance(&test));
    for t in 0..9 {
        let k: Vec<f64> = phi.iter().map(|phi| dot(phi, &phi_test[t])).collect();
        let mut solved = k.clone();
        factor.solve(&mut solved);
        assert!((means[t] - dot(&solved, train.targets())).abs() < 1e-10);
        let variance = dot(&phi_test[t], &phi_test[t]) - dot(&k, &solved);
        // Without the factor λ the paper forgot, this would be off by 1/0.7.
        assert!((variances[t] - variance).abs() < 1e-10, "{} {variance}", variances[t]);
        let covariance = posterior.covariance();
        assert!((covariance.quadratic_form(&phi_test[t]) - variance).abs() < 1e-10);
    }
    let mut slope = vec![0.0; 25];
    regression.add_prior_gradient(posterior.mean(), &mut slope);
    regression.add_gradient(posterior.mean(), &train, &mut slope);
    assert!(slope.iter().all(|slope| slope.abs() < 1e-10), "the mean is the mode");
}

/// More than one piece and more than one block: 20 011 rows.
#[test]
fn blocks_and_passes_give_the_same_posterior() {
    struct Stored(DenseBlock);
    impl Rows for Stored {
        type Block = DenseBlock;
        fn count(&self) -> usize {
            self.0.rows()
        }
        fn gather(&self, indices: &[usize]) -> DenseBlock {
            let mut block = DenseBlock::zeros(indices.len(), self.0.width());
            for (i, &index) in indices.iter().enumerate() {
                block.targets_mut()[i] = self.0.targets()[index];
                for j in 0..self.0.width() {
                    block.column_mut(j)[i] = self.0.column(j)[index];
                }
            }
            block
        }
    }
    let stored = Stored(rows(20_011, 1));
    let regression = FeatureRegression::new(fourier(30, 1), 25.0).unwrap();
    let at_once = regression.posterior(&stored.0).unwrap();
    let by_pass = regression.posterior_of_all(&stored).unwrap();
    let scale = at_once.mean().iter().map(|w| w.abs()).fold(0.0, f64::max);
    for (a, b) in at_once.mean().iter().zip(by_pass.mean()) {
        assert!((a - b).abs() < 1e-9 * scale, "{a} {b}");
    }
    let test = rows(1200, 1);
    let means = at_once.predictive_mean(&test);
    let expected: Vec<f64> = features(regression.map(), &test)
        .iter()
        .map(|phi| phi.iter().zip(at_once.mean()).map(|(a, b)| a * b).sum())
        .collect();
    assert!(means.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12));
    assert_eq!(at_once.predictive_variance(&test).len(), 1200);
}

/// With as many pivots as the batch bears, incomplete is complete.
#[test]
fn exact_process_against_its_finite_rank_forms() {
    let (train, test) = (rows(60, 1), rows(20, 1));
    let kernel = SquaredExponential::new(1.3, 0.8).unwrap();
    let process = GaussianProcess::new(kernel, 0.2).unwrap();
    let exact = process.posterior(&train).unwrap();
    let (means, variances) = (exact.predictive_mean(&test), exact.predictive_variance(&test));
    let map = InducingFeatures::by_pivots(kernel, &train, 60, 1e-12).unwrap();
    let regression = FeatureRegression::new(map, 0.2).unwrap();
    let low_rank = regression.posterior(&train).unwrap();
    for (t, mean) in low_rank.predictive_mean(&test).iter().enumerate() {
        assert!((mean - means[t]).abs() < 1e-5, "{mean} {}", means[t]);
    }
    for (t, variance) in low_rank.predictive_variance(&test).iter().enumerate() {
        assert!((variance - variances[t]).abs() < 1e-4, "{variance} {}", variances[t]);
        assert!(variances[t] > 0.0 && variances[t] < 1.3);
    }
    // The evidence by the chain rule: p(y) = Π p(y_i ∣ y_1 … y_{i−1}).
    let mut evidence = 0.0;
    for i in 0..60 {
        let mut before = DenseBlock::zeros(i, 1);
        before.column_mut(0).copy_from_slice(&train.column(0)[..i]);
        before.targets_mut().copy_from_slice(&train.targets()[..i]);
        let mut next = DenseBlock::zeros(1, 1);
        next.column_mut(0)[0] = train.column(0)[i];
        let posterior = process.posterior(&before).unwrap();
        let variance = posterior.predictive_variance(&next)[0] + 0.2;
        let offset = train.targets()[i] - posterior.predictive_mean(&next)[0];
        evidence -= 0.5 * (offset * offset / variance + (std::f64::consts::TAU * variance).ln());
    }
    assert!((evidence - exact.log_marginal_likelihood()).abs() < 1e-9);
}

#[test]
fn level_estimates_predict_and_count() {
    let (train, test) = (rows(50, 1), rows(7, 1));
    let rng = &mut Seed(5).stream(0);
    let kernel = SquaredExponential::new(1.0, 1.0).unwrap();
    let process = GaussianProcess::new(kernel, 0.1).unwrap();
    let mut posterior = PartialPosterior::new(&process, &train);
    let exact = ExactPredictions { points: test.clone() };
    let exact = exact.estimate(&mut posterior, rng).unwrap();
    assert_eq!(posterior.ledger().likelihoods, 50);
    assert!(posterior.ledger().flops > 50 * 50 * 50 / 3);
    let mut posterior = PartialPosterior::new(&process, &train);
    let pivoted = PivotedPredictions { points: test.clone(), most_pivots: 200, tolerance: 1e-12 };
    let pivoted = pivoted.estimate(&mut posterior, rng).unwrap();
    assert!(exact.iter().zip(&pivoted).all(|(a, b)| (a - b).abs() < 1e-5));

    let regression = FeatureRegression::new(fourier(20, 1), 0.5).unwrap();
    let mut posterior = PartialPosterior::new(&regression, &train);
    let weights = FeatureWeights.estimate(&mut posterior, rng).unwrap();
    assert_eq!(posterior.ledger().likelihoods, 50);
    let mut posterior = PartialPosterior::new(&regression, &train);
    let points = FeaturePredictions { points: test.clone() };
    let predictions = points.estimate(&mut posterior, rng).unwrap();
    assert_eq!(predictions, predict(regression.map(), &weights, &test));
    assert_eq!(posterior.ledger().flops, 50 * 400 + 8000 / 3 + 2 * 7 * 20);
}

/// Around n = m, where the smaller matrix changes.
#[test]
fn the_mean_is_the_same_by_either_matrix() {
    let regression = FeatureRegression::new(fourier(30, 2), 0.4).unwrap();
    for count in [0, 1, 29, 30, 31] {
        let block = rows(count, 2);
        let mean = regression.mean(&block).unwrap();
        let posterior = regression.posterior(&block).unwrap();
        for (a, b) in mean.iter().zip(posterior.mean()) {
            assert!((a - b).abs() < 1e-11, "{count} rows: {a} {b}");
        }
    }
    let wrong = regression.mean(&rows(5, 1));
    assert_eq!(wrong, Err(FeatureRegressionError::Width { expected: 2, found: 1 }));
}

#[test]
fn bad_input_is_named() {
    let kernel = SquaredExponential::new(1.0, 1.0).unwrap();
    for noise in [0.0, -1.0, f64::NAN] {
        assert!(FeatureRegression::new(fourier(3, 1), noise).is_err());
        assert!(GaussianProcess::new(kernel, noise).is_err());
    }
    let regression = FeatureRegression::new(fourier(3, 2), 1.0).unwrap();
    let wrong = regression.posterior(&rows(5, 1));
    let error = FeatureRegressionError::Width { expected: 2, found: 1 };
    assert_eq!(wrong.err(), Some(error));
    // No rows: the prior.
    let none = regression.posterior(&DenseBlock::zeros(0, 2)).unwrap();
    assert_eq!(none.mean(), [0.0; 3]);
    // Equal rows and next to no noise: B is singular to rounding.
    let mut same = DenseBlock::zeros(6, 1);
    same.targets_mut().fill(1.0);
    let process = GaussianProcess::new(kernel, 1e-300).unwrap();
    let singular = process.posterior(&same);
    assert!(matches!(singular, Err(GaussianProcessError::Singular { rows: 6, .. })));
}
