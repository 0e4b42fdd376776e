//! One step of Newton's method on the posterior whose rows are their quadratics.
//!
//! ```text
//! A = −∇²Q − ∇² ln p,      step = A⁻¹ (∇Q + ∇ ln p)
//! ```
//!
//! Where effects share standard deviations exp τ that are parameters themselves, the density of effects and τ
//! together has no useful mode. Given τ everything else is Gaussian, so that τ is taken to the maximum of its
//! marginal density first, whose slope is that of the smoothed prior at the mean and the variances given τ
//! (Fisher's identity); the step of all others is taken there. With I minus the Hessian of that marginal
//! density, and b = ∂/∂τ of the prior's slope,
//!
//! ```text
//! A = ⎡ A_τ    −b               ⎤
//!     ⎣ −bᵀ    I + bᵀ A_τ⁻¹ b   ⎦
//! ```
//!
//! is the precision of all parameters: τ ~ N(·, I⁻¹), and the others given τ are Gaussian about a mean that
//! moves by A_τ⁻¹ b.

use crate::precision::Scaled;
use crate::sums::Sums;
use models::linear_algebra::{MatrixError, Symmetric};
use posterior::{ArrowMatrix, Smooth};

/// Steps of τ, and the square of one in standard deviations at which they end.
const MOST: usize = 40;
const SETTLED: f64 = 1e-8;
/// No step of a τ is longer, and differences of slopes are taken over the second value.
const LONGEST: f64 = 1.0;
const DIFFERENCE: f64 = 0.02;
/// The least of I: beyond a standard deviation of two in τ a Gaussian says little.
const LEAST: f64 = 0.25;

/// A step, and the Gaussian that it comes from.
pub(crate) struct Newton {
    pub step: Vec<f64>,
    /// A.
    pub precision: Scaled,
    /// The same with effects and τ apart: A_τ and I.
    pub apart: Option<ArrowMatrix>,
    /// −∂² ln p of each parameter.
    pub prior: Vec<f64>,
    /// −½ ln det A_τ at the τ of θ: the volume that a Gaussian has there. Zero without groups.
    pub volume: f64,
    /// √(stepᵀ A step / d): the step in posterior standard deviations, root mean square over directions.
    pub decrement: f64,
}

/// Everything given τ.
struct Given {
    step: Vec<f64>,
    matrix: ArrowMatrix,
    precision: Scaled,
    prior: Vec<f64>,
    /// Σ step · slope.
    square: f64,
    /// The slope of the marginal density in each τ, and of a step of expectation-maximisation.
    slopes: Vec<f64>,
    curvatures: Vec<f64>,
}

impl Newton {
    /// The step from θ, where the rows have these sums; kinks of the prior are averaged over these
    /// deviations.
    pub fn new<M: Smooth>(
        model: &M,
        sums: &Sums,
        theta: &[f64],
        deviations: &[f64],
    ) -> Result<Newton, MatrixError> {
        let d = theta.len();
        if model.groups().is_empty() {
            let Given { step, precision, prior, square, .. } =
                given(model, sums, theta, &[], deviations)?;
            let decrement = (square / d as f64).sqrt();
            return Ok(Newton { step, precision, apart: None, prior, volume: 0.0, decrement });
        }
        let groups = model.groups();
        let start: Vec<f64> = groups.iter().map(|group| theta[group.log_sd]).collect();
        let given = |log_sds: &[f64]| given(model, sums, theta, log_sds, deviations);
        let here = given(&start)?;
        let volume = -0.5 * here.precision.log_determinant();
        let (log_sds, given, information) = marginal_mode(start.clone(), here, given)?;
        let Given { mut step, matrix, precision, prior, mut square, .. } = given;
        let (mut joint, mut apart) = (matrix.clone(), matrix);
        let slopes: Vec<Vec<f64>> = groups
            .iter()
            .zip(&log_sds)
            .map(|(group, log_sd)| {
                let mut slope = vec![0.0; d];
                for j in group.effects.clone() {
                    slope[j] = 2.0 * (theta[j] + step[j]) * (-2.0 * log_sd).exp();
                }
                slope
            })
            .collect();
        for (k, group) in groups.iter().enumerate() {
            let moved = precision.solve(&slopes[k]);
            let mut line: Vec<f64> = slopes[k].iter().map(|slope| -slope).collect();
            let mut alone = vec![0.0; d];
            for (l, other) in groups.iter().enumerate().take(k + 1) {
                let along: f64 = moved.iter().zip(&slopes[l]).map(|(a, b)| a * b).sum();
                alone[other.log_sd] = information[k * groups.len() + l];
                line[other.log_sd] = alone[other.log_sd] + along;
            }
            // What stands on the diagonal of τ so far is a one.
            line[group.log_sd] -= 1.0;
            alone[group.log_sd] -= 1.0;
            joint.add_line(group.log_sd, &line);
            apart.add_line(group.log_sd, &alone);
            step[group.log_sd] = log_sds[k] - start[k];
        }
        for (k, group) in groups.iter().enumerate() {
            for (l, other) in groups.iter().enumerate() {
                let entry = information[k * groups.len() + l];
                square += step[group.log_sd] * entry * step[other.log_sd];
            }
        }
        let decrement = (square / d as f64).sqrt();
        let (precision, apart) = (Scaled::new(joint)?, Some(apart));
        Ok(Newton { step, precision, apart, prior, volume, decrement })
    }

    /// The log density at θ, up to a constant, by which steps are judged. Effects that share a standard
    /// deviation are taken with the volume that they have, so that they cannot shrink together for nothing.
    pub fn height<M: Smooth>(&self, model: &M, sums: &Sums, theta: &[f64]) -> f64 {
        sums.value + model.log_prior(theta) + self.volume
    }

    /// The largest step in posterior standard deviations.
    pub fn longest(&self) -> f64 {
        let variances = self.precision.covariance().variances();
        let sizes = self.step.iter().zip(&variances).map(|(step, v)| step.abs() / v.sqrt());
        sizes.fold(0.0, |a: f64, b| if b.is_nan() { b } else { a.max(b) })
    }
}

fn given<M: Smooth>(
    model: &M,
    sums: &Sums,
    theta: &[f64],
    log_sds: &[f64],
    deviations: &[f64],
) -> Result<Given, MatrixError> {
    let (d, groups) = (theta.len(), model.groups());
    let mut theta = theta.to_vec();
    groups.iter().zip(log_sds).for_each(|(group, log_sd)| theta[group.log_sd] = *log_sd);
    let (mut gradient, mut prior) = (sums.gradient.clone(), vec![0.0; d]);
    model.add_smoothed_prior(&theta, deviations, &mut gradient, &mut prior);
    for group in groups {
        (gradient[group.log_sd], prior[group.log_sd]) = (0.0, 1.0);
    }
    let mut matrix = ArrowMatrix::zeros(sums.hessian.shape().clone());
    matrix.add(-1.0, &sums.hessian);
    matrix.add_diagonal(&prior);
    let precision = Scaled::new(matrix.clone())?;
    let step = precision.solve(&gradient);
    let square = step.iter().zip(&gradient).map(|(s, g)| s * g).sum();
    let (mut slopes, mut curvatures) = (Vec::new(), Vec::new());
    if !groups.is_empty() {
        let mean: Vec<f64> = theta.iter().zip(&step).map(|(a, b)| a + b).collect();
        let variances = precision.covariance().variances();
        let widths: Vec<f64> = variances.iter().map(|v| v.sqrt()).collect();
        let (mut slope, mut curvature) = (vec![0.0; d], vec![0.0; d]);
        model.add_smoothed_prior(&mean, &widths, &mut slope, &mut curvature);
        slopes.extend(groups.iter().map(|group| slope[group.log_sd]));
        curvatures.extend(groups.iter().map(|group| curvature[group.log_sd]));
    }
    Ok(Given { step, matrix, precision, prior, square, slopes, curvatures })
}

/// The maximum of the marginal density of τ: Newton's steps by differences of its slope, and steps of
/// expectation-maximisation, twice as long, where it is not concave. Returns minus its Hessian as well.
fn marginal_mode(
    mut log_sds: Vec<f64>,
    mut here: Given,
    given: impl Fn(&[f64]) -> Result<Given, MatrixError>,
) -> Result<(Vec<f64>, Given, Vec<f64>), MatrixError> {
    let count = log_sds.len();
    for steps in 0.. {
        let mut information = vec![0.0; count * count];
        for l in 0..count {
            let mut moved = log_sds.clone();
            moved[l] += DIFFERENCE;
            let there = given(&moved)?;
            for k in 0..count {
                let half = 0.5 * (here.slopes[k] - there.slopes[k]) / DIFFERENCE;
                information[k * count + l] += half;
                information[l * count + k] += half;
            }
        }
        let concave = solve(&information, &here.slopes, count);
        let step = concave.clone().unwrap_or_else(|| {
            let each = here.slopes.iter().zip(&here.curvatures);
            each.map(|(slope, curvature)| 2.0 * slope / curvature).collect()
        });
        let square: f64 = step.iter().zip(&here.slopes).map(|(s, g)| s * g).sum();
        if (concave.is_some() && square < SETTLED) || steps == MOST {
            if concave.is_none() || (0..count).any(|k| information[k * (count + 1)] < LEAST) {
                let diagonal: Vec<f64> =
                    (0..count).map(|k| information[k * (count + 1)].max(LEAST)).collect();
                information.fill(0.0);
                (0..count).for_each(|k| information[k * (count + 1)] = diagonal[k]);
            }
            return Ok((log_sds, here, information));
        }
        for (log_sd, step) in log_sds.iter_mut().zip(&step) {
            *log_sd += step.clamp(-LONGEST, LONGEST);
        }
        here = given(&log_sds)?;
    }
    unreachable!("the loop ends after {MOST} steps")
}

/// The solution of a small system, if its matrix is positive definite.
fn solve(matrix: &[f64], vector: &[f64], count: usize) -> Option<Vec<f64>> {
    let mut symmetric = Symmetric::zeros(count);
    for i in 0..count {
        for j in 0..=i {
            symmetric.add_entry(i, j, matrix[i * count + j]);
        }
    }
    let mut solution = vector.to_vec();
    symmetric.cholesky().ok()?.solve(&mut solution);
    Some(solution)
}
