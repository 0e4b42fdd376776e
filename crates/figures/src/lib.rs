//! Figures of experiments, drawn from their records.
//!
//! A figure is a function from a record to a sheet: panels, axes, curves and marks as data. One
//! painter draws every sheet as SVG and as PNG. The same record gives the same bytes; for a figure about
//! time, the table of seconds of the provenance is added to the record.

mod airline;
mod anchored_path;
mod baseline_lineup;
mod chain_bias;
mod convergence;
mod convergence_rates;
mod curve;
mod density;
mod estimator_forms;
mod figure;
mod gaussian_path;
mod legend;
mod log_gaussian;
mod logistic_exhaustive;
mod marker;
mod ordinary_cost;
mod ordinary_data;
mod paint;
mod prelude;
mod random_features;
mod rows;
mod running;
mod scaling;
mod sheet;
mod streaming;
mod style;
mod ticks;
mod weights;
mod work_variance;

pub use figure::{ALL, CONVERGENCE, Figure, FigureError, Picture};
