//! Arrow files and streams as tables. Only what a table needs of the format is here: flat columns, with
//! or without dictionaries, plain or compressed with LZ4 or Zstandard.
//!
//! A stream is a sequence of messages, each with its metadata, a FlatBuffer, and a body of buffers:
//!
//! ```text
//! ff ff ff ff   size of the metadata, 4 bytes   metadata   body
//! ```
//!
//! A file is a stream between two magic words, with a list of its batches behind, which is not needed.

mod body;
mod cells;
mod flat;
mod schema;
mod table;

pub use table::{ArrowTable, arrow_columns, is_arrow};
