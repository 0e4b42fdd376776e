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

use crate::vectors::{add, dot};
use crate::{Point, Step};
use debias::Rng;
use rand::RngExt;
use rand_distr::StandardNormal;

/// A loss of energy beyond which the integrator is no longer following the density.
const DIVERGENCE: f64 = 1000.0;

/// A reversible step that keeps volumes, in coordinates where momenta are standard normal.
pub(super) trait Leap {
    /// Moves a point and its momentum by ε, which is negative to go back.
    fn leap(&mut self, point: &mut Point, momentum: &mut [f64], step: f64);
}

/// A weight of which a trajectory may hold thousands before their sum overflows; in a chain that
/// has found its target, the chance of a larger one is e^(−600).
const LARGEST_LOG_WEIGHT: f64 = 600.0;

/// One end of the trajectory.
#[derive(Clone, Debug)]
struct End {
    point: Point,
    momentum: Vec<f64>,
}

/// Room for one trajectory after the other.
#[derive(Clone, Debug)]
pub(super) struct Room {
    left: End,
    right: End,
    // Σ p over the tree, and over one doubling.
    momenta: Vec<f64>,
    new_momenta: Vec<f64>,
    // The draw from one doubling.
    draw: Point,
    // Level by level: the momentum at the first point of a subtree, then the sum up to that point.
    kept: Vec<f64>,
}

impl Default for Room {
    fn default() -> Room {
        let point = Point { position: Vec::new(), log_density: 0.0, gradient: Vec::new() };
        let end = End { point: point.clone(), momentum: Vec::new() };
        let (momenta, new_momenta, kept) = Default::default();
        Room { left: end.clone(), right: end, momenta, new_momenta, draw: point, kept }
    }
}

/// What all steps of a trajectory share, and what they add up to.
struct Trajectory<'a, L> {
    leap: &'a mut L,
    step_size: f64,
    energy: f64,
    acceptance: f64,
    steps: usize,
    diverged: bool,
}

/// Grows a tree from a point and replaces the point by a draw from it.
pub(super) fn grow<L: Leap>(
    leap: &mut L,
    point: &mut Point,
    room: &mut Room,
    step_size: f64,
    max_depth: usize,
    rng: &mut Rng,
) -> Step {
    room.left.momentum.resize(point.position.len(), 0.0);
    room.left.momentum.fill_with(|| rng.sample(StandardNormal));
    room.right.momentum.clone_from(&room.left.momentum);
    room.momenta.clone_from(&room.left.momentum);
    for place in [&mut room.left.point, &mut room.right.point, &mut room.draw] {
        copy(point, place);
    }
    let energy = 0.5 * dot(&room.momenta, &room.momenta) - point.log_density;
    let mut way =
        Trajectory { leap, step_size, energy, acceptance: 0.0, steps: 0, diverged: false };
    let mut weight = 1.0;
    for depth in 0..max_depth {
        let forward = rng.random::<bool>();
        let Some(new_weight) = way.double(room, forward, depth, rng) else { break };
        if rng.random::<f64>() * weight < new_weight {
            std::mem::swap(point, &mut room.draw);
        }
        weight += new_weight;
        add(&mut room.momenta, 1.0, &room.new_momenta);
        if turned(&room.left.momentum, &room.right.momentum, |i| room.momenta[i]) {
            break;
        }
    }
    let acceptance = way.acceptance / way.steps as f64;
    Step { acceptance, diverged: way.diverged, energy: Some(energy) }
}

impl<L: Leap> Trajectory<'_, L> {
    /// 2^depth more steps beyond one end, unless they diverge or turn within themselves: their
    /// weight, with their draw and the sum of their momenta left in the room.
    fn double(
        &mut self,
        room: &mut Room,
        forward: bool,
        depth: usize,
        rng: &mut Rng,
    ) -> Option<f64> {
        let Room { left, right, new_momenta, draw, kept, .. } = room;
        let (end, signed) = if forward { (right, self.step_size) } else { (left, -self.step_size) };
        let d = end.momentum.len();
        new_momenta.clear();
        new_momenta.resize(d, 0.0);
        kept.resize(2 * d * depth.max(1), 0.0);
        let mut total = 0.0;
        for step in 0..1usize << depth {
            self.leap.leap(&mut end.point, &mut end.momentum, signed);
            let log_weight =
                self.energy + end.point.log_density - 0.5 * dot(&end.momentum, &end.momentum);
            self.steps += 1;
            if log_weight.is_nan() || log_weight < -DIVERGENCE {
                self.diverged = true;
                return None;
            }
            let weight = log_weight.min(LARGEST_LOG_WEIGHT).exp();
            self.acceptance += weight.min(1.0);
            total += weight;
            // The first point is always taken, and needs no random number.
            if step == 0 || rng.random::<f64>() * total < weight {
                copy(&end.point, draw);
            }
            add(new_momenta, 1.0, &end.momentum);
            let level = (step >> 1).count_ones() as usize;
            if step % 2 == 0 {
                let (first, before) = kept[2 * d * level..][..2 * d].split_at_mut(d);
                first.copy_from_slice(&end.momentum);
                before.copy_from_slice(new_momenta);
                continue;
            }
            let ending = step.trailing_ones() as usize;
            for level in level + 1 - ending..=level {
                let (first, before) = kept[2 * d * level..][..2 * d].split_at(d);
                let momenta = |i: usize| new_momenta[i] - before[i] + first[i];
                if turned(first, &end.momentum, momenta) {
                    return None;
                }
            }
        }
        Some(total)
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

fn copy(from: &Point, to: &mut Point) {
    to.position.clone_from(&from.position);
    to.gradient.clone_from(&from.gradient);
    to.log_density = from.log_density;
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
}
