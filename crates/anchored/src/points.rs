//! The points of a replicate, which all its levels share, and the weights of a level.
//!
//! ```text
//! φ_t = Σ_p W_p f(θ_p),      W_p ∝ π_t(θ_p) / density from which θ_p was drawn
//! ```
//!
//! Self-normalised weights have a bias of order 1/P. The jackknife takes it away without a further
//! likelihood: with φ(P) from all points and φ(½) the mean over two halves of them,
//!
//! ```text
//! J(P) = 2 φ(P) − φ(½),      bias of order 1/P²,
//! ```
//!
//! and the same with halves for all and quarters for halves, J(P/2), measures what remains:
//! (J(P/2) − J(P)) / 3. All of these are sums over points with signed weights that add up to one.

use crate::anchor::Anchor;
use debias::Rng;
use posterior::Smooth;
use samplers::{Draws, Functional, SharedPoints, Student};

/// Weighted points of one replicate.
#[derive(Clone, Debug)]
pub struct Points {
    pub(crate) positions: Vec<f64>,
    /// ln p + Q − the log density from which the points come.
    pub(crate) log_ratios: Vec<f64>,
    /// ∇ (ln p + Q) at each point.
    pub(crate) gradients: Vec<f64>,
    /// Each functional's integrand at each point, functional after functional.
    pub(crate) integrands: Vec<f64>,
    /// Neighbouring points that stay together when points are halved.
    pub(crate) together: usize,
}

/// Where replicates get their points.
#[derive(Clone, Debug)]
pub enum PointSource {
    /// m chains on the base density; replicate r has every (R/m)-th draw of chain r mod m, from draw
    /// ⌊r/m⌋ on, so that replicates of different chains are independent.
    Chains {
        /// The chains, all of one length.
        chains: Vec<Draws>,
        /// R, a multiple of m.
        replicates: usize,
    },
    /// Pairs of points that mirror each other in the anchor, at quasi-random quantiles of a Student-t.
    Mirrored {
        /// The proposal.
        proposal: Student,
        /// Pairs per replicate.
        pairs: usize,
    },
}

impl PointSource {
    /// P.
    pub fn count(&self) -> usize {
        match self {
            PointSource::Chains { chains, replicates } => {
                chains[0].count() / (replicates / chains.len())
            }
            PointSource::Mirrored { pairs, .. } => 2 * pairs,
        }
    }

    /// A source whose one replicate has consecutive draws of a chain, as the given replicate of a few:
    /// its variance has the correlation of the draws in it, which replicates of distant draws share out
    /// among each other.
    pub(crate) fn consecutive(&self, replicate: usize, of: usize) -> PointSource {
        match self {
            PointSource::Chains { chains, .. } => {
                let (chain, at) = (&chains[replicate % chains.len()], replicate / chains.len());
                let length = chain.count() / of.div_ceil(chains.len());
                let part = chain.part(at * length..(at + 1) * length);
                PointSource::Chains { chains: vec![part], replicates: 1 }
            }
            mirrored => mirrored.clone(),
        }
    }

    /// The points of a replicate.
    pub(crate) fn draw<M: Smooth>(
        &self,
        model: &M,
        anchor: &Anchor,
        functionals: &[Functional],
        replicate: u64,
        rng: &mut Rng,
    ) -> Points {
        match self {
            PointSource::Chains { chains, replicates } => {
                let (mut positions, mut log_densities) = (Vec::new(), Vec::new());
                let (stride, replicate) = (replicates / chains.len(), replicate as usize);
                let chain = &chains[replicate % chains.len()];
                let (d, length) = (chain.dimension(), chain.count() / stride * stride);
                for draw in (replicate / chains.len() % stride..length).step_by(stride) {
                    positions.extend_from_slice(&chain.positions()[draw * d..][..d]);
                    log_densities.push(chain.log_densities()[draw]);
                }
                Points::new(model, anchor, functionals, positions, &log_densities, 1)
            }
            PointSource::Mirrored { proposal, pairs } => {
                let drawn = SharedPoints::mirrored(proposal, *pairs, rng);
                let positions = drawn.positions().to_vec();
                Points::new(model, anchor, functionals, positions, drawn.log_base(), 2)
            }
        }
    }
}

impl Points {
    /// Points with the log densities from which they come.
    pub fn new<M: Smooth>(
        model: &M,
        anchor: &Anchor,
        functionals: &[Functional],
        positions: Vec<f64>,
        log_densities: &[f64],
        together: usize,
    ) -> Points {
        let d = model.dimension();
        let mut gradients = vec![0.0; positions.len()];
        let each = positions.chunks_exact(d).zip(gradients.chunks_exact_mut(d)).zip(log_densities);
        let log_ratios = each.map(|((theta, gradient), log_density)| {
            model.add_prior_gradient(theta, gradient)
                + anchor.quadratic.add_gradient(theta, gradient)
                - log_density
        });
        let log_ratios = log_ratios.collect();
        let integrands = functionals
            .iter()
            .flat_map(|f| positions.chunks_exact(d).map(|theta| f.integrand(theta)))
            .collect();
        Points { log_ratios, gradients, integrands, together, positions }
    }

    /// P.
    pub fn count(&self) -> usize {
        self.log_ratios.len()
    }

    /// The integrand of a functional at each point.
    pub(crate) fn values_of(&self, functional: usize) -> &[f64] {
        &self.integrands[functional * self.count()..][..self.count()]
    }

    /// θ_p.
    pub(crate) fn position(&self, point: usize) -> &[f64] {
        let d = self.positions.len() / self.count();
        &self.positions[point * d..][..d]
    }

    /// Which quarter of the points this one is in.
    fn quarter(&self, point: usize) -> usize {
        point / self.together % 4
    }
}

/// The weights of one level.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    /// Signed weights of J(P); they add up to one.
    pub estimate: Vec<f64>,
    /// Signed weights of what remains of the bias; they add up to zero.
    pub remaining: Vec<f64>,
    /// Effective points over points.
    pub share: f64,
}

impl Weights {
    /// From log weights; nothing if one is not a number or none is positive.
    pub fn new(points: &Points, log_weights: &[f64]) -> Option<Weights> {
        let all = normalised(log_weights, |_| true)?;
        let share = 1.0 / (all.iter().map(|w| w * w).sum::<f64>() * all.len() as f64);
        let parts: Option<Vec<Vec<f64>>> = (0..4)
            .map(|quarter| normalised(log_weights, |point| points.quarter(point) == quarter))
            .collect();
        let halves: Option<Vec<Vec<f64>>> = (0..2)
            .map(|half| normalised(log_weights, |point| points.quarter(point) % 2 == half))
            .collect();
        // A part without any weight says nothing about the bias: the plain estimate stays.
        let (Some(quarters), Some(halves)) = (parts, halves) else {
            let remaining = vec![0.0; all.len()];
            return Some(Weights { estimate: all, remaining, share });
        };
        let mean = |parts: &[Vec<f64>], point: usize| {
            parts.iter().map(|part| part[point]).sum::<f64>() / parts.len() as f64
        };
        let (mut estimate, mut remaining) = (all.clone(), all);
        for point in 0..estimate.len() {
            let (half, quarter) = (mean(&halves, point), mean(&quarters, point));
            estimate[point] = 2.0 * estimate[point] - half;
            remaining[point] = (2.0 * half - quarter - estimate[point]) / 3.0;
        }
        Some(Weights { estimate, remaining, share })
    }
}

/// Weights of the points that belong, which add up to one, and zeros for the others.
fn normalised(log_weights: &[f64], belongs: impl Fn(usize) -> bool) -> Option<Vec<f64>> {
    let mine = |point: &usize| belongs(*point);
    let points = || (0..log_weights.len()).filter(mine);
    let largest = points().map(|point| log_weights[point]).fold(f64::NEG_INFINITY, f64::max);
    if !largest.is_finite() || log_weights.iter().any(|weight| weight.is_nan()) {
        return None;
    }
    let mut weights = vec![0.0; log_weights.len()];
    points().for_each(|point| weights[point] = (log_weights[point] - largest).exp());
    let total: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= total);
    Some(weights)
}
