//! The command as people use it: the same bytes on any number of threads and after kills, weights that
//! agree with full NUTS, and a sentence that helps for every wrong use.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod desk;

use data::open;
use desk::{Desk, clicks, estimates};
use std::fmt::Write as _;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

/// All 124 weights of a9a against the long NUTS chains of the stored record. The largest of 124 |z|
/// exceeds 4.5 for right estimates once in about twelve hundred seeds, their root mean square 1.5
/// hardly ever.
#[test]
fn a9a_agrees_with_full_nuts() {
    let desk = Desk::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut text = String::new();
    open(&root.join("datasets/embedded/a9a.bz2")).unwrap().read_to_string(&mut text).unwrap();
    desk.put("a9a", &text);
    let shown =
        desk.fine("estimate logistic --data a9a --prior laplace:1 --method anchored --json a.json");
    assert!(shown.contains("anchored path, as asked for"), "{shown}");
    let ours = estimates(&desk.json("a.json"));
    let stored = fs::read_to_string(root.join("results/full/a9a/weights.csv")).unwrap();
    let mut z = Vec::new();
    for (line, (mean, error)) in stored.lines().skip(1).zip(&ours) {
        let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        z.push((mean - cells[1]) / error.hypot(cells[3]));
    }
    assert_eq!(z.len(), 124);
    let largest = z.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
    let rms = (z.iter().map(|z| z * z).sum::<f64>() / 124.0).sqrt();
    assert!(largest < 4.5 && rms < 1.5, "largest {largest}, rms {rms}");
}

/// A CSV with a header, quotes and 0/1 labels works as it is; all functionals have a value.
#[test]
fn a_csv_needs_no_converting() {
    let desk = Desk::new();
    desk.put("clicks.csv", &clicks(8000));
    desk.put("new.csv", "clicked,age,\"time, spent\"\n0,0.5,0.1\n1,-0.5,0.9\n");
    let line = "estimate logistic --data clicks.csv --label clicked --prior gaussian:2 --replicates 60 --json out.json \
                --functional mean --functional variance --functional probability:age>0 \
                --functional predict:new.csv --functional probability:bias<100";
    let shown = desk.fine(line);
    for name in ["age", "time, spent", "bias", "var age", "P(age > 0)", "row 2", "holds", "audit"] {
        assert!(shown.contains(name), "no {name} in {shown}");
    }
    let found = estimates(&desk.json("out.json"));
    assert_eq!(found.len(), 10);
    assert!((found[9].0 - 1.0).abs() < 1e-12, "what is certain is certain: {found:?}");
    // Weights have the signs that made the labels; a probability and a prediction are between 0 and 1.
    assert!(found[0].0 > 0.2 && found[1].0 < -0.05, "{found:?}");
    assert!((found[6].0 - 1.0).abs() < 1e-3 && (0.0..1.0).contains(&found[7].0), "{found:?}");
    let folder =
        fs::read_dir(desk.0.path().join(".unbiased")).unwrap().next().unwrap().unwrap().path();
    for file in ["record.json", "anchored.csv", "convergence.svg", "convergence.png"] {
        assert!(folder.join("estimate").join(file).is_file(), "{file}");
    }
}

/// Linear regression with a Gaussian prior against its closed form by hand: with one covariate that is
/// ±1 and centred, A = diag(n/λ + 1/s²) and both means are sums over n.
#[test]
fn linear_regression_is_what_it_is() {
    let desk = Desk::new();
    let (mut text, mut sums) = ("y,x\n".to_owned(), [0.0; 2]);
    for i in 0..4000 {
        let x = if i % 2 == 0 { 1.0 } else { -1.0 };
        let y = (((i as f64 * 2.3).sin() + 0.7 * x) * 1e4).round() / 1e4;
        sums[0] += x * y;
        sums[1] += y;
        writeln!(text, "{y},{x}").unwrap();
    }
    desk.put("line.csv", &text);
    desk.fine(
        "estimate linear --data line.csv --label y --noise 0.5 --prior gaussian:3 --json out.json",
    );
    let precision = 4000.0 / 0.5 + 1.0 / 9.0;
    for ((mean, error), sum) in estimates(&desk.json("out.json")).iter().zip(sums) {
        let exact = sum / 0.5 / precision;
        // Rounding is all that is left where the levels are exact.
        assert!((mean - exact).abs() < 4.0 * error + 1e-9, "{mean} ± {error}, {exact}");
    }
    let random = desk.fine("estimate random-features --data line.csv --label y --features 10");
    assert!(random.contains("f10") && random.contains("plain"), "{random}");
    let mean =
        desk.fine("estimate gaussian-mean --data line.csv --form coupled-sum --target-se 0.05");
    assert!(
        mean.contains("coupled-sum") && mean.contains("no level estimate is a ratio"),
        "{mean}"
    );
}

/// One seed, one answer: on one thread, on two, and after a kill in the middle.
#[test]
fn threads_and_kills_leave_no_trace() {
    let desk = Desk::new();
    desk.put("clicks.csv", &clicks(20_000));
    let line = "estimate logistic --data clicks.csv --label clicked --method plain --chain 50+100 \
                --replicates 100 --quiet";
    desk.fine(&format!("{line} --jobs 1 --work one --json one.json"));
    desk.fine(&format!("{line} --jobs 2 --work two --json two.json"));
    let one = fs::read(desk.0.path().join("one.json")).unwrap();
    assert_eq!(one, fs::read(desk.0.path().join("two.json")).unwrap());
    let third = format!("{line} --jobs 1 --work three --json three.json");
    let mut child = desk.command(&third).spawn().unwrap();
    let chunks = || {
        let folder = fs::read_dir(desk.0.path().join("three")).ok()?.next()?.ok()?.path();
        let run = fs::read_dir(folder.join("chunks")).ok()?.next()?.ok()?.path();
        let is_chunk = |name: &str| name.ends_with(".chunk");
        Some(
            fs::read_dir(run)
                .ok()?
                .filter(|e| e.as_ref().is_ok_and(|e| is_chunk(&e.file_name().to_string_lossy())))
                .count(),
        )
    };
    // As soon as something is kept and before all is.
    while chunks().unwrap_or(0) < 2 {
        assert!(child.try_wait().unwrap().is_none(), "it was over before it could be killed");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!desk.0.path().join("three.json").exists());
    desk.fine(&third);
    assert_eq!(one, fs::read(desk.0.path().join("three.json")).unwrap());
}

#[test]
fn a_plan_says_what_it_would_cost() {
    let desk = Desk::new();
    desk.put("clicks.csv", &clicks(20_000));
    let plan = desk.fine("plan logistic --data clicks.csv --label clicked --json plan.json");
    assert!(
        plan.contains("NUTS") && plan.contains("the anchored path takes the least work"),
        "{plan}"
    );
    assert_eq!(desk.json("plan.json")["predictions"].as_array().unwrap().len(), 4);
    let closed = desk.fine("plan gaussian-mean --data clicks.csv --targets 0.001");
    assert!(closed.contains("NUTS on all rows takes the least work"), "{closed}");
    let compared = desk.fine("compare logistic --data clicks.csv --label clicked --budget 2e8");
    for name in ["anchored", "constant-batch", "nuts", "biased"] {
        assert!(compared.contains(name), "no {name} in {compared}");
    }
    desk.wrong("compare gaussian-mean --data clicks.csv --budget 1e8", 2, &["closed form"]);
}

#[test]
fn faulty_data_is_named() {
    let desk = Desk::new();
    let estimate = |file: &str| format!("estimate logistic --data {file} --label clicked");
    desk.put("word.csv", "age,clicked\n1,0\ntwo,1\n");
    desk.wrong(&estimate("word.csv"), 3, &["word.csv:3:1", "\"two\"", "--drop age"]);
    desk.put("nan.csv", "age,clicked\n1,0\nNaN,1\n");
    desk.wrong(&estimate("nan.csv"), 3, &["nan.csv:3:1", "missing", "--missing drop"]);
    desk.put("inf.csv", "age,clicked\n1,0\n-inf,1\n");
    desk.wrong(&estimate("inf.csv"), 3, &["inf.csv:3:1", "\"-inf\"", "not a finite number"]);
    desk.put("gap.csv", "age,clicked\n1,0\n,1\n");
    desk.wrong(&estimate("gap.csv"), 3, &["gap.csv:3:1", "missing"]);
    desk.put("one.csv", "age,clicked\n1,1\n2,1\n");
    desk.wrong(&estimate("one.csv"), 3, &["one label, clicked=1", "nothing to tell apart"]);
    desk.put("three.csv", "age,clicked\n1,1\n2,2\n3,3\n");
    let classes = ["\"clicked\"", "3 classes: 1 (1 rows), 2 (1 rows)", "two classes"];
    desk.wrong(&estimate("three.csv"), 3, &classes);
    desk.put("flat.csv", "age,one,clicked\n1,5,1\n2,5,0\n");
    let said = desk.remarks(&estimate("flat.csv"));
    assert!(said.contains("\"one\" is 5 in all rows") && said.contains("left out"), "{said}");
    desk.put("one.svm", "1 1:1\n1 2:1\n");
    desk.wrong("estimate logistic --data one.svm", 3, &["one label", "nothing to tell apart"]);
    desk.put("nan.svm", "1 1:1\n-1 2:nan\n");
    desk.wrong("estimate logistic --data nan.svm", 3, &["nan.svm:2:6", "not a finite number"]);
    desk.wrong("estimate logistic --data nowhere.csv", 3, &["nowhere.csv", "No such file"]);
}

#[test]
fn wrong_calls_are_helped() {
    let desk = Desk::new();
    desk.put("clicks.csv", &clicks(4000));
    let clicks = "logistic --data clicks.csv";
    desk.wrong(
        &format!("estimate {clicks} --label clickd"),
        2,
        &["\"clickd\"", "perhaps \"clicked\""],
    );
    desk.wrong(&format!("estimate {clicks} --label clicked --drop aje"), 2, &["perhaps \"age\""]);
    desk.wrong(&format!("estimate {clicks}"), 2, &["--label COLUMN", "time, spent"]);
    let labelled = format!("estimate {clicks} --label clicked");
    desk.wrong(
        &format!("{labelled} --method plain --first 2"),
        2,
        &["3 parameters", "--first 256"],
    );
    desk.wrong(
        &format!("{labelled} --method plain --first 2000"),
        2,
        &["too few for batches of 2000"],
    );
    let words = ["--budget", "--target-se", "likelihood evaluations"];
    desk.wrong(&format!("{labelled} --target-se 1e-7 --budget 1e7"), 5, &words);
    desk.wrong(
        &format!("{labelled} --method anchored --budget 1000"),
        5,
        &["set-up takes", "--budget"],
    );
    desk.wrong(&format!("{labelled} --functional median"), 2, &["predict:FILE"]);
    desk.wrong(&format!("{labelled} --functional probability:aje>0"), 2, &["perhaps \"age\""]);
    desk.wrong(&format!("{labelled} --prior cauchy:1"), 2, &["laplace:1"]);
    desk.wrong(&format!("{labelled} --target-se 0"), 2, &["0.1sd"]);
    desk.wrong("estimate linear --data clicks.csv --label clicked --noise 0", 2, &["--noise"]);
    desk.put("blocked", "a file where a folder is wanted");
    desk.wrong(&format!("{labelled} --json blocked/out.json"), 2, &["cannot write", "--json"]);
    desk.wrong(&format!("{labelled} --work blocked"), 2, &["cannot write", "--work"]);
    desk.put("two.svm", "1 1:1\n-1 2:1\n");
    desk.wrong("estimate logistic --data two.svm --label y", 2, &["libsvm", "--label"]);
    desk.wrong("estimate linear --data two.svm", 2, &["CSV"]);
}
