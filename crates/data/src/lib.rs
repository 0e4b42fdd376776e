//! Rows from anywhere: generated on demand, stored, mapped, read from files, embedded.

mod airline;
mod dense_rows;
mod embedded;
mod generated;
mod mapped;
mod readers;
mod sparse_rows;
mod split;
mod standardisation;

pub use airline::{AIRLINE_TEST, AIRLINE_TRAIN, Airline, AirlineError, AirlineSource};
pub use dense_rows::DenseRows;
pub use embedded::{A9A_SHA256, NEW_YORK_SHA256, a9a, new_york_flights};
pub use generated::{
    FeatureToyLaw, GaussianLaw, Generated, HeavyLogisticLaw, Law, LogisticLaw, TILE, Values, Words,
};
pub use mapped::{
    ImportError, MappedDense, MappedError, MappedSparse, import_libsvm, import_table,
};
pub use readers::{
    Dropped, FLIGHT_COVARIATES, FLIGHT_TARGET, Flights, LabelCounts, Labels, LibsvmError, Place,
    Planes, PlanesError, TableError, open, read_expo, read_flights, read_libsvm, read_table,
    unpack,
};
pub use sparse_rows::SparseRows;
pub use split::{Split, SplitError};
pub use standardisation::{Scale, Standardisation};
