//! Data sets from the network; nothing else in the workspace connects to it.
//!
//! ```text
//! manifest ─► sources (mirror, hosts) ─► <name>.partial ─► size, sha256 ─► rename ─► <name>
//! ```
//!
//! | here | meaning |
//! |---|---|
//! | [`Manifest`], [`Entry`] | a data set and its files: addresses, size, sha256, rows, licence |
//! | [`Store`], [`store::Lock`] | the folder of downloads; one fetch at a time |
//! | [`mirror::Source`], [`Mirror`] | where a file is asked for |
//! | [`Fetcher`] | downloads, resumes, retries, checks, renames |
//! | [`Progress`] | an observer of the download |
//!
//! A file under its final name is always complete and checked. A failed download leaves at most a
//! `.partial` file, from which the next attempt resumes.

mod download;
mod error;
mod fetcher;
mod manifest;
mod mirror;
mod progress;
mod store;
#[cfg(test)]
mod tests;

pub use error::FetchError;
pub use fetcher::{Fetcher, Settings};
pub use manifest::{Entry, Manifest};
pub use mirror::Mirror;
pub use progress::Progress;
pub use store::{State, Store};
