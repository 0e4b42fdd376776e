//! What all tests of the command share.

#![allow(
    clippy::unwrap_used,
    dead_code,
    reason = "a test stops where it fails, and uses what it needs"
)]

pub mod columns;

use data::{MappedDense, MappedMixed};
use models::design::Design;
use posterior::Rows;
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use tempfile::TempDir;

/// What became of a file: names, the covariates of every row, targets, and what was said.
pub struct Imported {
    pub names: Vec<String>,
    pub rows: Vec<Vec<f64>>,
    pub targets: Vec<f64>,
    pub said: String,
    pub mixed: bool,
}

/// A folder with files in it, and the command run there.
pub struct Desk(pub TempDir);

impl Desk {
    pub fn new() -> Desk {
        Desk(tempfile::tempdir().unwrap())
    }

    pub fn put(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_unbiased"));
        command.current_dir(self.0.path()).args(line.split_whitespace());
        command
    }

    pub fn run(&self, line: &str) -> Output {
        self.command(line).output().unwrap()
    }

    #[track_caller]
    pub fn fine(&self, line: &str) -> String {
        let output = self.run(line);
        assert!(output.status.success(), "{line}: {}", said(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// A wrong use: its exit code, and words that must be in the sentence.
    #[track_caller]
    pub fn wrong(&self, line: &str, exit: i32, words: &[&str]) {
        let output = self.run(line);
        let said = said(&output);
        assert_eq!(output.status.code(), Some(exit), "{line}: {said}");
        words.iter().for_each(|word| assert!(said.contains(word), "{line}: no {word} in {said}"));
    }

    pub fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&fs::read(self.0.path().join(name)).unwrap()).unwrap()
    }
}

pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout)
}

/// Rows of two covariates and a class, without any generator: sines are random enough.
pub fn clicks(rows: usize) -> String {
    let mut text = "age,\"time, spent\",clicked\n".to_owned();
    for i in 0..rows {
        let (a, b) = ((i as f64 * 1.7).sin(), (i as f64 * 0.3).cos());
        let y = i32::from((i as f64 * 12.9898).sin() * 3.0 < a - 0.5 * b);
        writeln!(text, "{a:.4},{b:.4},{y}").unwrap();
    }
    text
}

pub fn estimates(json: &Value) -> Vec<(f64, f64)> {
    let list = json["answer"]["estimates"].as_array().unwrap();
    let number = |value: &Value| value.as_f64().unwrap();
    let one =
        |one: &Value| (number(&one["summary"]["mean"]), number(&one["summary"]["standard_error"]));
    list.iter().map(one).collect()
}

impl Desk {
    /// The folder of the only data set that was imported.
    pub fn folder(&self) -> PathBuf {
        let mut folders = fs::read_dir(self.0.path().join(".unbiased")).unwrap();
        let folder = folders.next().unwrap().unwrap().path();
        assert!(folders.next().is_none(), "one data set, one folder");
        folder
    }

    /// What is said beside the answer.
    #[track_caller]
    pub fn remarks(&self, line: &str) -> String {
        let output = self.run(line);
        assert!(output.status.success(), "{line}: {}", said(&output));
        String::from_utf8(output.stderr).unwrap()
    }

    /// The rows of the only data set that was imported.
    pub fn imported(&self, said: String) -> Imported {
        let folder = self.folder();
        let about: Value =
            serde_json::from_slice(&fs::read(folder.join("import.json")).unwrap()).unwrap();
        let names: Vec<String> = about["content"]["names"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| name.as_str().unwrap().to_owned())
            .collect();
        let (rows, targets, mixed) = match MappedDense::open(&folder.join("rows")) {
            Ok(dense) => {
                let block = dense.range(0..dense.count());
                let row = |i: usize| (0..dense.width()).map(|j| block.column(j)[i]).collect();
                ((0..dense.count()).map(row).collect(), block.targets().to_vec(), false)
            }
            Err(_) => {
                let mixed = MappedMixed::open(&folder.join("rows")).unwrap();
                let block = mixed.range(0..mixed.count());
                let row = |i: usize| {
                    let (mut row, mut entries) = (vec![0.0; mixed.width() + 1], Vec::new());
                    block.row(i, &mut entries);
                    entries.iter().for_each(|&(column, value)| row[column] = value);
                    row.truncate(mixed.width());
                    row
                };
                ((0..mixed.count()).map(row).collect(), block.targets().to_vec(), true)
            }
        };
        Imported { names, rows, targets, said, mixed }
    }
}
