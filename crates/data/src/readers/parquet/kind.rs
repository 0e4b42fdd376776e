//! What the cells of a Parquet column are, by its physical type and its annotation.

use crate::readers::stored::StoredKind;
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type as Physical};
use parquet::schema::types::Type;

impl StoredKind {
    /// Of a column of a Parquet schema.
    pub(super) fn of_parquet(column: &Type) -> StoredKind {
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
            return StoredKind::Other(name.to_owned());
        }
        if info.has_repetition() && info.repetition() == parquet::basic::Repetition::REPEATED {
            return StoredKind::Other("a list".to_owned());
        }
        let (physical, converted) = (column.get_physical_type(), info.converted_type());
        let other = |name: &str| StoredKind::Other(name.to_owned());
        match info.logical_type_ref() {
            Some(LogicalType::Unknown) => return StoredKind::Nothing,
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
                return StoredKind::Timestamp { parts };
            }
            _ => {}
        }
        match (physical, converted) {
            (_, ConvertedType::DECIMAL) => StoredKind::Decimal { scale: column.get_scale() },
            (Physical::BOOLEAN, _) => StoredKind::Boolean,
            (Physical::FLOAT | Physical::DOUBLE, _) => StoredKind::Float,
            (Physical::INT32, ConvertedType::DATE) => StoredKind::Date,
            (Physical::INT96, _) => StoredKind::Timestamp { parts: 1_000_000 },
            (Physical::INT64, ConvertedType::TIMESTAMP_MILLIS) => {
                StoredKind::Timestamp { parts: 1_000 }
            }
            (Physical::INT64, ConvertedType::TIMESTAMP_MICROS) => {
                StoredKind::Timestamp { parts: 1_000_000 }
            }
            (_, ConvertedType::TIME_MILLIS | ConvertedType::TIME_MICROS) => other("a time of day"),
            (
                Physical::INT32 | Physical::INT64,
                ConvertedType::UINT_8
                | ConvertedType::UINT_16
                | ConvertedType::UINT_32
                | ConvertedType::UINT_64,
            ) => StoredKind::Whole { signed: false },
            (Physical::INT32 | Physical::INT64, _) => StoredKind::Whole { signed: true },
            (
                Physical::BYTE_ARRAY,
                ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON,
            ) => StoredKind::Text,
            (_, ConvertedType::INTERVAL) => other("an interval"),
            (Physical::BYTE_ARRAY | Physical::FIXED_LEN_BYTE_ARRAY, _) => other("binary"),
        }
    }
}
