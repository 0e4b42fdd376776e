//! Files as people have them. Each gives the estimates of a tidy file of the same rows, to the last bit,
//! or is refused by one sentence that names file, line, column and value, and says what to do.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod desk;

use desk::columns::{Column, write};
use desk::{Desk, estimates, said};
use parquet::basic::Compression;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;

const ROWS: usize = 150;

/// A row of what every file holds.
#[derive(Clone, Copy)]
struct Row {
    x: f64,
    /// 0, 1 or 2.
    level: usize,
    late: bool,
}

fn rows() -> Vec<Row> {
    let row = |i: usize| {
        let x = ((i as f64 * 1.7).sin() * 64.0).round() / 4.0;
        let level = [0, 1, 0, 2, 1, 0, 0][i % 7];
        let late = (i as f64 * 12.9898).sin() * 20.0 < x + 4.0 * level as f64;
        Row { x, level, late }
    };
    (0..ROWS).map(row).collect()
}

const WORDS: [&str; 3] = ["bus", "car", "tram"];

/// A file with this header and these lines.
fn file(header: &str, line: impl Fn(usize, &Row) -> String) -> Vec<u8> {
    let mut text = format!("{header}\n");
    rows().iter().enumerate().for_each(|(i, row)| writeln!(text, "{}", line(i, row)).unwrap());
    text.into_bytes()
}

fn late(row: &Row) -> u8 {
    u8::from(row.late)
}

/// c, x and y, as tidy as can be.
fn tidy() -> Vec<u8> {
    file("c,x,y", |_, row| format!("{},{},{}", WORDS[row.level], row.x, late(row)))
}

fn estimated(desk: &Desk, name: &str, arguments: &[&str]) -> Vec<(f64, f64)> {
    let mut command = desk.command("estimate logistic --quiet --json answer.json --data");
    let output = command.arg(name).args(arguments).output().unwrap();
    assert!(output.status.success(), "{name}: {}", said(&output));
    estimates(&desk.json("answer.json"))
}

/// The same estimates from a file as from a tidy one.
#[track_caller]
fn answered(name: &str, bytes: &[u8], arguments: &[&str], tidy: &[u8], tidy_arguments: &[&str]) {
    let desk = Desk::new();
    fs::write(desk.0.path().join(name), bytes).unwrap();
    fs::write(desk.0.path().join("tidy.csv"), tidy).unwrap();
    let found = estimated(&desk, name, arguments);
    assert!(found.len() >= 2, "{name}: {found:?}");
    assert_eq!(found, estimated(&desk, "tidy.csv", tidy_arguments), "{name}");
}

const LABEL: &[&str] = &["--label", "y"];

#[test]
fn quotes_marks_and_line_ends() {
    // 1: separators, line breaks and quotes within quotes.
    let words = ["\"bus, \"\"A\"\"\"", "\"car\nor, taxi\"", "\"tram; 7\""];
    let messy = file("c,x,y", |_, row| format!("{},{},{}", words[row.level], row.x, late(row)));
    answered("quotes.csv", &messy, LABEL, &tidy(), LABEL);
    // 2: a byte order mark, and lines as Windows ends them.
    let text = String::from_utf8(tidy()).unwrap();
    let messy = format!("\u{feff}sep=,\r\n{}\r\n  \r\n", text.replace('\n', "\r\n"));
    answered("windows.csv", messy.as_bytes(), LABEL, &tidy(), LABEL);
    // 3: semicolons, blanks around cells, and a separator at the end of every line.
    let messy =
        file("y ; x;  c ;", |_, row| format!(" {} ;{} ; {} ;", late(row), row.x, WORDS[row.level]));
    answered("blanks.csv", &messy, LABEL, &tidy(), LABEL);
    // 4: tabs, and a separator at the end of rows only.
    let messy =
        file("x\tc\ty", |_, row| format!("{}\t{}\t{}\t", row.x, WORDS[row.level], late(row)));
    answered("tabs.tsv", &messy, LABEL, &tidy(), LABEL);
    // 5: bars, compressed, under a name that says nothing.
    let messy = file("x|c|y", |_, row| format!("{}|{}|{}", row.x, WORDS[row.level], late(row)));
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(&messy).unwrap();
    answered("data", &gz.finish().unwrap(), LABEL, &tidy(), LABEL);
}

#[test]
fn gaps_numbers_and_labels() {
    // 6: every spelling of a gap in one column.
    let gaps =
        ["", "NA", "n/a", "NaN", "null", "NULL", "?", "#N/A", "<NA>", "None", "\\N", ".", "-nan"];
    let gap = |i: usize| (i % 11 == 3).then(|| gaps[i / 11 % gaps.len()]);
    let messy = file("c,x,y", |i, row| {
        let x = gap(i).map_or(row.x.to_string(), str::to_owned);
        format!("{},{x},{}", WORDS[row.level], late(row))
    });
    let text = String::from_utf8(tidy()).unwrap();
    let kept = text.lines().enumerate().filter(|(line, _)| *line == 0 || gap(line - 1).is_none());
    let clean: String = kept.map(|(_, line)| format!("{line}\n")).collect();
    let drop = &["--label", "y", "--missing", "drop"];
    answered("gaps.csv", &messy, drop, clean.as_bytes(), LABEL);
    // 7: numbers in every notation.
    let messy = file("c,x,y", |i, row| {
        let x = match i % 5 {
            0 => format!("{:e}", row.x),
            1 => format!("{:+}", row.x),
            2 => format!("{:E}", row.x),
            3 => format!("{:.6}", row.x),
            _ => match row.x.to_string().strip_prefix("0.") {
                Some(decimals) => format!(".{decimals}"),
                None => format!("00{}", row.x.abs()).replacen(
                    "00",
                    if row.x < 0.0 { "-00" } else { "00" },
                    1,
                ),
            },
        };
        format!("{},{},{}", WORDS[row.level], if row.x == 0.0 { "-0" } else { &x }, late(row))
    });
    answered("notations.csv", &messy, LABEL, &tidy(), LABEL);
    // 8: a label of two words, a category of yes and no, a boolean as pandas writes it.
    let messy = file("member,paid,x,y", |i, row| {
        let answer = if row.late { "late" } else { "in time" };
        format!("{},{},{},{answer}", ["no", "yes"][i % 2], ["False", "True"][i % 3 / 2], row.x)
    });
    let clean = file("member,paid,x,y", |i, row| {
        format!("{},{},{},{}", ["a", "b"][i % 2], ["a", "b"][i % 3 / 2], row.x, late(row))
    });
    answered("words.csv", &messy, LABEL, &clean, LABEL);
    // 9: numbers at the limits of what a double holds, as categories.
    let limits = ["1.7976931348623157e308", "2.2250738585072014e-308", "5e-324"];
    let messy = file("c,x,y", |_, row| format!("{},{},{}", limits[row.level], row.x, late(row)));
    let as_words = &["--label", "y", "--categorical", "c"];
    answered("limits.csv", &messy, as_words, &tidy(), LABEL);
    // And numbers whose squares no double holds, brought back by a formula.
    let messy = file("c,x,y", |_, row| format!("{},{}e300,{}", WORDS[row.level], row.x, late(row)));
    let formula = ["--formula", "y ~ I(x / 1e300)"];
    let clean = file("x,y", |_, row| {
        format!("{},{}", format!("{}e300", row.x).parse::<f64>().unwrap() / 1e300, late(row))
    });
    answered("large.csv", &messy, &formula, &clean, LABEL);
}

#[test]
fn columns_that_are_too_many() {
    // 10: numbers of rows, as pandas and R write them.
    let messy =
        file(",c,x,y", |i, row| format!("{i},{},{},{}", WORDS[row.level], row.x, late(row)));
    answered("index.csv", &messy, LABEL, &tidy(), LABEL);
    // 11: numbers of rows that were read and written again.
    let messy = file("Unnamed: 0,c,x,y", |i, row| {
        format!("{i},{},{},{}", WORDS[row.level], row.x, late(row))
    });
    answered("again.csv", &messy, LABEL, &tidy(), LABEL);
    // 12: constant columns, a column without a name, and one with identifiers that is left out.
    let messy = file("c,five,x,word,y,,id", |i, row| {
        format!("{},5.0,{},same,{},{i},user{i}", WORDS[row.level], row.x, late(row))
    });
    answered("constant.csv", &messy, &["--label", "y", "--drop", "id"], &tidy(), LABEL);
    // 13: a name that is there twice, and not used.
    let messy =
        file("a,c,a,x,y", |i, row| format!("{i},{},{i},{},{}", WORDS[row.level], row.x, late(row)));
    answered("twice.csv", &messy, &["--label", "y", "--columns", "c,x"], &tidy(), LABEL);
    // 14: dates, of which a formula takes the hour, in the columns' own order.
    let messy = file("when,x,c,y", |i, row| {
        let (day, hour) = (1 + i % 28, i % 24);
        format!("2024-02-{day:02}T{hour:02}:30:00Z,{},{},{}", row.x, WORDS[row.level], late(row))
    });
    let clean = file("c,x,y,hour", |i, row| {
        format!("{},{},{},{}", WORDS[row.level], row.x, late(row), i % 24)
    });
    let formula = |hour| ["--formula", hour];
    let tidy_formula = formula("y ~ hour + x + c");
    answered("dates.csv", &messy, &formula("y ~ hour(when) + x + C(c)"), &clean, &tidy_formula);
}

/// A Parquet file of these columns and the label.
fn parquet(mut columns: Vec<(&'static str, &'static str, Column)>) -> Vec<u8> {
    let labels = rows().iter().map(|row| Some(i32::from(row.late))).collect();
    columns.push(("y", "int32", Column::Int(labels)));
    let desk = Desk::new();
    let path = desk.0.path().join("p");
    write(&path, &columns, 40, Compression::SNAPPY);
    fs::read(path).unwrap()
}

fn levels() -> (&'static str, &'static str, Column) {
    let words = rows().iter().map(|row| Some(WORDS[row.level])).collect();
    ("c", "binary (STRING)", Column::Word(words))
}

#[test]
fn parquet_and_arrow() {
    let spread = |i: usize| (i as u32).wrapping_mul(2_654_435_761);
    let whole = |of: &dyn Fn(usize) -> i32| Column::Int((0..ROWS).map(|i| Some(of(i))).collect());
    // 15: whole numbers of 8 and 16 bits, unsigned ones, a boolean, a decimal, a 32-bit float.
    let messy = parquet(vec![
        levels(),
        ("a", "int32 (INTEGER(8,true))", whole(&|i| i as i32 % 7 - 3)),
        ("b", "int32 (INTEGER(16,false))", whole(&|i| (i * 1000 % 65_521) as i32)),
        ("d", "int32 (DECIMAL(9,2))", whole(&|i| (i * 7 % 50) as i32)),
        ("e", "int32 (INTEGER(32,false))", whole(&|i| spread(i) as i32)),
        ("f", "float", Column::Float((0..ROWS).map(|i| Some(0.1 * (i % 13) as f32)).collect())),
        ("g", "boolean", Column::Flag((0..ROWS).map(|i| Some(i % 3 == 0)).collect())),
    ]);
    let clean = file("a,b,c,d,e,f,g,y", |i, row| {
        format!(
            "{},{},{},{},{},{},{},{}",
            i as i32 % 7 - 3,
            i * 1000 % 65_521,
            WORDS[row.level],
            (i * 7 % 50) as f64 / 100.0,
            spread(i),
            0.1 * (i % 13) as f32,
            u8::from(i % 3 == 0),
            late(row)
        )
    });
    answered("kinds.parquet", &messy, LABEL, &clean, LABEL);
    // 16: nulls, of numbers and of words.
    let x = rows().iter().enumerate().map(|(i, row)| (i % 9 != 4).then_some(row.x)).collect();
    let words = rows().into_iter().enumerate();
    let words = words.map(|(i, row)| (i % 8 != 5).then_some(WORDS[row.level])).collect();
    let messy = parquet(vec![
        ("c", "binary (STRING)", Column::Word(words)),
        ("x", "double", Column::Double(x)),
    ]);
    let clean = file("c,x,y", |i, row| {
        let word = if i % 8 == 5 { "" } else { WORDS[row.level] };
        let x = if i % 9 == 4 { String::new() } else { row.x.to_string() };
        format!("{word},{x},{}", late(row))
    });
    let indicate = &["--label", "y", "--missing", "indicator"];
    answered("nulls.parquet", &messy, indicate, &clean, indicate);
    // 17: timestamps in three units.
    let second = |i: usize| 1_706_745_600 + 5003 * i as i64;
    let times = |parts: i64| Column::Long((0..ROWS).map(|i| Some(second(i) * parts)).collect());
    let messy = parquet(vec![
        levels(),
        ("ms", "int64 (TIMESTAMP(MILLIS,true))", times(1000)),
        ("us", "int64 (TIMESTAMP(MICROS,false))", times(1_000_000)),
        ("ns", "int64 (TIMESTAMP(NANOS,true))", times(1_000_000_000)),
    ]);
    let clean = file("c,hour,weekday,month,y", |i, row| {
        let days = second(i) / 86_400 - 19_754;
        let month = 2 + i32::from(days >= 29);
        // 1 February 2024 was a Thursday.
        let weekday = (days + 3) % 7 + 1;
        let hour = second(i) % 86_400 / 3600;
        format!("{},{hour},{weekday},{month},{}", WORDS[row.level], late(row))
    });
    let formula = ["--formula", "y ~ c + hour(ms) + C(weekday(us)) + month(ns)"];
    let tidy_formula = ["--formula", "y ~ c + hour + C(weekday) + month"];
    answered("times.parquet", &messy, &formula, &clean, &tidy_formula);
    // 18 to 20: an Arrow stream and two compressed Arrow files with dictionaries, gaps, nested columns.
    let clean = include_bytes!("arrow/shop.csv");
    let formula = "y ~ x + f + i8 + u16 + c + v + l + b + d + hour(t) + month(day)";
    let arguments = ["--formula", formula, "--missing", "drop"];
    for (name, bytes) in [
        ("shop.arrows", &include_bytes!("arrow/shop.arrows")[..]),
        ("shop-lz4.arrow", include_bytes!("arrow/shop-lz4.arrow")),
        ("shop-zstd.arrow", include_bytes!("arrow/shop-zstd.arrow")),
    ] {
        answered(name, bytes, &arguments, clean, &arguments);
    }
}

/// 21: a hundred thousand levels are as many covariates but one.
#[test]
fn many_levels_are_imported() {
    let desk = Desk::new();
    let mut text = "c,y\n".to_owned();
    (0..200_000).for_each(|i| writeln!(text, "w{},{}", i % 100_000, i % 2).unwrap());
    (0..3).for_each(|i| writeln!(text, "most,{}", i % 2).unwrap());
    desk.put("levels.csv", &text);
    let said = desk.fine("import --data levels.csv --label y --categorical c");
    assert!(said.contains("200003 mixed rows of 100000 covariates"), "{said}");
}

#[track_caller]
fn refused(name: &str, bytes: &[u8], arguments: &[&str], words: &[&str]) {
    let desk = Desk::new();
    fs::write(desk.0.path().join(name), bytes).unwrap();
    let mut command = desk.command("estimate logistic --data");
    let output = command.arg(name).args(arguments).output().unwrap();
    let said = said(&output);
    assert_eq!(output.status.code(), Some(3), "{name}: {said}");
    let sentence = said.lines().find(|line| line.starts_with("error: ")).unwrap();
    assert!(sentence.contains(name), "{said}");
    words.iter().for_each(|word| assert!(sentence.contains(word), "{name}: no {word} in {said}"));
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let column = |cell: &dyn Fn(usize) -> String| {
        file("c,x,y", |i, row| format!("{},{},{}", cell(i), row.x, late(row)))
    };
    let every =
        |cell: &'static str| column(&|i| if i == 1 { cell.to_owned() } else { i.to_string() });
    let wide: Vec<u8> = String::from_utf8(tidy()).unwrap().bytes().flat_map(|it| [it, 0]).collect();
    refused("utf16.csv", &[&b"\xff\xfe"[..], &wide].concat(), LABEL, &["UTF-16", "save"]);
    let latin = file("c,x,y", |_, row| {
        format!("{},{},{}", ["Bonn", "M#nchen", "Ulm"][row.level], row.x, late(row))
    });
    let latin: Vec<u8> =
        latin.into_iter().map(|byte| if byte == b'#' { 0xfc } else { byte }).collect();
    refused("latin.csv", &latin, LABEL, &[":3:1:", "\"c\"", "not UTF-8", "save the file"]);
    let header = [b"gr\xf6\xdfe,y\n".to_vec(), b"1,0\n2,1\n".to_vec()].concat();
    refused("header.csv", &header, LABEL, &[":1:1:", "not UTF-8"]);
    refused("mixed.csv", &every("3o"), LABEL, &[":3:1:", "\"c\"", "\"3o\"", "--categorical c"]);
    refused("infinite.csv", &every("1e999"), LABEL, &[":3:1:", "\"1e999\"", "not a finite number"]);
    let day = column(&|i| format!("2024-01-{:02}", 1 + i % 28));
    refused("dates.csv", &day, LABEL, &[":2:1:", "\"2024-01-01\"", "a date", "--categorical c"]);
    for (name, cell) in
        [("thousands", "\"1,234\""), ("percent", "12%"), ("currency", "$1200.50"), ("hex", "0x1F")]
    {
        let messy = column(&|_| cell.to_owned());
        let value = format!("\"{}\"", cell.trim_matches('"'));
        refused(
            &format!("{name}.csv"),
            &messy,
            LABEL,
            &[":2:1:", "\"c\"", &value, "plain decimals"],
        );
    }
    let identifiers = column(&|i| format!("user{i}"));
    refused(
        "id.csv",
        &identifiers,
        LABEL,
        &["\"c\"", "150 different words in 150 rows", "--drop c"],
    );
    let three = file("x,y", |i, row| format!("{},{}", row.x, ["no", "yes", "maybe"][i % 3]));
    refused("three.csv", &three, LABEL, &["\"y\"", "3 classes", "maybe (50 rows)", "two classes"]);
    let one = file("x,y", |_, row| format!("{},no", row.x));
    refused("one.csv", &one, LABEL, &["all 150 rows have one label, y=no"]);
    refused("header-only.csv", b"c,x,y\n", LABEL, &["no rows in 1 lines"]);
    refused("empty.csv", b"", LABEL, &["is empty", "column names"]);
    let ragged = file("c,x,y", |i, row| {
        format!("{},{},{}", if i == 6 { "a,b" } else { "a" }, row.x, late(row))
    });
    refused("ragged.csv", &ragged, LABEL, &[":8:1:", "4 fields", "the header 3", "quotes"]);
    let twice = file("x,x,y", |i, row| format!("{i},{},{}", row.x, late(row)));
    refused("twice.csv", &twice, LABEL, &[":1:2:", "columns 1 and 2", "\"x\"", "rename"]);
    let open = file("c,x,y", |_, row| format!("\"a,{},{}", row.x, late(row)));
    refused("open.csv", &open[..open.len() - 9], LABEL, &["quotes"]);
    let gaps = column(&|i| if i == 4 { "n/a".to_owned() } else { i.to_string() });
    refused(
        "gaps.csv",
        &gaps,
        LABEL,
        &[":6:1:", "\"c\" is missing", "1 of 150 rows", "--missing drop"],
    );
    let nested = include_bytes!("arrow/shop.arrows");
    let far = column(&|i| format!("{}", 1e12 + (i % 7) as f64));
    refused("far.csv", &far, LABEL, &["\"c\"", "mean 1000000000002.96", "center(c)"]);
    let large = column(&|i| format!("{}e300", i % 7));
    refused("large.csv", &large, LABEL, &["\"c\"", "squares are infinite", "I(c / 1e200)"]);
    let small = column(&|i| format!("{}e-300", i % 7));
    refused("small.csv", &small, LABEL, &["\"c\"", "squares are zero", "I(c * 1e200)"]);
    refused("book.csv", b"PK\x03\x04\x14\x00", LABEL, &["Excel workbook", "save the sheet as CSV"]);
    refused("nested.arrows", nested, LABEL, &["\"tags\" is a list", "--drop tags"]);
    refused(
        "half.arrows",
        &nested[..9000],
        &["--label", "y", "--columns", "x", "--missing", "drop"],
        &["not a whole Arrow file", "ends within a message"],
    );
}
