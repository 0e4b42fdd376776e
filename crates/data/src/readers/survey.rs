//! What the columns of a table hold, in one pass: numbers, words, gaps, and the levels of a category.

use super::cells::Cells;
use super::place::{Place, excerpt};
use super::table::{Table, number};
use super::table_error::TableError;
use std::collections::HashMap;
use std::io::Read;

/// The level under which gaps of a category are counted.
pub(crate) const MISSING: &str = "missing";
/// The most levels that are told apart, as many as a sparse row has columns.
pub const MOST_LEVELS: usize = 1 << 16;
/// The longest word that can be a level.
const LONGEST_WORD: usize = 1000;
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
    /// The first number with a decimal comma.
    pub comma: Option<Sighting>,
    /// How many there are.
    pub commas: u64,
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
            if is_gap(table.field(field)) {
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
}

/// A level while it is counted; what it is has to be found out once only.
struct Level {
    kind: Kind,
    count: u64,
}

/// What a cell is.
#[derive(Clone, Copy)]
enum Kind {
    Number(f64),
    Infinite,
    Comma,
    Date,
    Long,
    Word,
}

impl Kind {
    fn of(table: &impl Cells, field: usize) -> Result<Kind, TableError> {
        let cell = table.field(field);
        if let Some(value) = number(cell) {
            return Ok(Kind::Number(value));
        }
        let text = std::str::from_utf8(cell).map_err(|_| table.not_text(field))?;
        Ok(match cell {
            _ if text.parse::<f64>().is_ok() => Kind::Infinite,
            _ if has_decimal_comma(cell) => Kind::Comma,
            _ if is_date(cell) => Kind::Date,
            _ if cell.len() > LONGEST_WORD => Kind::Long,
            _ => Kind::Word,
        })
    }
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
            comma: None,
            commas: 0,
            date: None,
            dates: 0,
            long: None,
            levels: Levels::Counted(Vec::new()),
        };
        Tally { category: wanted.category, found, levels: Some(HashMap::new()) }
    }

    fn add(&mut self, table: &impl Cells, field: usize) -> Result<(), TableError> {
        let cell = table.field(field);
        if is_gap(cell) {
            if !self.known(MISSING.as_bytes()) {
                self.insert(MISSING.as_bytes(), Kind::Word);
            }
            return Ok(());
        }
        let known = self.levels.as_mut().and_then(|levels| levels.get_mut(cell));
        let (kind, new) = match known {
            Some(level) => {
                level.count += 1;
                (level.kind, false)
            }
            None => (Kind::of(table, field)?, true),
        };
        let found = &mut self.found;
        let sighting = || Sighting { place: table.place(field), value: excerpt(cell) };
        if let Kind::Number(value) = kind {
            found.numbers += 1;
            found.low = found.low.min(value);
            found.high = found.high.max(value);
            found.sum += value;
        } else {
            found.words += 1;
            found.word.get_or_insert_with(sighting);
        }
        match kind {
            Kind::Number(_) | Kind::Word => {}
            Kind::Infinite => {
                found.infinities += 1;
                found.infinite.get_or_insert_with(sighting);
            }
            Kind::Comma => {
                found.commas += 1;
                found.comma.get_or_insert_with(sighting);
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
        Ok(())
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

/// The spellings of a missing value.
pub(crate) fn is_gap(cell: &[u8]) -> bool {
    match cell.len() {
        0 => true,
        1 => cell == b"?",
        2..=4 => [&b"NA"[..], b"N/A", b"NaN", b"null"]
            .iter()
            .any(|spelling| cell.eq_ignore_ascii_case(spelling)),
        _ => false,
    }
}

/// Digits, a comma, digits: 1,5 and, as likely, 1,234.
fn has_decimal_comma(cell: &[u8]) -> bool {
    let cell = cell.strip_prefix(b"-").or_else(|| cell.strip_prefix(b"+")).unwrap_or(cell);
    let mut parts = cell.split(|&byte| byte == b',');
    let digits = |part: Option<&[u8]>| {
        part.is_some_and(|part| !part.is_empty() && part.iter().all(u8::is_ascii_digit))
    };
    digits(parts.next()) && digits(parts.next()) && parts.all(|part| digits(Some(part)))
}

/// 2024-01-31, 31/01/24, 1.2.2024, each with or without a time of day behind it; and 12:30.
fn is_date(cell: &[u8]) -> bool {
    let end = cell.iter().position(|byte| matches!(byte, b' ' | b'T')).unwrap_or(cell.len());
    let day = &cell[..end];
    let sizes = |separator: u8| -> Option<Vec<usize>> {
        let parts = day.split(|&byte| byte == separator);
        parts
            .map(|part| part.iter().all(u8::is_ascii_digit).then_some(part.len()))
            .collect::<Option<Vec<_>>>()
    };
    let dated = [b'-', b'/', b'.']
        .into_iter()
        .filter_map(sizes)
        .any(|sizes| matches!(sizes[..], [4, 1..=2, 1..=2] | [1..=2, 1..=2, 2 | 4]));
    let timed = sizes(b':').is_some_and(|sizes| matches!(sizes[..], [1..=2, 2] | [1..=2, 2, 2]));
    dated || timed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(name: &str) -> Wanted<'_> {
        Wanted { name, category: false, needed: false }
    }

    #[test]
    fn cells_are_told_apart() {
        for gap in ["", "NA", "na", "N/A", "NaN", "nan", "null", "NULL", "?"] {
            assert!(is_gap(gap.as_bytes()), "{gap}");
        }
        assert!(!is_gap(b"-") && !is_gap(b"nano") && !is_gap(b"0"));
        for date in
            ["2024-01-31", "31/1/24", "1.2.2024", "2024-01-31T10:00:00Z", "12:30", "9:15:01"]
        {
            assert!(is_date(date.as_bytes()), "{date}");
        }
        for other in ["1.2.3", "2024-01", "a-b-c", "10.0.0.1", "1-2", "--", "12:3", ""] {
            assert!(!is_date(other.as_bytes()), "{other}");
        }
        assert!(has_decimal_comma(b"1,5") && has_decimal_comma(b"-1,234,567"));
        assert!(
            !has_decimal_comma(b"1,") && !has_decimal_comma(b"a,5") && !has_decimal_comma(b"15")
        );
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
        let words: String = (0..70_000).map(|i| format!("w{i}\n")).collect();
        let text = format!("x\n{words}");
        let found = survey_table(text.as_bytes(), "t", &[wanted("x")]).unwrap();
        assert_eq!(found.columns[0].levels, Levels::TooMany);
    }
}
