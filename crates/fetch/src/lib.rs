//! Data sets from the network: the only crate that touches it.
//!
//! ```text
//! manifest ─► sources (mirror, hosts) ─► <name>.partial ─► size, sha256 ─► rename ─► <name>
//! ```
//!
//! | here | meaning |
//! |---|---|
//! | [`Manifest`], [`Entry`] | a data set and its files: addresses, size, sha256, rows, licence |
//! | [`Store`], [`Lock`] | the folder of downloads; one fetch at a time |
//! | [`Source`], [`Mirror`] | where a file is asked for |
//! | [`Fetcher`] | downloads, resumes, retries, checks, renames |
//! | [`Progress`] | what a caller hears meanwhile |
//!
//! Under its final name a file is always whole and checked: whatever goes wrong before leaves at
//! most a `.partial` beside it, from which the next attempt goes on.

mod digest;
mod download;
mod error;
mod fetcher;
mod manifest;
mod mirror;
mod progress;
mod store;

pub use error::FetchError;
pub use fetcher::{Fetched, Fetcher, Settings};
pub use manifest::{Entry, Manifest, ManifestError};
pub use mirror::{Mirror, Source};
pub use progress::{Progress, Silent};
pub use store::{Lock, State, Store};
