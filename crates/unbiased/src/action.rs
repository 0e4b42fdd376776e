//! The questions that can be put to data.

use crate::arguments::{Common, MethodArgument};
use crate::target::TargetArgument;
use clap::Args;
use std::path::PathBuf;
use unbiased_bayes::{Stop, Target};

/// Estimate posterior expectations given all rows.
///
/// The method that is predicted to take the least work runs until every standard error is a twentieth
/// of its posterior standard deviation; --target-se asks for another error, --method for a method.
/// Columns need no scaling, and text columns are categories. A trial, which is thrown away, turns the
/// target into a number of replicates, so that stopping does not bias the estimate.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    unbiased estimate logistic --data clicks.csv --label clicked\n  \
    unbiased estimate logistic --data clicks.csv --label clicked --target-se 0.01sd --json out.json\n  \
    unbiased estimate logistic --data a9a --prior laplace:1 --method nuts\n  \
    unbiased estimate logistic --data a9a --functional 'probability:w1<0' --functional 'exp:w2' --functional predict:new.svm\n  \
    unbiased estimate logistic --data shop.csv --label bought --missing indicator --reference device=web\n  \
    unbiased estimate 'delay > 120 ~ distance + C(origin) + hour(date)' --family bernoulli --data flights.parquet\n  \
    unbiased estimate linear --data flats.csv --formula 'log(price) ~ poly(size, 2) + C(city) * rooms'\n  \
    unbiased estimate poisson --data visits.csv --label visits --missing drop\n  \
    unbiased estimate negative-binomial --data claims.csv --prior 'C(region) ~ student(3, 0, 1)' \\\n    \
        --formula 'claims ~ age + C(region) + offset(log(years))'\n  \
    unbiased estimate binomial --data wards.csv --formula 'cured ~ dose' --trials patients\n  \
    unbiased estimate student --data prices.csv --label price --weights copies\n  \
    unbiased estimate linear --data flats.csv --label price --budget 1e9\n  \
    unbiased estimate gaussian-mean --data heights.csv --noise 25 --form coupled-sum --target-se 0.1")]
pub struct Estimate {
    #[command(flatten)]
    pub common: Common,
    /// Stop after so many replicates.
    #[arg(long, conflicts_with = "target_se")]
    pub replicates: Option<usize>,
    /// Stop at this standard error of every estimate: 0.01, or 0.1sd for posterior sds
    /// [default: 0.05sd; 200 replicates for closed forms].
    #[arg(long, value_name = "ERROR")]
    pub target_se: Option<TargetArgument>,
    /// Likelihood evaluations, set-up included; beside --target-se, the most that it may take.
    #[arg(long, value_name = "EVALUATIONS", conflicts_with = "replicates")]
    pub budget: Option<f64>,
    /// Draws of the posterior, so many, in the file of --json: NUTS has them at no cost, an anchored path
    /// weighs each by a pass over all rows.
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub draws: usize,
}

impl Estimate {
    /// When to stop.
    pub fn stop(&self) -> Stop {
        match (self.target_se, self.budget, self.replicates) {
            (Some(TargetArgument(target)), budget, _) => Stop::Error { target, budget },
            (None, Some(budget), _) => Stop::Budget(budget),
            (None, None, Some(replicates)) => Stop::Replicates(replicates),
            // Closed forms do not tell posterior standard deviations, and plain paths are far from 0.05.
            (None, None, None)
                if self.common.model.closed_form()
                    || self.common.method == MethodArgument::Plain =>
            {
                Stop::Replicates(200)
            }
            (None, None, None) => Stop::Error { target: Target::PosteriorSds(0.05), budget: None },
        }
    }
}

/// Run a trial only: what would an error cost, by which method?
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

/// Run ours, constant batches and NUTS within one budget, and draw them beside each other.
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

/// Say how far Gaussian approximations are from the posterior given all rows, with intervals.
///
/// Laplace's approximation, its mean to the next order and the variational Gaussian, each in posterior
/// standard deviations off, parameter by parameter, the worst first; and any approximation that you bring.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    unbiased certify logistic --data clicks.csv --label clicked\n  \
    unbiased certify logistic --data clicks.csv --label clicked --approximation advi.csv --json out.json\n\n\
    An approximation is a CSV file\n  \
    parameter,mean,sd            one line for each parameter, or\n  \
    age,income,bias              the names, a line of means, and a line of sds or the lines of a covariance;\n\
    or JSON: {\"names\": [\"age\", \"bias\"], \"mean\": [0.3, -2], \"sd\": [0.1, 0.5]}, or with \"covariance\".\n\
    Names are those that estimate prints; parameters may be left out.")]
pub struct Certify {
    #[command(flatten)]
    pub common: Common,
    /// A Gaussian approximation to be certified beside the others, as CSV or JSON; may be repeated.
    #[arg(long, value_name = "FILE")]
    pub approximation: Vec<PathBuf>,
    /// Stop at this standard error of every posterior mean: 0.01, or 0.1sd for posterior sds
    /// [default: 0.02sd].
    #[arg(long, value_name = "ERROR")]
    pub target_se: Option<TargetArgument>,
    /// Likelihood evaluations, set-up included, that it may take.
    #[arg(long, value_name = "EVALUATIONS")]
    pub budget: Option<f64>,
}

impl Certify {
    /// When to stop.
    pub fn stop(&self) -> Stop {
        let target = self.target_se.map_or(Target::PosteriorSds(0.02), |target| target.0);
        Stop::Error { target, budget: self.budget }
    }
}
