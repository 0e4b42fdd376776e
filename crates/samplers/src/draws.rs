//! The draws of a chain, with what each of them tells about the run.

use crate::{Frame, Functional, Point, Step};
use std::ops::Range;

/// How long a chain is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    /// Transitions that are thrown away, in which kernels adapt.
    pub warm_up: usize,
    /// Transitions that are kept.
    pub draws: usize,
}

impl Length {
    /// All transitions, thrown away or kept.
    pub fn transitions(self) -> usize {
        self.warm_up + self.draws
    }
}

/// The kept part of a chain.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Draws {
    dimension: usize,
    // Invariants: draws × dimension entries in both; gradients may be missing altogether.
    positions: Vec<f64>,
    gradients: Vec<f64>,
    log_densities: Vec<f64>,
    steps: Vec<Step>,
    /// Divergences in the warm-up.
    pub warm_up_divergences: usize,
    /// The step size that the warm-up ended with, if the kernel has one.
    pub step_size: Option<f64>,
}

impl Draws {
    /// No draws yet, of this dimension.
    pub fn new(dimension: usize) -> Draws {
        Draws { dimension, ..Draws::default() }
    }

    /// Appends a draw.
    ///
    /// # Panics
    /// If the point has another dimension, or draws have gradients only sometimes.
    pub fn push(&mut self, point: &Point, step: Step) {
        assert_eq!(point.position.len(), self.dimension, "a draw of another dimension");
        self.positions.extend_from_slice(&point.position);
        self.gradients.extend_from_slice(&point.gradient);
        self.log_densities.push(point.log_density);
        self.steps.push(step);
        assert!(
            self.gradients.is_empty() || self.gradients.len() == self.positions.len(),
            "draws have gradients always or never"
        );
    }

    /// d.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// How many draws there are.
    pub fn count(&self) -> usize {
        self.steps.len()
    }

    /// All draws, one after the other.
    pub fn positions(&self) -> &[f64] {
        &self.positions
    }

    /// The draws, one by one.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.positions.chunks_exact(self.dimension)
    }

    /// Coordinate j of all draws.
    pub fn coordinate(&self, j: usize) -> Vec<f64> {
        self.iter().map(|theta| theta[j]).collect()
    }

    /// The gradients of the log density at the draws, if the kernel computed them.
    pub fn gradients(&self) -> Option<&[f64]> {
        (!self.gradients.is_empty()).then_some(&self.gradients)
    }

    /// ln π at the draws.
    pub fn log_densities(&self) -> &[f64] {
        &self.log_densities
    }

    /// What happened in each transition.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Transitions that diverged after the warm-up.
    pub fn divergences(&self) -> usize {
        self.steps.iter().filter(|step| step.diverged).count()
    }

    /// The mean acceptance probability.
    pub fn acceptance(&self) -> f64 {
        self.steps.iter().map(|step| step.acceptance).sum::<f64>() / self.count() as f64
    }

    /// The energies of the transitions, for kernels with a momentum in every step.
    pub fn energies(&self) -> Option<Vec<f64>> {
        self.steps.iter().map(|step| step.energy).collect()
    }

    /// The functionals of the draws, equally weighted.
    pub fn functionals(&self, functionals: &[Functional]) -> Vec<f64> {
        let weights = vec![1.0 / self.count() as f64; self.count()];
        functionals.iter().map(|functional| functional.of_weighted(self.iter(), &weights)).collect()
    }

    /// Consecutive draws alone.
    pub fn part(&self, range: Range<usize>) -> Draws {
        let entries = range.start * self.dimension..range.end * self.dimension;
        let gradients = self.gradients().map_or(Vec::new(), |all| all[entries.clone()].to_vec());
        Draws {
            positions: self.positions[entries].to_vec(),
            gradients,
            log_densities: self.log_densities[range.clone()].to_vec(),
            steps: self.steps[range].to_vec(),
            ..*self
        }
    }

    /// The same draws after a change of variables, which is handed position, gradient (empty where there is
    /// none) and log density of each.
    pub fn mapped(&self, change: impl Fn(&mut [f64], &mut [f64], &mut f64)) -> Draws {
        let (d, mut mapped) = (self.dimension, self.clone());
        for (draw, log_density) in mapped.log_densities.iter_mut().enumerate() {
            let entries = draw * d..(draw + 1) * d;
            let gradient = match mapped.gradients.is_empty() {
                true => &mut [][..],
                false => &mut mapped.gradients[entries.clone()],
            };
            change(&mut mapped.positions[entries], gradient, log_density);
        }
        mapped
    }

    /// Draws of z as draws of θ = μ + C z, gradients too: ∇_θ = C⁻ᵀ ∇_z.
    pub fn placed(&self, frame: &Frame) -> Draws {
        let d = self.dimension;
        let mut placed = Draws { positions: Vec::new(), gradients: Vec::new(), ..self.clone() };
        for z in self.iter() {
            let mut position = vec![0.0; d];
            frame.place(z, &mut position);
            placed.positions.extend(position);
        }
        for slope in self.gradients.chunks_exact(d) {
            let mut gradient = slope.to_vec();
            frame.factor().solve_transpose(&mut gradient);
            placed.gradients.extend(gradient);
        }
        placed
    }
}
