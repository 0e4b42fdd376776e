//! Rows from anywhere: generated on demand, stored, mapped, read from files, embedded.
//!
//! | rows | where they are | layout |
//! |---|---|---|
//! | [`Generated`] of a [`Law`] | nowhere: row i is a pure function of (seed, i) | dense |
//! | [`DenseRows`], [`SparseRows`] | in memory | dense, sparse |
//! | [`ArrayRows`], [`CsrRows`] | in arrays that somebody else owns | dense, sparse |
//! | [`MappedDense`], [`MappedSparse`], [`MappedMixed`] | in a file made by [`import_table`], [`import_libsvm`] or [`import_cells`] | dense, sparse, numbers and categories |
//!
//! | data | from |
//! |---|---|
//! | ln x of the log-Gaussian toy, the stream | [`GaussianLaw`]; column 0, no target |
//! | synthetic logistic regression | [`LogisticLaw`], [`HeavyLogisticLaw`]; label ±1, no bias column |
//! | toy regression on random features | [`FeatureToyLaw`]; x in column 0, y the target |
//! | a9a | [`a9a`], embedded; [`read_libsvm`] |
//! | flights of 2001, counted | [`flights_2001`], embedded |
//! | flight delays | [`Airline`]: [`AirlineSource`] chooses, [`Split`] draws, [`Standardisation`] scales |
//! | any table, any libsvm file | [`read_table`], [`read_libsvm`], plain or compressed ([`open`]) |
//! | a table with categories and gaps | [`survey_table`] sees what it holds, a [`Coding`] says what it becomes |
//!
//! Readers either give the rows that are in the file or an error that names file, line, column and
//! value; nothing is guessed, repaired or dropped without being counted. Nothing here touches the
//! network, and only the importers write files.

mod airline;
mod array_rows;
mod checksum;
mod csr_rows;
mod dense_rows;
mod embedded;
mod generated;
mod mapped;
mod readers;
mod sparse_rows;
mod split;
mod standardisation;

pub use airline::{AIRLINE_TEST, AIRLINE_TRAIN, Airline, AirlineError, AirlineSource};
pub use array_rows::{ArrayLength, ArrayRows, Order, SharedNumbers};
pub use checksum::{sha256_of_file, sha256_of_files};
pub use csr_rows::{CsrError, CsrRows, SharedIndices};
pub use dense_rows::{DenseRows, DenseRowsError};
pub use embedded::{
    A9A_SHA256, Departures, FLIGHTS_2001_SHA256, NEW_YORK_SHA256, a9a, flights_2001,
    new_york_flights,
};
pub use generated::{
    FeatureToyLaw, GaussianLaw, Generated, HeavyLogisticLaw, Law, LogisticLaw, TILE, Values, Words,
};
pub use mapped::{
    ImportError, MappedDense, MappedError, MappedMixed, MappedSparse, Written, import_cells,
    import_coded, import_libsvm, import_libsvm_from, import_numbers, import_table,
    import_table_from,
};
#[cfg(feature = "parquet")]
pub use readers::{
    ArrowTable, ParquetTable, StoredColumn, StoredKind, arrow_columns, is_arrow, parquet_columns,
};
pub use readers::{
    CellCode, Cells, Code, CodedColumn, CodedTarget, Coding, ColumnSurvey, Comparison, Derived,
    Dropped, Expression, FLIGHT_COVARIATES, FLIGHT_TARGET, Flights, Function, LabelCounts, Labels,
    Levels, LibsvmError, LibsvmShape, MOST_LEVELS, Moment, Operation, Orthogonal, Part, Place,
    Planes, PlanesError, Recurrence, Sighting, Sum, Table, TableError, TableSurvey, Unit, View,
    Wanted, open, open_summed, orthogonal_pass, read_coded, read_coded_cells, read_expo,
    read_flights, read_header, read_libsvm, read_table, survey_cells, survey_libsvm, survey_table,
    unpack,
};
pub use sparse_rows::SparseRows;
pub use split::{Split, SplitError};
pub use standardisation::{Scale, Standardisation};
