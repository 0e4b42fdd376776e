//! What the columns of a table hold, in one pass: numbers, words, gaps, and the levels of a category.

use super::cells::Cells;
use super::codes::{CellCode, CodeMap};
use super::kind::Kind;
use super::place::{Place, excerpt};
use super::table::Table;
use super::table_error::TableError;
use std::collections::HashMap;
use std::io::Read;

/// The level under which gaps of a category are counted.
pub(crate) const MISSING: &str = "missing";
/// The most levels that are told apart, and the most covariates of a table with categories.
pub const MOST_LEVELS: usize = 1 << 20;
/// Different numbers that are counted in the hope of finding a category.
const FEW: usize = 256;

/// A column that is to be surveyed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted<'a> {
    /// Its name.
    pub name: &'a str,
    /// Whether levels are to be counted even if all of them are numbers.
    pub category: bool,
    /// Whether a row with a gap here is left out.
    pub needed: bool,
}

/// Something that was seen, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// Where.
    pub place: Place,
    /// The beginning of what stands there.
    pub value: String,
}

/// The levels of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Levels {
    /// All of them with their numbers of rows, sorted; gaps are the level "missing".
    Counted(Vec<(String, u64)>),
    /// A word came after more than 256 different numbers, which had not been counted: survey again.
    Uncounted,
    /// More than [`MOST_LEVELS`].
    TooMany,
}

/// What a column holds in the rows that are not left out.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnSurvey {
    /// Its name.
    pub name: String,
    /// Cells with a finite number.
    pub numbers: u64,
    /// Cells with anything else.
    pub words: u64,
    /// Gaps, in all rows of the file.
    pub gaps: u64,
    /// The first gap.
    pub gap: Option<Place>,
    /// The least number.
    pub low: f64,
    /// The largest.
    pub high: f64,
    /// The sum of all numbers, in the order of rows.
    pub sum: f64,
    /// The first word.
    pub word: Option<Sighting>,
    /// The first infinite number.
    pub infinite: Option<Sighting>,
    /// How many there are.
    pub infinities: u64,
    /// The first number that is written with other signs: `1,5`, `12%`, `$3`, `0x1F`.
    pub dressed: Option<Sighting>,
    /// How many there are.
    pub dressings: u64,
    /// The first date or time of day.
    pub date: Option<Sighting>,
    /// How many there are.
    pub dates: u64,
    /// The first word that is too long for a level.
    pub long: Option<Sighting>,
    /// The levels.
    pub levels: Levels,
}

/// What a table holds.
#[derive(Clone, Debug, PartialEq)]
pub struct TableSurvey {
    /// Rows that are not left out.
    pub rows: u64,
    /// Rows with a gap where a value is needed.
    pub left_out: u64,
    /// Rows with a gap in any column.
    pub incomplete: u64,
    /// The columns, in the order in which they were wanted.
    pub columns: Vec<ColumnSurvey>,
}

/// One pass over a table.
pub fn survey_table(
    source: impl Read,
    file: &str,
    wanted: &[Wanted<'_>],
) -> Result<TableSurvey, TableError> {
    survey_cells(&mut Table::new(source, file)?, wanted)
}

/// The same over any table.
pub fn survey_cells(
    table: &mut impl Cells,
    wanted: &[Wanted<'_>],
) -> Result<TableSurvey, TableError> {
    let fields = wanted.iter().map(|one| table.column(one.name)).collect::<Result<Vec<_>, _>>()?;
    let mut tallies: Vec<Tally> = wanted.iter().map(Tally::new).collect();
    let (mut rows, mut left_out, mut incomplete) = (0, 0, 0);
    while table.advance()? {
        table.check_length()?;
        let (mut complete, mut kept) = (true, true);
        for ((tally, &field), one) in tallies.iter_mut().zip(&fields).zip(wanted) {
            tally.at_gap = table.is_gap(field);
            if tally.at_gap {
                complete = false;
                kept &= !one.needed;
                tally.found.gaps += 1;
                tally.found.gap.get_or_insert_with(|| table.place(field));
            }
        }
        incomplete += u64::from(!complete);
        if !kept {
            left_out += 1;
            continue;
        }
        rows += 1;
        for (tally, &field) in tallies.iter_mut().zip(&fields) {
            tally.add(table, field)?;
        }
    }
    if rows + left_out == 0 {
        return Err(table.empty());
    }
    let columns = tallies.into_iter().map(Tally::finish).collect();
    Ok(TableSurvey { rows, left_out, incomplete, columns })
}

/// A column while it is surveyed.
struct Tally {
    category: bool,
    found: ColumnSurvey,
    // Nothing once they are too many to be kept.
    levels: Option<HashMap<Vec<u8>, Level>>,
    coded: Coded,
    // Whether the cell at hand is a gap.
    at_gap: bool,
}

/// Cells that are known by their codes in one dictionary.
#[derive(Default)]
struct Coded {
    dictionary: u64,
    cells: CodeMap<Seen>,
}

struct Seen {
    level: Vec<u8>,
    kind: Kind,
    // Beside those that the level counts.
    count: u64,
}

impl Coded {
    fn get(&mut self, (dictionary, code): CellCode) -> Option<&mut Seen> {
        if dictionary != self.dictionary {
            return None;
        }
        self.cells.get_mut(&code)
    }
}

impl ColumnSurvey {
    fn add(&mut self, kind: Kind) {
        if let Kind::Number(value) = kind {
            self.numbers += 1;
            self.low = self.low.min(value);
            self.high = self.high.max(value);
            self.sum += value;
        } else {
            self.words += 1;
        }
    }
}

/// A level while it is counted; what it is has to be found out once only.
struct Level {
    kind: Kind,
    count: u64,
}

impl Tally {
    fn new(wanted: &Wanted<'_>) -> Tally {
        let found = ColumnSurvey {
            name: wanted.name.to_owned(),
            numbers: 0,
            words: 0,
            gaps: 0,
            gap: None,
            low: f64::INFINITY,
            high: f64::NEG_INFINITY,
            sum: 0.0,
            word: None,
            infinite: None,
            infinities: 0,
            dressed: None,
            dressings: 0,
            date: None,
            dates: 0,
            long: None,
            levels: Levels::Counted(Vec::new()),
        };
        let levels = Some(HashMap::new());
        Tally { category: wanted.category, found, levels, coded: Coded::default(), at_gap: false }
    }

    fn add(&mut self, table: &impl Cells, field: usize) -> Result<(), TableError> {
        if self.at_gap {
            if !self.known(MISSING.as_bytes()) {
                self.insert(MISSING.as_bytes(), Kind::Word);
            }
            return Ok(());
        }
        let counts = self.levels.is_some();
        let code = table.code(field).filter(|_| counts);
        if let Some(seen) = code.and_then(|code| self.coded.get(code))
            && let kind @ (Kind::Number(_) | Kind::Word) = seen.kind
        {
            seen.count += 1;
            self.found.add(kind);
            return Ok(());
        }
        let cell = if counts { table.field(field) } else { b"" };
        let known = self.levels.as_mut().and_then(|levels| levels.get_mut(cell));
        let (kind, new) = match known {
            Some(level) => {
                level.count += 1;
                (level.kind, false)
            }
            None => (Kind::of(table, field)?, true),
        };
        let found = &mut self.found;
        let sighting =
            || Sighting { place: table.place(field), value: excerpt(table.field(field)) };
        found.add(kind);
        if !matches!(kind, Kind::Number(_)) {
            found.word.get_or_insert_with(sighting);
        }
        match kind {
            Kind::Number(_) | Kind::Word => {}
            Kind::Infinite => {
                found.infinities += 1;
                found.infinite.get_or_insert_with(sighting);
            }
            Kind::Dressed => {
                found.dressings += 1;
                found.dressed.get_or_insert_with(sighting);
            }
            Kind::Date => {
                found.dates += 1;
                found.date.get_or_insert_with(sighting);
            }
            Kind::Long => {
                found.long.get_or_insert_with(sighting);
                return Ok(());
            }
        }
        if new {
            self.insert(cell, kind);
        }
        if let Some(code) = code {
            self.remember(code, cell, kind);
        }
        Ok(())
    }

    /// Counts cells of this code from now on without looking at their text.
    fn remember(&mut self, code: CellCode, cell: &[u8], kind: Kind) {
        if self.levels.is_none() {
            self.coded = Coded::default();
            return;
        }
        if self.coded.dictionary != code.0 {
            self.settle();
            self.coded.dictionary = code.0;
        }
        self.coded.cells.insert(code.1, Seen { level: cell.to_vec(), kind, count: 0 });
    }

    /// Adds what was counted by code to the levels.
    fn settle(&mut self) {
        for (_, seen) in self.coded.cells.drain() {
            let level = self.levels.as_mut().and_then(|levels| levels.get_mut(&seen.level));
            level.into_iter().for_each(|level| level.count += seen.count);
        }
    }

    /// Counts a level that was seen before.
    fn known(&mut self, level: &[u8]) -> bool {
        let known = self.levels.as_mut().and_then(|levels| levels.get_mut(level));
        known.is_some_and(|level| {
            level.count += 1;
            true
        })
    }

    /// Keeps a level that was not, as long as there is room.
    fn insert(&mut self, level: &[u8], kind: Kind) {
        let Some(levels) = &mut self.levels else { return };
        let limit = if self.category || self.found.words > 0 { MOST_LEVELS } else { FEW };
        if levels.len() < limit {
            levels.insert(level.to_vec(), Level { kind, count: 1 });
            return;
        }
        self.levels = None;
        self.found.levels = if limit == MOST_LEVELS { Levels::TooMany } else { Levels::Uncounted };
    }

    fn finish(mut self) -> ColumnSurvey {
        self.settle();
        if let Some(levels) = self.levels {
            let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
            let mut levels: Vec<(String, u64)> =
                levels.into_iter().map(|(word, level)| (text(word), level.count)).collect();
            levels.sort_unstable();
            self.found.levels = Levels::Counted(levels);
        }
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(name: &str) -> Wanted<'_> {
        Wanted { name, category: false, needed: false }
    }

    #[test]
    fn a_column_is_surveyed_over_the_whole_file() {
        let text = "x,c,d\n1,red,2024-01-31\n3,blue,\n,red,x\n-2,?,y\n";
        let found =
            survey_table(text.as_bytes(), "t", &[wanted("x"), wanted("c"), wanted("d")]).unwrap();
        assert_eq!((found.rows, found.left_out, found.incomplete), (4, 0, 3));
        let [x, c, d] = &found.columns[..] else { panic!("three columns") };
        assert_eq!((x.numbers, x.words, x.gaps, x.low, x.high, x.sum), (3, 0, 1, -2.0, 3.0, 2.0));
        assert_eq!(x.gap.as_ref().unwrap().line, 4);
        let levels = [("blue", 1), ("missing", 1), ("red", 2)];
        let levels = levels.map(|(level, count)| (level.to_owned(), count)).to_vec();
        assert_eq!(c.levels, Levels::Counted(levels));
        assert_eq!((d.dates, d.words, d.word.as_ref().unwrap().place.line), (1, 3, 2));
        // Left-out rows count for nothing but gaps.
        let needed = Wanted { needed: true, ..wanted("c") };
        let found = survey_table(text.as_bytes(), "t", &[wanted("x"), needed]).unwrap();
        assert_eq!((found.rows, found.left_out), (3, 1));
        assert_eq!((found.columns[0].low, found.columns[1].gaps), (1.0, 1));
    }

    #[test]
    fn many_numbers_are_not_kept_as_levels() {
        let numbers: String = (0..300).map(|i| format!("{i}\n")).collect();
        let text = format!("x\n{numbers}word\n");
        let found = survey_table(text.as_bytes(), "t", &[wanted("x")]).unwrap();
        assert_eq!(found.columns[0].levels, Levels::Uncounted);
        let category = Wanted { category: true, ..wanted("x") };
        let found = survey_table(text.as_bytes(), "t", &[category]).unwrap();
        assert!(matches!(&found.columns[0].levels, Levels::Counted(levels) if levels.len() == 301));
        let words: String = (0..1_100_000).map(|i| format!("w{i}\n")).collect();
        let text = format!("x\n{words}");
        let found = survey_table(text.as_bytes(), "t", &[wanted("x")]).unwrap();
        assert_eq!(found.columns[0].levels, Levels::TooMany);
    }
}
