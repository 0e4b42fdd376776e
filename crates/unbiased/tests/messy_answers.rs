//! A messy file gives the answer of the tidy one that was made of it by hand.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod desk;

use desk::{Desk, estimates};
use std::fmt::Write as _;

/// Rows with a category, a gap and a number, whose truth is known.
fn shop(rows: usize) -> String {
    let mut text = "device,age,bought\n".to_owned();
    for i in 0..rows {
        let device = ["web", "ios", "web", "android"][i % 4];
        let age = (i as f64 * 1.7).sin();
        let shift = if device == "ios" { 1.5 } else { 0.0 };
        let bought = (i as f64 * 12.9898).sin() * 3.0 < age + shift;
        let age = if i % 10 == 3 { String::new() } else { format!("{age:.4}") };
        writeln!(text, "{device},{age},{}", if bought { "yes" } else { "no" }).unwrap();
    }
    text
}

/// The same by hand, in zeros and ones.
fn shop_by_hand(text: &str) -> String {
    let known: Vec<f64> =
        text.lines().skip(1).filter_map(|line| line.split(',').nth(1)?.parse().ok()).collect();
    let mean = known.iter().sum::<f64>() / known.len() as f64;
    let mut plain = "age,age missing,device=android,device=ios,bought\n".to_owned();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let age = cells[1].parse().unwrap_or(mean);
        let is = |yes: bool| i32::from(yes);
        writeln!(
            plain,
            "{age},{},{},{},{}",
            is(cells[1].is_empty()),
            is(cells[0] == "android"),
            is(cells[0] == "ios"),
            is(cells[2] == "yes")
        )
        .unwrap();
    }
    plain
}

/// A messy file and the one made of it by hand give the same answer. The difference of two right
/// answers exceeds four joint standard errors once in sixteen thousand seeds.
#[test]
fn messy_and_tidy_agree() {
    let desk = Desk::new();
    let text = shop(6000);
    desk.put("shop.csv", &text);
    desk.put("tidy.csv", &shop_by_hand(&text));
    desk.put("new.csv", "age,device\n0.5,ios\n,web\n");
    desk.put("new-tidy.csv", "age,age missing,device=android,device=ios\n0.5,0,0,1\n");
    let line = "estimate logistic --label bought --prior gaussian:2 --replicates 40 \
                --functional mean --functional predict:";
    let shown =
        desk.fine(&format!("{line}new.csv --data shop.csv --missing indicator --json messy.json"));
    for words in ["device=ios", "age missing", "bought=yes is the positive class", "row 2"] {
        assert!(shown.contains(words), "no {words} in {shown}");
    }
    desk.fine(&format!("{line}new-tidy.csv --data tidy.csv --json tidy.json"));
    let messy = desk.json("messy.json");
    assert!(messy["coding"]["columns"].is_array());
    let (messy, tidy) = (estimates(&messy), estimates(&desk.json("tidy.json")));
    assert_eq!((messy.len(), tidy.len()), (7, 6));
    for ((a, se_a), (b, se_b)) in messy.iter().zip(&tidy) {
        assert!((a - b).abs() < 4.0 * se_a.hypot(*se_b) + 1e-9, "{a} ± {se_a}, {b} ± {se_b}");
    }
    assert!(messy[3].0 > 0.5, "ios buys more: {messy:?}");
    // A linear regression takes categories, too.
    let numbers = text.replace(",yes\n", ",1\n").replace(",no\n", ",0\n");
    desk.put("numbers.csv", &numbers);
    let linear = "estimate linear --label bought --noise 0.2 --prior gaussian:2 --replicates 40";
    desk.fine(&format!("{linear} --data numbers.csv --missing indicator --json messy.json"));
    desk.fine(&format!("{linear} --data tidy.csv --json tidy.json"));
    let (messy, tidy) = (estimates(&desk.json("messy.json")), estimates(&desk.json("tidy.json")));
    for ((a, se_a), (b, se_b)) in messy.iter().zip(&tidy) {
        assert!((a - b).abs() < 4.0 * se_a.hypot(*se_b) + 1e-6, "{a} ± {se_a}, {b} ± {se_b}");
    }
    // What the data never showed cannot be predicted.
    desk.put("new.csv", "age,device\n0.5,tablet\n");
    let predict = "estimate logistic --label bought --data shop.csv --missing indicator \
                   --functional predict:new.csv";
    desk.wrong(predict, 3, &["new.csv:2:2", "\"tablet\"", "\"device\"", "android, ios, web"]);
    desk.put("new.csv", "age\n0.5\n");
    desk.wrong(predict, 3, &["new.csv", "no column \"device\""]);
    desk.wrong(
        "estimate random-features --data numbers.csv --label bought --missing drop",
        3,
        &["categories", "--drop"],
    );
    desk.wrong(
        "estimate gaussian-mean --data shop.csv --missing drop",
        3,
        &["\"bought\"", "words"],
    );
}
