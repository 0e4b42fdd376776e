//! Columns as Parquet files.

use parquet::basic::Compression;
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DoubleType, FloatType, Int32Type, Int64Type,
};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// The cells of a column; nothing for a null.
#[derive(Clone)]
pub enum Column {
    Double(Vec<Option<f64>>),
    Float(Vec<Option<f32>>),
    Int(Vec<Option<i32>>),
    Long(Vec<Option<i64>>),
    Flag(Vec<Option<bool>>),
    Word(Vec<Option<&'static str>>),
}

impl Column {
    fn len(&self) -> usize {
        match self {
            Column::Double(cells) => cells.len(),
            Column::Float(cells) => cells.len(),
            Column::Int(cells) => cells.len(),
            Column::Long(cells) => cells.len(),
            Column::Flag(cells) => cells.len(),
            Column::Word(cells) => cells.len(),
        }
    }
}

/// Writes columns, so many rows per group.
pub fn write(
    path: &Path,
    columns: &[(&str, &str, Column)],
    group: usize,
    compression: Compression,
) {
    let fields: String = columns
        .iter()
        .map(|(name, kind, _)| {
            let (physical, annotation) = kind.split_once(' ').unwrap_or((kind, ""));
            format!("optional {physical} {name} {annotation};")
        })
        .collect();
    let schema = Arc::new(parse_message_type(&format!("message m {{ {fields} }}")).unwrap());
    let properties = WriterProperties::builder().set_compression(compression).build();
    let file = File::create(path).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties)).unwrap();
    let rows = columns[0].2.len();
    for start in (0..rows).step_by(group) {
        let range = start..(start + group).min(rows);
        let mut row_group = writer.next_row_group().unwrap();
        for (_, _, column) in columns {
            let mut one = row_group.next_column().unwrap().unwrap();
            macro_rules! put {
                ($kind:ty, $cells:expr, $value:expr) => {{
                    let cells = &$cells[range.clone()];
                    let levels: Vec<i16> =
                        cells.iter().map(|cell| i16::from(cell.is_some())).collect();
                    let values: Vec<_> = cells.iter().flatten().map($value).collect();
                    one.typed::<$kind>().write_batch(&values, Some(&levels), None).unwrap();
                }};
            }
            match column {
                Column::Double(cells) => put!(DoubleType, cells, |value| *value),
                Column::Float(cells) => put!(FloatType, cells, |value| *value),
                Column::Int(cells) => put!(Int32Type, cells, |value| *value),
                Column::Long(cells) => put!(Int64Type, cells, |value| *value),
                Column::Flag(cells) => put!(BoolType, cells, |value| *value),
                Column::Word(cells) => put!(ByteArrayType, cells, |value| ByteArray::from(*value)),
            }
            one.close().unwrap();
        }
        row_group.close().unwrap();
    }
    writer.close().unwrap();
}
