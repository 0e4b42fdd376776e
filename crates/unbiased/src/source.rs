//! Rows from a text file, imported once and mapped from then on.

use crate::arguments::DataArguments;
use crate::columns::Columns;
use crate::exit;
use crate::nearest::nearest;
use data::{
    ImportError, MappedDense, MappedSparse, TableError, import_libsvm, import_table, read_header,
    survey_libsvm,
};
use posterior::Rows;
use records::{DataSource, digest, write_atomically};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Instant, UNIX_EPOCH};

/// What a model wants beside covariates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// One of two classes.
    Class,
    /// A number.
    Number,
    /// Nothing: all columns are data.
    Nothing,
}

/// The rows, where they are.
pub enum Stored {
    Dense(MappedDense),
    Sparse(MappedSparse),
}

/// Imported data.
pub struct Source {
    pub rows: Stored,
    /// Names of the covariates.
    pub names: Vec<String>,
    pub columns: Columns,
    pub data: DataSource,
    /// Where all that belongs to this data is kept.
    pub folder: PathBuf,
    /// Megabytes and seconds of the import, if it was done now.
    pub imported: Option<(f64, f64)>,
}

/// What is known of an import without opening it.
#[derive(PartialEq, serde::Serialize, serde::Deserialize)]
struct Kept {
    source: PathBuf,
    bytes: u64,
    modified: u128,
    names: Vec<String>,
    columns: Columns,
}

impl Source {
    /// Imports the file unless that was done before, and checks what can be checked.
    pub fn open(
        arguments: &DataArguments,
        wants: Wants,
        say: &dyn Fn(&str),
    ) -> anyhow::Result<Source> {
        let path = &arguments.data;
        let cannot = |error| exit::data(format!("cannot read {}: {error}", path.display()));
        let source = path.canonicalize().map_err(cannot)?;
        let about = fs::metadata(&source).map_err(cannot)?;
        let modified = about.modified().map_err(cannot)?;
        let modified = modified.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
        let chosen = format!(
            "{}|{:?}|{:?}|{:?}|{wants:?}",
            source.display(),
            arguments.label,
            arguments.columns,
            arguments.drop
        );
        let stem = path.file_name().unwrap_or_default().to_string_lossy();
        let folder = arguments.work.join(format!("{stem}-{}", &digest(chosen.as_bytes())[..8]));
        writable(&folder, "--work FOLDER names another place")?;
        let (rows, about_import) = (folder.join("rows"), folder.join("import.json"));
        let kept: Option<Kept> =
            fs::read(&about_import).ok().and_then(|text| serde_json::from_slice(&text).ok());
        let fresh = |kept: &Kept| {
            (&kept.source, kept.bytes, kept.modified) == (&source, about.len(), modified)
        };
        if let Some(kept) = kept.filter(fresh)
            && let Ok(stored) = open(&rows)
        {
            return Source::of(stored, kept, path, folder, None);
        }
        say(&format!("importing {}", path.display()));
        let begun = Instant::now();
        let names = import(arguments, wants, &rows)?;
        let stored = open(&rows)?;
        let columns = match &stored {
            Stored::Dense(rows) => Columns::of_dense(rows, rows.width()),
            Stored::Sparse(rows) => Columns::of_sparse(rows, rows.width()),
        };
        let imported = (about.len() as f64 / 1e6, begun.elapsed().as_secs_f64());
        let kept = Kept { source, bytes: about.len(), modified, names, columns };
        check(&kept, wants, arguments)?;
        write_atomically(&about_import, &serde_json::to_vec_pretty(&kept)?)?;
        Source::of(stored, kept, path, folder, Some(imported))
    }

    fn of(
        rows: Stored,
        kept: Kept,
        path: &Path,
        folder: PathBuf,
        imported: Option<(f64, f64)>,
    ) -> anyhow::Result<Source> {
        let (count, sum) = match &rows {
            Stored::Dense(rows) => (rows.count(), rows.sha256()),
            Stored::Sparse(rows) => (rows.count(), rows.sha256()),
        };
        let data = DataSource {
            name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            rows: count as u64,
            identity: format!("sha256 {sum} of the imported rows"),
        };
        Ok(Source { rows, names: kept.names, columns: kept.columns, data, folder, imported })
    }

    /// N.
    pub fn count(&self) -> usize {
        self.data.rows as usize
    }
}

/// Makes a folder and writes into it, to know before the work whether one can.
pub fn writable(folder: &Path, advice: &str) -> anyhow::Result<()> {
    let probe = folder.join(".probe");
    write_atomically(&probe, b"").and_then(|()| fs::remove_file(&probe)).map_err(|error| {
        exit::usage(format!("cannot write into {}: {error}; {advice}", folder.display()))
    })
}

fn open(rows: &Path) -> anyhow::Result<Stored> {
    Ok(match MappedDense::open(rows) {
        Ok(dense) => Stored::Dense(dense),
        Err(data::MappedError::Kind { .. }) => Stored::Sparse(MappedSparse::open(rows)?),
        Err(error) => return Err(error.into()),
    })
}

/// Whether the first line is one of libsvm.
fn is_libsvm(path: &Path) -> anyhow::Result<bool> {
    let cannot = |error| exit::data(format!("cannot read {}: {error}", path.display()));
    let mut beginning = Vec::new();
    data::open(path).map_err(cannot)?.take(1 << 16).read_to_end(&mut beginning).map_err(cannot)?;
    let text = String::from_utf8_lossy(&beginning);
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    Ok(!line.contains(',') && line.split_whitespace().nth(1).is_some_and(|word| word.contains(':')))
}

/// Imports the file and names its columns.
fn import(arguments: &DataArguments, wants: Wants, rows: &Path) -> anyhow::Result<Vec<String>> {
    let path = &arguments.data;
    let file = path.display().to_string();
    let text =
        || data::open(path).map_err(|error| exit::data(format!("cannot read {file}: {error}")));
    if is_libsvm(path)? {
        if wants != Wants::Class {
            return Err(exit::usage(format!(
                "{file} is a libsvm file, whose labels are classes here; give this model a CSV"
            )));
        }
        if arguments.label.is_some() || !arguments.columns.is_empty() || !arguments.drop.is_empty()
        {
            return Err(exit::usage(format!(
                "{file} is a libsvm file, which has no named columns: leave --label, --columns and \
                 --drop out"
            )));
        }
        let shape = survey_libsvm(text()?, &file).map_err(|error| exit::data(error.to_string()))?;
        if shape.one_class() {
            return Err(one_class(shape.rows, &shape.labels.to_string()));
        }
        let labels = shape.written().ok_or_else(|| {
            exit::data(format!("{file}: labels {} are not two classes", shape.labels))
        })?;
        import_libsvm(path, rows, shape.width, labels).map_err(refused)?;
        return Ok((1..=shape.width).map(|index| format!("w{index}")).collect());
    }
    let header = read_header(text()?, &file).map_err(|error| exit::data(error.to_string()))?;
    let listed = || header.join(", ");
    let known = |name: &String| {
        if header.contains(name) {
            return Ok(());
        }
        let meant =
            nearest(name, &header).map_or(String::new(), |name| format!(", perhaps \"{name}\""));
        Err(exit::usage(format!("{file} has no column \"{name}\"{meant}; it has {}", listed())))
    };
    let named = arguments.columns.iter().chain(&arguments.drop).chain(&arguments.label);
    named.into_iter().try_for_each(known)?;
    let label = match (&arguments.label, wants) {
        (Some(label), Wants::Class | Wants::Number) => Some(label),
        (None, Wants::Nothing) => None,
        (Some(label), Wants::Nothing) => {
            return Err(exit::usage(format!("this model has no label: leave --label {label} out")));
        }
        (None, _) => {
            return Err(exit::usage(format!(
                "a CSV needs --label COLUMN, the column to be explained; {file} has {}",
                listed()
            )));
        }
    };
    let chosen = if arguments.columns.is_empty() { &header } else { &arguments.columns };
    let chosen =
        chosen.iter().filter(|name| Some(*name) != label && !arguments.drop.contains(name));
    let covariates: Vec<&str> = chosen.map(String::as_str).collect();
    let Some(&first) = covariates.first() else {
        return Err(exit::usage(format!(
            "no column of {file} is left to work with; it has {}",
            listed()
        )));
    };
    import_table(path, rows, &covariates, label.map_or(first, String::as_str)).map_err(refused)?;
    Ok(covariates.into_iter().map(str::to_owned).collect())
}

/// A faulty file, with what can be done about it.
fn refused(error: ImportError) -> anyhow::Error {
    let advice = match &error {
        ImportError::Table(
            TableError::Value { column, .. } | TableError::Missing { column, .. },
        ) => {
            format!("; mend the cell, or leave the column out with --drop {column}")
        }
        ImportError::Write { .. } => {
            return exit::usage(format!("{error}; --work FOLDER names another place"));
        }
        _ => String::new(),
    };
    exit::data(format!("{error}{advice}"))
}

fn one_class(rows: u64, label: &str) -> anyhow::Error {
    exit::data(format!("all {rows} rows have one label, {label}: there is nothing to tell apart"))
}

/// What no model can work with.
fn check(kept: &Kept, wants: Wants, arguments: &DataArguments) -> anyhow::Result<()> {
    let Kept { columns, names, .. } = kept;
    if wants == Wants::Class {
        match columns.classes[..] {
            [_, _] => {}
            [one] => {
                return Err(exit::data(format!(
                    "all rows have one label, {one}: there is nothing to tell apart"
                )));
            }
            _ => {
                let label = arguments.label.as_deref().unwrap_or("label");
                return Err(exit::data(format!(
                    "column \"{label}\" holds three values or more; a logistic regression takes two classes"
                )));
            }
        }
    }
    // A column of a libsvm file that is never used tells nothing and does no harm.
    let harmful = columns.constant().find(|&j| wants != Wants::Nothing && columns.highs[j] != 0.0);
    match harmful.or_else(|| columns.constant().next().filter(|_| arguments.label.is_some())) {
        Some(j) => Err(exit::data(format!(
            "column \"{}\" is {} in all rows and cannot be told from the bias; leave it out with --drop {}",
            names[j], columns.highs[j], names[j]
        ))),
        None => Ok(()),
    }
}
