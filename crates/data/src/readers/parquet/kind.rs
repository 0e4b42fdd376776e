//! What the cells of a Parquet column are, by its physical type and its annotation.

use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type as Physical};
use parquet::schema::types::Type;

/// What the cells of a column are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParquetKind {
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

impl ParquetKind {
    /// Of a column of the schema.
    pub(super) fn of(column: &Type) -> ParquetKind {
        let info = column.get_basic_info();
        if column.is_group() {
            let list = matches!(info.logical_type_ref(), Some(LogicalType::List))
                || info.converted_type() == ConvertedType::LIST;
            let map = matches!(info.logical_type_ref(), Some(LogicalType::Map))
                || info.converted_type() == ConvertedType::MAP;
            let name = if list {
                "a list"
            } else if map {
                "a map"
            } else {
                "a struct"
            };
            return ParquetKind::Other(name.to_owned());
        }
        if info.has_repetition() && info.repetition() == parquet::basic::Repetition::REPEATED {
            return ParquetKind::Other("a list".to_owned());
        }
        let (physical, converted) = (column.get_physical_type(), info.converted_type());
        let other = |name: &str| ParquetKind::Other(name.to_owned());
        match info.logical_type_ref() {
            Some(LogicalType::Unknown) => return ParquetKind::Nothing,
            Some(LogicalType::Time(_)) => return other("a time of day"),
            Some(LogicalType::Uuid) => return other("a UUID"),
            Some(LogicalType::Float16) => return other("a 16-bit float"),
            Some(LogicalType::Bson) => return other("BSON"),
            Some(LogicalType::Timestamp(timestamp)) => {
                let parts = match timestamp.unit {
                    TimeUnit::MILLIS => 1_000,
                    TimeUnit::MICROS => 1_000_000,
                    TimeUnit::NANOS => 1_000_000_000,
                };
                return ParquetKind::Timestamp { parts };
            }
            _ => {}
        }
        match (physical, converted) {
            (_, ConvertedType::DECIMAL) => ParquetKind::Decimal { scale: column.get_scale() },
            (Physical::BOOLEAN, _) => ParquetKind::Boolean,
            (Physical::FLOAT | Physical::DOUBLE, _) => ParquetKind::Float,
            (Physical::INT32, ConvertedType::DATE) => ParquetKind::Date,
            (Physical::INT96, _) => ParquetKind::Timestamp { parts: 1_000_000 },
            (Physical::INT64, ConvertedType::TIMESTAMP_MILLIS) => {
                ParquetKind::Timestamp { parts: 1_000 }
            }
            (Physical::INT64, ConvertedType::TIMESTAMP_MICROS) => {
                ParquetKind::Timestamp { parts: 1_000_000 }
            }
            (_, ConvertedType::TIME_MILLIS | ConvertedType::TIME_MICROS) => other("a time of day"),
            (
                Physical::INT32 | Physical::INT64,
                ConvertedType::UINT_8
                | ConvertedType::UINT_16
                | ConvertedType::UINT_32
                | ConvertedType::UINT_64,
            ) => ParquetKind::Whole { signed: false },
            (Physical::INT32 | Physical::INT64, _) => ParquetKind::Whole { signed: true },
            (
                Physical::BYTE_ARRAY,
                ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON,
            ) => ParquetKind::Text,
            (_, ConvertedType::INTERVAL) => other("an interval"),
            (Physical::BYTE_ARRAY | Physical::FIXED_LEN_BYTE_ARRAY, _) => other("binary"),
        }
    }

    /// As a sentence names it.
    pub fn name(&self) -> &str {
        match self {
            ParquetKind::Whole { .. } => "a whole number",
            ParquetKind::Float => "a float",
            ParquetKind::Decimal { .. } => "a decimal",
            ParquetKind::Boolean => "a boolean",
            ParquetKind::Text => "text",
            ParquetKind::Date => "a date",
            ParquetKind::Timestamp { .. } => "a timestamp",
            ParquetKind::Nothing => "null in all rows",
            ParquetKind::Other(name) => name,
        }
    }

    /// Whether it is a point in time, of which a formula can take parts.
    pub fn is_time(&self) -> bool {
        matches!(self, ParquetKind::Date | ParquetKind::Timestamp { .. })
    }
}
