//! Records of experiments, and checkpoints while they run.
//!
//! ```text
//! results/<scale>/<id>/record.json      settings, seed, data, quantities, claims
//!                      <table>.csv      raw replicates and curves, as pandas and R read them
//!                      provenance.json  commit, compiler, machine, seconds; never compared
//! results/.work/<scale>/<id>/<step>/    chunks of replicates while it runs
//! ```
//!
//! A record is complete: figures, claims and the report are made from it alone, and a table whose
//! bytes do not match the record's checksum is refused.

mod atomic;
mod chunk_bytes;
mod chunk_folder;
mod claim;
mod compare;
mod digest;
mod folder;
mod folder_lock;
mod method_id;
mod provenance;
mod quantity;
mod record;
mod replicate_table;
mod run_key;
mod sealed;
mod table;

pub use atomic::write_atomically;
// Summaries are computed from raw values when a record is read, by the code that made the record.
pub use chunk_folder::ChunkFolder;
pub use claim::{Claim, Verdict};
pub use compare::{Drift, Severity, compare};
pub use debias::{Interval, quantile, running};
pub use digest::digest;
pub use folder::{FolderError, read_provenance, read_record, write_provenance, write_record};
pub use folder_lock::FolderLock;
pub use method_id::{MethodId, UnknownMethod};
pub use provenance::{Platform, Provenance};
pub use quantity::{Policy, Quantity};
pub use record::{DataSource, Record, RecordError, SCHEMA, Scale};
pub use replicate_table::replicate_table;
pub use run_key::RunKey;
pub use sealed::{Unsealed, read_sealed, write_sealed};
pub use table::{Column, Table, TableError};
