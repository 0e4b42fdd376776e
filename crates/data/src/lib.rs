//! Rows from anywhere: generated on demand, stored, mapped, read from files, embedded.

mod dense_rows;
mod generated;
mod sparse_rows;

pub use dense_rows::DenseRows;
pub use generated::{
    FeatureToyLaw, GaussianLaw, Generated, HeavyLogisticLaw, Law, LogisticLaw, TILE, Values, Words,
};
pub use sparse_rows::SparseRows;
