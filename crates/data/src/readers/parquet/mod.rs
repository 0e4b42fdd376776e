//! Parquet files as tables: columns by name, row group by row group.

mod column;
mod kind;
mod table;

pub use kind::ParquetKind;
pub use table::{ParquetColumn, ParquetTable, parquet_columns};
