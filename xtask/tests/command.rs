//! The command as people use it: same bytes on any number of threads and after kills, drift and
//! damage named, wrong calls helped.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn xtask(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(arguments);
    command
}

fn run(arguments: &[&str]) -> Output {
    xtask(arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout)
}

/// Runs `gaussian-path` at full scale into a folder.
fn reproduce(results: &Path, more: &[&str]) -> Output {
    let results = results.to_str().unwrap();
    run(&[&["reproduce", "gaussian-path", "--results", results], more].concat())
}

/// Every file of a record but where it came from.
fn bytes(results: &Path) -> BTreeMap<String, Vec<u8>> {
    fs::read_dir(results.join("full/gaussian-path"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| !path.ends_with("provenance.json"))
        .map(|path| {
            (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(path).unwrap())
        })
        .collect()
}

#[test]
fn threads_and_kills_leave_no_trace() {
    let folder = tempfile::tempdir().unwrap();
    let undisturbed = folder.path().join("1");
    assert!(reproduce(&undisturbed, &["--jobs", "1"]).status.success());
    let expected = bytes(&undisturbed);
    assert_eq!(expected.len(), 6, "{:?}", expected.keys());
    for jobs in ["2", "5"] {
        let results = folder.path().join(jobs);
        assert!(reproduce(&results, &["--jobs", jobs]).status.success());
        assert_eq!(bytes(&results), expected, "--jobs {jobs}");
    }

    let killed = folder.path().join("killed");
    let results = killed.to_str().unwrap();
    let mut chunks_before = 0;
    for milliseconds in [15, 40, 90] {
        let mut child =
            xtask(&["reproduce", "gaussian-path", "--results", results]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
        let chunks = count_chunks(&killed);
        assert!(chunks >= chunks_before, "a kill lost chunks");
        chunks_before = chunks;
    }
    assert!(reproduce(&killed, &[]).status.success());
    assert_eq!(bytes(&killed), expected);
}

/// Four at once in a cold folder: all succeed with the same bytes, and those that wait say for whom.
#[test]
fn processes_take_turns() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().to_str().unwrap();
    let children: Vec<_> = (0..4)
        .map(|_| {
            let mut command = xtask(&["reproduce", "gaussian-path", "--results", results]);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    let outputs: Vec<Output> =
        children.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
    for output in &outputs {
        assert!(output.status.success(), "{}", said(output));
    }
    let waited = outputs.iter().filter(|one| said(one).contains("waiting for process")).count();
    assert!(waited >= 1, "nobody waited");
    let alone = tempfile::tempdir().unwrap();
    assert!(reproduce(alone.path(), &[]).status.success());
    assert_eq!(bytes(folder.path()), bytes(alone.path()));
}

fn count_chunks(results: &Path) -> usize {
    let work = results.join(".work/full/gaussian-path");
    let steps = fs::read_dir(work).into_iter().flatten();
    steps.map(|step| fs::read_dir(step.unwrap().path()).unwrap().count()).sum()
}

#[test]
fn damaged_chunks_are_repaired_and_said() {
    let folder = tempfile::tempdir().unwrap();
    assert!(reproduce(folder.path(), &[]).status.success());
    let expected = bytes(folder.path());
    let work = folder.path().join(".work/full/gaussian-path/coupled-sum");
    let mut chunks: Vec<_> =
        fs::read_dir(work).unwrap().map(|entry| entry.unwrap().path()).collect();
    chunks.retain(|path| path.extension().is_some_and(|ending| ending == "chunk"));
    chunks.sort();
    let whole = fs::read(&chunks[0]).unwrap();
    fs::write(&chunks[0], &whole[..whole.len() - 7]).unwrap();
    let mut edited = fs::read(&chunks[1]).unwrap();
    edited[90] ^= 0x10;
    fs::write(&chunks[1], edited).unwrap();
    let output = reproduce(folder.path(), &[]);
    assert_eq!(
        said(&output).matches("done again: its checksum does not match").count(),
        2,
        "{}",
        said(&output)
    );
    assert_eq!(bytes(folder.path()), expected);
}

#[test]
fn drift_is_named_and_exits_with_one() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().to_str().unwrap();
    let ids = ["gaussian-path", "work-variance"];
    let made = [&["reproduce", "--scale", "smoke", "--results", results], &ids[..]].concat();
    assert!(run(&made).status.success());
    let check = |more: &[&str]| run(&[&["check", "--results", results], &ids[..], more].concat());
    let same = check(&[]);
    assert_eq!(same.status.code(), Some(0), "{}", said(&same));

    let record = folder.path().join("smoke/work-variance/record.json");
    let text = fs::read_to_string(&record).unwrap();
    fs::write(&record, text.replacen("0.87", "0.88", 1)).unwrap();
    let drifted = check(&[]);
    assert_eq!(drifted.status.code(), Some(1), "{}", said(&drifted));
    assert!(said(&drifted).contains("quantity bound/alpha"), "{}", said(&drifted));

    assert_eq!(check(&["--accept"]).status.code(), Some(0));
    assert_eq!(check(&[]).status.code(), Some(0));

    fs::write(&record, "{").unwrap();
    let corrupt = check(&[]);
    assert_eq!(corrupt.status.code(), Some(1));
    assert!(said(&corrupt).contains("record.json is damaged"), "{}", said(&corrupt));
    // The others are checked all the same.
    assert!(said(&corrupt).contains("gaussian-path: as stored"), "{}", said(&corrupt));
}

#[test]
fn wrong_calls_are_helped() {
    let unknown = run(&["reproduce", "gausian-path"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(said(&unknown).contains("did you mean gaussian-path?"));
    assert_eq!(run(&["reproduce"]).status.code(), Some(2));
    assert_eq!(run(&["reproduce", "all", "--jobs", "0"]).status.code(), Some(2));

    let folder = tempfile::tempdir().unwrap();
    let absent = folder.path().join("absent");
    let absent = absent.to_str().unwrap();
    assert_eq!(run(&["check", "--results", absent]).status.code(), Some(2));
    let file = folder.path().join("file");
    fs::write(&file, "not a folder").unwrap();
    let unwritable = reproduce(&file, &[]);
    assert_eq!(unwritable.status.code(), Some(4));
    assert!(said(&unwritable).contains("cannot be written"), "{}", said(&unwritable));
}

#[test]
fn a_summary_for_programs() {
    let folder = tempfile::tempdir().unwrap();
    let output = reproduce(folder.path(), &["--json", "--quiet"]);
    assert!(output.stderr.is_empty(), "{}", said(&output));
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["experiments"][0]["experiment"], "gaussian-path");
    assert!(folder.path().join(".work/log.txt").exists());
}

/// A table of flights that is not there: named, with a remedy, and an exit code of its own; the
/// experiment after it still runs.
#[test]
fn missing_data_stops_only_what_needs_it() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().to_str().unwrap();
    let ids = ["reproduce", "airline", "gaussian-path", "--scale", "smoke"];
    let output = run(&[&ids[..], &["--results", results, "--flights", "no-flights.csv"]].concat());
    assert_eq!(output.status.code(), Some(3));
    let words = said(&output);
    assert!(words.contains("no-flights.csv") && words.contains("--flights"), "{words}");
    assert!(words.contains("1 of 2 experiments done"), "{words}");
    assert!(folder.path().join("smoke/gaussian-path/record.json").is_file());
}

/// An experiment that reads another's record runs that first, and says what is wrong if it cannot.
#[test]
fn a_needed_record_is_made_first() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().to_str().unwrap();
    let output =
        run(&["reproduce", "logistic-exhaustive", "--scale", "smoke", "--results", results]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(folder.path().join("smoke/logistic-synthetic/record.json").is_file());
    let record = folder.path().join("smoke/logistic-synthetic/record.json");
    fs::write(&record, "{").unwrap();
    let output =
        run(&["reproduce", "logistic-exhaustive", "--scale", "smoke", "--results", results]);
    assert_eq!(output.status.code(), Some(4));
    let words = said(&output);
    assert!(words.contains("cargo xtask reproduce logistic-synthetic"), "{words}");
}
