//! The particles before, or just after, the first batch.
//!
//! ```text
//! prior          θ_k ~ p,   even weights                         given no rows
//! first batch    θ_k ~ Student-t q,   w_k = π_1(θ_k)/q(θ_k)      given the first n_1 rows
//! ```
//!
//! The first batch must enter once: after a beginning from the prior it is still to come, after the
//! other one it is in the weights already. [`Begun::seen`] carries that number, so that nothing else
//! has to remember it.

use super::IbisError;
use super::particles::Particles;
use debias::{Ledger, Rng};
use models::prior::Prior;
use posterior::{Block, Differentiable, PartialPosterior, Target};
use rand::RngExt;
use rand_distr::{ChiSquared, Exp1, StandardNormal};
use samplers::{Frame, Framing, Student};
use std::fmt;
use std::sync::Arc;

/// A draw of Student's t: a normal one over the root of a χ² per degree of freedom.
fn student(degrees: f64, rng: &mut Rng) -> f64 {
    let chi_squared = ChiSquared::new(degrees).expect("a prior's degrees of freedom are positive");
    rng.sample::<f64, _>(StandardNormal) / (rng.sample(chi_squared) / degrees).sqrt()
}

/// A draw from the prior.
pub type PriorDraw = Arc<dyn Fn(&mut Rng) -> Vec<f64> + Send + Sync>;

/// Where particles come from.
#[derive(Clone)]
pub enum Beginning {
    /// The prior, which must be a law.
    Prior(PriorDraw),
    /// A Student-t density about the posterior given the first batch: at its Laplace approximation,
    /// or in a given frame where the prior has a kink and so no curvature.
    FirstBatch {
        /// Where the density sits, and how wide it is.
        framing: Framing,
        /// ν.
        degrees: f64,
    },
}

impl Beginning {
    /// The prior of a regression with d parameters, bias included; none if it is improper.
    pub fn prior(prior: Prior, dimension: usize) -> Option<Beginning> {
        let draw = move |rng: &mut Rng| match prior {
            Prior::Flat => f64::NAN,
            Prior::Gaussian { standard_deviation } => {
                standard_deviation * rng.sample::<f64, _>(StandardNormal)
            }
            Prior::Laplace { scale } => {
                let size = scale * rng.sample::<f64, _>(Exp1);
                if rng.random::<bool>() { size } else { -size }
            }
            Prior::Student { degrees, scale } => scale * student(degrees, rng),
            Prior::HalfStudent { degrees, scale } => (scale * student(degrees, rng)).abs().ln(),
        };
        let proper = prior != Prior::Flat;
        proper.then(|| {
            Beginning::Prior(Arc::new(move |rng: &mut Rng| {
                (0..dimension).map(|_| draw(rng)).collect()
            }))
        })
    }

    /// Draws the particles; `first` holds the rows of the first batch.
    pub(super) fn draw<M: Differentiable>(
        &self,
        count: usize,
        model: &M,
        first: &M::Block,
        rng: &mut Rng,
    ) -> Result<Begun, IbisError> {
        let dimension = model.dimension();
        let mut ledger = Ledger::default();
        let (points, log_weights, seen): (Vec<Vec<f64>>, Vec<f64>, usize) = match self {
            Beginning::Prior(draw) => {
                ((0..count).map(|_| draw(rng)).collect(), vec![0.0; count], 0)
            }
            Beginning::FirstBatch { framing, degrees } => {
                let mut posterior = PartialPosterior::new(model, first);
                let frame = framing.frame(&mut posterior)?;
                let frame = frame.unwrap_or_else(|| Frame::standard(dimension));
                let student = Student::new(frame, *degrees)?;
                let points: Vec<Vec<f64>> = (0..count).map(|_| student.draw(rng)).collect();
                let weigh =
                    |theta: &Vec<f64>| posterior.log_density(theta) - student.log_density(theta);
                let log_weights = points.iter().map(weigh).collect();
                ledger = Target::ledger(&posterior);
                (points, log_weights, first.rows())
            }
        };
        if let Some(point) = points.iter().find(|point| point.len() != dimension) {
            return Err(IbisError::Dimension { drawn: point.len(), dimension });
        }
        let particles = Particles { dimension, positions: points.concat(), log_weights };
        Ok(Begun { particles, seen, ledger })
    }
}

/// Particles, and how many rows are in their weights.
pub(super) struct Begun {
    pub particles: Particles,
    pub seen: usize,
    pub ledger: Ledger,
}

impl fmt::Debug for Beginning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Beginning::Prior(_) => write!(formatter, "Prior(…)"),
            Beginning::FirstBatch { degrees, .. } => {
                write!(formatter, "FirstBatch {{ degrees: {degrees}, … }}")
            }
        }
    }
}
