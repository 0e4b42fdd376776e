//! What a figure is, and the list of all.

use crate::paint::render;
use crate::sheet::Sheet;
use crate::{
    airline, anchored_path, baseline_lineup, chain_bias, convergence, convergence_rates,
    estimator_forms, gaussian_path, log_gaussian, logistic_exhaustive, ordinary_cost,
    ordinary_data, random_features, scaling, streaming, weights, work_variance,
};
use records::{Record, RecordError, TableError};
use thiserror::Error;

/// A finished picture.
pub struct Picture {
    /// As vectors.
    pub svg: String,
    /// As pixels, for viewers that cannot do better.
    pub png: Vec<u8>,
}

/// A figure that can be drawn from the record of one experiment.
pub struct Figure {
    /// Whose record it takes.
    pub experiment: &'static str,
    /// The name of its files.
    pub name: &'static str,
    /// What it shows, for the report.
    pub caption: &'static str,
    /// Whether it is about time: then the table `seconds` of the provenance has to be in the record.
    pub timed: bool,
    sheet: fn(&Record) -> Result<Sheet, FigureError>,
}

/// Why there is no picture.
#[derive(Debug, Error)]
pub enum FigureError {
    /// The record lacks something.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A table lacks something.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The font in the program is damaged.
    #[error("the built-in font cannot be read")]
    Font,
    /// The drawing library failed.
    #[error("drawing failed: {0}")]
    Drawing(String),
    /// There is nothing to draw.
    #[error("table {table} has no finite points to draw")]
    Empty {
        /// The table.
        table: String,
    },
}

impl Figure {
    const fn caption(self, caption: &'static str) -> Figure {
        Figure { caption, ..self }
    }

    const fn timed(self) -> Figure {
        Figure { timed: true, ..self }
    }

    /// Draws it.
    pub fn draw(&self, record: &Record) -> Result<Picture, FigureError> {
        render(&(self.sheet)(record)?)
    }
}

const fn figure(
    experiment: &'static str,
    name: &'static str,
    sheet: fn(&Record) -> Result<Sheet, FigureError>,
) -> Figure {
    Figure { experiment, name, caption: "", timed: false, sheet }
}

/// Running estimates of a user's own data: one table of replicates per method.
pub const CONVERGENCE: Figure = figure("estimate", "convergence", convergence::convergence).caption(
    "Running estimates with 95 % bands against likelihood evaluations; beside each other, set-up \
     included.",
);

/// All figures, in the order of the paper, and then ours.
pub const ALL: &[Figure] = &[
    figure("gaussian-path", "paths", gaussian_path::gaussian_path).caption(
        "Paths of partial posterior means (coloured lines) stop at a random depth (squares) and are \
         turned into unbiased estimates (dots, joined by dotted lines). Grey: all estimates, with \
         their density behind. Cross: the exact posterior mean; ring: the mean of the estimates.",
    ),
    figure("work-variance", "work-variance", work_variance::work_variance).caption(
        "Left: expected cost × bound on the second moment, as the paper minimises it, with the \
         printed optimum. Right: the true work × variance of a mean on N given rows, for \
         growing N; dots mark interior minima, where there are any.",
    ),
    figure("log-gaussian", "convergence", log_gaussian::convergence).caption(
        "Posterior means of σ given batches of growing size: mean and middle 95 % over random batches.",
    ),
    figure("log-gaussian", "debiasing", log_gaussian::debiasing).caption(
        "Running estimates of the posterior mean of σ given all rows, with 95 % bands, against the \
         likelihood evaluations spent; constant batches are of the same expected cost.",
    ),
    figure("logistic-synthetic", "convergence", weights::convergence).caption(
        "Above: posterior means of the first weight given batches of growing size. Below: the error of \
         all ten weights in standard deviations of the full posterior, and √(N/n − 1), what it would be \
         without a prior.",
    ),
    figure("logistic-synthetic", "debiasing", weights::debiasing).caption(
        "Running estimates of the first weight with 95 % bands against likelihood evaluations, passes \
         and pilots included. What leaves the axis is drawn at its edge.",
    ),
    figure("logistic-synthetic", "errors", weights::errors).caption(
        "Error of the running estimates of all ten posterior means, root mean square in posterior \
         standard deviations, against likelihood evaluations, passes and pilots included.",
    ),
    figure("logistic-exhaustive", "errors", logistic_exhaustive::logistic_exhaustive).caption(
        "Posterior means given all 10⁸ rows by chains that really look at them: error of each weight \
         against the truth, with 95 % bars from the chains' own Monte Carlo errors.",
    ),
    figure("random-features", "errors", random_features::random_features).caption(
        "Mean squared error of predictions against those given all rows. Left: one batch. Right: running \
         means of constant batches and of debiased estimates of the same expected cost.",
    ),
    figure("airline", "errors", airline::airline).caption(
        "Root mean square error of predicted delays. Left: one batch. Right: running means of debiased \
         estimates and of constant batches of the same expected cost; bands hold 95 % of the repetitions, \
         each with its own random basis.",
    ),
    figure("streaming", "streaming", streaming::streaming).caption(
        "Running estimates of a stream's mean with 95 % bands: constant batches are pulled to the \
         prior for ever, debiased estimates are not. What leaves the axis is drawn at its edge.",
    ),
    figure("a9a", "convergence", weights::convergence).caption(
        "Above: posterior means of β₁ given batches of growing size. Below: the error of all 124 weights \
         in standard deviations of the full posterior, and √(N/n − 1), what it would be without a prior: the \
         prior shrinks most weights, and brings small batches nearer than that.",
    ),
    figure("a9a", "debiasing", weights::debiasing).caption(
        "Running estimates of β₁ with 95 % bands against likelihood evaluations, the repetitions of \
         the paper's estimator one after the other, as many replicates as the others have; passes and \
         pilots included.",
    ),
    figure("a9a", "errors", weights::errors).caption(
        "Error of the running estimates of all 124 posterior means, root mean square in posterior \
         standard deviations, against likelihood evaluations, passes and pilots included.",
    ),
    figure("convergence-rates", "rates", convergence_rates::convergence_rates).caption(
        "Mean squared distances of partial posterior expectations to those given all rows, and fits of \
         c n^-β on logarithmic scales (dashed), up to an eighth of the data.",
    ),
    figure("anchored-path", "levels", anchored_path::levels).caption(
        "Error of one level against the rows it samples, root mean square over weights and batches in \
         posterior standard deviations, with 95 % bands. Anchored levels and their increments are \
         compared on one set of points; plain partial posteriors are those of the other experiments.",
    ),
    figure("anchored-path", "errors", anchored_path::errors).caption(
        "Error of running estimates against likelihood evaluations, passes and pilots included; rings \
         are single chains on all rows. The anchored path needs no pilot. Laplace to the next order is the truth of \
         the logistic and the heavy-tailed rows, and so has no point; laplace-truth says how far off it is.",
    ),
    figure("anchored-path", "limits", anchored_path::limits).caption(
        "Left: the error of a level of 1024 rows, the noise of its points included, when the anchor is off \
         the mode. Right: on a9a, the error of levels against the last one on the same points, by the \
         number of rows kept exact.",
    ),
    figure("estimator-forms", "forms", estimator_forms::forms).caption(
        "Work × variance of every form, law and depth scheme over that of the paper's estimator, with \
         95 % intervals; laws are tuned, and the default's form is chosen, on draws of their own, at no \
         more than the paper's expected cost.",
    ),
    figure("estimator-forms", "decays", estimator_forms::decays).caption(
        "Second moments of nested and of antithetic increments against the rows of the level, in units of \
         the first nested one; dashed: the slopes of theory.",
    ),
    figure("estimator-forms", "chains", estimator_forms::chains).caption(
        "Work × variance of the default by the inference inside its levels, over the paper's estimator with \
         chains of 100 + 500; bands and bars are 95 % intervals.",
    ),
    figure("chain-bias", "bias", chain_bias::chain_bias).caption(
        "Left: bias of the debiased estimate by the warm-up of the chains inside its levels, and of coupled \
         chains with the same walk and start. Right: when coupled chains meet, by level.",
    ),
    figure("scaling", "costs", scaling::scaling).caption(
        "Likelihood evaluations to a fixed error as the data grows: a fixed absolute error with levels in \
         closed form, the pilot of our law not counted (left), and a fixed share of the posterior sd, which \
         shrinks with the data, set-up included (middle). Right: how many times faster than one worker the replicates of \
         logistic-synthetic end on many.",
    ),
    figure("baseline-lineup", "lineup", baseline_lineup::lineup).caption(
        "Root mean square error in posterior sds over repetitions, with 95 % bands, against likelihood \
         evaluations, set-up included.",
    ),
    figure("baseline-lineup", "seconds", baseline_lineup::seconds).caption(
            "The same errors against seconds of one core: those of the set-up, and an answer's evaluations at the \
         speed of all its method's answers together. Times are of one machine, with this code.",
    ).timed(),
    figure("baseline-lineup", "coverage", baseline_lineup::coverage).caption(
        "How many of the claimed 95 % intervals hold the truth, with binomial bars, by method (colours and shapes \
         as above).",
    ),
    figure("ordinary-data", "costs", ordinary_cost::costs).caption(
        "Left: passes over the rows to a standard error of 0.05 posterior sds in the worst weight, set-up \
         included; the cost of NUTS is scaled from its draws, its warm-up not counted, and every row counts \
         unless equal rows are put together. Right: error of the worst weight of answers that state no error, \
         and of ours, against a longer anchored run.",
    ),
    figure("ordinary-data", "errors", ordinary_data::errors).caption(
        "Error of the worst weight in posterior sds against passes over the rows, set-up included, on seven \
         regressions. NUTS has control variates, linear ones or cubic ones, and puts equal rows together; where \
         rows do not repeat it is run for its four hundred draws at least. Errors are against a longer anchored \
         run, whose own largest error is in the record. Gaussian VI ends after 50 passes beyond those of the \
         mode, converged or not. Where there is no mark for uniform samples there is no answer.",
    ),
    figure("ordinary-data", "seconds", ordinary_data::seconds).caption(
        "The same errors against seconds on two cores; mode, next-order Laplace and Gaussian VI share one step, \
         whose seconds are shared out by evaluations. Times are of one machine, with this code.",
    ).timed(),
    figure("hierarchies", "errors", ordinary_data::hierarchies).caption(
        "Error of the worst parameter in posterior sds, group effects and the logarithms of their sds included, \
         against passes over the rows, set-up included. NUTS has control variates, puts equal rows together and is \
         run for four hundred draws. The mode is that of all other parameters at the sds of the largest marginal \
         likelihood. Errors are against a longer anchored run, whose own largest error is in the record.",
    ),
];
