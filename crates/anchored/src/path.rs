//! The enriched path: levels that differ in how many of the remainders they have sampled.
//!
//! ```text
//! π_t(θ) ∝ p(θ) exp{ Q(θ) + Σ_{i ∈ S_t} w_i r_i(θ) },    r_i = ℓ_i − q_i,    t = 1, …, L
//! ```
//!
//! S_t is a sample with the exponents of level t and calibrated weights; S_L is every row with
//! weight one, so that π_L is the full posterior exactly. All levels of a replicate reweigh the same
//! points, and every expectation has control variates from the gradient of its own level,
//!
//! ```text
//! φ_t = Σ_p W_p { f(θ_p) + ∇f(θ₀)ᵀ C ∇ ln π_t(θ_p) },
//! ```
//!
//! whose coefficients come from the anchor, never from the points that they correct. The first level has
//! that gradient at every point, and with it the control variates of second moments and of distribution
//! functions (`samplers::Standardised`); increments of an event a·θ ≤ c have the linear one of the
//! Gaussian, −φ(c) a/σ. An antithetic increment takes the mean of its two halves away, which are samples of the level below:
//!
//! ```text
//! Δ_t = φ(S_t) − ½ [φ(half) + φ(other half)].
//! ```
//!
//! Both halves and the whole share every evaluation of a row at a point.

use crate::anchor::{Anchor, CAP};
use crate::calibration::{add_curvature, ratios, rescale};
use crate::counted::CountedRows;
use crate::layout::{Direction, Layout, Threshold};
use crate::points::{PointSource, Points, Weights};
use crate::strata::{Picked, Sample, Strata};
use crate::weighting::Weighting;
use debias::{Caveat, Coupling, Ledger, Path, Rng, Term};
use posterior::{Regression, RowExpansions, Rows, Smooth};
use samplers::Functional;

/// Rows gathered at a time.
const CHUNK: usize = 1 << 12;
/// Remainders, rows times points, up to which they are kept between two sweeps over a sample.
const KEPT: usize = 1 << 22;

/// Everything that the levels of the path are made of.
pub struct EnrichedPath<'a, R: Rows, M> {
    /// The model.
    pub model: &'a M,
    /// Its rows.
    pub regression: &'a dyn Regression<R::Block>,
    /// The rows with their counts.
    pub rows: &'a CountedRows<'a, R>,
    /// The quadratic of all rows.
    pub anchor: &'a Anchor,
    /// The rows by octaves of their score.
    pub strata: &'a Strata,
    /// The exponents of the first level.
    pub exponents: Vec<u8>,
    /// What is asked.
    pub functionals: &'a [Functional],
    /// Their control variates: [`Direction::all`].
    pub directions: Vec<Direction>,
    /// Where distribution functions are wanted, in the order of the functionals.
    pub thresholds: Vec<Threshold>,
    /// Where points come from.
    pub points: PointSource,
}

/// Points that have no weight at some level.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("at level {level} no point of the replicate has a finite positive weight")]
pub struct NoWeight {
    /// t.
    pub level: usize,
}

/// Rows of a chunk, ready to be evaluated.
struct Chunk<B> {
    block: B,
    rows: RowExpansions,
    counts: Vec<f64>,
    dominant: Vec<u32>,
}

impl<R, M> EnrichedPath<'_, R, M>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    /// How replicates are laid out.
    pub fn layout(&self) -> Layout {
        Layout { functionals: self.functionals.len(), thresholds: self.thresholds.len() }
    }

    /// Rows that level t is expected to sample.
    pub fn expected_rows(&self, level: usize) -> f64 {
        self.strata.expected(&Strata::level(&self.exponents, level))
    }

    /// Points for trials, drawn elsewhere.
    pub fn points_at(&self, positions: Vec<f64>, log_densities: &[f64], together: usize) -> Points {
        Points::new(self.model, self.anchor, self.functionals, positions, log_densities, together)
    }

    /// A sample of level t.
    pub fn sample(&self, level: usize, rng: &mut Rng) -> Sample {
        self.strata.draw(&Strata::level(&self.exponents, level), rng)
    }

    /// φ_t on a given sample.
    pub fn level_on(
        &self,
        points: &Points,
        sample: &Sample,
        level: usize,
    ) -> Result<Term, NoWeight> {
        let picked = sample.picked();
        let whole = Weighting::whole(self.strata, sample, &picked);
        let (mut values, cost) = self.evaluate(points, &picked, &[whole], level, true)?;
        Ok(Term { value: values.swap_remove(0), cost })
    }

    /// φ_t on a given sample minus what its halves say of the level below: the mean of both, or the
    /// first alone.
    pub fn increment_on(
        &self,
        points: &Points,
        sample: &Sample,
        halves: &[Sample],
        level: usize,
    ) -> Result<Term, NoWeight> {
        let picked = sample.picked();
        let mut weightings = vec![Weighting::whole(self.strata, sample, &picked)];
        weightings.extend(halves.iter().map(|half| Weighting::part(self.strata, sample, half)));
        let (values, cost) = self.evaluate(points, &picked, &weightings, level, false)?;
        let mut value = values[0].clone();
        for below in &values[1..] {
            for (value, below) in value.iter_mut().zip(below) {
                *value -= below / halves.len() as f64;
            }
        }
        Ok(Term { value, cost })
    }

    fn chunk(&self, picked: &[Picked]) -> Chunk<R::Block> {
        let kinds: Vec<usize> = picked.iter().map(|one| one.row as usize).collect();
        let (block, counts) = self.rows.gather(&kinds);
        let (centre, covariance) = (self.anchor.centre(), Some(&self.anchor.covariance.entries));
        let rows = self.regression.expand(centre, covariance, CAP, &block);
        let dominant = self.regression.dominant(&self.anchor.variances, &block);
        Chunk { block, rows, counts, dominant }
    }

    /// Remainders and slopes of a chunk, point after point.
    fn remainders(&self, chunk: &Chunk<R::Block>, points: &Points) -> (Vec<f64>, Vec<f64>) {
        let count = chunk.counts.len();
        let mut values = vec![0.0; count * points.count()];
        let of_point = self.regression.predictors() * count;
        let mut slopes = vec![0.0; of_point * points.count()];
        let each = values.chunks_exact_mut(count).zip(slopes.chunks_exact_mut(of_point));
        for (point, (values, slopes)) in each.enumerate() {
            let offset: Vec<f64> = points
                .position(point)
                .iter()
                .zip(self.anchor.centre())
                .map(|(a, b)| a - b)
                .collect();
            self.regression.remainders(&offset, &chunk.block, &chunk.rows, None, values, slopes);
        }
        (values, slopes)
    }

    /// The numbers of a level for each weighting of the same rows.
    fn evaluate(
        &self,
        points: &Points,
        picked: &[Picked],
        weightings: &[Weighting],
        level: usize,
        first: bool,
    ) -> Result<(Vec<Vec<f64>>, Ledger), NoWeight> {
        let (d, count) = (self.model.dimension(), picked.len());
        let keep = count * points.count() <= KEPT;
        let (mut chunks, mut evaluated) = (Vec::new(), Vec::new());
        let starts = || (0..count).step_by(CHUNK);
        let range = |start: usize| start..count.min(start + CHUNK);
        // Calibration needs the totals of the whole sample before any remainder is weighted.
        let mut sums: Vec<Vec<f64>> = weightings.iter().map(|_| vec![0.0; d]).collect();
        let weights_of =
            |weighting: &Weighting, chunk: &Chunk<R::Block>, start: usize| -> Vec<f64> {
                let own = &weighting.weights[range(start)];
                own.iter().zip(&chunk.counts).map(|(weight, count)| weight * count).collect()
            };
        for start in starts() {
            let chunk = self.chunk(&picked[range(start)]);
            for (weighting, sums) in weightings.iter().zip(&mut sums) {
                let weights = weights_of(weighting, &chunk, start);
                let unsaturated = &weighting.unsaturated[range(start)];
                add_curvature(sums, &weights, unsaturated, &chunk.dominant, &chunk.rows);
            }
            if keep {
                chunks.push(chunk);
            }
        }
        let factors: Vec<Vec<f64>> = weightings
            .iter()
            .zip(&sums)
            .map(|(weighting, sums)| ratios(sums, &weighting.totals))
            .collect();
        let calibrated = |which: usize, chunk: &Chunk<R::Block>, start: usize| {
            let mut weights = weights_of(&weightings[which], chunk, start);
            let unsaturated = &weightings[which].unsaturated[range(start)];
            rescale(&mut weights, unsaturated, &chunk.dominant, &factors[which]);
            weights
        };
        let mut log_weights = vec![points.log_ratios.clone(); weightings.len()];
        let mut work = Ledger { distinct_rows: count as u64, ..Ledger::default() };
        for (at, start) in starts().enumerate() {
            let again;
            let chunk = if keep {
                &chunks[at]
            } else {
                again = self.chunk(&picked[range(start)]);
                &again
            };
            let found = self.remainders(chunk, points);
            work.gradients += (chunk.counts.len() * (points.count() + 1)) as u64;
            for (which, log_weights) in log_weights.iter_mut().enumerate() {
                let weights = calibrated(which, chunk, start);
                let each = found.0.chunks_exact(weights.len()).zip(log_weights);
                for (values, log_weight) in each {
                    *log_weight += values.iter().zip(&weights).map(|(r, w)| r * w).sum::<f64>();
                }
            }
            if keep {
                evaluated.push(found);
            }
        }
        let found: Option<Vec<Weights>> =
            log_weights.iter().map(|weights| Weights::new(points, weights)).collect();
        let found = found.ok_or(NoWeight { level })?;
        // ∇ ln π_t: averaged over the points with the weights of the estimate, or at every point, which is
        // what control variates for group effects are made of.
        let centring = self.anchor.centring.as_ref();
        let each = first || centring.is_some();
        let mut gradients: Vec<Vec<f64>> = found
            .iter()
            .map(|weights| {
                if each {
                    return points.gradients.clone();
                }
                averaged(d, &points.gradients, &weights.estimate)
            })
            .collect();
        for (at, start) in starts().enumerate() {
            let again;
            let chunk = if keep {
                &chunks[at]
            } else {
                again = self.chunk(&picked[range(start)]);
                &again
            };
            let slopes_again;
            let slopes = if keep {
                &evaluated[at].1
            } else {
                work.gradients += (chunk.counts.len() * points.count()) as u64;
                slopes_again = self.remainders(chunk, points).1;
                &slopes_again
            };
            for (which, weights) in found.iter().enumerate() {
                let own = calibrated(which, chunk, start);
                let size = self.regression.predictors() * own.len();
                let slopes = slopes.chunks_exact(size);
                let weigh = |terms: &mut [f64]| {
                    for terms in terms.chunks_exact_mut(own.len()) {
                        terms.iter_mut().zip(&own).for_each(|(term, w)| *term *= w);
                    }
                };
                if each {
                    for (slopes, sum) in slopes.zip(gradients[which].chunks_exact_mut(d)) {
                        let mut terms = slopes.to_vec();
                        weigh(&mut terms);
                        self.regression.add_rows(&terms, &chunk.block, sum);
                    }
                    continue;
                }
                let mut terms = vec![0.0; size];
                for (slopes, weight) in slopes.zip(&weights.estimate) {
                    terms.iter_mut().zip(slopes).for_each(|(term, u)| *term += weight * u);
                }
                weigh(&mut terms);
                self.regression.add_rows(&terms, &chunk.block, &mut gradients[which]);
            }
        }
        if let Some(centring) = centring {
            for (gradients, weights) in gradients.iter_mut().zip(&found) {
                for (point, gradient) in gradients.chunks_exact_mut(d).enumerate() {
                    centring.control(points.position(point), gradient);
                }
                if !first {
                    *gradients = averaged(d, gradients, &weights.estimate);
                }
            }
        }
        let values = found.iter().zip(&gradients);
        let values = values.map(|(weights, gradients)| {
            let moved: Vec<f64> = gradients
                .chunks_exact(d)
                .flat_map(|gradient| self.anchor.covariance.times(gradient))
                .collect();
            if first {
                self.first_numbers(points, weights, &moved)
            } else {
                self.increment_numbers(points, weights, &moved)
            }
        });
        Ok((values.collect(), work))
    }
}

/// The weighted sum of vectors of d entries.
fn averaged(d: usize, vectors: &[f64], weights: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; d];
    for (vector, weight) in vectors.chunks_exact(d).zip(weights) {
        sum.iter_mut().zip(vector).for_each(|(sum, x)| *sum += weight * x);
    }
    sum
}

impl<R, M> Path for EnrichedPath<'_, R, M>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    type Shared = Points;
    type Error = NoWeight;

    fn levels(&self) -> usize {
        1 + usize::from(self.exponents.iter().copied().max().unwrap_or(0))
    }

    fn caveats(&self) -> Vec<Caveat> {
        match self.points {
            PointSource::Chains { .. } => vec![Caveat::SelfNormalisedWeights, Caveat::FiniteChain],
            PointSource::Mirrored { .. } => vec![Caveat::SelfNormalisedWeights],
        }
    }

    fn level_cost(&self, level: usize) -> f64 {
        self.expected_rows(level) * (self.points.count() + 1) as f64
    }

    fn increment_cost(&self, level: usize, _: Coupling) -> f64 {
        // The halves look at no row again.
        self.level_cost(level)
    }

    fn begin(&self, rng: &mut Rng) -> Result<(Points, Ledger), NoWeight> {
        self.begin_replicate(0, rng)
    }

    fn begin_replicate(&self, replicate: u64, rng: &mut Rng) -> Result<(Points, Ledger), NoWeight> {
        let points = self.points.draw(self.model, self.anchor, self.functionals, replicate, rng);
        Ok((points, Ledger::default()))
    }

    fn prefix(
        &self,
        points: &mut Points,
        depth: usize,
        rng: &mut Rng,
    ) -> Result<Vec<Term>, NoWeight> {
        let mut sample = self.sample(depth, rng);
        let mut terms = Vec::new();
        for level in (1..=depth).rev() {
            terms.push(self.level_on(points, &sample, level)?);
            if level > 1 {
                let below = Strata::level(&self.exponents, level - 1);
                [sample, _] = self.strata.halve(&sample, &below, rng);
            }
        }
        terms.reverse();
        Ok(terms)
    }

    fn increment(
        &self,
        points: &mut Points,
        level: usize,
        coupling: Coupling,
        rng: &mut Rng,
    ) -> Result<Term, NoWeight> {
        let sample = self.sample(level, rng);
        if level == 1 {
            return self.level_on(points, &sample, 1);
        }
        let below = Strata::level(&self.exponents, level - 1);
        let halves = self.strata.halve(&sample, &below, rng);
        let used = if coupling == Coupling::Antithetic { &halves[..] } else { &halves[..1] };
        self.increment_on(points, &sample, used, level)
    }
}
