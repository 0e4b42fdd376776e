//! Rows from anywhere: generated on demand, stored, mapped, read from files, embedded.

mod dense_rows;
mod embedded;
mod generated;
mod readers;
mod sparse_rows;

pub use dense_rows::DenseRows;
pub use embedded::{A9A_SHA256, a9a};
pub use generated::{
    FeatureToyLaw, GaussianLaw, Generated, HeavyLogisticLaw, Law, LogisticLaw, TILE, Values, Words,
};
pub use readers::{LabelCounts, Labels, LibsvmError, Place, open, read_libsvm, unpack};
pub use sparse_rows::SparseRows;
