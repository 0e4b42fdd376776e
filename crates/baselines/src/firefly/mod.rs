//! Firefly Monte Carlo: an exact chain that looks at few rows (Maclaurin & Adams 2014).
//!
//! Every row gets a variable z_i ∈ {0, 1}, bright or dark, and θ and z are sampled in turn from
//!
//! ```text
//! p(θ) Π_{i dark} B_i(θ) Π_{i bright} [L_i(θ) − B_i(θ)],       0 < B_i ≤ L_i,
//! ```
//!
//! whose marginal in θ is the posterior, because B_i + (L_i − B_i) = L_i. The bounds are those of
//! Jaakkola & Jordan, which multiply to a Gaussian, made to touch at the mode; near it few rows
//! are bright.
//!
//! - [`Bounds`]: the bounds and their sum, one pass.
//! - [`Brightness`]: z given θ.
//! - `Conditional`: θ given z, moved by any [`Kernel`] in the coordinates of the Laplace
//!   approximation.
//!
//! Set-up, the mode and the pass for the bounds, counts in every answer.

mod bound;
mod brightness;
mod conditional;

pub use bound::Bounds;
pub use brightness::Brightness;

use crate::{Budget, Exhausted, Misfit, SmoothModeError, smooth_mode};
use conditional::Conditional;
use debias::{Estimate, Estimator, Ledger, Rng};
use models::design::Design;
use models::logistic::Logistic;
use posterior::{Rows, Target};
use samplers::{
    Draws, Frame, Functional, Kernel, Length, Start, StartError, StartRuleError, Warming, Whitened,
};

/// The sampler, set up for one data set.
pub struct Firefly<'a, R: Rows, K> {
    rows: &'a R,
    model: &'a Logistic<R::Block>,
    settings: FireflySettings<K>,
    bounds: Bounds,
    frame: Frame,
    setup: Ledger,
    budget: Budget,
}

/// How to move, and what to ask.
#[derive(Clone, Debug)]
pub struct FireflySettings<K> {
    /// What moves θ, in the coordinates of the Laplace approximation; adapts in the warm-up only.
    pub kernel: K,
    /// How z is resampled after each move.
    pub brightness: Brightness,
    /// Where θ starts, in standard deviations of the Laplace approximation about the mode. At zero
    /// all rows are dark, as they must be there; elsewhere brightness is drawn in one more pass.
    pub spread: f64,
    /// Warm-up and draws of one answer.
    pub length: Length,
    /// φ.
    pub functionals: Vec<Functional>,
}

/// One chain.
#[derive(Clone, Debug)]
pub struct FireflyRun {
    /// The draws of θ; their log densities are those of θ given z.
    pub draws: Draws,
    /// Bright rows after each draw.
    pub bright: Vec<usize>,
    /// N.
    pub rows: usize,
    /// All work, set-up included.
    pub ledger: Ledger,
    /// The set-up alone.
    pub setup: Ledger,
}

impl FireflyRun {
    /// The mean share of bright rows.
    pub fn bright_share(&self) -> f64 {
        self.bright.iter().sum::<usize>() as f64 / self.bright.len() as f64 / self.rows as f64
    }
}

/// Why there is no chain.
#[derive(Debug, thiserror::Error)]
pub enum FireflyError {
    /// q is no probability, or zero.
    #[error("a probability of {dark_to_bright} of lighting a dark row")]
    DarkToBright {
        /// q.
        dark_to_bright: f64,
    },
    /// None or too many rows to resample, or no draws were asked for.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// No centre for the bounds.
    #[error(transparent)]
    Mode(#[from] SmoothModeError),
    /// No starting point.
    #[error(transparent)]
    Rule(#[from] StartRuleError),
    /// The chain cannot start, or cannot go on with other rows bright.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The budget was used up.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

impl<'a, R, K> Firefly<'a, R, K>
where
    R: Rows,
    R::Block: Design,
    K: Kernel,
{
    /// Finds the mode and makes the bounds touch there.
    pub fn new(
        rows: &'a R,
        model: &'a Logistic<R::Block>,
        settings: FireflySettings<K>,
    ) -> Result<Firefly<'a, R, K>, FireflyError> {
        match settings.brightness {
            Brightness::Implicit { dark_to_bright: q } if !(q > 0.0 && q <= 1.0) => {
                return Err(FireflyError::DarkToBright { dark_to_bright: q });
            }
            Brightness::Explicit { rows: size } => Misfit::batch(size, rows.count())?,
            _ => {}
        }
        Misfit::length(settings.length)?;
        let (mode, frame) = smooth_mode(model, rows)?;
        let bounds = Bounds::touching_at(model, rows, &mode.theta);
        let mut setup = mode.ledger + bounds.ledger;
        setup.distinct_rows = rows.count() as u64;
        let budget = Budget::UNLIMITED;
        Ok(Firefly { rows, model, settings, bounds, frame, setup, budget })
    }

    /// The same, within a budget.
    pub fn within(self, budget: Budget) -> Firefly<'a, R, K> {
        Firefly { budget, ..self }
    }

    /// The work that found mode and bounds; it counts in every answer.
    pub fn setup(&self) -> Ledger {
        self.setup
    }

    /// The mode under a smooth prior and the Laplace approximation there.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// A chain of this length.
    pub fn run(&self, length: Length, rng: &mut Rng) -> Result<FireflyRun, FireflyError> {
        let Firefly { rows, settings, frame, .. } = self;
        let FireflySettings { kernel, brightness, spread, .. } = settings;
        self.budget.check(self.setup)?;
        let d = frame.dimension();
        let mut theta = Start::Frame { spread: *spread }.draw(d, Some(frame), rng)?;
        let mut conditional = Conditional::dark(*rows, self.model, &self.bounds);
        // At the mode every bound touches, and a row is dark with certainty.
        let lit = if *spread == 0.0 { Vec::new() } else { self.first_lit(&theta, rng) };
        let drawn = if *spread == 0.0 { 0 } else { rows.count() as u64 };
        conditional.light(&theta, &lit);
        let z = frame.coordinates(&theta);
        // The chain's own θ, from its z: the two ways round differ in the last bit.
        let mut state = kernel.init(&mut Whitened::new(&mut conditional, frame), &z)?;
        let mut draws = Draws::new(d);
        let mut bright = Vec::with_capacity(length.draws);
        let work = |conditional: &Conditional<'_, R>| {
            let mut ledger = self.setup + conditional.ledger();
            ledger.likelihoods += drawn;
            ledger
        };
        for iteration in 1..=length.transitions() {
            let step = kernel.step(&mut Whitened::new(&mut conditional, frame), &mut state, rng);
            if iteration <= length.warm_up {
                kernel.tune(&mut state, &step, Warming { iteration, length: length.warm_up });
            }
            frame.place(&kernel.point(&state).position, &mut theta);
            let lit = conditional.settle(&theta);
            let gaps = |rows: &[usize]| conditional.gaps(&theta, rows);
            let lit = brightness.resample(&lit, rows.count(), gaps, rng);
            conditional.light(&theta, &lit);
            kernel.renew(&mut Whitened::new(&mut conditional, frame), &mut state)?;
            if iteration > length.warm_up {
                draws.push(kernel.point(&state), step);
                bright.push(conditional.bright());
            }
            self.budget.check(work(&conditional))?;
        }
        draws.step_size = kernel.step_size(&state);
        let (draws, ledger) = (draws.placed(frame), work(&conditional));
        Ok(FireflyRun { draws, bright, rows: rows.count(), ledger, setup: self.setup })
    }

    /// Brightness of all rows from its law at θ; N likelihoods.
    fn first_lit(&self, theta: &[f64], rng: &mut Rng) -> Vec<brightness::Lit> {
        const STRETCH: usize = 1 << 16;
        let count = self.rows.count();
        let mut all = Conditional::dark(self.rows, self.model, &self.bounds);
        let mut lit = Vec::new();
        for start in (0..count).step_by(STRETCH) {
            let stretch: Vec<usize> = (start..count.min(start + STRETCH)).collect();
            lit.extend(brightness::gibbs(start, &all.gaps(theta, &stretch), rng));
        }
        lit
    }
}

impl<R, K> Estimator for Firefly<'_, R, K>
where
    R: Rows,
    R::Block: Design,
    K: Kernel,
{
    type Error = FireflyError;

    fn estimate(&self, _: u64, rng: &mut Rng) -> Result<Estimate, FireflyError> {
        let run = self.run(self.settings.length, rng)?;
        let weights = vec![1.0 / run.draws.count() as f64; run.draws.count()];
        let value = |functional: &Functional| functional.of_weighted(run.draws.iter(), &weights);
        let value = self.settings.functionals.iter().map(value).collect();
        Ok(Estimate { value, depth: 1, cost: run.ledger })
    }

    /// Counts the set-up and the rows that resampling looks at; bright rows are not known before.
    fn expected_cost(&self, _: u64) -> f64 {
        let sweep = self.settings.brightness.looked_at(self.rows.count());
        self.setup.evaluations() as f64 + self.settings.length.transitions() as f64 * sweep
    }
}
