//! Rows from a text file, imported once and mapped from then on.

use crate::arguments::DataArguments;
use crate::columns::Columns;
use crate::exit;
use crate::nearest::nearest;
use crate::points::Prediction;
use crate::progress::interrupted;
use crate::stamp::Stamp;
use crate::workplace;
use data::{
    ImportError, MappedDense, MappedSparse, TableError, import_libsvm_from, import_table_from,
    open_summed, read_header, sha256_of_file, survey_libsvm,
};
use posterior::Rows;
use records::{DataSource, FolderLock, Unsealed, digest, read_sealed, write_sealed};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

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
    /// Files of rows to be predicted, in the order in which they were asked for.
    pub predictions: Vec<Prediction>,
    /// Where all that belongs to this data is kept.
    pub folder: PathBuf,
    /// Megabytes and seconds of the import, if it was done now.
    pub imported: Option<(f64, f64)>,
    // Held until all is written.
    _lock: FolderLock,
}

/// What is known of an import without opening it.
#[derive(serde::Serialize, serde::Deserialize)]
struct Kept {
    source: PathBuf,
    /// Of the file when it was last summed; nothing if it had only just changed.
    stamp: Option<Stamp>,
    /// Of the file.
    sha256: String,
    /// Of the imported rows.
    rows: String,
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
        let stamp = Stamp::of(&source).map_err(cannot)?;
        let chosen = format!(
            "{}|{:?}|{:?}|{:?}|{wants:?}",
            source.display(),
            arguments.label,
            arguments.columns,
            arguments.drop
        );
        let stem = path.file_name().unwrap_or_default().to_string_lossy();
        let folder = arguments.work.join(format!("{stem}-{}", &digest(chosen.as_bytes())[..8]));
        let lock = workplace::enter(&folder, say)?;
        let (rows, about) = (folder.join("rows"), folder.join("import.json"));
        let place = Place { path, folder: &folder, lock };
        let again = |why: &str| say(&format!("{} is imported again: {why}", path.display()));
        match read_sealed::<Kept>(&about) {
            Ok(_) if arguments.fresh => {}
            Ok(kept) if kept.source != source => again("it was imported under another name"),
            Ok(mut kept) => {
                let untouched = kept.stamp.as_ref() == Some(&stamp);
                if !untouched && sha256_of_file(&source).map_err(cannot)? != kept.sha256 {
                    again("it has changed");
                } else if let Some(stored) = open(&rows).ok().filter(|it| it.sum() == kept.rows) {
                    if !untouched {
                        kept.stamp = stamp.settled();
                        write_sealed(&about, &kept).map_err(|error| cannot_keep(&about, &error))?;
                    }
                    return Ok(Source::of(stored, kept, place, None));
                } else {
                    again("the imported rows are damaged");
                }
            }
            Err(Unsealed::Absent) => {}
            Err(Unsealed::Damaged) => again(&format!(
                "{} was edited or damaged, or an older version wrote it",
                about.display()
            )),
        }
        // Nothing half old and half new is left if this is killed.
        fs::remove_file(&about).ok();
        say(&format!("importing {}", path.display()));
        let begun = Instant::now();
        let (names, sha256) = import(arguments, wants, &rows)?;
        let stored = open(&rows)?;
        let columns = match &stored {
            Stored::Dense(rows) => Columns::of_dense(rows, rows.width()),
            Stored::Sparse(rows) => Columns::of_sparse(rows, rows.width()),
        };
        if Stamp::of(&source).map_err(cannot)? != stamp {
            return Err(changed_meanwhile(path));
        }
        let imported = (stamp.megabytes(), begun.elapsed().as_secs_f64());
        let (stamp, rows) = (stamp.settled(), stored.sum().to_owned());
        let kept = Kept { source, stamp, sha256, rows, names, columns };
        check(&kept, wants, arguments)?;
        write_sealed(&about, &kept).map_err(|error| cannot_keep(&about, &error))?;
        Ok(Source::of(stored, kept, place, Some(imported)))
    }

    fn of(rows: Stored, kept: Kept, place: Place<'_>, imported: Option<(f64, f64)>) -> Source {
        let data = DataSource {
            name: place.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            rows: rows.count() as u64,
            identity: format!("sha256 {} of the imported rows", rows.sum()),
        };
        Source {
            rows,
            names: kept.names,
            columns: kept.columns,
            data,
            predictions: Vec::new(),
            folder: place.folder.to_owned(),
            imported,
            _lock: place.lock,
        }
    }

    /// N.
    pub fn count(&self) -> usize {
        self.data.rows as usize
    }
}

/// The file, and where its rows go.
struct Place<'a> {
    path: &'a Path,
    folder: &'a Path,
    lock: FolderLock,
}

impl Stored {
    fn count(&self) -> usize {
        match self {
            Stored::Dense(rows) => rows.count(),
            Stored::Sparse(rows) => rows.count(),
        }
    }

    /// The sum of the imported rows.
    fn sum(&self) -> &str {
        match self {
            Stored::Dense(rows) => rows.sha256(),
            Stored::Sparse(rows) => rows.sha256(),
        }
    }
}

fn cannot_keep(path: &Path, error: &std::io::Error) -> anyhow::Error {
    exit::usage(format!(
        "cannot write {}: {error}; --work FOLDER names another place",
        path.display()
    ))
}

/// A file that changes while it is read has no content.
pub fn changed_meanwhile(path: &Path) -> anyhow::Error {
    exit::data(format!(
        "{} changed while it was being read; run this again when it is complete",
        path.display()
    ))
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

/// Imports the file; names its columns and gives the sum of its bytes.
fn import(
    arguments: &DataArguments,
    wants: Wants,
    rows: &Path,
) -> anyhow::Result<(Vec<String>, String)> {
    let path = &arguments.data;
    let file = path.display().to_string();
    let cannot = |error| exit::data(format!("cannot read {file}: {error}"));
    let text = || data::open(path).map_err(cannot);
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
        let (source, sum) = open_summed(path, interrupted).map_err(cannot)?;
        let shape = survey_libsvm(source, &file).map_err(|error| exit::data(error.to_string()))?;
        let surveyed = sum.finish().map_err(cannot)?;
        if shape.one_class() {
            return Err(one_class(shape.rows, &shape.labels.to_string()));
        }
        let labels = shape.written().ok_or_else(|| {
            exit::data(format!("{file}: labels {} are not two classes", shape.labels))
        })?;
        let (source, sum) = open_summed(path, interrupted).map_err(cannot)?;
        import_libsvm_from(source, &file, rows, shape.width, labels).map_err(refused)?;
        let sum = sum.finish().map_err(cannot)?;
        if sum != surveyed {
            return Err(changed_meanwhile(path));
        }
        return Ok(((1..=shape.width).map(|index| format!("w{index}")).collect(), sum));
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
    let (source, sum) = open_summed(path, interrupted).map_err(cannot)?;
    let label = label.map_or(first, String::as_str);
    import_table_from(source, &file, rows, &covariates, label).map_err(refused)?;
    let sum = sum.finish().map_err(cannot)?;
    Ok((covariates.into_iter().map(str::to_owned).collect(), sum))
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
