//! Readers: files in, rows or a named fault out.

#[cfg(feature = "parquet")]
mod arrow;
#[cfg(feature = "parquet")]
mod batch;
#[cfg(feature = "parquet")]
mod batches;
mod calendar;
mod cells;
mod codes;
mod coding;
mod decimal;
mod delimited;
mod delimiter;
mod derived;
mod encoder;
mod expo;
mod flights;
mod kind;
mod labels;
mod libsvm;
mod libsvm_error;
mod libsvm_shape;
mod lines;
mod numbers;
mod open;
mod orthogonal;
#[cfg(feature = "parquet")]
mod parquet;
mod place;
#[cfg(feature = "parquet")]
mod special;
mod stored;
mod summed;
mod survey;
mod table;
mod table_error;
mod view;

#[cfg(feature = "parquet")]
pub use arrow::{ArrowTable, arrow_columns, is_arrow};
pub use calendar::Moment;
pub use cells::Cells;
pub use codes::CellCode;
pub use coding::{Code, CodedColumn, CodedTarget, Coding, read_coded, read_coded_cells};
pub use derived::{Comparison, Derived, Expression, Function, Operation, Part};
pub(crate) use encoder::{Encoder, MixedRow};
pub use expo::{Planes, PlanesError, read_expo};
pub use flights::{Dropped, FLIGHT_COVARIATES, FLIGHT_TARGET, Flights, read_flights};
pub use labels::{LabelCounts, Labels};
pub use libsvm::read_libsvm;
pub(crate) use libsvm::visit_libsvm;
pub use libsvm_error::LibsvmError;
pub use libsvm_shape::{LibsvmShape, survey_libsvm};
pub use open::{open, unpack};
pub use orthogonal::{Orthogonal, Recurrence, Unit, orthogonal_pass};
#[cfg(feature = "parquet")]
pub use parquet::{ParquetTable, parquet_columns};
pub use place::Place;
#[cfg(feature = "parquet")]
pub use stored::{StoredColumn, StoredKind};
pub use summed::{Sum, open_summed};
pub use survey::{
    ColumnSurvey, Levels, MOST_LEVELS, Sighting, TableSurvey, Wanted, survey_cells, survey_table,
};
pub use table::{Table, read_header, read_table};
pub(crate) use table::{choose, gather_numbers};
pub use table_error::TableError;
pub use view::View;
