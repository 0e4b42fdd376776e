//! The base density of an anchored path, without levels: what debiasing starts from.
//!
//! With the seed of an anchored answer these are the very points of that answer, each with its linear control
//! variate, so that what differs is the correction alone. Where the front door takes mirrored points, the base
//! is the Gaussian p(θ) exp Q(θ), and its mean is a Newton step away from the anchor.

use super::nuts::Averages;
use anchored::{AnchoredRows, Explored, PointSource, Trial};
use debias::Seed;
use debias::engine::{Forgetful, Observer};
use posterior::{Rows, Smooth};
use samplers::Functional;
use samplers::diagnostics::{Chains, mcse_mean};
use serde::{Deserialize, Serialize};

/// Points of a replicate at the error below, as the front door has it.
const POINTS: usize = 16;

/// What the base says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BaseAlone {
    /// Its means.
    pub averages: Averages,
    /// Evaluations, set-up and trial included.
    pub evaluations: f64,
    /// Rows of the base; none where it is a Gaussian.
    pub rows: usize,
}

/// The base of the anchored path that reaches a standard error of 0.05 posterior sds.
pub fn base_alone<R, M>(
    (model, rows): (&M, &R),
    target: f64,
    seed: u64,
    observer: &dyn Observer,
) -> anyhow::Result<BaseAlone>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let regression = model.regression();
    let regression = regression.ok_or_else(|| anyhow::anyhow!("no linear predictors"))?;
    let seed = Seed(seed).child("anchored");
    let anchored = AnchoredRows::find(model, regression, rows, seed)?;
    let functionals = Functional::means(model.dimension());
    let most = 2 * anchored.rows.kinds();
    let (means, store) = (&functionals, &Forgetful);
    let mut explored =
        Explored::new(model, regression, &anchored, means, POINTS, most, seed, store, observer)?;
    let errors = |trial: &Trial| trial.deviations.iter().map(|sd| target * sd).collect::<Vec<_>>();
    explored.look_closer(errors, observer)?;
    let replicates = explored.replicates(&errors(&explored.trial));
    let base_rows = explored.base_rows();
    let (path, spent) = explored.path(replicates, &[], observer)?;
    let anchor = &anchored.anchor;
    let averages = match &path.points {
        PointSource::Mirrored { .. } => {
            let centre = anchor.centre();
            let mut gradient = vec![0.0; centre.len()];
            model.add_prior_gradient(centre, &mut gradient);
            anchor.quadratic.add_gradient(centre, &mut gradient);
            let step = anchor.covariance.times(&gradient);
            let means = centre.iter().zip(&step).map(|(a, b)| a + b).collect();
            Averages { means, errors: vec![0.0; centre.len()] }
        }
        PointSource::Chains { chains, .. } => {
            let d = model.dimension();
            let mut values: Vec<Vec<Vec<f64>>> = vec![Vec::new(); d];
            for chain in chains {
                let gradients = chain.gradients().unwrap_or(&[]);
                let mut own = vec![Vec::new(); d];
                for (theta, gradient) in chain.iter().zip(gradients.chunks_exact(d)) {
                    let moved = anchor.covariance.times(gradient);
                    for (j, own) in own.iter_mut().enumerate() {
                        own.push(theta[j] + moved[j]);
                    }
                }
                for (values, own) in values.iter_mut().zip(own) {
                    values.push(own);
                }
            }
            let mut averages = Averages::default();
            for chains in values {
                let series = Chains::new(chains)?;
                let all = series.as_slice().concat();
                averages.means.push(all.iter().sum::<f64>() / all.len() as f64);
                averages.errors.push(mcse_mean(&series));
            }
            averages
        }
    };
    Ok(BaseAlone { averages, evaluations: spent.evaluations() as f64, rows: base_rows })
}
