//! The three questions that can be put to data.

use crate::arguments::Common;
use crate::target::TargetArgument;
use clap::Args;
use unbiased_bayes::{Stop, Target};

/// Estimate posterior expectations given all rows.
///
/// Stops after --replicates, within a --budget of likelihood evaluations, or at a --target-se that a
/// pilot, which is thrown away, turns into a number of replicates: none of these biases the estimate.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    unbiased estimate logistic --data a9a --prior laplace:1\n  \
    unbiased estimate logistic --data clicks.csv --label clicked --target-se 0.1sd --json out.json\n  \
    unbiased estimate logistic --data a9a --functional 'probability:w1<0' --functional predict:new.svm\n  \
    unbiased estimate logistic --data shop.csv --label bought --missing indicator --reference device=web\n  \
    unbiased estimate linear --data flats.csv --label price --noise 4 --categorical postcode --drop id\n  \
    unbiased estimate gaussian-mean --data heights.csv --noise 25 --form coupled-sum")]
pub struct Estimate {
    #[command(flatten)]
    pub common: Common,
    /// Stop after so many replicates, rounded up to a multiple of 20 [default: 200].
    #[arg(long, conflicts_with = "target_se")]
    pub replicates: Option<usize>,
    /// Stop at this standard error of every estimate: 0.01, or 0.1sd for posterior sds.
    #[arg(long, value_name = "ERROR")]
    pub target_se: Option<TargetArgument>,
    /// Likelihood evaluations, set-up included; beside --target-se, the most that it may take.
    #[arg(long, value_name = "EVALUATIONS", conflicts_with = "replicates")]
    pub budget: Option<f64>,
}

impl Estimate {
    /// When to stop.
    pub fn stop(&self) -> Stop {
        match (self.target_se, self.budget, self.replicates) {
            (Some(TargetArgument(target)), budget, _) => Stop::Error { target, budget },
            (None, Some(budget), _) => Stop::Budget(budget),
            (None, None, replicates) => Stop::Replicates(replicates.unwrap_or(200)),
        }
    }
}

/// Run the pilot only: what would it cost, and is it worth it?
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    unbiased plan logistic --data a9a\n  \
    unbiased plan linear --data flats.csv --label price --targets 0.1sd,0.01sd")]
pub struct Plan {
    #[command(flatten)]
    pub common: Common,
    /// Standard errors to be reached.
    #[arg(long, value_name = "ERRORS", value_delimiter = ',')]
    pub targets: Vec<TargetArgument>,
}

impl Plan {
    /// The targets; in posterior sds where they are known.
    pub fn targets(&self, closed_form: bool) -> Vec<Target> {
        if !self.targets.is_empty() {
            return self.targets.iter().map(|target| target.0).collect();
        }
        let unit = if closed_form { Target::Absolute } else { Target::PosteriorSds };
        [0.3, 0.1, 0.03, 0.01].map(unit).to_vec()
    }
}

/// Run ours, constant batches and full MCMC within one budget, and draw them beside each other.
#[derive(Args)]
#[command(after_help = "Example:\n  \
    unbiased compare logistic --data a9a --budget 1e9")]
pub struct Compare {
    #[command(flatten)]
    pub common: Common,
    /// Likelihood evaluations that each method may take, set-up included.
    #[arg(long, value_name = "EVALUATIONS")]
    pub budget: f64,
}
