//! The replicate engine: many replicates on all threads, the same bytes on any number of them.
//!
//! Replicate r draws from stream r of the seed and from nothing else. Replicates are dealt into
//! chunks by expected cost, dear ones first, so that no thread is left alone with a long one at the
//! end; results are put back in order. A chunk is the unit of checkpoints: it
//! is handed to a [`Store`] when it is complete, and asked for before it is begun.
//!
//! No replicate is ever dropped, retried or reordered: a failure stops the run, because leaving it
//! out would bias the mean.

mod chunks;
mod run;
mod store;

pub use chunks::Chunks;
pub use run::{EngineError, Observer, Unobserved, replicate};
pub use store::{ChunkId, Forgetful, Store, StoreError};
