//! Parquet files: the same rows as from a CSV, or a sentence that says what to do.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod desk;

use desk::columns::{Column, write};
use desk::{Desk, Imported, estimates, said};
use parquet::basic::Compression;
use parquet::data_type::Int32Type;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::fmt::Write as _;
use std::fs::File;
use std::sync::Arc;

/// Rows of every kind of cell, and a CSV of the same.
fn shop(rows: usize) -> (Vec<(&'static str, &'static str, Column)>, String) {
    let mut csv = "y,age,size,visits,device,member,t\n".to_owned();
    let (mut y, mut age, mut size, mut visits) = (vec![], vec![], vec![], vec![]);
    let (mut device, mut member, mut t) = (vec![], vec![], vec![]);
    for i in 0..rows {
        let x = (i as f64 * 1.7).sin();
        let bought = (i as f64 * 12.9898).sin() * 3.0 < x;
        y.push(Some(if bought { "yes" } else { "no" }));
        age.push((i % 50 != 7).then_some(x * 1e3 / 3.0));
        size.push(Some(0.1 * (i % 13) as f32));
        visits.push(Some((i % 17) as i32 - 3));
        device.push(Some(["ios", "web", "web", "and, roid"][i % 4]));
        member.push(Some(i % 3 == 0));
        let second = 1_704_067_200 + 3677 * i as i64;
        t.push(Some(second * 1_000_000));
        let clock = second % 86_400;
        let day = 1 + (second - 1_704_067_200) / 86_400;
        assert!(day <= 31 || i > 700, "January only");
        let cell = age[i].map_or(String::new(), |age: f64| age.to_string());
        writeln!(
            csv,
            "{},{cell},{},{},\"{}\",{},2024-01-{day:02} {:02}:{:02}:{:02}",
            y[i].unwrap(),
            size[i].unwrap(),
            visits[i].unwrap(),
            device[i].unwrap(),
            u8::from(member[i].unwrap()),
            clock / 3600,
            clock / 60 % 60,
            clock % 60
        )
        .unwrap();
    }
    let columns = vec![
        ("y", "binary (STRING)", Column::Word(y)),
        ("age", "double", Column::Double(age)),
        ("size", "float", Column::Float(size)),
        ("visits", "int32", Column::Int(visits)),
        ("device", "binary (UTF8)", Column::Word(device)),
        ("member", "boolean", Column::Flag(member)),
        ("t", "int64 (TIMESTAMP(MICROS,true))", Column::Long(t)),
    ];
    (columns, csv)
}

#[track_caller]
fn import(desk: &Desk, data: &str, arguments: &[&str]) -> Imported {
    std::fs::remove_dir_all(desk.0.path().join(".unbiased")).ok();
    let output = desk.command("import --data").arg(data).args(arguments).output().unwrap();
    let said = said(&output);
    assert!(output.status.success(), "{data} {arguments:?}: {said}");
    desk.imported(said)
}

#[test]
fn a_csv_and_a_parquet_file_give_the_same_rows() {
    let desk = Desk::new();
    let (columns, csv) = shop(700);
    desk.put("shop.csv", &csv);
    for (compression, group) in [
        (Compression::UNCOMPRESSED, 700),
        (Compression::SNAPPY, 1),
        (Compression::ZSTD(Default::default()), 100),
        (Compression::LZ4_RAW, 699),
        (Compression::GZIP(Default::default()), 256),
    ] {
        write(&desk.0.path().join("shop.parquet"), &columns, group, compression);
        for arguments in [
            &["--label", "y", "--drop", "t", "--missing", "drop"][..],
            &["--label", "y", "--drop", "t", "--missing", "indicator"],
            &["--label", "y", "--columns", "visits,size,member"],
            &["--label", "visits", "--number", "--columns", "size"],
            &[
                "--formula",
                "y ~ exp(size):device + hour(t) + I(visits^2) + C(weekday(t))",
                "--missing",
                "drop",
            ],
        ] {
            let text = import(&desk, "shop.csv", arguments);
            let found = import(&desk, "shop.parquet", arguments);
            assert_eq!(found.names, text.names, "{arguments:?}");
            let bits = |rows: &[Vec<f64>]| -> Vec<u64> {
                rows.iter().flatten().map(|value| value.to_bits()).collect()
            };
            assert!(bits(&found.rows) == bits(&text.rows), "{arguments:?}");
            assert_eq!(found.targets, text.targets, "{arguments:?}");
        }
    }
}

#[test]
fn the_same_rows_give_the_same_estimates() {
    let desk = Desk::new();
    let (columns, csv) = shop(700);
    desk.put("shop.csv", &csv);
    write(&desk.0.path().join("shop.parquet"), &columns, 300, Compression::SNAPPY);
    let rest = "--label y --drop t --missing drop --replicates 6 --quiet --json";
    desk.fine(&format!("estimate logistic --data shop.csv {rest} text.json"));
    desk.fine(&format!("estimate logistic --data shop.parquet {rest} parquet.json"));
    assert_eq!(estimates(&desk.json("text.json")), estimates(&desk.json("parquet.json")));
    // New rows may come from a Parquet file, too.
    desk.fine(&format!(
        "estimate logistic --data shop.csv --functional predict:shop.parquet {} new.json",
        rest.replace("--missing drop", "--missing indicator")
    ));
    assert_eq!(estimates(&desk.json("new.json")).len(), 700);
}

fn small(from: i32, rows: i32) -> Vec<(&'static str, &'static str, Column)> {
    let x = (from..from + rows).map(|i| Some(i * i % 7)).collect();
    let y = (from..from + rows).map(|i| Some(i % 2)).collect();
    vec![("x", "int32", Column::Int(x)), ("y", "int32", Column::Int(y))]
}

#[test]
fn files_of_a_folder_are_one_table() {
    let desk = Desk::new();
    let folder = desk.0.path().join("parts");
    std::fs::create_dir(&folder).unwrap();
    write(&desk.0.path().join("whole.parquet"), &small(0, 30), 7, Compression::SNAPPY);
    write(&folder.join("b.parquet"), &small(10, 20), 5, Compression::SNAPPY);
    let mut turned = small(0, 10);
    turned.reverse();
    write(&folder.join("a.parquet"), &turned, 5, Compression::SNAPPY);
    write(&folder.join("empty.parquet"), &small(0, 0), 5, Compression::SNAPPY);
    desk.put("parts/README", "not data");
    let whole = import(&desk, "whole.parquet", &["--label", "y"]);
    for data in ["parts", "parts/*.parquet", "parts/?.parquet"] {
        let found = import(&desk, data, &["--label", "y"]);
        assert_eq!(
            (found.rows, found.targets),
            (whole.rows.clone(), whole.targets.clone()),
            "{data}"
        );
    }
    // A file that changes is noticed.
    desk.fine("import --data parts --label y");
    assert!(desk.fine("import --data parts --label y").contains("imported before"));
    write(&folder.join("c.parquet"), &small(30, 5), 5, Compression::SNAPPY);
    let changed = desk.remarks("import --data parts --label y");
    assert!(changed.contains("imported again: it has changed"), "{changed}");
    let mut other = small(0, 4);
    other[0].0 = "z";
    write(&folder.join("d.parquet"), &other, 5, Compression::SNAPPY);
    let words = ["parts/d.parquet has no column \"x\", which parts/a.parquet has", "same columns"];
    desk.wrong("import --data parts --label y", 3, &words);
}

#[test]
fn what_cannot_be_read_is_named_with_what_to_do() {
    let desk = Desk::new();
    let path = |name: &str| desk.0.path().join(name);
    let put = |name: &str, more: (&'static str, &'static str, Column)| {
        let mut columns = small(0, 4);
        columns.push(more);
        write(&path(name), &columns, 3, Compression::SNAPPY);
    };
    let words = |words: [Option<&'static str>; 4]| Column::Word(words.to_vec());
    put("date.parquet", ("d", "int32 (DATE)", Column::Int(vec![Some(1); 4])));
    desk.wrong(
        "import --data date.parquet --label y",
        3,
        &["date.parquet: column \"d\" is a date", "--drop d", "in a --formula", "month(d)"],
    );
    put("time.parquet", ("d", "int64 (TIMESTAMP(MILLIS,false))", Column::Long(vec![Some(1); 4])));
    desk.wrong("import --data time.parquet --label y", 3, &["\"d\" is a timestamp", "--drop d"]);
    put("clock.parquet", ("d", "int32 (TIME(MILLIS,true))", Column::Int(vec![Some(1); 4])));
    desk.wrong("import --data clock.parquet --label y", 3, &["\"d\" is a time of day", "--drop d"]);
    put("blob.parquet", ("d", "binary", words([Some("a"), Some("b"), None, None])));
    desk.wrong("import --data blob.parquet --label y", 3, &["column \"d\" is binary", "--drop d"]);
    desk.fine("import --data blob.parquet --label y --drop d");
    put("null.parquet", ("d", "double", Column::Double(vec![None; 4])));
    desk.wrong(
        "import --data null.parquet --label y",
        3,
        &["\"d\" is missing in all rows", "--drop d"],
    );
    put(
        "gap.parquet",
        ("d", "double", Column::Double(vec![Some(1.0), None, Some(f64::NAN), Some(2.0)])),
    );
    desk.wrong("import --data gap.parquet --label y", 3, &["\"d\"", "--missing drop"]);
    put(
        "inf.parquet",
        ("d", "double", Column::Double(vec![Some(1.0), Some(2.0), Some(3.0), Some(f64::INFINITY)])),
    );
    desk.wrong(
        "import --data inf.parquet --label y",
        3,
        &["inf.parquet:4:3: column \"d\" holds \"inf\", not a finite"],
    );
    write(&path("none.parquet"), &small(0, 0), 3, Compression::SNAPPY);
    desk.wrong("import --data none.parquet --label y", 3, &["none.parquet has no rows"]);
    desk.wrong(
        "import --data date.parquet --label z",
        2,
        &["has no column \"z\"", "it has x, y, d"],
    );
    desk.put("text.parquet", "x,y\n1,2\n");
    desk.wrong("import --data text.parquet --label y", 3, &["does not begin as one"]);
    let mut half = std::fs::read(path("date.parquet")).unwrap();
    half.truncate(half.len() - 9);
    std::fs::write(path("half.parquet"), &half).unwrap();
    desk.wrong("import --data half.parquet --label y", 3, &["not a whole Parquet file"]);
    desk.wrong("import --data no-*.parquet --label y", 3, &["no file matches no-*.parquet"]);
    let schema =
        "message m { optional group d (LIST) { repeated group list { optional int32 element; } }
        optional int32 y; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let file = File::create(path("list.parquet")).unwrap();
    let mut writer =
        SerializedFileWriter::new(file, schema, Arc::new(WriterProperties::builder().build()))
            .unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut one = group.next_column().unwrap().unwrap();
    one.typed::<Int32Type>().write_batch(&[1, 2], Some(&[3, 3]), Some(&[0, 0])).unwrap();
    one.close().unwrap();
    let mut one = group.next_column().unwrap().unwrap();
    one.typed::<Int32Type>().write_batch(&[0, 1], Some(&[1, 1]), None).unwrap();
    one.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    desk.wrong("import --data list.parquet --label y", 3, &["column \"d\" is a list", "--drop d"]);
}
