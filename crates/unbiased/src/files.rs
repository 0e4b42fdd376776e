//! `--data`: one file of text or of Arrow, one or more Parquet files, a folder or a pattern of them.

use crate::exit;
use crate::interruption::interrupted;
use crate::stamp::Stamp;
use data::{
    ArrowTable, Cells, Derived, ParquetTable, StoredColumn, Sum, Table, TableError, View,
    arrow_columns, is_arrow, open_summed, parquet_columns, read_header, sha256_of_files,
};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The first bytes of every Parquet file.
const PARQUET: &[u8] = b"PAR1";
/// The first bytes of files that are not read, what they are, and what helps.
const UNREAD: [(&[u8], &str, &str); 8] = [
    (b"PK\x03\x04", "a zip archive or an Excel workbook", "unpack it, or save the sheet as CSV"),
    (b"PK\x05\x06", "an empty zip archive", "there is nothing in it"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook", "save the sheet as CSV"),
    (
        b"\x28\xb5\x2f\xfd",
        "compressed with zstd",
        "unpack it first, or pipe it: zstdcat … | unbiased … --data -",
    ),
    (
        b"\xfd7zXZ",
        "compressed with xz",
        "unpack it first, or pipe it: xzcat … | unbiased … --data -",
    ),
    (b"SQLite format 3", "a SQLite database", "pipe a query into --data -: sqlite3 -csv -header …"),
    (b"ORC", "an ORC file", "write it as Parquet"),
    (b"\x89HDF", "an HDF5 file", "write it as Parquet or CSV"),
];
/// Files of one data set.
const MOST_FILES: usize = 100_000;

/// The files of a data set.
pub struct Files {
    named: PathBuf,
    /// As they were named.
    pub shown: String,
    /// Sorted by name.
    pub paths: Vec<PathBuf>,
    /// What they are known by: the one file, or the folder with its pattern.
    pub key: PathBuf,
    /// The columns, if these are Parquet files or one Arrow file.
    pub stored: Option<Vec<StoredColumn>>,
    format: Format,
}

/// What the first bytes of a file say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Text,
    Parquet,
    Arrow,
}

/// A table for one pass. Text, which is most frequent, takes no detour for every cell.
pub enum Opened {
    Text(Box<Table<Box<dyn Read + Send>>>),
    Other(Box<dyn Cells>),
}

/// The sum of what is being read, when reading has ended.
pub enum Summing {
    Text(Sum),
    /// Other files are not read from front to back: they are summed apart.
    Parts(Vec<PathBuf>),
}

impl Files {
    /// The files that a name stands for.
    pub fn find(named: &Path) -> anyhow::Result<Files> {
        let shown = named.display().to_string();
        let cannot = |error| exit::data(format!("cannot read {shown}: {error}"));
        if named.is_dir() {
            let key = named.canonicalize().map_err(cannot)?;
            let paths = matching(&key, "*.parquet").map_err(cannot)?;
            if paths.is_empty() {
                return Err(exit::data(format!(
                    "{shown} is a folder without Parquet files (*.parquet); give a file, or a \
                     pattern in quotes"
                )));
            }
            return Files::of(named, paths, key);
        }
        let name = named.file_name().unwrap_or_default().to_string_lossy();
        if name.contains(['*', '?']) && !named.exists() {
            let folder = named.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new("."));
            let missing = |error| {
                let (folder, pattern) = (folder.display(), &shown);
                exit::data(format!("cannot read the folder {folder} of {pattern}: {error}"))
            };
            let folder = folder.canonicalize().map_err(missing)?;
            let paths = matching(&folder, &name).map_err(cannot)?;
            if paths.is_empty() {
                return Err(exit::data(format!("no file matches {shown}")));
            }
            return Files::of(named, paths, folder.join(name.as_ref()));
        }
        let key = named.canonicalize().map_err(cannot)?;
        if !key.is_file() {
            return Err(exit::data(format!(
                "{shown} is a pipe or a device, and the data is read more than once: give a file, or \
                 \"-\" for standard input"
            )));
        }
        Files::of(named, vec![key.clone()], key)
    }

    fn of(named: &Path, paths: Vec<PathBuf>, key: PathBuf) -> anyhow::Result<Files> {
        let mut formats = Vec::new();
        for path in &paths {
            let cannot = |error| exit::data(format!("cannot read {}: {error}", path.display()));
            let beginning = beginning(path).map_err(cannot)?;
            if let Some((_, kind, advice)) =
                UNREAD.iter().find(|(magic, _, _)| beginning.starts_with(magic))
            {
                return Err(exit::data(format!("{} is {kind}; {advice}", path.display())));
            }
            let format = format(&beginning);
            let called = |name: &str| path.extension().is_some_and(|extension| extension == name);
            for (name, kind, expected) in
                [("parquet", "a Parquet", Format::Parquet), ("arrow", "an Arrow", Format::Arrow)]
            {
                if called(name) && format != expected {
                    return Err(exit::data(format!(
                        "{} is called {kind} file, but does not begin as one; rename it if it is \
                         something else",
                        path.display()
                    )));
                }
            }
            formats.push(format);
        }
        let other = formats.iter().position(|format| *format != Format::Parquet);
        if let (Some(other), true) = (other, paths.len() > 1) {
            return Err(exit::data(format!(
                "{} is not a Parquet file; several files are read together only if all of them are",
                paths[other].display()
            )));
        }
        let (shown, format) = (named.display().to_string(), formats[0]);
        let mut files = Files { named: named.to_owned(), shown, paths, key, stored: None, format };
        match format {
            Format::Text => {}
            Format::Arrow => files.stored = Some(arrow_columns(files.path()).map_err(refused)?),
            Format::Parquet => {
                let (columns, rows) = parquet_columns(&files.named()).map_err(refused)?;
                if rows == 0 {
                    return Err(exit::data(format!(
                        "{} has no rows: there is nothing to learn from",
                        files.shown
                    )));
                }
                files.stored = Some(columns);
            }
        }
        Ok(files)
    }

    /// The paths as errors should name them.
    fn named(&self) -> Vec<PathBuf> {
        if self.paths.len() == 1 && self.key == self.paths[0] {
            return vec![self.named.clone()];
        }
        let folder = if self.named.is_dir() { Some(&*self.named) } else { self.named.parent() };
        let folder = folder.unwrap_or(Path::new(""));
        self.paths.iter().map(|path| folder.join(path.file_name().unwrap_or_default())).collect()
    }

    /// The path of a single file.
    pub fn path(&self) -> &Path {
        &self.named
    }

    /// What the system tells of the files.
    pub fn stamps(&self) -> io::Result<Vec<Stamp>> {
        self.paths.iter().map(|path| Stamp::of(path)).collect()
    }

    /// The sum of the files.
    pub fn sum(&self) -> io::Result<String> {
        sha256_of_files(&self.paths)
    }

    /// The names of all columns.
    pub fn header(&self) -> anyhow::Result<Vec<String>> {
        match &self.stored {
            Some(columns) => Ok(columns.iter().map(|column| column.name.clone()).collect()),
            None => {
                let text = data::open(self.path()).map_err(|error| self.cannot(error))?;
                read_header(text, &self.shown).map_err(refused)
            }
        }
    }

    /// Opens the table for one pass: the columns `used`, and what is derived from them.
    pub fn open(
        &self,
        used: &[String],
        derived: &[Derived],
        refused: impl Fn(TableError) -> anyhow::Error,
    ) -> anyhow::Result<(Opened, Summing)> {
        let parts = || Summing::Parts(self.paths.clone());
        match self.format {
            Format::Text => {}
            Format::Parquet => {
                let table = ParquetTable::open(&self.named(), &self.shown, used, interrupted);
                let view = View::new(table.map_err(&refused)?, derived).map_err(&refused)?;
                return Ok((Opened::Other(Box::new(view)), parts()));
            }
            Format::Arrow => {
                let table = ArrowTable::open(self.path(), &self.shown, used, interrupted);
                let view = View::new(table.map_err(&refused)?, derived).map_err(&refused)?;
                return Ok((Opened::Other(Box::new(view)), parts()));
            }
        }
        let (text, sum) =
            open_summed(self.path(), interrupted).map_err(|error| self.cannot(error))?;
        let table = Table::new(text, &self.shown).map_err(&refused)?;
        let table = match derived {
            [] => Opened::Text(Box::new(table)),
            _ => Opened::Other(Box::new(View::new(table, derived).map_err(&refused)?)),
        };
        Ok((table, Summing::Text(sum)))
    }

    /// Reading failed.
    pub fn cannot(&self, error: io::Error) -> anyhow::Error {
        exit::data(format!("cannot read {}: {error}", self.shown))
    }
}

impl Summing {
    /// The sum of the whole file, or of all files.
    pub fn finish(self) -> io::Result<String> {
        match self {
            Summing::Text(sum) => sum.finish(),
            Summing::Parts(paths) => sha256_of_files(&paths),
        }
    }
}

/// A table that cannot be read, with what can be done about it.
pub fn refused(error: TableError) -> anyhow::Error {
    let advice = match &error {
        TableError::Type { column, .. } => format!("; leave it out with --drop {column}"),
        TableError::Differs { .. } => "; a pattern in quotes chooses some files".to_owned(),
        _ => String::new(),
    };
    exit::data(format!("{error}{advice}"))
}

fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    let mut beginning = Vec::new();
    File::open(path)?.take(16).read_to_end(&mut beginning)?;
    Ok(beginning)
}

/// What a file is, by its first bytes.
fn format(beginning: &[u8]) -> Format {
    match beginning {
        _ if beginning.starts_with(PARQUET) => Format::Parquet,
        _ if is_arrow(beginning) => Format::Arrow,
        _ => Format::Text,
    }
}

/// The files of a folder whose names match, sorted.
fn matching(folder: &Path, pattern: &str) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in folder.read_dir()? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // As in a shell, hidden files are not meant.
        if !name.starts_with('.') && matches(&name, pattern) && entry.path().is_file() {
            found.push(entry.path());
        }
        if found.len() > MOST_FILES {
            return Err(io::Error::other(format!("more than {MOST_FILES} files")));
        }
    }
    found.sort();
    Ok(found)
}

/// Whether a name matches: `*` is any text, `?` any one character.
fn matches(name: &str, pattern: &str) -> bool {
    let (name, pattern): (Vec<char>, Vec<char>) =
        (name.chars().collect(), pattern.chars().collect());
    let (mut at, mut p) = (0, 0);
    // The last star, and how much of the name it stands for.
    let mut star: Option<(usize, usize)> = None;
    while at < name.len() {
        if p < pattern.len() && pattern[p] == '*' {
            star = Some((p, at));
            p += 1;
        } else if p < pattern.len() && (pattern[p] == '?' || pattern[p] == name[at]) {
            (at, p) = (at + 1, p + 1);
        } else if let Some((star_at, from)) = star {
            star = Some((star_at, from + 1));
            (at, p) = (from + 1, star_at + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_match_as_in_a_shell() {
        for (name, pattern) in [
            ("a.parquet", "*.parquet"),
            ("2024-01.x", "2024-??.*"),
            ("abc", "*b*"),
            ("a", "a*"),
            ("aab", "*ab"),
        ] {
            assert!(matches(name, pattern), "{name} {pattern}");
        }
        for (name, pattern) in
            [("a.csv", "*.parquet"), ("2024-1.x", "2024-??.*"), ("", "?"), ("ab", "a")]
        {
            assert!(!matches(name, pattern), "{name} {pattern}");
        }
    }
}
