//! The Zig-Zag process with subsampling and control variates (Bierkens, Fearnhead & Roberts 2019,
//! "The Zig-Zag process and super-efficient sampling", sections 2 and 4).
//!
//! θ moves in straight lines, θ̇ = v with |v_i| = σ_i, and coordinate i turns round at the rate
//!
//! ```text
//! λ_i(θ, v) = (v_i [g_i − ∂_i ln p(θ)])⁺ + Σ_j (v_i x_ji D_j(θ))⁺
//! λ_i(θ, v) − λ_i(θ, −v) = −v_i ∂_i ln π(θ),
//! ```
//!
//! which leaves the posterior invariant: no step is ever refused, and time averages along the path
//! are expectations. g is the gradient of all rows at the centre θ*, D_j what row j adds to it away
//! from there. Turns are found exactly, by thinning: at the rate of a bound a row is drawn at random,
//! then a coordinate with probability ∝ |v_i x_ji|, and it turns with probability
//! N S_j (±D_j)⁺ / bound. Two gradients of one row a proposal, at θ and at θ*.
//!
//! - [`Rate`](clock::Rate): arrival times under linear bounds.
//! - [`Envelope`](envelope::Envelope): the bound over all rows, one pass.
//! - [`AnchorClock`](anchor_clock::AnchorClock): turns by prior and centre, the Laplace prior's kink
//!   included.
//! - [`Trajectory`](trajectory::Trajectory): the path and its integrals.

mod anchor_clock;
mod clock;
mod envelope;
mod trajectory;
mod walk;

use crate::{Budget, Exhausted, SmoothModeError, smooth_mode};
use anchor_clock::AnchorClock;
use debias::{Estimate, Estimator, Ledger, Rng};
use envelope::Envelope;
use models::design::Design;
use models::logistic::Logistic;
use posterior::Rows;
use samplers::Functional;
use walk::Walk;

/// The process, set up for one data set.
pub struct ZigZag<'a, R> {
    rows: &'a R,
    settings: ZigZagSettings,
    anchor: AnchorClock,
    // σ: the standard deviations of the Laplace approximation.
    scales: Vec<f64>,
    envelope: Envelope,
    setup: Ledger,
    budget: Budget,
}

/// How long, and what to ask.
#[derive(Clone, Debug)]
pub struct ZigZagSettings {
    /// Time thrown away; in one unit of time each coordinate moves by one standard deviation.
    pub warm_up: f64,
    /// Time over which is averaged.
    pub duration: f64,
    /// Points at equal times at which functionals other than means and variances are averaged.
    pub grid: usize,
    /// φ; means and variances are integrated exactly.
    pub functionals: Vec<Functional>,
}

/// One path.
#[derive(Clone, Debug, PartialEq)]
pub struct ZigZagRun {
    /// The mean of each coordinate over time.
    pub means: Vec<f64>,
    /// The variance of each coordinate over time.
    pub variances: Vec<f64>,
    /// θ at the times of the grid, one after the other.
    pub positions: Vec<f64>,
    /// Rows drawn.
    pub proposals: u64,
    /// Turns.
    pub turns: u64,
    /// The largest probability with which a row turned the path; at most one, or a bound is wrong.
    pub tightest: f64,
    /// All work, set-up included.
    pub ledger: Ledger,
}

/// Why there is no path.
#[derive(Debug, thiserror::Error)]
pub enum ZigZagError {
    /// A time is not positive, or not finite.
    #[error("a path of {warm_up} units of warm-up and {duration} to average over")]
    Time {
        /// The warm-up.
        warm_up: f64,
        /// The rest.
        duration: f64,
    },
    /// A functional needs points, and there are none.
    #[error("functional {functional} is no moment, and the grid has {grid} points")]
    Grid {
        /// Which one, from zero.
        functional: usize,
        /// Points.
        grid: usize,
    },
    /// No centre.
    #[error(transparent)]
    Mode(#[from] SmoothModeError),
    /// The budget was used up.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

impl<'a, R> ZigZag<'a, R>
where
    R: Rows,
    R::Block: Design,
{
    /// Finds the centre and the bounds.
    pub fn new(
        rows: &'a R,
        model: &Logistic<R::Block>,
        settings: ZigZagSettings,
    ) -> Result<ZigZag<'a, R>, ZigZagError> {
        let ZigZagSettings { warm_up, duration, grid, .. } = settings;
        if !(warm_up >= 0.0 && warm_up.is_finite() && duration > 0.0 && duration.is_finite()) {
            return Err(ZigZagError::Time { warm_up, duration });
        }
        let moment = |f: &Functional| matches!(f, Functional::Mean(_) | Functional::Variance(_));
        if let Some(functional) = settings.functionals.iter().position(|f| !moment(f))
            && grid == 0
        {
            return Err(ZigZagError::Grid { functional, grid });
        }
        let (mode, _) = smooth_mode(model, rows)?;
        // The point of the last pass, where the gradient of all rows is known.
        let centre = mode.expansion.anchor.clone();
        let slope = mode.expansion.gradient.iter().map(|slope| -slope).collect();
        let scales: Vec<f64> =
            (0..centre.len()).map(|j| mode.covariance.entry(j, j).sqrt()).collect();
        let (envelope, pass) = Envelope::of(rows, &scales);
        let mut setup = mode.ledger + pass;
        setup.distinct_rows = rows.count() as u64;
        let anchor = AnchorClock { prior: model.prior(), centre, slope };
        let budget = Budget::UNLIMITED;
        Ok(ZigZag { rows, settings, anchor, scales, envelope, setup, budget })
    }

    /// The same, within a budget.
    pub fn within(self, budget: Budget) -> ZigZag<'a, R> {
        ZigZag { budget, ..self }
    }

    /// The work that found centre and bounds; it counts in every answer.
    pub fn setup(&self) -> Ledger {
        self.setup
    }

    /// One path, from the centre.
    pub fn run(&self, rng: &mut Rng) -> Result<ZigZagRun, ZigZagError> {
        self.budget.check(self.setup)?;
        let d = self.scales.len();
        let mut walk = Walk::new(self, rng);
        let ZigZagSettings { warm_up, duration, grid, .. } = self.settings;
        walk.until(warm_up, false, rng)?;
        let mut positions = Vec::with_capacity(grid * d);
        for point in 0..grid {
            walk.until(warm_up + duration * (point as f64 + 0.5) / grid as f64, true, rng)?;
            let theta = self.anchor.centre.iter().zip(walk.path.offset()).map(|(c, x)| c + x);
            positions.extend(theta);
        }
        walk.until(warm_up + duration, true, rng)?;
        let means = walk.path.means().iter().zip(&self.anchor.centre).map(|(x, c)| c + x).collect();
        let (variances, ledger) = (walk.path.variances(), walk.ledger());
        let Walk { proposals, turns, tightest, .. } = walk;
        Ok(ZigZagRun { means, variances, positions, proposals, turns, tightest, ledger })
    }
}

impl<R> Estimator for ZigZag<'_, R>
where
    R: Rows,
    R::Block: Design,
{
    type Error = ZigZagError;

    fn estimate(&self, _: u64, rng: &mut Rng) -> Result<Estimate, ZigZagError> {
        let run = self.run(rng)?;
        let points = || run.positions.chunks_exact(self.scales.len());
        let weights = vec![1.0 / self.settings.grid as f64; self.settings.grid];
        let value = |functional: &Functional| match functional {
            Functional::Mean(j) => run.means[*j],
            Functional::Variance(j) => run.variances[*j],
            other => other.of_weighted(points(), &weights),
        };
        let value = self.settings.functionals.iter().map(value).collect();
        Ok(Estimate { value, depth: 1, cost: run.ledger })
    }

    /// The set-up, and proposals at the bound one standard deviation in each coordinate away.
    fn expected_cost(&self, _: u64) -> f64 {
        let time = self.settings.warm_up + self.settings.duration;
        let Envelope { pull, stiffness } = self.envelope;
        let rate = (0.25 * stiffness * (self.scales.len() as f64).sqrt()).min(pull);
        self.setup.evaluations() as f64 + 2.0 * time * rate * self.rows.count() as f64
    }
}
