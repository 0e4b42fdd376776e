//! Rows from text or Parquet files, imported once and mapped from then on.

use crate::arguments::DataArguments;
use crate::columns::Columns;
use crate::exit;
use crate::files::Files;
use crate::interruption::interrupted;
use crate::points::Prediction;
use crate::stamp::Stamp;
use crate::stored::Stored;
use crate::{response, standard_input, table, workplace};
use data::{Coding, Written, import_libsvm_from, open_summed, survey_libsvm};
use models::design::Extras;
use records::{
    ChunkFolder, DataSource, FolderLock, RunKey, Unsealed, digest, read_sealed, write_sealed,
};
use std::fs;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What a model wants beside covariates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// One of two classes.
    Class,
    /// A number.
    Number,
    /// A number above zero.
    Positive,
    /// 0, 1, 2, …
    Count,
    /// 0, 1, …, up to a number of trials.
    Successes,
    /// Nothing: all columns are data.
    Nothing,
}

impl Wants {
    /// What the import depends on: numbers are imported alike.
    fn imported(self) -> Wants {
        match self {
            Wants::Positive | Wants::Count | Wants::Successes => Wants::Number,
            wants => wants,
        }
    }
}

/// Imported data.
pub struct Source {
    /// The rows.
    pub rows: Stored,
    /// Names of the covariates.
    pub names: Vec<String>,
    /// What the columns hold.
    pub columns: Columns,
    /// The target of the positive class.
    pub positive: f64,
    /// How cells became covariates; libsvm files have none.
    pub coding: Option<Coding>,
    /// Columns behind the covariates.
    pub extras: Extras,
    /// The column of the offset.
    pub offset: Option<String>,
    /// What people should know of the coding.
    pub remarks: Vec<String>,
    /// What records say of the data.
    pub data: DataSource,
    /// The file, a copy of standard input included.
    pub file: PathBuf,
    /// Files of rows to be predicted, in the order in which they were asked for.
    pub predictions: Vec<Prediction>,
    /// Where all that belongs to this data is kept.
    pub folder: PathBuf,
    /// Megabytes and seconds of the import, if it was done now.
    pub imported: Option<(f64, f64)>,
    // Held until all is written; arrays have no folder.
    pub(crate) _lock: Option<FolderLock>,
}

/// What is known of an import without opening it.
#[derive(serde::Serialize, serde::Deserialize)]
struct Kept {
    source: PathBuf,
    /// Of the files when they were last summed; nothing if one had only just changed.
    stamps: Option<Vec<Stamp>>,
    /// Of the file.
    sha256: String,
    /// Of the imported rows.
    rows: String,
    names: Vec<String>,
    columns: Columns,
    positive: f64,
    coding: Option<Coding>,
    #[serde(default)]
    extras: Extras,
    #[serde(default)]
    offset: Option<String>,
    remarks: Vec<String>,
}

/// What an import gives.
pub struct Imported {
    pub stored: Stored,
    /// Of the file.
    pub sha256: String,
    pub names: Vec<String>,
    pub columns: Columns,
    pub positive: f64,
    pub coding: Option<Coding>,
    pub extras: Extras,
    pub offset: Option<String>,
    pub remarks: Vec<String>,
}

impl Source {
    /// Imports the file unless that was done before, and checks what can be checked.
    pub fn open(
        arguments: &DataArguments,
        wants: Wants,
        say: &dyn Fn(&str),
    ) -> anyhow::Result<Source> {
        if wants != Wants::Successes && arguments.trials.is_some() {
            return Err(exit::usage("--trials belongs to binomial: leave it out"));
        }
        if wants == Wants::Successes && arguments.trials.is_none() {
            return Err(exit::usage(
                "binomial needs --trials COLUMN, of how many trials the label counts the successes",
            ));
        }
        let mut source = Source::imported(arguments, wants, say)?;
        response::check(arguments, wants, &mut source)?;
        Ok(source)
    }

    fn imported(
        arguments: &DataArguments,
        wants: Wants,
        say: &dyn Fn(&str),
    ) -> anyhow::Result<Source> {
        let kept;
        let mut arguments = arguments;
        if arguments.data == Path::new("-") {
            let data = standard_input::keep(&arguments.work, say)?;
            kept = DataArguments { data, ..arguments.clone() };
            arguments = &kept;
        }
        let path = &arguments.data;
        let cannot = |error| exit::data(format!("cannot read {}: {error}", path.display()));
        let files = Files::find(path)?;
        let source = files.key.clone();
        let stamps = files.stamps().map_err(cannot)?;
        let chosen = format!("{}|{}|{:?}", source.display(), arguments.choices(), wants.imported());
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
                let untouched = kept.stamps.as_ref() == Some(&stamps);
                let changed = !untouched && files.sum().map_err(cannot)? != kept.sha256;
                let opened = Stored::open(&rows, Written::Before).ok();
                match opened.filter(|it| it.sum() == kept.rows) {
                    _ if changed => again("it has changed"),
                    None => again("the imported rows are damaged"),
                    Some(Stored::Sparse(_)) if kept.coding.is_some() => {
                        again("an older version kept categories in another layout");
                    }
                    Some(stored) => {
                        let stamps = if untouched { None } else { settled(&stamps) };
                        if stamps.is_some() {
                            kept.stamps = stamps;
                            write_sealed(&about, &kept)
                                .map_err(|error| cannot_keep(&about, &error))?;
                        }
                        return Ok(Source::of(stored, kept, place, None));
                    }
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
        let Imported { stored, sha256, names, columns, positive, coding, extras, offset, remarks } =
            if files.stored.is_none() && is_libsvm(path)? {
                import_libsvm(arguments, wants, &rows)?
            } else {
                table::import(arguments, wants, &files, &rows)?
            };
        if files.stamps().map_err(cannot)? != stamps {
            return Err(changed_meanwhile(path));
        }
        let megabytes = stamps.iter().map(Stamp::megabytes).sum();
        let imported = (megabytes, begun.elapsed().as_secs_f64());
        let (stamps, rows) = (settled(&stamps), stored.sum().to_owned());
        let kept = Kept {
            source,
            stamps,
            sha256,
            rows,
            names,
            columns,
            positive,
            coding,
            extras,
            offset,
            remarks,
        };
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
            positive: kept.positive,
            coding: kept.coding,
            extras: kept.extras,
            offset: kept.offset,
            remarks: kept.remarks,
            data,
            predictions: Vec::new(),
            file: place.path.to_owned(),
            folder: place.folder.to_owned(),
            imported,
            _lock: Some(place.lock),
        }
    }

    /// Finished work of runs with this key.
    pub fn chunks(&self, key: &RunKey, fresh: bool) -> anyhow::Result<ChunkFolder> {
        let folder = self.folder.join("chunks").join(&key.digest()[..16]);
        if fresh {
            fs::remove_dir_all(&folder).ok();
        }
        ChunkFolder::open(&folder, key).map_err(|error| {
            exit::usage(format!("cannot write into {}: {error}", folder.display()))
        })
    }

    /// What people should know of the coding, as lines under an answer.
    pub fn notes(&self) -> String {
        self.remarks.iter().map(|remark| format!("{:<12} {remark}\n", "data")).collect()
    }

    /// The covariates whose weights are the effects of groups, and the names of their standard deviations.
    pub fn effects(&self) -> Vec<(Range<usize>, String)> {
        self.coding.as_ref().map_or(Vec::new(), Coding::effects)
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

/// The stamps, if no file has changed for a while.
fn settled(stamps: &[Stamp]) -> Option<Vec<Stamp>> {
    stamps.iter().cloned().map(Stamp::settled).collect()
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

/// Whether the first line is one of libsvm: a number, and then entries.
fn is_libsvm(path: &Path) -> anyhow::Result<bool> {
    let cannot = |error| exit::data(format!("cannot read {}: {error}", path.display()));
    let mut beginning = Vec::new();
    data::open(path).map_err(cannot)?.take(1 << 16).read_to_end(&mut beginning).map_err(cannot)?;
    let text = String::from_utf8_lossy(&beginning);
    let mut lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let mut words = lines.find(|line| !line.is_empty()).unwrap_or_default().split_whitespace();
    let label = words.next().is_some_and(|word| word.parse::<f64>().is_ok());
    Ok(label && words.next().is_some_and(|word| word.contains(':')))
}

fn import_libsvm(arguments: &DataArguments, wants: Wants, rows: &Path) -> anyhow::Result<Imported> {
    let path = &arguments.data;
    let file = path.display().to_string();
    let cannot = |error| exit::data(format!("cannot read {file}: {error}"));
    if wants != Wants::Class {
        return Err(exit::usage(format!(
            "{file} is a libsvm file, whose labels are classes here; give this model a CSV"
        )));
    }
    if arguments.names_columns() {
        return Err(exit::usage(format!(
            "{file} is a libsvm file, which has no named columns: leave --label, --columns, --drop \
             and all else that names columns out"
        )));
    }
    let (source, sum) = open_summed(path, interrupted).map_err(cannot)?;
    let shape = survey_libsvm(source, &file).map_err(|error| exit::data(error.to_string()))?;
    let surveyed = sum.finish().map_err(cannot)?;
    if shape.one_class() {
        return Err(exit::data(format!(
            "{file}: all {} rows have one label, {}: there is nothing to tell apart",
            shape.rows, shape.labels
        )));
    }
    let labels = shape.written().ok_or_else(|| {
        exit::data(format!("{file}: labels {} are not two classes", shape.labels))
    })?;
    let (source, sum) = open_summed(path, interrupted).map_err(cannot)?;
    import_libsvm_from(source, &file, rows, shape.width, labels).map_err(table::refused)?;
    let sha256 = sum.finish().map_err(cannot)?;
    if sha256 != surveyed {
        return Err(changed_meanwhile(path));
    }
    let stored = Stored::open(rows, Written::Now)?;
    let columns = Columns::of(&stored);
    // A column that is never used tells nothing and does no harm.
    if let Some(j) = columns.constant().find(|&j| columns.highs[j] != 0.0) {
        return Err(exit::data(format!(
            "{file}: column {} is {} in all rows and cannot be told from the bias; take it out of \
             the file",
            j + 1,
            columns.highs[j]
        )));
    }
    let names = (1..=shape.width).map(|index| format!("w{index}")).collect();
    Ok(Imported {
        stored,
        sha256,
        names,
        columns,
        positive: 1.0,
        coding: None,
        extras: Extras::default(),
        offset: None,
        remarks: Vec::new(),
    })
}
