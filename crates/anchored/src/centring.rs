//! Coordinates in which group effects hardly depend on their standard deviation.
//!
//! An effect u whose rows have the curvature h, and the mean m at the anchor's τ₀, is given τ about
//!
//! ```text
//! u ∣ τ ~ N(r m, r / (h + λ₀)),      r = (h + λ₀) / (h + λ),   λ = exp(−2τ),   λ₀ = exp(−2τ₀)
//! u = r m + √r (w − m)
//! ```
//!
//! and w has mean and variance that do not depend on τ. Where a level has many rows (h ≫ λ), r is one and w
//! is u itself, *centred*; where it has none, w is u / exp τ but for a constant, *non-centred*. Each level
//! lies in between by what its own rows say.
//!
//! ```text
//! ∂u/∂τ = s (u + r m),   ∂ ln √r / ∂τ = s,      s = λ / (h + λ)
//! ```

use crate::quadratic::Quadratic;
use debias::Ledger;
use posterior::{Group, Target};
use samplers::{Draws, Frame};

/// The map from w to u, level by level, and a frame for w.
#[derive(Clone, Debug)]
pub struct Centring {
    groups: Vec<Levels>,
    /// Where w and τ lie, and how far.
    pub frame: Frame,
}

#[derive(Clone, Debug)]
struct Levels {
    log_sd: usize,
    /// λ₀.
    precision: f64,
    levels: Vec<Level>,
}

#[derive(Clone, Copy, Debug)]
struct Level {
    parameter: usize,
    /// m.
    mean: f64,
    /// h.
    curvature: f64,
}

impl Centring {
    /// Of these groups, around an anchor.
    pub fn new(groups: &[Group], quadratic: &Quadratic, frame: Frame) -> Centring {
        let curvature = quadratic.hessian.diagonal_entries();
        let of_group = |group: &Group| {
            let level = |j: usize| Level {
                parameter: j,
                mean: quadratic.anchor[j],
                curvature: -curvature[j].min(0.0),
            };
            Levels {
                log_sd: group.log_sd,
                precision: group.precision(&quadratic.anchor),
                levels: group.effects.clone().map(level).collect(),
            }
        };
        Centring { groups: groups.iter().map(of_group).collect(), frame }
    }

    /// τ of each group.
    pub(crate) fn log_sds(&self) -> Vec<usize> {
        self.groups.iter().map(|group| group.log_sd).collect()
    }

    /// From w to u in place; returns ln |∂u/∂w|.
    fn place(&self, position: &mut [f64]) -> f64 {
        let mut volume = 0.0;
        for group in &self.groups {
            let precision = (-2.0 * position[group.log_sd]).exp();
            for level in &group.levels {
                let ratio = (level.curvature + group.precision) / (level.curvature + precision);
                let w = position[level.parameter];
                position[level.parameter] = ratio * level.mean + ratio.sqrt() * (w - level.mean);
                volume += 0.5 * ratio.ln();
            }
        }
        volume
    }

    /// At u, turns the gradient of a density of u into that of the density of w.
    fn turn(&self, position: &[f64], gradient: &mut [f64]) {
        for group in &self.groups {
            let precision = (-2.0 * position[group.log_sd]).exp();
            let mut along = 0.0;
            for level in &group.levels {
                let total = level.curvature + precision;
                let (ratio, share) =
                    ((level.curvature + group.precision) / total, precision / total);
                let slope = &mut gradient[level.parameter];
                along += share * (1.0 + *slope * (position[level.parameter] + ratio * level.mean));
                *slope *= ratio.sqrt();
            }
            gradient[group.log_sd] += along;
        }
    }

    /// Turns a gradient in w by the Jacobian J of the map at the anchor: J⁻ᵀ ∇_w.
    fn turn_back(&self, gradient: &mut [f64]) {
        for group in &self.groups {
            let along = |level: &Level| {
                let share = group.precision / (level.curvature + group.precision);
                2.0 * share * level.mean * gradient[level.parameter]
            };
            let along: f64 = group.levels.iter().map(along).sum();
            gradient[group.log_sd] -= along;
        }
    }

    /// The gradient of a log density at u as a control variate. ∇_u itself has mean zero, but where τ may be
    /// far below the anchor's it holds terms u exp(−2τ) of no finite variance. ∇_w has them not; turned by the
    /// Jacobian at the anchor, which does not depend on u, it still has mean zero, and C is its covariance
    /// still.
    pub(crate) fn control(&self, position: &[f64], gradient: &mut [f64]) {
        self.turn(position, gradient);
        self.turn_back(gradient);
    }

    /// Draws of w as draws of u, with gradients as control variates.
    pub fn draws(&self, draws: &Draws) -> Draws {
        draws.mapped(|position, gradient, log_density| {
            *log_density -= self.place(position);
            if !gradient.is_empty() {
                self.turn_back(gradient);
            }
        })
    }
}

/// A density of θ as one of the coordinates that chains move in: the same where there are no groups.
pub(crate) struct Placed<'a, T> {
    target: T,
    centring: Option<&'a Centring>,
    position: Vec<f64>,
}

impl<'a, T: Target> Placed<'a, T> {
    pub fn new(target: T, centring: Option<&'a Centring>) -> Placed<'a, T> {
        Placed { target, centring, position: Vec::new() }
    }
}

impl<T: Target> Target for Placed<'_, T> {
    fn dimension(&self) -> usize {
        self.target.dimension()
    }

    fn log_density(&mut self, position: &[f64]) -> f64 {
        let Some(centring) = self.centring else { return self.target.log_density(position) };
        self.position.clear();
        self.position.extend_from_slice(position);
        let volume = centring.place(&mut self.position);
        self.target.log_density(&self.position) + volume
    }

    fn gradient(&mut self, position: &[f64], gradient: &mut [f64]) -> f64 {
        let Some(centring) = self.centring else { return self.target.gradient(position, gradient) };
        self.position.clear();
        self.position.extend_from_slice(position);
        let volume = centring.place(&mut self.position);
        let value = self.target.gradient(&self.position, gradient);
        centring.turn(&self.position, gradient);
        value + volume
    }

    fn ledger(&self) -> Ledger {
        self.target.ledger()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use posterior::ArrowMatrix;
    use samplers::{Point, Step};

    /// Any smooth density: ln π = −½ Σ (x_j − j)² (1 + j) + x_0 x_2.
    struct Skewed;

    impl Target for Skewed {
        fn dimension(&self) -> usize {
            4
        }

        fn log_density(&mut self, x: &[f64]) -> f64 {
            self.gradient(x, &mut [0.0; 4])
        }

        fn gradient(&mut self, x: &[f64], gradient: &mut [f64]) -> f64 {
            let mut value = x[0] * x[2];
            for j in 0..4 {
                let (apart, weight) = (x[j] - j as f64, 1.0 + j as f64);
                gradient[j] = -weight * apart;
                value -= 0.5 * weight * apart * apart;
            }
            gradient[0] += x[2];
            gradient[2] += x[0];
            value
        }

        fn ledger(&self) -> Ledger {
            Ledger::default()
        }
    }

    fn centring() -> Centring {
        let mut hessian = vec![0.0; 16];
        (hessian[0], hessian[5], hessian[10]) = (-3.0, -0.5, -1.0);
        let quadratic = Quadratic {
            anchor: vec![0.7, -0.4, 0.1, -0.3],
            value: 0.0,
            gradient: vec![0.0; 4],
            hessian: ArrowMatrix::dense(4, hessian),
        };
        let groups = [Group { effects: 0..2, log_sd: 3 }];
        Centring::new(&groups, &quadratic, Frame::standard(4))
    }

    #[test]
    fn gradients_are_those_of_the_density_in_the_new_coordinates() {
        let centring = centring();
        let mut placed = Placed::new(Skewed, Some(&centring));
        let at = [0.3, -1.2, 0.5, 0.4];
        let mut gradient = [0.0; 4];
        let value = placed.gradient(&at, &mut gradient);
        assert_eq!(value, placed.log_density(&at));
        for j in 0..4 {
            let mut moved = |step: f64| {
                let mut there = at;
                there[j] += step;
                placed.log_density(&there)
            };
            let slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            assert!((gradient[j] - slope).abs() < 1e-7, "{j}: {} and {slope}", gradient[j]);
        }
    }

    #[test]
    fn draws_come_back_as_draws_of_the_density_itself() {
        let centring = centring();
        let mut placed = Placed::new(Skewed, Some(&centring));
        let at = vec![0.3, -1.2, 0.5, 0.4];
        let mut gradient = vec![0.0; 4];
        let log_density = placed.gradient(&at, &mut gradient);
        let mut draws = Draws::new(4);
        let step = Step { acceptance: 1.0, diverged: false, energy: None };
        draws.push(&Point { position: at, gradient, log_density }, step);
        let back = centring.draws(&draws);
        let theta = back.positions().to_vec();
        let mut own = [0.0; 4];
        assert!((Skewed.gradient(&theta, &mut own) - back.log_densities()[0]).abs() < 1e-12);
        centring.control(&theta, &mut own);
        let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-12;
        assert!(back.gradients().unwrap().iter().zip(&own).all(close));
        // By hand: at τ₀ = −0.3 the coordinates are the effects themselves.
        let mut same = [0.3, -1.2, 0.5, -0.3];
        assert!(centring.place(&mut same).abs() < 1e-15);
        assert!((same[0] - 0.3).abs() < 1e-15 && (same[1] + 1.2).abs() < 1e-15);
        // At the anchor's effects, too, the control variate is the gradient, but for what volume adds to τ.
        let anchor = [0.7, -0.4, 0.1, -0.3];
        Skewed.gradient(&anchor, &mut own);
        let plain = own;
        centring.control(&anchor, &mut own);
        assert!(own[..3].iter().zip(&plain).all(close));
        let share = |curvature: f64| 0.6_f64.exp() / (curvature + 0.6_f64.exp());
        assert!((own[3] - plain[3] - share(3.0) - share(0.5)).abs() < 1e-12);
    }
}
