//! Nothing stale, nothing silent, nothing lost: changed files are noticed whatever their times say,
//! two processes do not disturb each other, and no file that was edited is believed.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod desk;

use desk::{Desk, clicks, estimates, said};
use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

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

/// A reader who has seen enough is no error, neither is one who reads nothing at all.
#[test]
fn closed_pipes_end_quietly() {
    let desk = Desk::new();
    desk.put("clicks.csv", &clicks(4000));
    for line in
        [CLICKS, "import --data clicks.csv --label clicked", "plan gaussian-mean --data clicks.csv"]
    {
        let mut command = desk.command(line);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Both ends that the command writes to are closed before it says a word.
        drop((child.stdout.take(), child.stderr.take()));
        assert_eq!(child.wait().unwrap().code(), Some(0), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_sentence() {
    let desk = Desk::new();
    desk.put("clicks.csv", &clicks(4000));
    let full = File::options().write(true).open("/dev/full").unwrap();
    let output = desk.command(CLICKS).stdout(full).output().unwrap();
    let said = said(&output);
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains("No space left") && said.contains("same command"), "{said}");
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn threads_are_capped() {
    let desk = Desk::new();
    desk.put("clicks.csv", &clicks(4000));
    let said = desk.remarks(&format!("{CLICKS} --jobs 100000"));
    assert!(said.contains("--jobs 100000") && said.contains("threads are used"), "{said}");
    desk.wrong(&format!("{CLICKS} --jobs 0"), 2, &["--jobs 0", "1 or more"]);
}

/// Asked to end in the middle of long work, the command ends in about a second, and goes on later.
#[cfg(unix)]
#[test]
fn a_signal_ends_a_run_soon() {
    let desk = Desk::new();
    desk.put("clicks.csv", &clicks(20_000));
    let line = "estimate logistic --data clicks.csv --label clicked --method plain --chain 2000+20000 \
                --replicates 400";
    let mut command = desk.command(line);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !desk.0.path().join(".unbiased").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(700));
    assert!(child.try_wait().unwrap().is_none(), "it was over before it could be stopped");
    let kill = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let begun = Instant::now();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(130));
    // Under a second on an idle machine; without the watch it takes minutes.
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    // The folder is free again, and nothing half written is left.
    desk.fine("import --data clicks.csv --label clicked");
    let names = fs::read_dir(desk.folder()).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(names.into_iter().all(|name| !name.to_string_lossy().ends_with(".partial")));
}

#[test]
fn pipes_and_folders_are_not_files() {
    let desk = Desk::new();
    fs::create_dir(desk.0.path().join("folder")).unwrap();
    desk.wrong("import --data folder --label y", 3, &["folder", "give a file"]);
    #[cfg(unix)]
    desk.wrong("import --data /dev/zero --label y", 3, &["/dev/zero", "give a file"]);
}
