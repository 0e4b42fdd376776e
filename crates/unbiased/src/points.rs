//! `predict:FILE`: rows to be predicted, each file read once, before the work, and known by its
//! content from then on.

use crate::exit;
use crate::functionals::Asked;
use crate::progress::interrupted;
use crate::source::{Source, Stored, changed_meanwhile};
use data::{Labels, Sum, open, open_summed, read_header, read_libsvm, read_table, survey_libsvm};
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
            predictions.push(match &source.rows {
                Stored::Sparse(_) => sparse(file, source.names.len())?,
                Stored::Dense(_) => table(file, &source.names)?,
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
        entries.map(|entry| (usize::from(block.indices()[entry]), value(entry))).collect()
    };
    Ok(Prediction { sha256, rows: (0..rows.count()).map(row).collect() })
}

fn table(file: &Path, covariates: &[String]) -> anyhow::Result<Prediction> {
    let shown = file.display().to_string();
    let wrong = |error: data::TableError| exit::data(error.to_string());
    let text = open(file).map_err(|error| exit::data(format!("cannot read {shown}: {error}")))?;
    let header = read_header(text, &shown).map_err(wrong)?;
    if let Some(missing) = covariates.iter().find(|name| !header.contains(name)) {
        return Err(exit::data(format!("{shown} has no column \"{missing}\", and the data has")));
    }
    let names: Vec<&str> = covariates.iter().map(String::as_str).collect();
    let (text, sum) = summed(file)?;
    let rows = read_table(text, &shown, &names, names[0]).map_err(wrong)?;
    let sha256 = finished(file, sum)?;
    few_enough(&shown, rows.count() as u64)?;
    let block = rows.block();
    let row = |row: usize| (0..covariates.len()).map(|j| (j, block.column(j)[row])).collect();
    Ok(Prediction { sha256, rows: (0..rows.count()).map(row).collect() })
}

fn few_enough(file: &str, rows: u64) -> anyhow::Result<()> {
    if rows <= MOST_PREDICTIONS as u64 {
        return Ok(());
    }
    Err(exit::usage(format!(
        "{file} has {rows} rows; predict {MOST_PREDICTIONS} of them at a time"
    )))
}
