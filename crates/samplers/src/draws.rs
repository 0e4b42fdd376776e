//! The draws of a chain, with what each of them tells about the run.

use crate::{Point, Step};

/// How long a chain is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    /// Transitions that are thrown away, in which kernels adapt.
    pub warm_up: usize,
    /// Transitions that are kept.
    pub draws: usize,
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
    /// The step size that the warm-up ended with; NaN for kernels without.
    pub step_size: f64,
}

impl Draws {
    /// No draws yet, of this dimension.
    pub fn new(dimension: usize) -> Draws {
        Draws { dimension, step_size: f64::NAN, ..Draws::default() }
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

    /// The energies of the transitions; NaN for kernels without momentum.
    pub fn energies(&self) -> Vec<f64> {
        self.steps.iter().map(|step| step.energy).collect()
    }
}
