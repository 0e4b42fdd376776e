//! Biased methods show the bias that their documentation promises, of the right sign and size, more
//! of it as settings worsen and less as they improve.
//!
//! Means over independent replicates are compared at |z| < 4: with the sixteen replicates or more of
//! every test, Student's law gives one false alarm in 800 seeds a comparison.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use baselines::{
    Austerity, Centre, Confidence, Consensus, Dynamics, SequentialTest, Sghmc, Sgld, StepSize,
    StochasticChain, StochasticSettings, SubsampledSettings, SubsampledWalk,
};
use data::{DenseRows, GaussianLaw, Generated};
use debias::engine::{Forgetful, Unobserved, replicate};
use debias::{Estimator, Seed, Summary};
use models::anchor::newton;
use models::gaussian_mean::GaussianMean;
use models::log_gaussian::LogGaussian;
use models::logistic::DenseLogistic;
use models::prior::Prior;
use posterior::{DenseBlock, Rows};
use rand::RngExt;
use rand_distr::StandardNormal;
use samplers::{ByChain, Factor, Framing, Functional, Length, Nuts, Start};

/// The first functional over replicates.
fn summary<E: Estimator>(estimator: &E, replicates: u64) -> Summary {
    let run = replicate(estimator, 0..replicates, Seed(41), &Forgetful, &Unobserved).unwrap();
    Summary::of(&run.functional(0)).unwrap()
}

#[track_caller]
fn assert_mean(seen: &Summary, expected: f64) {
    let z = (seen.mean - expected) / seen.standard_error;
    println!("{:.4} ± {:.4}, expected {expected:.4}", seen.mean, seen.standard_error);
    assert!(z.abs() < 4.0, "{seen:?} and {expected}: {z} standard errors");
}

/// Normal rows about one, their posterior N(m, s²) under a prior N(0, 0.01) that counts for 100 rows,
/// and ĝ's variance for b = 1 in its units.
struct Normal {
    rows: DenseRows,
    model: GaussianMean,
    mean: f64,
    deviation: f64,
    /// N times Σ (x − x̄)²/(N − 1), in units of the posterior.
    noise: f64,
}

const NORMAL: usize = 2000;

impl Normal {
    fn new() -> Normal {
        let rng = &mut Seed(42).stream(0);
        let mut block = DenseBlock::zeros(NORMAL, 1);
        block.column_mut(0).fill_with(|| 1.0 + rng.sample::<f64, _>(StandardNormal));
        let model = GaussianMean::new(&[1.0], &[0.0], &[0.01]).unwrap();
        let law = model.posterior(&block).unwrap();
        let (mean, variance) = (law.mean[0], law.covariance.entry(0, 0));
        let n = NORMAL as f64;
        let middle = block.column(0).iter().sum::<f64>() / n;
        let square: f64 = block.column(0).iter().map(|x| (x - middle).powi(2)).sum();
        let noise = variance * n * n * square / (n - 1.0);
        Normal { rows: DenseRows::new(block), model, mean, deviation: variance.sqrt(), noise }
    }

    /// V for batches of b, drawn without replacement.
    fn gradient_variance(&self, batch: usize) -> f64 {
        self.noise / batch as f64 * (1.0 - batch as f64 / NORMAL as f64)
    }

    /// E (θ − m)²/s² under the chain: one if it were right.
    fn spread<D: Dynamics>(&self, dynamics: D, batch: usize, centre: Option<Centre>) -> Summary {
        let (mean, deviation) = (self.mean, self.deviation);
        let settings = StochasticSettings {
            batch,
            shape: Factor::of_covariance(&[deviation * deviation], 1).unwrap(),
            start: vec![mean],
            centre,
            length: Length { warm_up: 400, draws: 4000 },
            functionals: vec![Functional::prediction(move |theta| {
                ((theta[0] - mean) / deviation).powi(2)
            })],
        };
        let chain = StochasticChain::new(&self.rows, &self.model, dynamics, settings).unwrap();
        summary(&chain, 24)
    }
}

fn sgld(step: f64) -> Sgld {
    Sgld { step: StepSize::constant(step).unwrap() }
}

/// (1 + εV/4)/(1 − ε/4): too wide, by noise and by step; less with larger batches, shorter steps,
/// control variates (V = 0 for a quadratic density) or falling steps.
#[test]
fn sgld_is_too_wide() {
    let normal = Normal::new();
    let law = |step: f64, variance: f64| (1.0 + step * variance / 4.0) / (1.0 - step / 4.0);
    for (step, batch) in [(0.1, 20), (0.1, 100), (0.4, 100), (0.1, 1000)] {
        let expected = law(step, normal.gradient_variance(batch));
        assert_mean(&normal.spread(sgld(step), batch, None), expected);
    }
    let mode = newton(&normal.model, &normal.rows, &[0.0], 1e-6, 10).unwrap();
    let centred = normal.spread(sgld(0.4), 20, Some(Centre::of(&mode)));
    assert_mean(&centred, law(0.4, 0.0));

    let constant = normal.spread(sgld(0.2), 50, None);
    let falling = Sgld { step: StepSize::decreasing(0.2, 50.0, 0.6).unwrap() };
    let falling = normal.spread(falling, 50, None);
    let joint = constant.standard_error.hypot(falling.standard_error);
    assert!(constant.mean - falling.mean > 4.0 * joint, "{constant:?} {falling:?}");
    assert!(falling.mean > 1.0);
}

/// Averages are weighed by the steps: ε_t over the kept steps, one in all.
#[test]
fn falling_steps_count_for_less() {
    let normal = Normal::new();
    let settings = StochasticSettings {
        batch: 10,
        shape: Factor::identity(1),
        start: vec![normal.mean],
        centre: None,
        length: Length { warm_up: 3, draws: 4 },
        functionals: vec![],
    };
    let sgld = Sgld { step: StepSize::decreasing(1e-4, 1.0, 1.0).unwrap() };
    let chain = StochasticChain::new(&normal.rows, &normal.model, sgld, settings).unwrap();
    let weights = chain.run(&mut Seed(1).stream(0)).unwrap().weights;
    let expected =
        [4.0, 5.0, 6.0, 7.0].map(|t: f64| (1.0 / t) / (1.0 / 4.0 + 0.2 + 1.0 / 6.0 + 1.0 / 7.0));
    assert!(weights.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{weights:?}");
}

/// The stationary variance of v ← (1 − α) v − η (z + noise) + √(2 (α − β̂) η) ξ, z ← z + v, by
/// iterating the covariance of (z, v).
fn sghmc_variance(step: f64, friction: f64, estimate: f64, variance: f64) -> f64 {
    let fresh = 2.0 * (friction - estimate) * step + step * step * variance;
    let (mut zz, mut zv, mut vv) = (1.0, 0.0, step);
    for _ in 0..100_000 {
        // v' = a v − η z + noise, z' = z + v'.
        let a = 1.0 - friction;
        let new_vv = a * a * vv - 2.0 * a * step * zv + step * step * zz + fresh;
        let z_new_v = a * zv - step * zz;
        (zz, zv, vv) = (zz + 2.0 * z_new_v + new_vv, z_new_v + new_vv, new_vv);
    }
    zz
}

/// Noise heats the chain: too wide, less so with more friction, larger batches, or a β̂ that knows.
#[test]
fn sghmc_is_too_hot() {
    let normal = Normal::new();
    let mut means = Vec::new();
    for (friction, batch) in [(0.1, 20), (0.1, 100), (0.5, 20)] {
        let expected = sghmc_variance(0.01, friction, 0.0, normal.gradient_variance(batch));
        let seen = normal.spread(Sghmc::new(0.01, friction, 0.0).unwrap(), batch, None);
        assert_mean(&seen, expected);
        means.push(seen.mean);
    }
    assert!(means[0] > 4.0 && means[1] > 1.2 && means[1] < means[0] && means[2] < means[0]);
    let estimate = 0.01 * normal.gradient_variance(100) / 2.0;
    assert!(estimate < 0.1);
    let expected = sghmc_variance(0.01, 0.1, estimate, normal.gradient_variance(100));
    let knowing = normal.spread(Sghmc::new(0.01, 0.1, estimate).unwrap(), 100, None);
    assert_mean(&knowing, expected);
    assert!((expected - 1.0).abs() < 0.1);
}

/// A walk on N(μ, σ²) with a flat prior: E of `functional` of (σ − E σ)/sd σ, and the share of rows.
fn walk<T: SequentialTest>(
    rows: &DenseRows,
    test: T,
    length: Length,
    functional: fn(f64) -> f64,
) -> (Summary, f64) {
    let exact = LogGaussian::moments(rows.block()).unwrap();
    let n = rows.count() as f64;
    let shape = [exact.mean_sigma.powi(2) / n, 0.0, 0.0, 0.5 / n];
    let offset = move |theta: &[f64]| {
        functional((LogGaussian::sigma(theta) - exact.mean_sigma) / exact.sd_sigma)
    };
    let settings = SubsampledSettings {
        scale: 2.38 / 2f64.sqrt(),
        shape: Factor::of_covariance(&shape, 2).unwrap(),
        start: vec![exact.mean_mu, exact.mean_sigma.ln()],
        length,
        functionals: vec![Functional::prediction(offset)],
    };
    let walk = SubsampledWalk::new(rows, &LogGaussian, test, settings).unwrap();
    let run = walk.run(&mut Seed(43).stream(0)).unwrap();
    assert_eq!(run.fractions.len(), length.draws);
    let fraction = run.fractions.iter().sum::<f64>() / run.fractions.len() as f64;
    (summary(&walk, 16), fraction)
}

fn gaussian_rows(count: usize) -> DenseRows {
    DenseRows::new(Generated::new(GaussianLaw::log_gaussian(), Seed(44), count).range(0..count))
}

/// Hasty decisions flatten the posterior: its variance, one if it were right, grows with ε, and fewer
/// rows are looked at. Nearly no error is nearly no bias.
#[test]
fn austerity_is_too_wide() {
    let rows = gaussian_rows(5000);
    let length = Length { warm_up: 100, draws: 400 };
    let runs: Vec<(Summary, f64)> = [0.3, 0.1, 1e-4]
        .into_iter()
        .map(|error| walk(&rows, Austerity::new(100, error).unwrap(), length, |z| z * z))
        .collect();
    for (seen, fraction) in &runs {
        println!("{:.3} ± {:.3} with {fraction:.3} of the rows", seen.mean, seen.standard_error);
    }
    let [(hasty, few), (usual, some), (patient, many)] = &runs[..] else { panic!("three runs") };
    assert!(hasty.mean > usual.mean && usual.mean > 1.0 + 4.0 * usual.standard_error);
    assert!(few < some && some < many);
    assert_mean(patient, 1.0);
}

/// On thirty rows the test always asks for all, and the walk is that of Metropolis; the prior, flat
/// in σ, moves E σ by a quarter of a posterior standard deviation there.
#[test]
fn a_test_that_sees_all_rows_is_exact() {
    let rows = gaussian_rows(30);
    let length = Length { warm_up: 100, draws: 4000 };
    let (seen, all) = walk(&rows, Confidence::new(2, 2.0, 1e-6).unwrap(), length, |z| z);
    assert_mean(&seen, 0.0);
    assert!(all > 0.99, "{all}");
}

/// Bardenet, Doucet & Holmes: on x = exp y the tails are heavy, austerity is tens of posterior
/// standard deviations off and does not know it, and the confidence sampler is right but looks at
/// nearly all rows.
#[test]
fn heavy_tails_fool_austerity_and_exhaust_the_confidence_sampler() {
    let mut block = gaussian_rows(100_000).block().clone();
    block.column_mut(0).iter_mut().for_each(|y| *y = y.exp());
    let rows = DenseRows::new(block);
    let length = Length { warm_up: 200, draws: 200 };
    let (wrong, few) = walk(&rows, Austerity::new(500, 0.05).unwrap(), length, |z| z);
    println!("austerity: {:.1} ± {:.1}, {few:.3}", wrong.mean, wrong.standard_error);
    assert!(wrong.mean < -10.0 && wrong.mean < -4.0 * wrong.standard_error && few < 0.5);
    let length = Length { warm_up: 10, draws: 60 };
    let (right, all) = walk(&rows, Confidence::new(500, 2.0, 0.1).unwrap(), length, |z| z);
    assert_mean(&right, 0.0);
    assert!(all > 0.95, "{all}");
}

fn nuts(dimension: usize, draws: usize, functional: Functional) -> ByChain<Nuts> {
    ByChain {
        sampler: Nuts::default(),
        framing: Framing::laplace(dimension),
        start: Start::Frame { spread: 1.0 },
        length: Length { warm_up: 50, draws },
        functionals: vec![functional],
        control_variates: false,
        expected_evaluations: 1000.0,
    }
}

/// Gaussian shards give the Gaussian posterior, mean and variance, however many there are.
#[test]
fn consensus_is_exact_for_gaussians() {
    let normal = Normal::new();
    let (mean, deviation) = (normal.mean, normal.deviation);
    for shards in [1, 7, 40] {
        let consensus = |functional| {
            let chain = nuts(1, 200, functional);
            summary(&Consensus::new(&normal.rows, &normal.model, chain, shards).unwrap(), 16)
        };
        let offset = move |theta: &[f64]| (theta[0] - mean) / deviation;
        assert_mean(&consensus(Functional::prediction(offset)), 0.0);
        assert_mean(&consensus(Functional::prediction(move |theta| offset(theta).powi(2))), 1.0);
    }
}

/// The weight of a steep logistic regression: shards that happen to see a small weight are surer of
/// it, so the consensus is pulled towards zero, the more the fewer rows a shard has. One shard is the
/// full posterior, and few shards cannot be told from it.
#[test]
fn consensus_is_pulled_towards_zero() {
    let rng = &mut Seed(45).stream(0);
    let mut block = DenseBlock::zeros(1000, 1);
    block.column_mut(0).fill_with(|| rng.sample(StandardNormal));
    for i in 0..1000 {
        let chance = 1.0 / (1.0 + (-2.0 * block.column(0)[i]).exp());
        block.targets_mut()[i] = if rng.random::<f64>() < chance { 1.0 } else { -1.0 };
    }
    let rows = DenseRows::new(block);
    let model = DenseLogistic::new(1, Prior::Laplace { scale: 1.0 }).unwrap();
    let of = |shards| {
        let chain = nuts(2, 200, Functional::Mean(0));
        summary(&Consensus::new(&rows, &model, chain, shards).unwrap(), 16)
    };
    let seen = [1, 4, 50, 100].map(of);
    for seen in &seen {
        println!("{:.4} ± {:.4}", seen.mean, seen.standard_error);
    }
    let [full, few, some, many] = &seen;
    assert_mean(few, full.mean);
    let below =
        |a: &Summary, b: &Summary| b.mean - a.mean > 4.0 * a.standard_error.hypot(b.standard_error);
    assert!(below(some, full) && below(many, some), "{seen:?}");
}
