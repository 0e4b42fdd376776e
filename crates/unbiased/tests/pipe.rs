//! Data from a pipe.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod desk;

use desk::{Desk, clicks, estimates, said};
use std::io::Write;
use std::process::{Output, Stdio};

fn piped(desk: &Desk, line: &str, text: &[u8]) -> Output {
    let mut child = desk
        .command(line)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that refuses its arguments does not read.
    child.stdin.take().unwrap().write_all(text).ok();
    child.wait_with_output().unwrap()
}

#[test]
fn a_pipe_gives_what_the_file_gives() {
    let desk = Desk::new();
    let text = clicks(3000);
    desk.put("clicks.csv", &text);
    let rest = "--label clicked --replicates 8 --quiet --json";
    desk.fine(&format!("estimate logistic --data clicks.csv {rest} file.json"));
    let output =
        piped(&desk, &format!("estimate logistic --data - {rest} pipe.json"), text.as_bytes());
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(estimates(&desk.json("file.json")), estimates(&desk.json("pipe.json")));
}

#[test]
fn what_was_piped_once_is_kept() {
    let desk = Desk::new();
    let text = clicks(100);
    let output = piped(&desk, "import - --label clicked", text.as_bytes());
    assert!(output.status.success(), "{}", said(&output));
    let said_first = said(&output);
    let kept = said_first.split("--data ").nth(1).unwrap().split(' ').next().unwrap();
    assert_eq!(std::fs::read_to_string(desk.0.path().join(kept)).unwrap(), text);
    let again = desk.fine(&format!("import {kept} --label clicked"));
    assert!(again.contains("imported before"), "{again}");
    let output = piped(&desk, "import - --label clicked", text.as_bytes());
    assert!(said(&output).contains("imported before"), "{}", said(&output));
    let files = std::fs::read_dir(desk.0.path().join(".unbiased/standard-input")).unwrap();
    assert_eq!(files.count(), 1);
}

#[test]
fn an_empty_pipe_is_refused() {
    let desk = Desk::new();
    let output = piped(&desk, "import - --label clicked", b"");
    assert_eq!(output.status.code(), Some(3));
    assert!(said(&output).contains("standard input is empty"), "{}", said(&output));
}
