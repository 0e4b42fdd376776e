//! Families, weights, offsets, trials and priors by the command, with answers that are known another way.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod desk;

use desk::{Desk, estimates, said};
use std::fmt::Write as _;

/// Counts with an exposure, successes of trials, a weight, a category of which one level has no count.
fn table(rows: usize) -> String {
    let mut text = "x,c,exposure,w,trials,successes,count,size\n".to_owned();
    for i in 0..rows {
        let noise = |salt: f64| ((i as f64 + 1.0) * salt).sin();
        let c = ["red", "green", "blue"][i % 3];
        let exposure = 10f64.powi((i % 7) as i32 - 1);
        let x = 1e4 * noise(1.7);
        let mean = exposure * (0.5 * noise(1.7) + noise(12.9898)).exp();
        let count = if c == "blue" { 0.0 } else { mean.floor() };
        let trials = i % 5;
        let successes = if noise(7.3) > 0.0 { trials } else { trials / 2 };
        let size = (0.3 * noise(1.7) + noise(3.9)).exp();
        writeln!(text, "{x:.3},{c},{exposure},{},{trials},{successes},{count},{size:.5}", i % 4)
            .unwrap();
    }
    text
}

#[track_caller]
fn answers(desk: &Desk, line: &str, formula: &str, more: &[&str]) -> Vec<(f64, f64)> {
    let mut command = desk.command(&format!("{line} --json out.json --quiet"));
    let output = command.args(["--formula", formula]).args(more).output().unwrap();
    assert!(output.status.success(), "{line} {formula} {more:?}: {}", said(&output));
    estimates(&desk.json("out.json"))
}

/// Two right answers differ by more than four joint standard errors once in sixteen thousand seeds, and
/// these are some fifty comparisons: once in three hundred.
#[track_caller]
fn agree(a: &[(f64, f64)], b: &[(f64, f64)]) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        let z = (a.0 - b.0) / a.1.hypot(b.1);
        assert!(z.abs() < 4.0, "{a:?} and {b:?}: z {z}");
    }
}

#[test]
fn every_family_answers_by_both_methods() {
    let desk = Desk::new();
    desk.put("t.csv", &table(1500));
    for (family, formula, more) in [
        ("poisson", "count ~ x + C(c) + offset(log(exposure))", &["--weights", "w"][..]),
        ("negative-binomial", "count ~ x + C(c) + offset(log(exposure))", &["--weights", "w"]),
        ("binomial", "successes ~ x + C(c)", &["--trials", "trials"]),
        ("gamma", "size ~ x", &["--prior", "shape ~ student(3, 0, 10)"]),
        ("linear", "size ~ x + C(c)", &["--offset", "trials", "--prior", "x ~ normal(1e-5, 1e-4)"]),
        ("student", "size ~ x", &["--degrees", "3", "--prior", "x ~ student(3, 0, 1e-4)"]),
    ] {
        let ask = |method: &str| {
            let line = format!("estimate {family} --data t.csv --method {method}");
            answers(&desk, &line, formula, more)
        };
        agree(&ask("anchored"), &ask("nuts"));
    }
}

/// A row of weight three is three rows, and n trials are n rows with one class each.
#[test]
fn weights_and_trials_are_rows() {
    let desk = Desk::new();
    let text = table(400);
    desk.put("t.csv", &text);
    let (mut repeated, mut classes) = ("x,c,exposure,count\n".to_owned(), "x,c,y\n".to_owned());
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |at: usize| cells[at].parse::<usize>().unwrap();
        for _ in 0..number(3) {
            writeln!(repeated, "{},{},{},{}", cells[0], cells[1], cells[2], cells[6]).unwrap();
        }
        for trial in 0..number(4) {
            let y = if trial < number(5) { "yes" } else { "no" };
            writeln!(classes, "{},{},{y}", cells[0], cells[1]).unwrap();
        }
    }
    desk.put("repeated.csv", &repeated);
    desk.put("classes.csv", &classes);
    // Priors depend on the spread of columns, which weights do not change: they are given.
    let prior = ["--prior", "normal(0, 1)", "--prior-intercept", "normal:5"];
    let formula = "count ~ x + C(c) + offset(log(exposure))";
    let weighted = answers(&desk, "estimate poisson --data t.csv --weights w", formula, &prior);
    let apart = answers(&desk, "estimate poisson --data repeated.csv", formula, &prior);
    agree(&weighted, &apart);
    let line = "estimate binomial --data t.csv --trials trials";
    let together = answers(&desk, line, "successes ~ x + C(c)", &prior);
    let apart = answers(&desk, "estimate logistic --data classes.csv", "y ~ x + C(c)", &prior);
    agree(&together, &apart);
}

/// The dispersion is reported by its name, in its own units, and predictions have their offsets.
#[test]
fn dispersions_have_names_and_predictions_have_offsets() {
    let desk = Desk::new();
    desk.put("t.csv", &table(300));
    desk.put("new.csv", "x,exposure\n100,1\n100,1000\n");
    let line =
        "estimate negative-binomial --data t.csv --functional mean --functional predict:new.csv";
    let event = ["--functional", "probability:ln shape>-7"];
    let found = answers(&desk, line, "count ~ x + offset(log(exposure))", &event);
    assert_eq!(found.len(), 6);
    assert!(found[2].0 > 0.0 && (found[4].0 / found[3].0 - 1000.0).abs() < 1.0, "{found:?}");
    assert!((found[5].0 - 1.0).abs() < 1e-9);
    let shown = desk.fine("estimate linear --data t.csv --label size --drop c --quiet");
    assert!(shown.contains("\nsigma ") && shown.contains("sigma ~ half student(3, 0, "), "{shown}");
    let line = "estimate student --data t.csv --label size --drop c --degrees unknown --quiet";
    let shown = desk.fine(line);
    let named = ["\nscale ", "\ndegrees ", "degrees ~ gamma(2, 0.1)"];
    named.iter().for_each(|words| assert!(shown.contains(words), "no {words:?} in {shown}"));
}

#[test]
fn impossible_rows_are_refused_with_their_place() {
    let desk = Desk::new();
    desk.put("t.csv", "x,w,n,s,y\n1,1,2,1,0.5\n2,0,3,4,1.5\n3,2,1.5,1,0\n4,-1,2,0,-3\n5,1,1,1,2\n");
    for (line, words) in [
        ("poisson --label s --columns x --weights w", &["t.csv:5:2", "\"w\" holds -1"][..]),
        ("poisson --label y --columns x", &["t.csv:2:5", "holds 0.5", "counts"]),
        ("gamma --label y --columns x", &["t.csv:4:5", "holds 0,", "above zero"]),
        ("binomial --label s --columns x --trials n", &["t.csv:3:4", "holds 4", "3 trials"]),
        ("binomial --label w --columns x --trials n", &["t.csv:4:3", "holds 1.5", "whole numbers"]),
        ("negative-binomial --label y --columns x", &["t.csv:2:5", "holds 0.5"]),
    ] {
        desk.wrong(&format!("estimate {line} --data t.csv --quiet"), 3, words);
    }
    for (line, words) in [
        ("binomial --label s --columns x", &["--trials COLUMN"][..]),
        ("poisson --label s --columns x --trials n", &["binomial"]),
        ("poisson --label s --columns x --weights ww", &["no column \"ww\", perhaps \"w\""]),
        ("linear --label y --columns x --prior z~normal:1", &["no term \"z\"", "x, bias, sigma"]),
        ("linear --label y --columns x --prior sigma~normal:1", &["positive half", "lognormal"]),
        ("linear --label y --columns x --prior x~lognormal(0,1)", &["either sign"]),
        ("linear --label y --columns x --prior laplace(1,1)", &["kink at zero"]),
        ("gaussian-mean --columns x --weights n", &["no weights"]),
    ] {
        desk.wrong(&format!("estimate {line} --data t.csv --quiet"), 2, words);
    }
    // Noise that is nothing but rounding is none, and counts of no overdispersion tell little of a shape.
    let (mut line, mut even) = ("x,y\n".to_owned(), "x,y\n".to_owned());
    for i in 0..300 {
        writeln!(line, "{i},{}", 2 * i + 1).unwrap();
        writeln!(even, "{},{}", (i as f64).sin(), 2 + i % 2).unwrap();
    }
    desk.put("line.csv", &line);
    desk.put("even.csv", &even);
    desk.wrong("estimate linear --data line.csv --label y --quiet", 3, &["--noise"]);
    let vague = "estimate negative-binomial --data even.csv --label y --quiet --method";
    desk.wrong(&format!("{vague} anchored"), 4, &["NUTS answers"]);
    desk.fine(&format!("{vague} auto"));
    desk.put("zero.csv", "x,w,y\n1,0,1\n2,0,3\n");
    desk.wrong("estimate poisson --data zero.csv --label y --weights w", 3, &["weight zero"]);
}
