//! Readers: files in, rows or a named fault out.

mod labels;
mod libsvm;
mod lines;
mod open;
mod place;

pub use labels::{LabelCounts, Labels};
pub use libsvm::{LibsvmError, read_libsvm};
pub use open::{open, unpack};
pub use place::Place;
