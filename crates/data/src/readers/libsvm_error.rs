//! What can be wrong with a libsvm file.

use super::labels::{LabelCounts, Labels};
use super::place::Place;
use std::io;
use thiserror::Error;

/// Why a libsvm file was refused.
#[derive(Debug, Error)]
pub enum LibsvmError {
    /// Reading failed.
    #[error("{file}: cannot read after line {line}: {source}")]
    Io {
        /// The file.
        file: String,
        /// The last line that was read.
        line: u64,
        /// What the system said.
        source: io::Error,
    },
    /// A line is too long to be one.
    #[error("{place}: line of more than {limit} bytes, beginning \"{beginning}\"")]
    LongLine {
        /// Where it starts.
        place: Place,
        /// The most a line may hold.
        limit: usize,
        /// Its first bytes.
        beginning: String,
    },
    /// The label is no number, or none of the labels asked for.
    #[error("{place}: label \"{value}\" is not one of {expected}")]
    Label {
        /// Where it stands.
        place: Place,
        /// What stands there.
        value: String,
        /// What may stand there.
        expected: Labels,
    },
    /// The labels seen do not tell which of them is the positive one.
    #[error("{file}: labels {found} do not tell which one is positive")]
    Ambiguous {
        /// The file.
        file: String,
        /// How often each label was seen.
        found: LabelCounts,
    },
    /// An entry is not `index:value`.
    #[error("{place}: entry \"{value}\" is not index:value")]
    Entry {
        /// Where it stands.
        place: Place,
        /// What stands there.
        value: String,
    },
    /// An index is not between one and the declared width.
    #[error("{place}: index \"{value}\" is not between 1 and {width}")]
    Index {
        /// Where it stands.
        place: Place,
        /// What stands there.
        value: String,
        /// The declared number of covariates.
        width: usize,
    },
    /// An index is not above the one before it.
    #[error("{place}: index {index} follows {before}, and indices must grow")]
    Order {
        /// Where it stands.
        place: Place,
        /// The index.
        index: usize,
        /// The one before it in the line.
        before: usize,
    },
    /// A value is no finite number.
    #[error("{place}: value \"{value}\" is not a finite number")]
    Value {
        /// Where it stands.
        place: Place,
        /// What stands there.
        value: String,
    },
    /// No rows at all.
    #[error("{file}: no rows in {lines} lines")]
    Empty {
        /// The file.
        file: String,
        /// How many lines were read.
        lines: u64,
    },
    /// More columns than a sparse block can hold.
    #[error("width {width} is not between 1 and 65536")]
    Width {
        /// The declared number of covariates.
        width: usize,
    },
    /// More entries than a sparse block can hold.
    #[error("{place}: more than {limit} entries do not fit into memory rows")]
    TooMany {
        /// The first row that does not fit.
        place: Place,
        /// The most a block may hold.
        limit: u32,
    },
}
