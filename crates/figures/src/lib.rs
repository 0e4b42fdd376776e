//! A record in, a picture out.
//!
//! A figure sees nothing but the record, to which one about time has the seconds of the provenance
//! added: the same record gives the same bytes. Each one is drawn
//! twice by the same code, as SVG and as PNG.

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
