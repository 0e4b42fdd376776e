//! The numbers of a level, from its weights and its whitened gradients C ∇ ln π_t.
//!
//! ```text
//! mean            Σ W { f + a·C∇ }
//! second moment   Σ W { (f − f₀)² + σ² + (a·δ)(a·C∇) },      δ = θ − θ₀
//! P(a·δ ≤ σc)     Σ W { Φ(c) − g_c(u) (u + q) },              u = a·δ/σ,  q = a·C∇/σ
//! ```
//!
//! The terms in C∇ have mean zero at their level, whatever a is. At the first level the gradient is known
//! at every point. Increments know its mean only: their second moments have no control variate, and
//! their distribution functions the linear one, 1{u ≤ c} − φ(c) q.

use crate::layout::{Direction, Slope};
use crate::path::EnrichedPath;
use crate::points::{Points, Weights};
use posterior::{Rows, Smooth};
use samplers::{Functional, Standardised, normal_density, normal_probability};

fn over(weights: &[f64], values: &[f64]) -> f64 {
    values.iter().zip(weights).map(|(f, w)| f * w).sum()
}

impl<R, M> EnrichedPath<'_, R, M>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    /// At the first level, where `moved` has C ∇ ln π at every point.
    pub(crate) fn first_numbers(
        &self,
        points: &Points,
        weights: &Weights,
        moved: &[f64],
    ) -> Vec<f64> {
        let (layout, d) = (self.layout(), self.model.dimension());
        let mut numbers = vec![0.0; layout.width()];
        let mut thresholds = self.thresholds.iter().enumerate().peekable();
        for (at, direction) in self.directions.iter().enumerate() {
            let raw = points.values_of(at);
            let smooth = direction.slope != Slope::None;
            let pulls: Vec<f64> =
                moved.chunks_exact(d).map(|moved| direction.slope.along(moved)).collect();
            let places: Vec<f64> =
                (0..points.count()).map(|point| self.place(points, direction, at, point)).collect();
            let asked = direction.threshold.is_some()
                || thresholds.peek().is_some_and(|(_, threshold)| threshold.functional == at);
            let seen: Vec<Standardised> = places
                .iter()
                .zip(&pulls)
                .filter(|_| asked)
                .map(|(place, pull)| {
                    let place = place / direction.deviation;
                    Standardised::new(place, place + pull / direction.deviation)
                })
                .collect();
            let values: Vec<f64> = match direction.threshold {
                Some(threshold) => seen.iter().map(|one| one.below(threshold)).collect(),
                None => raw.iter().zip(&pulls).map(|(f, pull)| f + pull).collect(),
            };
            let squares: Vec<f64> = (0..points.count())
                .map(|point| {
                    let square = (raw[point] - direction.centre).powi(2);
                    match direction.threshold {
                        None if smooth => {
                            square + direction.deviation.powi(2) + places[point] * pulls[point]
                        }
                        _ => square,
                    }
                })
                .collect();
            numbers[at] = over(&weights.estimate, &values);
            numbers[layout.second_moment(at)] = over(&weights.estimate, &squares);
            numbers[layout.remaining_bias(at)] = over(&weights.remaining, &values);
            while let Some((number, one)) =
                thresholds.next_if(|(_, threshold)| threshold.functional == at)
            {
                let probability = normal_probability(one.place);
                let below = |seen: &Standardised| match one.controlled {
                    true => seen.below_with(one.place, probability),
                    false => Standardised::plain(seen.place()).below(one.place),
                };
                let values: Vec<f64> = seen.iter().map(below).collect();
                numbers[layout.below(number)] = over(&weights.estimate, &values);
                numbers[layout.below_bias(number)] = over(&weights.remaining, &values);
            }
        }
        numbers[layout.share()] = weights.share;
        numbers
    }

    /// At one side of an increment, where `moved` is Σ W C ∇ ln π.
    pub(crate) fn increment_numbers(
        &self,
        points: &Points,
        weights: &Weights,
        moved: &[f64],
    ) -> Vec<f64> {
        let layout = self.layout();
        let mut numbers = vec![0.0; layout.width()];
        let mut thresholds = self.thresholds.iter().enumerate().peekable();
        for (at, direction) in self.directions.iter().enumerate() {
            let raw = points.values_of(at);
            let pull = direction.slope.along(moved);
            let linear = |threshold: f64| -normal_density(threshold) * pull / direction.deviation;
            let squares: Vec<f64> = raw.iter().map(|f| (f - direction.centre).powi(2)).collect();
            numbers[at] = over(&weights.estimate, raw) + direction.threshold.map_or(pull, linear);
            numbers[layout.second_moment(at)] = over(&weights.estimate, &squares);
            while let Some((number, one)) =
                thresholds.next_if(|(_, threshold)| threshold.functional == at)
            {
                let limit = one.place * direction.deviation;
                let inside = (0..points.count())
                    .filter(|&point| self.place(points, direction, at, point) <= limit)
                    .map(|point| weights.estimate[point]);
                let control = if one.controlled { linear(one.place) } else { 0.0 };
                numbers[layout.below(number)] = inside.sum::<f64>() + control;
            }
        }
        numbers
    }

    /// a·(θ_p − θ₀), which for a linear functional is its integrand's own move.
    fn place(&self, points: &Points, direction: &Direction, at: usize, point: usize) -> f64 {
        match self.functionals[at] {
            Functional::Mean(_) | Functional::Linear(_) => {
                points.values_of(at)[point] - direction.centre
            }
            _ => direction.slope.offset(points.position(point), self.anchor.centre()),
        }
    }
}
