//! Columns of files that know what their cells are: Parquet and Arrow.

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredColumn {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: StoredKind,
}

/// What the cells of a column are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredKind {
    /// Whole numbers.
    Whole {
        /// Whether they may be negative.
        signed: bool,
    },
    /// Numbers with a binary point.
    Float,
    /// Numbers with so many decimals.
    Decimal {
        /// Decimals.
        scale: i32,
    },
    /// False and true, read as 0 and 1.
    Boolean,
    /// Words.
    Text,
    /// Days.
    Date,
    /// Points in time, in so many parts of a second.
    Timestamp {
        /// Parts of a second.
        parts: i64,
    },
    /// Gaps only.
    Nothing,
    /// Anything else, by its name.
    Other(String),
}

impl StoredKind {
    /// As a sentence names it.
    pub fn name(&self) -> &str {
        match self {
            StoredKind::Whole { .. } => "a whole number",
            StoredKind::Float => "a float",
            StoredKind::Decimal { .. } => "a decimal",
            StoredKind::Boolean => "a boolean",
            StoredKind::Text => "text",
            StoredKind::Date => "a date",
            StoredKind::Timestamp { .. } => "a timestamp",
            StoredKind::Nothing => "null in all rows",
            StoredKind::Other(name) => name,
        }
    }

    /// Whether it is a point in time, of which a formula can take parts.
    pub fn is_time(&self) -> bool {
        matches!(self, StoredKind::Date | StoredKind::Timestamp { .. })
    }
}
