//! What a no-U-turn kernel learns in its warm-up.
//!
//! ```text
//! step size:  dual averaging towards the wanted acceptance (Hoffman & Gelman 2014, section 3.2)
//! scales:     s_j² = sd(θ_j) / sd(∂_j ln π), over windows that double in length
//! ```
//!
//! For a Gaussian in one dimension any two draws give the scale exactly, so short windows do; nutpie
//! takes its metric from the same ratio. The first and the last fifteen in a hundred steps leave the
//! scales alone.

use super::Metric;
use crate::{Point, Warming};

/// Step size and scales as learnt so far.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Learning {
    pub(super) step_size: f64,
    pub(super) scales: Vec<f64>,
    averaging: DualAveraging,
    window: Window,
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct DualAveraging {
    centre: f64,
    shortfall: f64,
    log_average: f64,
    count: f64,
}

/// Sums over the present window: count, then mean and squares of θ and of the gradient.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Window {
    count: f64,
    end: usize,
    positions: Vec<(f64, f64)>,
    gradients: Vec<(f64, f64)>,
}

/// The shortest window that says something about scales.
const FIRST_WINDOW: usize = 20;

impl Learning {
    pub(super) fn new(dimension: usize, step_size: f64) -> Learning {
        Learning {
            step_size,
            scales: vec![1.0; dimension],
            averaging: DualAveraging::new(step_size),
            window: Window::new(dimension, 0),
        }
    }

    /// Takes in the point and the acceptance of one step.
    pub(super) fn learn(
        &mut self,
        point: &Point,
        acceptance: f64,
        wanted: f64,
        metric: Metric,
        warming: Warming,
    ) {
        let Warming { iteration, length } = warming;
        self.step_size = self.averaging.update(wanted - acceptance);
        if iteration == length {
            self.step_size = self.averaging.log_average.exp();
        }
        let (begin, end) = (length * 15 / 100, length - length * 15 / 100);
        if metric == Metric::Unit || end - begin < FIRST_WINDOW || iteration < begin {
            return;
        }
        let d = self.scales.len();
        if iteration == begin {
            self.window = Window::new(d, window_end(iteration, FIRST_WINDOW, end));
        } else if iteration <= end {
            self.window.add(point);
            if iteration == self.window.end {
                self.window.scales(&mut self.scales);
                let next = window_end(iteration, 2 * self.window.count as usize, end);
                self.window = Window::new(d, next);
                self.averaging = DualAveraging::new(self.step_size);
            }
        }
    }
}

/// The end of a window that begins here; the last one takes what would be too short for another.
fn window_end(begin: usize, size: usize, end: usize) -> usize {
    if begin + 3 * size > end { end } else { begin + size }
}

impl DualAveraging {
    fn new(step_size: f64) -> DualAveraging {
        let log = step_size.ln();
        // A centre ten times larger, because large steps are the cheap ones to try.
        DualAveraging { centre: log + 10f64.ln(), shortfall: 0.0, log_average: log, count: 0.0 }
    }

    /// The next step size to try; γ = 0.05, t₀ = 10, κ = 0.75.
    fn update(&mut self, shortfall: f64) -> f64 {
        self.count += 1.0;
        let weight = 1.0 / (self.count + 10.0);
        self.shortfall += weight * (shortfall - self.shortfall);
        let log = self.centre - self.count.sqrt() / 0.05 * self.shortfall;
        let decay = self.count.powf(-0.75);
        self.log_average += decay * (log - self.log_average);
        log.exp()
    }
}

impl Window {
    fn new(dimension: usize, end: usize) -> Window {
        let empty = vec![(0.0, 0.0); dimension];
        Window { count: 0.0, end, positions: empty.clone(), gradients: empty }
    }

    fn add(&mut self, point: &Point) {
        self.count += 1.0;
        let both = [(&mut self.positions, &point.position), (&mut self.gradients, &point.gradient)];
        for (sums, values) in both {
            for ((mean, squares), value) in sums.iter_mut().zip(values) {
                let before = value - *mean;
                *mean += before / self.count;
                *squares += before * (value - *mean);
            }
        }
    }

    fn scales(&self, scales: &mut [f64]) {
        let sums = self.positions.iter().zip(&self.gradients);
        for (scale, ((_, positions), (_, gradients))) in scales.iter_mut().zip(sums) {
            let scale_4 = positions / gradients;
            // A coordinate that has not moved keeps its scale.
            if scale_4 > 0.0 && scale_4.is_finite() {
                *scale = scale_4.sqrt().sqrt();
            }
        }
    }
}
