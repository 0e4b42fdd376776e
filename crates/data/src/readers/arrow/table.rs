//! An Arrow file or stream as a table. It is mapped, and of every column that is used one batch of cells
//! is held; the buffers of a batch that is compressed are unpacked whole.

use super::body::{Body, Kept};
use super::cells::{add_words, cells};
use super::flat::{Flat, bytes};
use super::schema::{Field, Size, fields};
use crate::readers::batch::{Batch, Text, WORDS, Words};
use crate::readers::batches::{BatchSource, Batches};
use crate::readers::place::{Place, excerpt};
use crate::readers::stored::{StoredColumn, StoredKind};
use crate::readers::table_error::TableError;
use memmap2::Mmap;
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The first bytes of a file, and of a stream.
const MAGIC: &[u8] = b"ARROW1";
const CONTINUES: [u8; 4] = [0xff; 4];
/// Cells of a column that are held.
const BATCH: usize = 1 << 14;
/// Kinds of messages.
const SCHEMA: i64 = 1;
const DICTIONARY: i64 = 2;
const RECORDS: i64 = 3;

/// Whether these first bytes are those of an Arrow file or stream.
pub fn is_arrow(beginning: &[u8]) -> bool {
    beginning.starts_with(MAGIC) || beginning.starts_with(&CONTINUES)
}

/// The columns of an Arrow file or stream.
pub fn arrow_columns(path: &Path) -> Result<Vec<StoredColumn>, TableError> {
    let (_, fields, _) = open(path)?;
    let column = |field: Field| StoredColumn { name: field.name, kind: field.kind };
    Ok(fields.into_iter().map(column).collect())
}

/// The mapped file, its columns, and where the first batch starts.
fn open(path: &Path) -> Result<(Arc<Mmap>, Vec<Field>, usize), TableError> {
    let file = path.display().to_string();
    let io = |source| TableError::Io { file: file.clone(), line: 0, source };
    let opened = File::open(path).map_err(io)?;
    // SAFETY: the map is only read, and as bytes. Nobody may shorten the file under a running program,
    // as with any mapped file.
    let map = unsafe { Mmap::map(&opened) }.map_err(io)?;
    let start = if map.starts_with(MAGIC) { 8 } else { 0 };
    let first = Message::read(&map, start).map_err(|reason| damaged(&file, reason))?;
    let found = first.filter(|message| message.kind == SCHEMA);
    if found.as_ref().is_some_and(|message| message.header.number::<2>(0, 0) != Some(0)) {
        return Err(damaged(&file, "its bytes are in the other order, most significant first"));
    }
    let found = found.and_then(|message| Some((fields(message.header)?, message.end)));
    let (fields, end) = found.ok_or_else(|| damaged(&file, "it has no schema"))?;
    Ok((Arc::new(map), fields, end))
}

fn damaged(file: &str, reason: &str) -> TableError {
    TableError::Arrow { file: file.to_owned(), reason: reason.to_owned() }
}

/// One message.
struct Message<'a> {
    kind: i64,
    header: Flat<'a>,
    body: &'a [u8],
    end: usize,
}

impl<'a> Message<'a> {
    /// The message at `at`; nothing at the end of the stream.
    fn read(map: &'a [u8], at: usize) -> Result<Option<Message<'a>>, &'static str> {
        let ended = "it ends within a message";
        let Some(mut word) = bytes::<4>(map, at) else { return Ok(None) };
        let mut start = at + 4;
        if word == CONTINUES {
            word = bytes(map, start).ok_or(ended)?;
            start += 4;
        }
        let size = u32::from_le_bytes(word) as usize;
        if size == 0 {
            return Ok(None);
        }
        let metadata = map.get(start..start + size).ok_or(ended)?;
        let read = || {
            let message = Flat::root(metadata)?;
            let body = usize::try_from(message.number::<8>(3, 0)?).ok()?;
            Some((message.number::<1>(1, 0)?, message.table(2)??, body))
        };
        let (kind, header, size_of_body) = read().ok_or("a message is malformed")?;
        let begin = start + size;
        let end = begin.checked_add(size_of_body).ok_or(ended)?;
        let body = map.get(begin..end).ok_or(ended)?;
        Ok(Some(Message { kind, header, body, end }))
    }
}

/// An Arrow file or stream as a table.
pub type ArrowTable = Batches<ArrowFile>;

/// An Arrow file or stream.
pub struct ArrowFile {
    shown: String,
    map: Arc<Mmap>,
    fields: Vec<Field>,
    header: Vec<String>,
    // Among the fields, for every column that is used.
    used: Vec<usize>,
    cancelled: fn() -> bool,
    dictionaries: HashMap<i64, (Arc<Words>, u64)>,
    next_dictionary: u64,
    // The batch of the file at hand, where it ends, and its rows that have been taken.
    next: usize,
    records: Option<Records>,
    // The batch of cells at hand: rows before it, and its rows.
    before: u64,
    rows: usize,
}

/// A batch of the file.
struct Records {
    columns: Vec<Kept>,
    rows: usize,
    taken: usize,
}

impl ArrowTable {
    /// Opens the columns `used`; `shown` names the file. Reading fails as soon as `cancelled` says so.
    pub fn open(
        path: &Path,
        shown: &str,
        used: &[String],
        cancelled: fn() -> bool,
    ) -> Result<ArrowTable, TableError> {
        let (map, fields, next) = open(path)?;
        let mut columns = Vec::new();
        for name in used {
            let mut named = (0..fields.len()).filter(|&at| fields[at].name == *name);
            let (Some(field), None) = (named.next(), named.next()) else {
                let header: Vec<&str> = fields.iter().map(|it| it.name.as_str()).collect();
                return Err(TableError::Column {
                    file: shown.to_owned(),
                    column: excerpt(name.as_bytes()),
                    times: fields.iter().filter(|field| field.name == *name).count(),
                    header: excerpt(header.join(",").as_bytes()),
                });
            };
            if let StoredKind::Other(kind) = fields[field].kind.clone() {
                let (file, column) = (shown.to_owned(), excerpt(name.as_bytes()));
                return Err(TableError::Type { file, column, kind });
            }
            columns.push(field);
        }
        Ok(Batches::of(ArrowFile {
            shown: shown.to_owned(),
            map,
            fields,
            header: used.to_vec(),
            used: columns,
            cancelled,
            dictionaries: HashMap::new(),
            next_dictionary: WORDS,
            next,
            records: None,
            before: 0,
            rows: 0,
        }))
    }
}

impl ArrowFile {
    /// Moves to the next batch of the file; false at its end.
    fn next_records(&mut self) -> Result<bool, &'static str> {
        let malformed = "a batch is malformed";
        let map = Arc::clone(&self.map);
        while let Some(message) = Message::read(&map, self.next)? {
            self.next = message.end;
            match message.kind {
                DICTIONARY => self.add_dictionary(&message).ok_or("a dictionary is malformed")?,
                RECORDS => {
                    let body = Body::new(message.header, message.body).ok_or(malformed)?;
                    let mut before = vec![Size::default()];
                    for Field { size, .. } in &self.fields {
                        let last = before[before.len() - 1];
                        before.push(Size {
                            nodes: last.nodes + size.nodes,
                            buffers: last.buffers + size.buffers,
                            views: last.views + size.views,
                        });
                    }
                    let column = |&field: &usize| {
                        let one = &self.fields[field];
                        Some(Kept::new(body.column(one, before[field], one.size)?, &map))
                    };
                    let columns = self.used.iter().map(column).collect::<Option<Vec<_>>>();
                    let columns = columns.ok_or(malformed)?;
                    self.records = Some(Records { columns, rows: body.rows, taken: 0 });
                    return Ok(true);
                }
                _ => {}
            }
        }
        Ok(false)
    }

    fn add_dictionary(&mut self, message: &Message<'_>) -> Option<()> {
        let id = message.header.number::<8>(0, 0)?;
        let has = |field: &&Field| field.dictionary.is_some_and(|(known, _)| known == id);
        let used = self.used.iter().map(|&field| &self.fields[field]);
        let Some(field) = used.into_iter().find(has).cloned() else { return Some(()) };
        let (_, layout) = field.dictionary?;
        let body = Body::new(message.header.table(1)??, message.body)?;
        let is_delta = message.header.number::<1>(2, 0)? != 0;
        let mut words = Text::default();
        if let (true, Some((known, _))) = (is_delta, self.dictionaries.get(&id)) {
            (0..known.len()).for_each(|word| words.push(|text| text.extend(known.get(word))));
        }
        let views = usize::from(layout == super::schema::Layout::Views);
        let own = Size { nodes: 1, buffers: if views == 1 { 2 } else { 3 }, views };
        let flat = Field { size: own, ..field };
        let buffers = body.column(&flat, Size::default(), own)?;
        add_words(&buffers, layout, body.rows, &mut words)?;
        self.next_dictionary += 1;
        self.dictionaries.insert(id, (Arc::new(Words::new(words)), self.next_dictionary));
        Some(())
    }

    /// Takes the next cells; no rows at the end.
    fn next_batch(&mut self, batches: &mut [Batch]) -> Result<usize, TableError> {
        if (self.cancelled)() {
            let source = io::Error::other("interrupted");
            return Err(TableError::Io { file: self.shown.clone(), line: 0, source });
        }
        self.before += self.rows as u64;
        self.rows = 0;
        while self.records.as_ref().is_none_or(|records| records.taken == records.rows) {
            if !self.next_records().map_err(|reason| damaged(&self.shown, reason))? {
                return Ok(0);
            }
        }
        let Some(records) = &mut self.records else { return Ok(0) };
        let rows = records.taken..records.rows.min(records.taken + BATCH);
        records.taken = rows.end;
        for ((buffers, &field), batch) in records.columns.iter().zip(&self.used).zip(batches) {
            let Field { kind, layout, dictionary, .. } = &self.fields[field];
            let words = dictionary.and_then(|(id, _)| self.dictionaries.get(&id));
            let missing = dictionary.is_some() && words.is_none();
            *batch = Some(())
                .filter(|()| !missing)
                .and_then(|()| cells(&buffers.get(&self.map), *layout, kind, words, rows.clone()))
                .ok_or_else(|| damaged(&self.shown, "a column is malformed"))?;
        }
        self.rows = rows.len();
        Ok(self.rows)
    }
}

impl BatchSource for ArrowFile {
    fn file(&self) -> &str {
        &self.shown
    }

    fn header(&self) -> &[String] {
        &self.header
    }

    fn next(&mut self, batches: &mut [Batch]) -> Result<usize, TableError> {
        self.next_batch(batches)
    }

    fn place(&self, row: usize, column: usize) -> Place {
        let line = self.before + row as u64 + 1;
        Place { file: self.shown.clone(), line, column: self.used[column] + 1 }
    }
}
