//! `predict:FILE`: rows to be predicted, each file read once, before the work, and known by its
//! content from then on.

use crate::exit;
use crate::files::{Files, Opened};
use crate::functionals::Asked;
use crate::interruption::interrupted;
use crate::source::{Source, changed_meanwhile};
use data::{
    Code, CodedColumn, Coding, Labels, Sum, TableError, open_summed, read_coded_cells, read_libsvm,
    survey_libsvm,
};
use posterior::{DenseBlock, Rows};
use std::io::Read;
use std::path::Path;

/// Predictions that one answer holds: each is a column of every replicate.
const MOST_PREDICTIONS: usize = 2000;

/// One file.
pub struct Prediction {
    /// Of the file's bytes.
    pub sha256: String,
    /// Columns and values.
    pub rows: Vec<Vec<(usize, f64)>>,
    /// What is added to the predictor of each row.
    pub offsets: Vec<f64>,
    /// Levels of each row that the data never shows: the number of the group, and what the effect is
    /// multiplied with.
    pub new: Vec<Vec<(usize, f64)>>,
}

impl Prediction {
    /// The rows as a block.
    pub fn dense(&self, width: usize) -> DenseBlock {
        let mut block = DenseBlock::zeros(self.rows.len(), width);
        for (row, entries) in self.rows.iter().enumerate() {
            entries.iter().for_each(|&(column, value)| block.column_mut(column)[row] = value);
        }
        block
    }
}

/// Reads every file that is asked for.
pub fn read(functionals: &[String], source: &Source) -> anyhow::Result<Vec<Prediction>> {
    let mut predictions = Vec::new();
    for text in functionals {
        if let Asked::Predict(file) = Asked::read(text)? {
            let file = Path::new(&file);
            predictions.push(match &source.coding {
                None => sparse(file, source.names.len())?,
                Some(coding) => table(file, coding, source.offset.as_deref())?,
            });
        }
    }
    Ok(predictions)
}

fn summed(file: &Path) -> anyhow::Result<(Box<dyn Read + Send>, Sum)> {
    open_summed(file, interrupted)
        .map_err(|error| exit::data(format!("cannot read {}: {error}", file.display())))
}

fn finished(file: &Path, sum: Sum) -> anyhow::Result<String> {
    sum.finish().map_err(|error| exit::data(format!("cannot read {}: {error}", file.display())))
}

fn sparse(file: &Path, width: usize) -> anyhow::Result<Prediction> {
    let shown = file.display().to_string();
    let (text, sum) = summed(file)?;
    let shape = survey_libsvm(text, &shown).map_err(|error| exit::data(error.to_string()))?;
    let surveyed = finished(file, sum)?;
    few_enough(&shown, shape.rows)?;
    if shape.width > width {
        return Err(exit::data(format!(
            "{shown} uses column {}, and the data has {width}",
            shape.width
        )));
    }
    // Labels of test rows do not matter, as long as they are labels.
    let labels = shape.written().unwrap_or(Labels::PlusMinus);
    let (text, sum) = summed(file)?;
    let rows =
        read_libsvm(text, &shown, width, labels).map_err(|error| exit::data(error.to_string()))?;
    let sha256 = finished(file, sum)?;
    if sha256 != surveyed {
        return Err(changed_meanwhile(file));
    }
    let block = rows.block();
    let row = |row: usize| {
        let entries = block.offsets()[row] as usize..block.offsets()[row + 1] as usize;
        let value = |entry: usize| if block.is_binary() { 1.0 } else { block.values()[entry] };
        entries.map(|entry| (block.indices().get(entry), value(entry))).collect()
    };
    let (offsets, new) = (vec![0.0; rows.count()], vec![Vec::new(); rows.count()]);
    Ok(Prediction { sha256, rows: (0..rows.count()).map(row).collect(), offsets, new })
}

fn table(file: &Path, coding: &Coding, offset: Option<&str>) -> anyhow::Result<Prediction> {
    let files = Files::find(file)?;
    let width = coding.width();
    let mut coding = coding.clone();
    coding.columns.extend(
        offset.map(|name| CodedColumn { name: name.to_owned(), code: Code::Number { mean: None } }),
    );
    let coding = &coding;
    let (derived, used) = coding.sources(false);
    let advised = |error: TableError| {
        let advice = match &error {
            TableError::Column { times: 0, .. } => "; the data has this column",
            TableError::Level { .. } => "; the data never shows this level",
            TableError::Missing { .. } => "; only --missing indicator predicts with missing cells",
            _ => "",
        };
        exit::data(format!("{error}{advice}"))
    };
    let (table, sum) = files.open(&used, &derived, advised)?;
    let rows = match table {
        Opened::Text(mut table) => read_coded_cells(&mut table, coding, MOST_PREDICTIONS),
        Opened::Other(mut table) => read_coded_cells(&mut table, coding, MOST_PREDICTIONS),
    }
    .map_err(advised)?;
    let sha256 = sum.finish().map_err(|error| files.cannot(error))?;
    few_enough(&files.shown, rows.len() as u64)?;
    let mut rows = rows;
    // Behind the covariates come the offset, and then new levels.
    let all = coding.width();
    let (mut offsets, mut new) = (Vec::new(), Vec::new());
    for row in &mut rows {
        let behind: Vec<(usize, f64)> = row.extract_if(.., |(at, _)| *at >= width).collect();
        let offset = behind.iter().find(|(at, _)| *at < all);
        offsets.push(offset.map_or(0.0, |(_, offset)| *offset));
        let levels = behind.iter().filter(|(at, _)| *at >= all);
        new.push(levels.map(|&(at, x)| (at - all, x)).collect());
    }
    Ok(Prediction { sha256, rows, offsets, new })
}

fn few_enough(file: &str, rows: u64) -> anyhow::Result<()> {
    if rows <= MOST_PREDICTIONS as u64 {
        return Ok(());
    }
    Err(exit::usage(format!(
        "{file} has more than {MOST_PREDICTIONS} rows; predict so many of them at a time"
    )))
}
