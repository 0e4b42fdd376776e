//! Nothing stale, nothing silent, nothing lost: changed files are noticed whatever their times say,
//! two processes do not disturb each other, and no file that was edited is believed.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod desk;

use desk::{Desk, clicks, estimates, said};
use std::fs::{self, File};
use std::process::Stdio;
use std::time::{Duration, SystemTime};

/// Quick and exact enough: a few thousand rows, twenty replicates.
const CLICKS: &str = "estimate logistic --data clicks.csv --label clicked --replicates 20 \
                      --json out.json";

fn means(desk: &Desk) -> Vec<f64> {
    estimates(&desk.json("out.json")).into_iter().map(|(mean, _)| mean).collect()
}

/// Sets the time of change, as an archiver does.
fn set_time(desk: &Desk, name: &str, time: SystemTime) {
    File::options().write(true).open(desk.0.path().join(name)).unwrap().set_modified(time).unwrap();
}

#[test]
fn changed_predictions_are_predicted_again() {
    let desk = Desk::new();
    desk.put("clicks.csv", &clicks(4000));
    let line = format!("{CLICKS} --functional predict:new.csv");
    desk.put("new.csv", "age,\"time, spent\"\n0.5,0.1\n");
    desk.fine(&line);
    let before = means(&desk);
    desk.put("new.csv", "age,\"time, spent\"\n-.5,0.1\n");
    desk.fine(&line);
    let after = means(&desk);
    assert!(after[0] < before[0] - 0.1, "{before:?}, {after:?}");
    desk.put("new.csv", "age,\"time, spent\"\n0.5,0.1\n");
    desk.fine(&line);
    assert_eq!(means(&desk), before);
}

/// Same size, same time of change: the content decides, and so it does after `touch`.
#[test]
fn changed_data_is_imported_again() {
    let desk = Desk::new();
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    desk.put("clicks.csv", &clicks(4000));
    set_time(&desk, "clicks.csv", old);
    desk.fine(CLICKS);
    let before = means(&desk);
    // Classes exchanged.
    let exchanged: String = clicks(4000)
        .lines()
        .map(|line| match (line.strip_suffix(",0"), line.strip_suffix(",1")) {
            (Some(start), _) => format!("{start},1\n"),
            (_, Some(start)) => format!("{start},0\n"),
            _ => format!("{line}\n"),
        })
        .collect();
    desk.put("clicks.csv", &exchanged);
    set_time(&desk, "clicks.csv", old);
    let said = desk.remarks(CLICKS);
    assert!(said.contains("imported again: it has changed"), "{said}");
    let after = means(&desk);
    assert!(before[0] > 0.2 && after[0] < -0.2, "{before:?}, {after:?}");
    set_time(&desk, "clicks.csv", SystemTime::now());
    let said = desk.remarks(CLICKS);
    assert!(!said.contains("import"), "the same content under a new time: {said}");
    let said = desk.remarks(&format!("{CLICKS} --fresh"));
    assert!(said.contains("importing"), "{said}");
    assert_eq!(means(&desk), after);
}

/// Eight at once in a cold folder: all answer, with the same bytes, and those that wait say for whom.
#[test]
fn processes_take_turns() {
    let desk = Desk::new();
    desk.put("clicks.csv", &clicks(4000));
    let line = "estimate logistic --data clicks.csv --label clicked --replicates 20";
    let mut children = Vec::new();
    for _ in 0..8 {
        let mut command = desk.command(line);
        children.push(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    }
    let pids: Vec<String> =
        children.iter().map(|child| format!("waiting for process {},", child.id())).collect();
    let outputs: Vec<_> =
        children.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
    let mut waited = 0;
    for output in &outputs {
        assert!(output.status.success(), "{}", said(output));
        assert_eq!(output.stdout, outputs[0].stdout);
        let said = String::from_utf8_lossy(&output.stderr);
        waited += usize::from(pids.iter().any(|pid| said.contains(pid.as_str())));
    }
    assert!(waited >= 4, "{waited} of 8 named the process that they waited for");
}

#[test]
fn an_edited_import_is_not_believed() {
    let desk = Desk::new();
    desk.put("clicks.csv", &clicks(4000));
    desk.fine(CLICKS);
    let right = fs::read(desk.0.path().join("out.json")).unwrap();
    let about = desk.folder().join("import.json");
    let good = fs::read_to_string(&about).unwrap();
    let edits: [(&str, String); 5] = [
        ("names", good.replace("\"age\"", "\"wage\"")),
        ("numbers", good.replace("1.0", "0.0")),
        ("no classes", {
            let start = good.find("\"classes\"").unwrap();
            let end = start + good[start..].find(']').unwrap();
            format!("{}\"classes\": [{}", &good[..start], &good[end..])
        }),
        ("half", good[..good.len() / 2].to_owned()),
        ("nothing", String::new()),
    ];
    for (what, text) in edits {
        assert_ne!(text, good, "{what}");
        fs::write(&about, text).unwrap();
        let said = desk.remarks(CLICKS);
        assert!(said.contains("imported again") && said.contains("import.json"), "{what}: {said}");
        assert_eq!(fs::read(desk.0.path().join("out.json")).unwrap(), right, "{what}");
    }
    // Rows of another import under this name.
    fs::write(desk.folder().join("rows"), "damaged").unwrap();
    let said = desk.remarks(CLICKS);
    assert!(said.contains("imported rows are damaged"), "{said}");
    assert_eq!(fs::read(desk.0.path().join("out.json")).unwrap(), right);
}
