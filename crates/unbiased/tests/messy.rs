//! Files as people have them: each is imported rightly, cell by cell, or refused by a sentence that
//! names file, line, column and value.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod desk;

use desk::{Desk, Imported, said};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;

/// Imports `bytes` with some arguments.
#[track_caller]
fn import(bytes: &[u8], arguments: &str) -> Imported {
    let desk = Desk::new();
    fs::write(desk.0.path().join("m.csv"), bytes).unwrap();
    let output = desk.run(&format!("import --data m.csv --label y {arguments}"));
    let said = said(&output);
    assert!(output.status.success(), "{said}");
    desk.imported(said)
}

#[track_caller]
fn answered(
    text: &str,
    arguments: &str,
    names: &[&str],
    rows: &[&[f64]],
    targets: &[f64],
) -> Imported {
    let found = import(text.as_bytes(), arguments);
    assert_eq!(found.names, names, "{}", found.said);
    assert_eq!(found.rows, rows, "{}", found.said);
    assert_eq!(found.targets, targets, "{}", found.said);
    found
}

#[track_caller]
fn refused(text: &str, arguments: &str, words: &[&str]) {
    let desk = Desk::new();
    desk.put("m.csv", text);
    let output = desk.run(&format!("import --data m.csv --label y {arguments}"));
    let said = said(&output);
    assert_eq!(output.status.code(), Some(3), "{said}");
    words.iter().for_each(|word| assert!(said.contains(word), "no {word} in {said}"));
    assert!(said.len() < 1200, "a sentence has an end: {said}");
}

#[test]
fn categories_become_levels_against_the_most_frequent() {
    let text = "device,age,y\nios,30,0\nweb,0,1\nweb,25,1\nandroid,40,0\n";
    let found = answered(
        text,
        "",
        &["age", "device=android", "device=ios"],
        &[&[30.0, 0.0, 1.0], &[0.0, 0.0, 0.0], &[25.0, 0.0, 0.0], &[40.0, 1.0, 0.0]],
        &[-1.0, 1.0, 1.0, -1.0],
    );
    assert!(found.mixed && found.said.contains("compared with \"web\" (2 rows)"), "{}", found.said);
    let named = import(text.as_bytes(), "--reference device=ios");
    assert_eq!(named.names, ["age", "device=android", "device=web"]);
    // Any order of the columns gives the same rows.
    let turned = import(b"y,age,device\n0,30,ios\n1,0,web\n1,25,web\n0,40,android\n", "");
    assert_eq!((turned.names, turned.rows), (found.names, found.rows));
}

#[test]
fn numbers_can_be_categories() {
    answered(
        "zip,y\n10115,1\n20095,0\n10115,0\n",
        "--categorical zip",
        &["zip=20095"],
        &[&[0.0], &[1.0], &[0.0]],
        &[1.0, -1.0, -1.0],
    );
    // Words after many numbers: levels are counted in a second survey.
    let mut text = "code,y\n".to_owned();
    (0..300).for_each(|i| writeln!(text, "{i},{}", i % 2).unwrap());
    (0..3000).for_each(|i| writeln!(text, "w{},{}", i % 3, i % 2).unwrap());
    let found = import(text.as_bytes(), "");
    assert_eq!((found.names.len(), found.rows.len()), (302, 3300));
}

#[test]
fn quotes_marks_line_ends_and_blanks() {
    answered(
        "\u{feff}\"city, state\", age ,y\r\n\"Portland, OR\", 1 ,1\r\n\"Portland, ME\",2,0\r\n\"Portland, OR\",3,0\r\n\r\n",
        "",
        &["age", "city, state=Portland, ME"],
        &[&[1.0, 0.0], &[2.0, 1.0], &[3.0, 0.0]],
        &[1.0, -1.0, -1.0],
    );
    answered(
        "a,\"say \"\"hi\"\"\",y\n1,\"two\nlines\",1\n2,one,0\n3,one,0\n",
        "",
        &["a", "say \"hi\"=two\nlines"],
        &[&[1.0, 1.0], &[2.0, 0.0], &[3.0, 0.0]],
        &[1.0, -1.0, -1.0],
    );
}

/// A list is taken apart at its commas, unless it is a name.
#[test]
fn names_may_hold_commas() {
    let desk = Desk::new();
    desk.put("m.csv", "\"a, b\",c,d,y\n1,2,3,1\n4,5,6,0\n");
    for (list, left) in [("a, b", 2), ("c,d", 1), ("c", 2)] {
        let mut command = desk.command("import --data m.csv --label y --drop");
        let said = said(&command.arg(list).output().unwrap());
        assert!(said.contains(&format!("rows of {left} covariates")), "{list}: {said}");
    }
}

#[test]
fn semicolons_and_tabs_separate() {
    let rows: [&[f64]; 2] = [&[1.0, 2.5], &[3.0, -1e5]];
    answered("b;a;y\n2.5;1;0\n-1e5;+3;1\n", "", &["a", "b"], &rows, &[0.0, 1.0]);
    answered("a\tb\ty\n1\t2.5\t0\n3\t-1E5\t1\n", "", &["a", "b"], &rows, &[0.0, 1.0]);
    answered("a,b,y\r1,2.5,0\r3,-1e5,1\r", "", &["a", "b"], &rows, &[0.0, 1.0]);
}

#[test]
fn labels_of_any_two_words() {
    for (words, arguments, positive) in [
        (["no", "yes"], "", "yes"),
        (["Yes", "maybe"], "", "Yes"),
        (["TRUE", "FALSE"], "", "TRUE"),
        (["benign", "malignant"], "", "malignant"),
        (["benign", "malignant"], "--positive benign", "benign"),
        (["1", "2"], "--positive 1", "1"),
        (["2", "10"], "", "10"),
    ] {
        let text = format!("x,y\n1,{}\n2,{}\n3,{}\n", words[0], words[1], words[0]);
        let found = import(text.as_bytes(), arguments);
        let says = format!("y={positive} is the positive class");
        assert!(found.said.contains(&says), "{words:?}: {}", found.said);
        if found.targets.contains(&-1.0) {
            let first = if words[0] == positive { 1.0 } else { -1.0 };
            assert_eq!(found.targets, [first, -first, first], "{words:?}");
        }
    }
    refused("x,y\n1,a\n2,a\n", "", &["m.csv", "one label, y=a", "nothing to tell apart"]);
    let three = ["\"y\"", "3 classes: a (1 rows), b (2 rows), c (1 rows)", "two classes"];
    refused("x,y\n1,a\n2,b\n3,c\n4,b\n", "", &three);
    let desk = Desk::new();
    desk.put("m.csv", "x,y\n1,a\n2,b\n");
    desk.wrong("import --data m.csv --label y --positive c", 2, &["--positive c", "a and b"]);
}

#[test]
fn gaps_are_counted_dropped_or_indicated() {
    let text = "age,device,y\n1,ios,1\n,web,0\n3,NA,1\nnull,?,0\n8,web,N/A\n6,ios,0\n";
    let counts = ["m.csv:3:1", "4 of 6 rows", "\"age\" 2", "\"device\" 2", "--missing drop"];
    refused(text, "", &counts);
    let dropped = answered(text, "--missing drop", &["age"], &[&[1.0], &[6.0]], &[1.0, -1.0]);
    assert!(dropped.said.contains("4 of 6 rows have a missing cell"), "{}", dropped.said);
    assert!(dropped.said.contains("\"device\" is \"ios\" in all rows"), "{}", dropped.said);
    let mean = (1.0 + 3.0 + 6.0) / 3.0;
    let kept = answered(
        text,
        "--missing indicator",
        &["age", "age missing", "device=missing", "device=web"],
        &[
            &[1.0, 0.0, 0.0, 0.0],
            &[mean, 1.0, 0.0, 1.0],
            &[3.0, 0.0, 1.0, 0.0],
            &[mean, 1.0, 1.0, 0.0],
            &[6.0, 0.0, 0.0, 0.0],
        ],
        &[1.0, -1.0, 1.0, -1.0, -1.0],
    );
    assert!(kept.said.contains("1 of 6 rows have no label"), "{}", kept.said);
    refused("a,b,y\n1,,1\n2,,0\n", "", &["\"b\" is missing in all rows", "--drop b"]);
    refused("a,b,y\n1,,1\n2,,0\n3,,\n", "--missing indicator", &["\"b\" is missing in all rows"]);
    let large = "a,y\n1e308,1\n1.5e308,0\n,0\n";
    refused(large, "--missing indicator", &["column \"a\"", "mean", "--missing drop"]);
    refused("a,b,y\n1,,1\n,2,0\n", "--missing drop", &["no row is left", "--missing indicator"]);
}

#[test]
fn constant_columns_are_left_out() {
    let found = answered(
        "a,five,word,y\n1,5,x,1\n2,5.0,x,0\n",
        "",
        &["a"],
        &[&[1.0], &[2.0]],
        &[1.0, -1.0],
    );
    for words in ["\"five\" is 5 in all rows", "\"word\" is \"x\" in all rows"] {
        assert!(found.said.contains(words), "{}", found.said);
    }
    refused("a,y\n5,1\n5,0\n", "", &["m.csv", "no column varies"]);
}

#[test]
fn dates_commas_and_infinities_are_refused_with_a_hint() {
    refused(
        "day,y\n2024-01-31,1\n2024-02-01,0\n",
        "",
        &["m.csv:2:1", "\"2024-01-31\"", "date", "--categorical day"],
    );
    refused("at,y\n12:30,1\n9:05,0\n", "", &["m.csv:2:1", "\"12:30\"", "time"]);
    refused("a;y\n1,5;1\n2,25;0\n", "", &["m.csv:2:1", "\"1,5\"", "plain decimals: a point"]);
    refused(
        "a,y\n1,0\n2,1\ninf,1\n",
        "",
        &["m.csv:4:1", "\"inf\"", "not a finite number", "--drop a"],
    );
    refused("a,y\n1,0\n1e999,1\n3,1\n", "", &["m.csv:3:1", "\"1e999\"", "not a finite number"]);
    refused(
        "a,y\n1,0\n2,1\n3o,1\n",
        "",
        &["m.csv:4:1", "\"3o\"", "2 other cells hold numbers", "--categorical a"],
    );
    refused("a,y\nx,0\ny,1\n3,1\n", "--numeric a", &["m.csv:2:1", "\"x\"", "not a finite number"]);
    let many: String = (0..60).map(|i| format!("user{i},{}\n", i % 2)).collect();
    refused(
        &format!("id,y\n{many}"),
        "",
        &["\"id\"", "60 different words in 60 rows", "--drop id"],
    );
    let long = format!("t,y\n{},1\nb,0\n", "x".repeat(5000));
    refused(&long, "", &["m.csv:2:1", "\"t\"", "too long", "--drop t"]);
}

#[test]
fn what_is_no_table_is_said_to_be_none() {
    refused("", "", &["m.csv is empty"]);
    refused("a,y\n", "", &["m.csv", "no rows in 1 lines"]);
    refused("1,2\n3,4\n", "", &["m.csv:1", "not column names"]);
    refused("a,y\n1,0\n2\n", "", &["m.csv:3:1", "1 fields and the header 2"]);
    refused("a,y\nw,0\n2,1,5\n", "", &["m.csv:3:1", "3 fields and the header 2"]);
    refused("a,b,a,y\n1,2,3,0\n", "", &["columns 1 and 3 are both called \"a\"", "rename"]);
    refused("a,y\n\"1,0\n2,1\n", "", &["m.csv:2:1", "within quotes"]);
    let desk = Desk::new();
    fs::write(desk.0.path().join("m.csv"), b"\xff\xfea\0,\0y\0\n\0").unwrap();
    desk.wrong("import --data m.csv --label y", 3, &["m.csv", "UTF-16", "UTF-8"]);
    fs::write(desk.0.path().join("m.csv"), b"a,y\nM\xfcnchen,1\nBonn,0\n").unwrap();
    desk.wrong("import --data m.csv --label y", 3, &["m.csv:2:1", "not UTF-8"]);
}

/// Two megabytes that unpack to two gigabytes, one line of them; and wide headers.
#[test]
fn bombs_are_refused_soon() {
    let desk = Desk::new();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    gz.write_all(b"a,y\n\"").unwrap();
    let zeros = vec![b'0'; 1 << 20];
    (0..64).for_each(|_| gz.write_all(&zeros).unwrap());
    fs::write(desk.0.path().join("m.csv"), gz.finish().unwrap()).unwrap();
    desk.wrong("import --data m.csv --label y", 3, &["m.csv:2:1", "longer than 4194304 bytes"]);
    let wide: String = (0..100_000).map(|j| format!("c{j},")).collect();
    desk.put("m.csv", &format!("{wide}y\n"));
    desk.wrong("import --data m.csv --label y", 3, &["m.csv:1:1", "more than 65536 fields"]);
    let wide: String = (0..60_000).map(|j| format!("c{j},")).collect();
    desk.put("m.csv", &format!("{wide}y\n"));
    let output = desk.run("import --data m.csv --label z");
    let said = said(&output);
    assert!(said.len() < 1000 && said.contains("and 59989 more"), "{said}");
    let values = "1,".repeat(9000);
    let names: String = (0..9000).map(|j| format!("c{j},")).collect();
    desk.put("w.csv", &format!("{names}y\n{values}1\n{values}0\n"));
    desk.wrong("estimate gaussian-mean --data w.csv", 3, &["9001 columns", "--columns"]);
    let logistic = "estimate logistic --data v.csv --label y";
    desk.put("v.csv", &format!("{names}y\n{values}1\n{}0\n", "2,".repeat(9000)));
    desk.wrong(logistic, 3, &["9001 parameters", "--columns", "--method plain"]);
    desk.put("v.csv", &format!("{names}x,y\n{values}1,1\n{values}2,0\n"));
    desk.wrong(&format!("{logistic} --method plain"), 2, &["\"c0\" is 1", "8970 more remarks"]);
    let words: String = (0..1_100_000).map(|i| format!("w{i},{}\n", i % 2)).collect();
    desk.put("l.csv", &format!("word,y\n{words}"));
    let many = ["\"word\"", "more than 1048576 levels", "--drop word"];
    desk.wrong("import --data l.csv --label y --categorical word", 3, &many);
}

/// One level of a category has positives only: with a flat prior its posterior has no mean, and any proper
/// prior holds it.
#[test]
fn a_posterior_without_a_mean_is_refused() {
    let desk = Desk::new();
    let row =
        |i: usize| format!("{},{}\n", ["a", "b", "c"][i % 3], usize::from(i % 3 == 1 || i % 7 < 3));
    desk.put("g.csv", &format!("group,y\n{}", (0..600).map(row).collect::<String>()));
    let said = ["\"group=b\"", "cannot be normalised", "--prior normal:2.5"];
    desk.wrong("estimate logistic --data g.csv --label y --prior flat", 3, &said);
    let held = desk.run("estimate logistic --data g.csv --label y --prior normal:2.5");
    assert!(held.status.success(), "{held:?}");
}
