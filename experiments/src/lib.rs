//! The questions of the suite, and how they are answered.
//!
//! An experiment combines *problems* (rows, model, prior, functionals, truth) with *methods* and puts
//! a *question* about them; it reads like a section of the paper. It returns a [`records::Record`] and
//! writes nothing but checkpoints. Its claims are a function of the record alone, so that they can be
//! computed again from a stored one.

mod context;
mod enumeration;
mod experiment;
mod methods;
mod problems;
mod questions;
mod reading;
mod slope;
mod work;

pub use context::{CODE_DIGEST, Context};
pub use experiment::{ALL, Experiment, MissingData, Race, find};
pub use work::Work;
