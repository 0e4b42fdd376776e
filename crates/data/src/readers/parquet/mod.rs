//! Parquet files as tables: columns by name, row group by row group.

mod column;
mod kind;
mod table;

pub use table::{ParquetTable, parquet_columns};
