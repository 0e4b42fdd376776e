//! Rows that stay on disk.

mod dense;
mod file;
mod format;
mod import;
mod mixed;
mod sparse;
mod writer;

pub use dense::MappedDense;
pub use file::Written;
pub use format::MappedError;
pub use import::{
    ImportError, import_cells, import_coded, import_libsvm, import_libsvm_from, import_numbers,
    import_table, import_table_from,
};
pub use mixed::MappedMixed;
pub use sparse::MappedSparse;
