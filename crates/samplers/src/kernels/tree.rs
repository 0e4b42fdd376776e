//! Trajectories that double until they turn back (Hoffman & Gelman 2014; Betancourt 2017).
//!
//! ```text
//! 2^j steps of ±ε for the j-th doubling, forwards or backwards by the toss of a coin;
//! the draw is one of all points, with weights exp(H_0 − H), and prefers the newer half;
//! a tree has turned if p_left·ρ' ≤ 0 or p_right·ρ' ≤ 0,   ρ' = Σ p − (p_left + p_right)/2
//! ```
//!
//! The points of a doubling are visited once, in order. Of the momenta only one a level is kept:
//! the subtrees that end at step n begin where the kept ones were (Phan, Pradhan & Jankowiak 2019).

use crate::{Point, Step};
use debias::Rng;
use rand::RngExt;

/// A loss of energy beyond which the integrator is no longer following the density.
const DIVERGENCE: f64 = 1000.0;

/// A reversible step that keeps volumes, in coordinates where momenta are standard normal.
pub(super) trait Leap {
    /// Moves a point and its momentum by ε, which is negative to go back.
    fn leap(&mut self, point: &mut Point, momentum: &mut [f64], step: f64);
}

/// One end of the trajectory.
#[derive(Clone)]
struct End {
    point: Point,
    momentum: Vec<f64>,
}

/// What all steps of a trajectory share, and what they add up to.
struct Trajectory<'a, L> {
    leap: &'a mut L,
    step_size: f64,
    energy: f64,
    acceptance: f64,
    steps: usize,
    diverged: bool,
    // Level by level: the momentum at the first point of a subtree, then the sum up to that point.
    kept: Vec<f64>,
}

/// The points of one doubling.
struct Half {
    log_weight: f64,
    momenta: Vec<f64>,
    draw: Point,
}

/// Grows a tree from a point and replaces the point by a draw from it.
pub(super) fn grow<L: Leap>(
    leap: &mut L,
    point: &mut Point,
    momentum: Vec<f64>,
    step_size: f64,
    max_depth: usize,
    rng: &mut Rng,
) -> Step {
    let energy = 0.5 * dot(&momentum, &momentum) - point.log_density;
    let mut way = Trajectory {
        leap,
        step_size,
        energy,
        acceptance: 0.0,
        steps: 0,
        diverged: false,
        kept: Vec::new(),
    };
    let mut momenta = momentum.clone();
    let mut left = End { point: point.clone(), momentum };
    let mut right = left.clone();
    let mut log_weight = 0.0;
    for depth in 0..max_depth {
        let forward = rng.random::<bool>();
        let end = if forward { &mut right } else { &mut left };
        let Some(half) = way.double(end, forward, depth, rng) else { break };
        if rng.random::<f64>() < (half.log_weight - log_weight).exp() {
            *point = half.draw;
        }
        log_weight = log_add(log_weight, half.log_weight);
        add(&mut momenta, &half.momenta);
        if turned(&left.momentum, &right.momentum, |i| momenta[i]) {
            break;
        }
    }
    let acceptance = way.acceptance / way.steps as f64;
    Step { acceptance, diverged: way.diverged, energy: Some(energy) }
}

impl<L: Leap> Trajectory<'_, L> {
    /// 2^depth more steps beyond one end, unless they diverge or turn within themselves.
    fn double(
        &mut self,
        end: &mut End,
        forward: bool,
        depth: usize,
        rng: &mut Rng,
    ) -> Option<Half> {
        let d = end.momentum.len();
        let signed = if forward { self.step_size } else { -self.step_size };
        let mut half =
            Half { log_weight: f64::NEG_INFINITY, momenta: vec![0.0; d], draw: end.point.clone() };
        self.kept.resize(2 * d * depth.max(1), 0.0);
        for step in 0..1usize << depth {
            self.leap.leap(&mut end.point, &mut end.momentum, signed);
            let log_weight =
                self.energy + end.point.log_density - 0.5 * dot(&end.momentum, &end.momentum);
            self.steps += 1;
            self.acceptance += crate::kernel::acceptance(log_weight);
            if log_weight.is_nan() || log_weight < -DIVERGENCE {
                self.diverged = true;
                return None;
            }
            half.log_weight = log_add(half.log_weight, log_weight);
            // The first point is always taken, and needs no random number.
            if step == 0 || rng.random::<f64>() < (log_weight - half.log_weight).exp() {
                copy(&end.point, &mut half.draw);
            }
            add(&mut half.momenta, &end.momentum);
            let level = (step >> 1).count_ones() as usize;
            if step % 2 == 0 {
                let (first, before) = self.kept[2 * d * level..][..2 * d].split_at_mut(d);
                first.copy_from_slice(&end.momentum);
                before.copy_from_slice(&half.momenta);
                continue;
            }
            let ending = step.trailing_ones() as usize;
            for level in level + 1 - ending..=level {
                let (first, before) = self.kept[2 * d * level..][..2 * d].split_at(d);
                let momenta = |i: usize| half.momenta[i] - before[i] + first[i];
                if turned(first, &end.momentum, momenta) {
                    return None;
                }
            }
        }
        Some(half)
    }
}

/// The U-turn; the ends count half, so that a trajectory of normals stops after half a period.
fn turned(left: &[f64], right: &[f64], momenta: impl Fn(usize) -> f64) -> bool {
    let (mut at_left, mut at_right) = (0.0, 0.0);
    for i in 0..left.len() {
        let inner = momenta(i) - 0.5 * (left[i] + right[i]);
        at_left += left[i] * inner;
        at_right += right[i] * inner;
    }
    at_left <= 0.0 || at_right <= 0.0
}

/// ln(eᵃ + eᵇ).
fn log_add(a: f64, b: f64) -> f64 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    if low == f64::NEG_INFINITY { high } else { high + (low - high).exp().ln_1p() }
}

fn copy(from: &Point, to: &mut Point) {
    to.position.copy_from_slice(&from.position);
    to.gradient.copy_from_slice(&from.gradient);
    to.log_density = from.log_density;
}

fn add(sum: &mut [f64], values: &[f64]) {
    for (sum, value) in sum.iter_mut().zip(values) {
        *sum += value;
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_turns_when_its_ends_come_closer() {
        // Three momenta that turn by a right angle at a time: forward, up, back.
        let momenta = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]];
        let sum = |n: usize| move |i: usize| momenta[..n].iter().map(|p| p[i]).sum::<f64>();
        assert!(!turned(&momenta[0], &[1.0, 0.1], |i| [2.0, 0.1][i]));
        assert!(turned(&momenta[0], &momenta[2], sum(3)));
    }

    #[test]
    fn logarithms_add() {
        assert_eq!(log_add(f64::NEG_INFINITY, -3.0), -3.0);
        assert!((log_add(1.0f64.ln(), 2.0f64.ln()) - 3.0f64.ln()).abs() < 1e-15);
    }
}
