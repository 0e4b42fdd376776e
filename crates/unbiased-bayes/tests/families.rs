//! Every family, with weights, offsets and priors: the anchored path and NUTS against quadrature, and
//! against each other on 2000 rows. Fixed seeds; |z| < 4 fails for a right estimator once in sixteen
//! thousand, and with the hundred or so comparisons here once in a hundred and sixty seeds.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use models::design::Design;
use unbiased_bayes::{
    AdjustedRows, Binomial, DenseBlock, DenseRows, Dispersed, DispersedLinear, Estimation, Extras,
    Family, Functional, Gamma, GeneralisedLinear, Method, NegativeBinomial, Noise, Poisson, Prior,
    Priors, Rows, Smooth, StudentLinear, Target,
};

/// Numbers between zero and one that look random.
fn unit(i: usize, salt: f64) -> f64 {
    (((i as f64 + 1.0) * (12.9898 + salt) + salt).sin() * 43_758.545_3).rem_euclid(1.0)
}

/// A standard normal number by Box and Muller.
fn normal(i: usize, salt: f64) -> f64 {
    let radius = (-2.0 * unit(i, salt).max(1e-12).ln()).sqrt();
    radius * (std::f64::consts::TAU * unit(i, salt + 0.37)).cos()
}

/// A Poisson count by counting exponential times.
fn count(mean: f64, i: usize, salt: f64) -> f64 {
    let (mut time, mut events) = (0.0, 0);
    loop {
        time -= unit(i * 977 + events, salt).max(1e-12).ln();
        if time > mean || events > 5000 {
            return events as f64;
        }
        events += 1;
    }
}

/// Gamma with a whole shape: a sum of exponential times.
fn gamma(shape: usize, mean: f64, i: usize, salt: f64) -> f64 {
    let sum: f64 = (0..shape).map(|j| -unit(i * 31 + j, salt).max(1e-12).ln()).sum();
    sum * mean / shape as f64
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Which {
    Poisson,
    Binomial,
    Normal,
    Student,
    NegativeBinomial,
    Gamma,
    /// Student's t with degrees of freedom that are a parameter.
    UnknownDegrees,
}

const ALL: [Which; 7] = [
    Which::Poisson,
    Which::Binomial,
    Which::Normal,
    Which::Student,
    Which::NegativeBinomial,
    Which::Gamma,
    Which::UnknownDegrees,
];

type Data = AdjustedRows<DenseRows>;

/// Rows with `width` covariates of unlike units, an offset and a weight that is never one.
fn data(which: Which, rows: usize, width: usize) -> Data {
    let mut block = DenseBlock::zeros(rows, width + 3);
    for i in 0..rows {
        let x: Vec<f64> = (0..width).map(|j| 30f64.powi(j as i32) * normal(i, j as f64)).collect();
        let offset = 2.0 * unit(i, 7.7) - 1.0;
        let weights = x.iter().enumerate().map(|(j, x)| 0.4 * x / 30f64.powi(j as i32));
        let eta = 0.3 + offset + weights.sum::<f64>();
        let trials = (1 + i % 4) as f64;
        let y = match which {
            Which::Poisson => count(eta.exp(), i, 3.1),
            Which::Binomial => {
                let chance = 1.0 / (1.0 + (-eta).exp());
                (0..1 + i % 4).filter(|j| unit(i * 5 + j, 9.1) < chance).count() as f64
            }
            Which::Normal => eta + 0.7 * normal(i, 5.5),
            Which::Student => {
                let far = if i % 50 == 7 { 1e4 } else { 0.0 };
                eta + 0.7 * normal(i, 5.5) / gamma(2, 1.0, i, 6.1).sqrt() + far
            }
            // Four degrees of freedom.
            Which::UnknownDegrees => eta + 0.7 * normal(i, 5.5) / gamma(2, 1.0, i, 6.1).sqrt(),
            Which::NegativeBinomial => count(gamma(2, eta.exp(), i, 6.1), i, 3.1),
            Which::Gamma => gamma(3, eta.exp(), i, 6.1),
        };
        x.iter().enumerate().for_each(|(j, x)| block.column_mut(j)[i] = *x);
        block.column_mut(width)[i] = offset;
        block.column_mut(width + 1)[i] = 0.5 + 1.5 * unit(i, 8.8);
        block.column_mut(width + 2)[i] = trials;
        block.targets_mut()[i] = y;
    }
    let trials = (which == Which::Binomial).then_some(2);
    let extras = Extras { offset: Some(0), weight: Some(1), trials };
    AdjustedRows { rows: DenseRows::new(block), width, extras }
}

/// Student, normal and Laplace priors in turn, with centres where they may have one.
fn prior(width: usize, dispersion: bool) -> Priors {
    let mut laws = vec![Prior::Student { degrees: 3.0, scale: 0.5 }; width];
    let mut centres = vec![0.1; width];
    if width > 1 {
        laws[1] = Prior::Laplace { scale: 0.1 };
        centres[1] = 0.0;
    }
    laws.push(Prior::Gaussian { standard_deviation: 2.0 });
    centres.push(-0.5);
    if dispersion {
        laws.push(Prior::HalfStudent { degrees: 3.0, scale: 2.5 });
        centres.push(0.0);
    }
    Priors::each(laws).around(centres)
}

/// Lets `check` see the model of a family.
fn with_model(which: Which, width: usize, check: &mut impl Check) {
    type Block = <Data as Rows>::Block;
    let family: Option<Box<dyn Family>> = match which {
        Which::Poisson => Some(Box::new(Poisson)),
        Which::Binomial => Some(Box::new(Binomial)),
        _ => None,
    };
    if let Some(family) = family {
        let model = GeneralisedLinear::<_, Block>::new(family, width, prior(width, false)).unwrap();
        return check.check(which, &model);
    }
    if which == Which::UnknownDegrees {
        let model = StudentLinear::<Block>::new(width, prior(width, true)).unwrap();
        return check.check(which, &model);
    }
    let family: Box<dyn Dispersed> = match which {
        Which::Normal => Box::new(Noise::normal()),
        Which::Student => Box::new(Noise::student(4.0).unwrap()),
        Which::NegativeBinomial => Box::new(NegativeBinomial),
        _ => Box::new(Gamma),
    };
    let model = DispersedLinear::<_, Block>::new(family, width, prior(width, true)).unwrap();
    check.check(which, &model);
}

trait Check {
    fn check<M: Smooth<Block = <Data as Rows>::Block>>(&mut self, which: Which, model: &M);
}

/// Means of all parameters, and of the exponential of the last, which is the dispersion itself.
fn functionals(dimension: usize) -> Vec<(String, Functional)> {
    let mut asked: Vec<(String, Functional)> = Functional::means(dimension)
        .into_iter()
        .enumerate()
        .map(|(j, mean)| (format!("θ{j}"), mean))
        .collect();
    let last = Functional::prediction(move |theta| theta[dimension - 1].exp());
    asked.push(("exp".to_owned(), last));
    asked
}

/// Means by quadrature over one to three parameters, around a guess of their means and spreads.
struct Quadrature {
    rows: usize,
    width: usize,
}

impl Check for Quadrature {
    fn check<M: Smooth<Block = <Data as Rows>::Block>>(&mut self, which: Which, model: &M) {
        let rows = data(which, self.rows, self.width);
        let block = rows.range(0..rows.count());
        assert_eq!(block.width(), self.width);
        let d = model.dimension();
        for method in [Method::Nuts, Method::Anchored] {
            let question = Estimation::new(model, &rows).asking(functionals(d)).method(method);
            let answer = question.target(Target::PosteriorSds(0.02)).run().unwrap();
            let about = |j: usize| {
                let one = &answer.estimates[j];
                (one.summary.mean, one.posterior_sd.unwrap())
            };
            let steps: usize = [1001, 121, 25][d - 1];
            let node = |j: usize, step: usize| {
                let (mean, sd) = about(j);
                mean + sd * 18.0 * (step as f64 / (steps - 1) as f64 - 0.5)
            };
            let point = |index: usize| {
                let step = |j: usize| index / steps.pow(j as u32) % steps;
                let theta: Vec<f64> = (0..d).map(|j| node(j, step(j))).collect();
                let density = model.log_prior(&theta) + model.log_likelihood(&theta, &block);
                (theta, density)
            };
            let points: Vec<_> = (0..steps.pow(d as u32)).map(point).collect();
            let most = points.iter().map(|point| point.1).fold(f64::NEG_INFINITY, f64::max);
            let mass: f64 = points.iter().map(|point| (point.1 - most).exp()).sum();
            for (one, (name, functional)) in answer.estimates.iter().zip(functionals(d)) {
                let terms = points
                    .iter()
                    .map(|(theta, density)| functional.integrand(theta) * (density - most).exp());
                let truth = terms.sum::<f64>() / mass;
                let error = one.summary.standard_error + one.bias.unwrap_or(0.0).abs();
                let z = (one.summary.mean - truth) / error;
                assert!(z.abs() < 4.0, "{which:?} {method:?} {name}: z {z}, truth {truth}");
            }
        }
    }
}

#[test]
fn one_to_three_parameters_against_quadrature() {
    for which in ALL {
        let dispersed = !matches!(which, Which::Poisson | Which::Binomial);
        // The bias alone, and with the dispersion or with one weight; degrees of freedom need more rows
        // to be known well enough for a path.
        let rows = if which == Which::UnknownDegrees { 1200 } else { 200 };
        with_model(which, 0, &mut Quadrature { rows, width: 0 });
        if !dispersed {
            with_model(which, 1, &mut Quadrature { rows: 200, width: 1 });
        }
    }
}

struct EachOther;

impl Check for EachOther {
    fn check<M: Smooth<Block = <Data as Rows>::Block>>(&mut self, which: Which, model: &M) {
        let rows = data(which, 2000, 3);
        let ask = |method: Method| {
            let question = Estimation::new(model, &rows).asking(functionals(model.dimension()));
            question.method(method).target(Target::PosteriorSds(0.02)).run().unwrap()
        };
        let (path, chains) = (ask(Method::Anchored), ask(Method::Nuts));
        for (a, b) in path.estimates.iter().zip(&chains.estimates) {
            let error = a.summary.standard_error.hypot(b.summary.standard_error);
            let z = (a.summary.mean - b.summary.mean) / (error + a.bias.unwrap_or(0.0).abs());
            assert!(z.abs() < 4.0, "{which:?} {}: z {z}", a.name);
            let (a, b) = (a.posterior_sd.unwrap(), b.posterior_sd.unwrap());
            assert!((a / b).ln().abs() < 0.15, "{which:?}: sds {a} and {b}");
        }
    }
}

#[test]
fn the_anchored_path_and_nuts_agree_on_2000_rows() {
    ALL.iter().for_each(|&which| with_model(which, 3, &mut EachOther));
}
