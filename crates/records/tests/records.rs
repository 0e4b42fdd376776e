//! Records survive the disk, damage is named, drift is found, and chunks know their run.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use debias::engine::{ChunkId, Store};
use debias::{Ledger, Replicates};
use records::{
    ChunkFolder, Claim, DataSource, FolderError, Policy, Quantity, Record, RunKey, Scale, Severity,
    Table, Verdict, compare, read_record, write_record,
};
use serde_json::json;
use std::fs;

fn record() -> Record {
    let serde_json::Value::Object(settings) = json!({ "alpha": 0.8, "schedule": [8, 16] }) else {
        unreachable!("written as an object")
    };
    Record {
        experiment: "toy".to_owned(),
        question: "Is it so?".to_owned(),
        scale: Scale::Smoke,
        seed: 7,
        settings,
        data: vec![DataSource { name: "rows".to_owned(), rows: 16, identity: "abc".to_owned() }],
        quantities: vec![
            Quantity::exact("mean", 0.1 + 0.2),
            Quantity::exact("cost", 12.0).under(Policy::Relative(0.01)),
            Quantity::estimate("noisy", 1.0, 0.1),
            Quantity::rough("spread", 5.0),
        ],
        claims: vec![
            Claim::printed("toy/mean", "it is so", "0.3")
                .found("0.30")
                .rule("reproduced if it is")
                .judged(Verdict::of(true), "It is."),
        ],
        notes: vec![],
        tables: vec![
            Table::new("replicates").with("value", vec![1.5, -2.0]).with("depth", vec![1_i64, 2]),
        ],
    }
}

#[test]
fn a_record_survives_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    write_record(folder.path(), &record()).unwrap();
    assert_eq!(read_record(folder.path()).unwrap(), record());
}

/// What a fault done to the folder is called.
fn fault(damage: impl Fn(&std::path::Path)) -> FolderError {
    let folder = tempfile::tempdir().unwrap();
    write_record(folder.path(), &record()).unwrap();
    damage(folder.path());
    read_record(folder.path()).unwrap_err()
}

#[test]
fn damage_is_named() {
    let edited =
        fault(|folder| fs::write(folder.join("replicates.csv"), "value,depth\n1.5,1\n").unwrap());
    assert!(matches!(edited, FolderError::Checksum { .. }), "{edited}");
    let cut = fault(|folder| {
        let text = fs::read_to_string(folder.join("record.json")).unwrap();
        fs::write(folder.join("record.json"), &text[..text.len() / 2]).unwrap();
    });
    assert!(matches!(cut, FolderError::Json { .. }) && cut.to_string().contains("line"), "{cut}");
    let old = fault(|folder| fs::write(folder.join("record.json"), r#"{"schema": 0}"#).unwrap());
    assert!(matches!(old, FolderError::Schema { found: 0, .. }), "{old}");
    let gone = fault(|folder| fs::remove_file(folder.join("replicates.csv")).unwrap());
    assert!(matches!(gone, FolderError::Read { .. }), "{gone}");
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "not a folder").unwrap();
    let error = write_record(&file.join("toy"), &record()).unwrap_err();
    assert!(matches!(error, FolderError::Write { .. }), "{error}");
}

/// The names and severities of all drifts after a change.
fn drifts(same_platform: bool, change: impl Fn(&mut Record)) -> Vec<(String, Severity)> {
    let mut fresh = record();
    change(&mut fresh);
    compare(&record(), &fresh, same_platform)
        .into_iter()
        .map(|drift| (drift.name, drift.severity))
        .collect()
}

#[test]
fn drift_is_found_by_policy() {
    let number = |name: &str| (format!("quantity {name}"), Severity::Number);
    assert_eq!(drifts(true, |_| {}), []);
    let last_digit = |fresh: &mut Record| fresh.quantities[0].value = 0.3;
    assert_eq!(drifts(true, last_digit), [number("mean")]);
    assert_eq!(drifts(false, last_digit), []);
    assert_eq!(drifts(true, |fresh| fresh.quantities[1].value = 12.1), []);
    assert_eq!(drifts(false, |fresh| fresh.quantities[1].value = 12.2), [number("cost")]);
    // Four joint standard errors of 0.1 and 0.1 are 0.566.
    assert_eq!(drifts(false, |fresh| fresh.quantities[2].value = 1.56), []);
    assert_eq!(drifts(false, |fresh| fresh.quantities[2].value = 1.57), [number("noisy")]);
    assert_eq!(drifts(true, |fresh| fresh.quantities[2].value = 1.01), [number("noisy")]);
    assert_eq!(drifts(true, |fresh| fresh.quantities[2].error = Some(0.2)), [number("noisy")]);
    assert_eq!(drifts(false, |fresh| fresh.quantities[3].value = 9.9), []);
    assert_eq!(drifts(false, |fresh| fresh.quantities[3].value = 10.1), [number("spread")]);
    let table = |fresh: &mut Record| {
        fresh.tables[0] =
            Table::new("replicates").with("value", vec![1.5, -2.1]).with("depth", vec![1_i64, 2]);
    };
    let cell = "table replicates, line 3, value, and 0 more cells".to_owned();
    assert_eq!(drifts(true, table), [(cell, Severity::Number)]);
    assert_eq!(drifts(false, table), []);
}

#[test]
fn numbers_that_are_none_are_not_written() {
    let folder = tempfile::tempdir().unwrap();
    for (value, error) in [(f64::NAN, 0.1), (0.1, f64::INFINITY)] {
        let mut record = record();
        record.quantities[0].value = value;
        record.quantities[0].error = Some(error);
        let refused = write_record(folder.path(), &record).unwrap_err();
        assert!(matches!(refused, FolderError::NotFinite { .. }), "{refused}");
    }
}

#[test]
fn what_is_missing_or_means_something_else_is_found() {
    let renamed = drifts(true, |fresh| fresh.quantities[0].name = "average".to_owned());
    assert_eq!(
        renamed,
        [
            ("quantity mean".to_owned(), Severity::Structure),
            ("quantity average".to_owned(), Severity::Structure)
        ]
    );
    let setting = drifts(true, |fresh| fresh.settings["alpha"] = json!(0.9));
    assert_eq!(setting, [("setting alpha".to_owned(), Severity::Structure)]);
    let data = drifts(true, |fresh| fresh.data[0].identity = "abd".to_owned());
    assert_eq!(data, [("data rows".to_owned(), Severity::Structure)]);
    let verdict = drifts(true, |fresh| fresh.claims[0].verdict = Verdict::NotReproduced);
    assert_eq!(verdict, [("claim toy/mean".to_owned(), Severity::Verdict)]);
    assert_eq!(
        drifts(true, |fresh| fresh.tables.clear()),
        [("table replicates".to_owned(), Severity::Structure)]
    );
}

fn key() -> RunKey {
    RunKey {
        settings: json!({ "alpha": 0.8 }),
        seed: 1,
        data: vec!["d".to_owned()],
        code: "c".to_owned(),
    }
}

fn chunk() -> (ChunkId, Replicates) {
    let chunk = Replicates::from_columns(1, vec![1.0, 2.0], vec![1, 2], vec![Ledger::default(); 2])
        .unwrap();
    (ChunkId { range: 0..10, chunk: 3, replicates: 2 }, chunk)
}

#[test]
fn chunks_are_kept_for_the_same_run_only() {
    let folder = tempfile::tempdir().unwrap();
    let (id, chunk) = chunk();
    let first = ChunkFolder::open(folder.path(), &key()).unwrap();
    assert!(first.load(&id).is_none());
    first.save(&id, &chunk).unwrap();
    let again = ChunkFolder::open(folder.path(), &key()).unwrap();
    assert_eq!(again.load(&id), Some(chunk));
    assert!(again.remarks().is_empty());

    let other = RunKey { settings: json!({ "alpha": 0.9 }), code: "e".to_owned(), ..key() };
    let changed = ChunkFolder::open(folder.path(), &other).unwrap();
    assert!(changed.load(&id).is_none());
    assert_eq!(changed.remarks(), ["run again: setting alpha 0.8 became 0.9, the code changed"]);
}

#[test]
fn damaged_chunks_are_done_again_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let (id, chunk) = chunk();
    ChunkFolder::open(folder.path(), &key()).unwrap().save(&id, &chunk).unwrap();
    let file = folder.path().join("0-10-0003.chunk");
    let whole = fs::read(&file).unwrap();
    let mut edited = whole.clone();
    edited[100] ^= 1;
    for damaged in [&whole[..whole.len() / 2], &edited, &[]] {
        fs::write(&file, damaged).unwrap();
        let store = ChunkFolder::open(folder.path(), &key()).unwrap();
        assert!(store.load(&id).is_none());
        assert!(store.remarks()[0].ends_with("done again: its checksum does not match"));
    }
    // A key that cannot be read belongs to nobody.
    fs::write(folder.path().join("key.json"), "{").unwrap();
    let store = ChunkFolder::open(folder.path(), &key()).unwrap();
    assert!(store.remarks()[0].ends_with("key.json is damaged"), "{:?}", store.remarks());
}

#[test]
fn values_are_kept_for_the_same_run_only_and_damage_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let value = (vec![0.1 + 0.2, -0.0, 1e-308], "word".to_owned());
    let chunks = ChunkFolder::open(folder.path(), &key()).unwrap();
    chunks.keep_value("value", &value).unwrap();
    assert_eq!(chunks.value("value"), Some(value.clone()));
    let path = folder.path().join("value.json");
    let whole = fs::read_to_string(&path).unwrap();
    fs::write(&path, whole.replace("word", "ward")).unwrap();
    assert_eq!(chunks.value::<(Vec<f64>, String)>("value"), None);
    assert!(chunks.remarks()[0].contains("checksum"), "{:?}", chunks.remarks());
    fs::write(&path, &whole).unwrap();
    let other = ChunkFolder::open(folder.path(), &RunKey { seed: 8, ..key() }).unwrap();
    fs::write(&path, &whole).unwrap();
    assert_eq!(other.value::<(Vec<f64>, String)>("value"), None);
}

#[test]
fn tables_are_written_and_read_row_by_row() {
    #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Row {
        method: String,
        #[serde(rename = "work times variance")]
        product: f64,
        rows: i64,
    }
    let row = |product, rows| Row { method: "m".to_owned(), product, rows };
    let rows = vec![row(0.1 + 0.2, 3), row(2.0, -1)];
    let table = Table::of_rows("t", &rows);
    assert_eq!(
        table,
        Table::new("t")
            .with("method", vec!["m".to_owned(); 2])
            .with("work times variance", vec![0.1 + 0.2, 2.0])
            .with("rows", vec![3_i64, -1])
    );
    assert_eq!(table.read_rows::<Row>().unwrap(), rows);
    assert!(Table::new("t").with("method", vec![1.0]).read_rows::<Row>().is_err());
}
