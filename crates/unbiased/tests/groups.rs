//! Effects of groups in formulas: their covariates, their answers, predictions for levels that were never
//! seen, and what is refused.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod desk;

use desk::{Desk, said};
use std::fmt::Write;

/// Six groups of unlike sizes; the response is a number.
fn table(rows: usize) -> String {
    let unit = |i: usize, salt: f64| {
        (((i as f64 + 1.0) * (12.9898 + salt)).sin() * 43_758.545_3).rem_euclid(1.0)
    };
    let mut text = "y,x,city,shop\n".to_owned();
    for i in 0..rows {
        let city = (6.0 * unit(i, 0.1).powi(2)) as usize;
        let x = 2.0 * unit(i, 0.7) - 1.0;
        let noise: f64 = (0..12).map(|j| unit(12 * i + j, 1.3)).sum::<f64>() - 6.0;
        let effect = [1.0, -0.6, 0.3, -0.2, 0.8, -1.1][city];
        let y = 10.0 + 2.0 * x + effect + 0.5 * noise;
        writeln!(text, "{y:.4},{x:.4},c{city},s{}", i % 3).unwrap();
    }
    text
}

#[track_caller]
fn run(desk: &Desk, line: &str, formula: &str) -> (bool, String) {
    let output = desk.command(line).args(["--formula", formula]).output().unwrap();
    (output.status.success(), said(&output))
}

#[track_caller]
fn names(formula: &str) -> Vec<String> {
    let desk = Desk::new();
    desk.put("m.csv", "y,x,g,h\n1,2,a,p\n2,0,b,p\n3,1,a,q\n4,5,b,q\n");
    let mut command = desk.command("import --data m.csv --number");
    let output = command.args(["--formula", formula]).output().unwrap();
    assert!(output.status.success(), "{formula}: {}", said(&output));
    desk.imported(said(&output)).names
}

#[test]
fn every_level_has_a_covariate() {
    assert_eq!(names("y ~ x + (1 | g)"), ["x", "g[a]", "g[b]"]);
    assert_eq!(names("y ~ (1 | g)"), ["g[a]", "g[b]"]);
    assert_eq!(names("y ~ x + (x | g)"), ["x", "g[a]", "g[b]", "x:g[a]", "x:g[b]"]);
    assert_eq!(names("y ~ x + (0 + x || g)"), ["x", "x:g[a]", "x:g[b]"]);
    assert_eq!(names("y ~ x + (1 | g) + (1 | h)"), ["x", "g[a]", "g[b]", "h[p]", "h[q]"]);
    let nested = ["x", "g[a]", "g[b]", "g:h[a:p]", "g:h[a:q]", "g:h[b:p]", "g:h[b:q]"];
    assert_eq!(names("y ~ x + (1 | g/h)"), nested);
    // A column of numbers is a category where it is a group.
    assert_eq!(names("y ~ (1 | x)"), ["x[0]", "x[1]", "x[2]", "x[5]"]);
}

#[test]
fn wrong_effects_are_shown_where_they_are_wrong() {
    let desk = Desk::new();
    desk.put("m.csv", &table(50));
    for (formula, sentence) in [
        ("y ~ x + (1 | )", "after the | comes the group"),
        ("y ~ x + (1 | town)", "there is no column \"town\""),
        ("y ~ x + (0 | city)", "without the effect itself there must be a slope"),
        ("y ~ x + 1 | city", "effects of groups stand in parentheses"),
        ("y ~ x + (1 | city) + (1 | city)", "these effects are there twice"),
        ("y ~ x + (1 | city + shop)", "after the | comes the group"),
    ] {
        let (fine, text) = run(&desk, "estimate linear --data m.csv", formula);
        assert!(!fine && text.contains(sentence) && text.contains('^'), "{formula}: {text}");
    }
    let prior = ["--prior", "sd(city) ~ laplace(0, 1)"];
    let formula = ["--formula", "y ~ x + (1 | city)"];
    let output = desk.command("estimate linear --data m.csv").args(formula).args(prior).output();
    let text = said(&output.unwrap());
    assert!(text.contains("sd(city) is positive: its prior is student(DF, 0, SCALE)"), "{text}");
}

#[test]
fn answers_have_standard_deviations_and_effects() {
    let desk = Desk::new();
    desk.put("m.csv", &table(3000));
    let line = "estimate linear --data m.csv --csv table.csv";
    let (fine, text) = run(&desk, line, "y ~ x + (1 | city)");
    assert!(fine, "{text}");
    for name in ["\nx ", "\ncity[c0] ", "\nbias ", "\nsigma ", "\nsd(city) "] {
        assert!(text.contains(name), "{name:?}: {text}");
    }
    assert!(text.contains("sd(city) ~ half student(3, 0, "), "{text}");
    let written = std::fs::read_to_string(desk.0.path().join("table.csv")).unwrap();
    let mean = |name: &str| -> f64 {
        let line = written.lines().find(|line| line.starts_with(&format!("{name},"))).unwrap();
        line.split(',').nth(1).unwrap().parse().unwrap()
    };
    assert!((mean("x") - 2.0).abs() < 0.1, "{written}");
    assert!((mean("sigma") - 0.5).abs() < 0.05, "{written}");
    assert!((mean("city[c0]") - mean("city[c1]") - 1.6).abs() < 0.2, "{written}");
    assert!((0.4..1.8).contains(&mean("sd(city)")), "{written}");
    let (fine, text) =
        run(&desk, "estimate linear --data m.csv --groups none", "y ~ x + (1 | city)");
    assert!(fine && !text.contains("\ncity[c0] ") && text.contains("\nsd(city) "), "{text}");
}

#[test]
fn ranks_of_groups_have_probabilities() {
    let desk = Desk::new();
    desk.put("m.csv", &table(600));
    let line = "estimate linear --data m.csv --functional rank:city --functional top:1:city[c0] --csv out.csv";
    let (fine, text) = run(&desk, line, "y ~ x + (1 | city)");
    assert!(fine, "{text}");
    let written = std::fs::read_to_string(desk.0.path().join("out.csv")).unwrap();
    let mean = |row: usize| -> f64 {
        written.lines().nth(row).unwrap().split(',').nth(1).unwrap().parse().unwrap()
    };
    // Effects are 1, −0.6, 0.3, −0.2, 0.8, −1.1, and six ranks add up to 21 whatever they are.
    assert!(((1..=6).map(mean).sum::<f64>() - 21.0).abs() < 1e-9, "{written}");
    for (city, rank) in [(0, 1.0), (1, 5.0), (2, 3.0), (3, 4.0), (4, 2.0), (5, 6.0)] {
        assert!((mean(city + 1) - rank).abs() < 0.5, "{written}");
    }
    // With six hundred rows, the first and the second are not told apart for sure.
    assert!((mean(1) + mean(7) - 2.0).abs() < 0.1 && mean(7) > 0.5 && mean(7) < 1.0, "{written}");
    let (fine, text) =
        run(&desk, "estimate linear --data m.csv --functional rank:x", "y ~ x + (1 | city)");
    assert!(!fine && text.contains("\"x\" is not the effect of a group"), "{text}");
}

#[test]
fn predictions_know_known_levels_and_new_ones() {
    let desk = Desk::new();
    desk.put("m.csv", &table(3000));
    desk.put("p.csv", "x,city\n0.5,c0\n0.5,somewhere\n");
    let line = "estimate linear --data m.csv --functional predict:p.csv --csv out.csv";
    let (fine, text) = run(&desk, line, "y ~ x + (1 | city)");
    assert!(fine, "{text}");
    let written = std::fs::read_to_string(desk.0.path().join("out.csv")).unwrap();
    let column = |row: usize, at: usize| -> f64 {
        written.lines().nth(row).unwrap().split(',').nth(at).unwrap().parse().unwrap()
    };
    // 10 + 1 + 1 in a known city, and 10 + 1 about the mean of all cities, less surely, in a new one.
    assert!((column(1, 1) - 12.0).abs() < 0.15, "{written}");
    assert!((column(2, 1) - 11.0).abs() < 1.2, "{written}");
    assert!(column(2, 3) > 5.0 * column(1, 3), "{written}");
}

/// Eight cities, of which one has no positive row and one nothing else: their standard deviation may be near zero
/// or above three, and steps that are right in between diverge. The means are those of four thousand chains of
/// random-walk Metropolis with the likelihood of counts, to about 0.005. Five errors are exceeded once in a
/// million seeds. How many draws diverge varies from seed to seed, from 0.5 to 5.4 % over seven of them, one above
/// 3.5 %, and from 5.3 to 9.6 % where steps are not shortened: the middle of five is judged, and is above 3.5 % in
/// about three tests of a hundred.
#[test]
fn chains_reach_what_is_narrow() {
    const COUNTS: [(&str, usize, usize); 8] = [
        ("Aachen", 900, 90),
        ("Bonn", 800, 70),
        ("Celle", 40, 8),
        ("Düren", 25, 0),
        ("\"Essen, Ruhr\"", 3, 3),
        ("Fulda", 60, 9),
        ("Gera", 12, 1),
        ("Hof", 500, 61),
    ];
    const TRUTH: [f64; 8] = [-0.216, -0.349, 0.356, -1.229, 1.611, 0.122, -0.314, -0.016];
    let mut text = "city,y\n".to_owned();
    for (city, rows, positive) in COUNTS {
        for row in 0..rows {
            writeln!(text, "{city},{}", u8::from(row < positive)).unwrap();
        }
    }
    let desk = Desk::new();
    desk.put("m.csv", &text);
    let mut diverged: Vec<f64> = Vec::new();
    for seed in 1..=5 {
        let line = format!(
            "estimate logistic --data m.csv --groups all --target-se 0.03sd --seed {seed} --json o.json"
        );
        let (fine, said) = run(&desk, &line, "y ~ (1 | city)");
        assert!(fine, "{said}");
        let json = desk.json("o.json");
        for ((mean, error), truth) in desk::estimates(&json).into_iter().zip(TRUTH) {
            assert!((mean - truth).abs() < 5.0 * error.hypot(0.005), "{mean} ± {error}, {truth}");
        }
        let chains = &json["answer"]["chains"];
        assert!(chains["worst_rhat"].as_f64().unwrap() < 1.02, "{said}");
        let draws = 4.0 * chains["draws"].as_f64().unwrap();
        diverged.push(chains["divergences"].as_f64().unwrap() / draws);
    }
    diverged.sort_by(f64::total_cmp);
    assert!(diverged[2] < 0.035, "{diverged:?}");
}
