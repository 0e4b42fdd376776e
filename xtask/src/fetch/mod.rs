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
//! | [`Progress`] | what a caller hears meanwhile |
//!
//! Under its final name a file is always whole and checked: whatever goes wrong before leaves at
//! most a `.partial` beside it, from which the next attempt goes on.

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
