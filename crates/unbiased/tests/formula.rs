//! Twelve formulas whose design matrices were worked out by hand, and twelve wrong ones with the
//! character that is wrong.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod desk;

use desk::{Desk, Imported, said};

/// Seven rows. Of `c` the most frequent level is "r", of `d` it is "m".
const TABLE: &str = "y,x,z,c,d,t
0,1,2,r,m,2024-01-01 00:30:00
1,2,0,g,m,2024-02-29 13:00:00
3,4,1,r,n,2023-12-31 23:59:59
2,0.5,3,b,m,2024-07-06 06:00:00
5,8,2,r,m,2024-01-02 12:15:00
1,1,4,g,n,2025-03-05 09:00:00
0,2,2,b,n,2024-01-07 18:00:00
";

#[track_caller]
fn import(table: &str, formula: &str, more: &[&str]) -> Imported {
    let desk = Desk::new();
    desk.put("m.csv", table);
    let mut command = desk.command("import --data m.csv");
    let output = command.args(["--formula", formula]).args(more).output().unwrap();
    let said = said(&output);
    assert!(output.status.success(), "{formula}: {said}");
    desk.imported(said)
}

/// The names of the covariates, and all rows.
#[track_caller]
fn design(formula: &str, names: &[&str], rows: [&[f64]; 7]) {
    let found = import(TABLE, formula, &["--number"]);
    assert_eq!(found.names, names, "{formula}");
    assert_eq!(found.rows, rows, "{formula}");
    assert_eq!(found.targets, [0.0, 1.0, 3.0, 2.0, 5.0, 1.0, 0.0], "{formula}");
}

#[test]
fn numbers_and_their_functions() {
    design(
        "y ~ x + z",
        &["x", "z"],
        [&[1., 2.], &[2., 0.], &[4., 1.], &[0.5, 3.], &[8., 2.], &[1., 4.], &[2., 2.]],
    );
    let ln2 = 2_f64.ln();
    design(
        "y ~ log(x) + sqrt(z) + exp(z)",
        &["log(x)", "sqrt(z)", "exp(z)"],
        [
            &[0., 2_f64.sqrt(), 2_f64.exp()],
            &[ln2, 0., 1.],
            &[4_f64.ln(), 1., 1_f64.exp()],
            &[-ln2, 3_f64.sqrt(), 3_f64.exp()],
            &[8_f64.ln(), 2_f64.sqrt(), 2_f64.exp()],
            &[0., 2., 4_f64.exp()],
            &[ln2, 2_f64.sqrt(), 2_f64.exp()],
        ],
    );
    design(
        "y ~ I(x^2) + poly(z, 3, raw=True)",
        &["I(x^2)", "poly(z, 3, raw=True)1", "poly(z, 3, raw=True)2", "poly(z, 3, raw=True)3"],
        [
            &[1., 2., 4., 8.],
            &[4., 0., 0., 0.],
            &[16., 1., 1., 1.],
            &[0.25, 3., 9., 27.],
            &[64., 2., 4., 8.],
            &[1., 4., 16., 64.],
            &[4., 2., 4., 8.],
        ],
    );
    design("y ~ x:z", &["x:z"], [&[2.], &[0.], &[4.], &[1.5], &[16.], &[4.], &[4.]]);
}

#[test]
fn parts_of_a_time() {
    // Monday, Thursday, Sunday, Saturday, Tuesday, Wednesday, Sunday.
    design(
        "y ~ hour(t) + weekday(t) + month(t) + year(t)",
        &["hour(t)", "weekday(t)", "month(t)", "year(t)"],
        [
            &[0., 1., 1., 2024.],
            &[13., 4., 2., 2024.],
            &[23., 7., 12., 2023.],
            &[6., 6., 7., 2024.],
            &[12., 2., 1., 2024.],
            &[9., 3., 3., 2025.],
            &[18., 7., 1., 2024.],
        ],
    );
}

#[test]
fn categories() {
    design(
        "y ~ c + x",
        &["c=b", "c=g", "x"],
        [
            &[0., 0., 1.],
            &[0., 1., 2.],
            &[0., 0., 4.],
            &[1., 0., 0.5],
            &[0., 0., 8.],
            &[0., 1., 1.],
            &[1., 0., 2.],
        ],
    );
    // Of z, 2 is the most frequent; a number and its category have names of their own.
    design(
        "y ~ z + C(z)",
        &["z", "C(z)=0", "C(z)=1", "C(z)=3", "C(z)=4"],
        [
            &[2., 0., 0., 0., 0.],
            &[0., 1., 0., 0., 0.],
            &[1., 0., 1., 0., 0.],
            &[3., 0., 0., 1., 0.],
            &[2., 0., 0., 0., 0.],
            &[4., 0., 0., 0., 1.],
            &[2., 0., 0., 0., 0.],
        ],
    );
}

#[test]
fn categories_times_numbers() {
    // Without x itself, every level has a slope.
    design(
        "y ~ c:x",
        &["c=b:x", "c=g:x", "c=r:x"],
        [
            &[0., 0., 1.],
            &[0., 2., 0.],
            &[0., 0., 4.],
            &[0.5, 0., 0.],
            &[0., 0., 8.],
            &[0., 1., 0.],
            &[2., 0., 0.],
        ],
    );
    // With x, the slopes of the levels are compared with that of the reference.
    design(
        "y ~ x * c",
        &["x", "c=b", "c=g", "x:c=b", "x:c=g"],
        [
            &[1., 0., 0., 0., 0.],
            &[2., 0., 1., 0., 2.],
            &[4., 0., 0., 0., 0.],
            &[0.5, 1., 0., 0.5, 0.],
            &[8., 0., 0., 0., 0.],
            &[1., 0., 1., 0., 1.],
            &[2., 1., 0., 2., 0.],
        ],
    );
}

#[test]
fn categories_times_categories() {
    // Pairs that were seen, without the most frequent one, r and m.
    design(
        "y ~ c:d",
        &["c=b:d=m", "c=b:d=n", "c=g:d=m", "c=g:d=n", "c=r:d=n"],
        [
            &[0., 0., 0., 0., 0.],
            &[0., 0., 1., 0., 0.],
            &[0., 0., 0., 0., 1.],
            &[1., 0., 0., 0., 0.],
            &[0., 0., 0., 0., 0.],
            &[0., 0., 0., 1., 0.],
            &[0., 1., 0., 0., 0.],
        ],
    );
    design(
        "y ~ c * d",
        &["c=b", "c=g", "d=n", "c=b:d=n", "c=g:d=n"],
        [
            &[0., 0., 0., 0., 0.],
            &[0., 1., 0., 0., 0.],
            &[0., 0., 1., 0., 0.],
            &[1., 0., 0., 0., 0.],
            &[0., 0., 0., 0., 0.],
            &[0., 1., 1., 0., 1.],
            &[1., 0., 1., 1., 0.],
        ],
    );
}

#[test]
fn all_other_columns_but_some() {
    design(
        "y ~ . - t - c + d:x",
        &["d=n", "x", "z", "d=n:x"],
        [
            &[0., 1., 2., 0.],
            &[0., 2., 0., 0.],
            &[1., 4., 1., 4.],
            &[0., 0.5, 3., 0.],
            &[0., 8., 2., 0.],
            &[1., 1., 4., 1.],
            &[1., 2., 2., 2.],
        ],
    );
}

#[test]
fn a_comparison_is_a_class() {
    let found = import(TABLE, "y >= 2 ~ x + C(d)", &[]);
    assert_eq!(found.names, ["x", "d=n"]);
    assert_eq!(found.targets, [-1., -1., 1., 1., 1., -1., -1.]);
    assert!(found.said.contains("y >= 2=1 is the positive class"), "{}", found.said);
    let plain = import(TABLE, "y == 0 ~ x", &[]);
    assert_eq!(plain.targets, [1., 0., 0., 0., 0., 0., 1.]);
    let word = import(TABLE, "c == 'g' ~ x + I(z > 2)", &[]);
    assert_eq!(word.targets, [0., 1., 0., 0., 0., 1., 0.]);
    assert_eq!(word.rows[3], [0.5, 1.]);
}

#[test]
fn options_go_with_formulas() {
    let found = import(TABLE, "y ~ c:x + c", &["--number", "--reference", "c=g"]);
    assert_eq!(found.names, ["c=b", "c=r", "c=b:x", "c=g:x", "c=r:x"]);
    let found = import(TABLE, "y ~ .", &["--number", "--drop", "t,c"]);
    assert_eq!(found.names, ["d=n", "x", "z"]);
    let gaps = TABLE.replace("2,0.5,3,b,m", "2,,3,b,m").replace("1,2,0,g", "1,2,0,");
    let found = import(&gaps, "y ~ c:x", &["--number", "--missing", "drop"]);
    assert_eq!(found.targets, [0., 3., 5., 1., 0.]);
    assert_eq!(found.names, ["c=b:x", "c=g:x", "c=r:x"]);
    let found = import(&gaps, "y ~ I(x^2)", &["--number", "--missing", "indicator"]);
    assert_eq!(found.names, ["I(x^2)", "I(x^2) missing"]);
    // What cannot be told from the bias or from another term is left out.
    let constant = "y,x,k,c\n1,2,7,a\n2,5,7,a\n3,1,7,a\n";
    let found = import(constant, "y ~ x + k:c + c:x", &["--number"]);
    assert_eq!(found.names, ["x"], "{}", found.said);
    assert!(found.said.contains("term \"k:c\" is the same in all rows"), "{}", found.said);
    // Backticks name any column, and a product of numbers needs no survey.
    let found = import("y,a b,2\n1,2,3\n2,5,7\n", "y ~ `a b`:`2` + `a b`", &["--number"]);
    assert_eq!(
        (&found.names[..], found.rows[1].clone()),
        (&["a b".into(), "a b:2".into()][..], vec![5., 35.])
    );
}

/// All that is said: the sentence, the formula, and the caret under a character, counted from one.
#[track_caller]
fn wrong(formula: &str, at: usize, sentence: &str) {
    let desk = Desk::new();
    desk.put("m.csv", TABLE);
    let mut command = desk.command("import --data m.csv --number");
    let output = command.args(["--formula", formula]).output().unwrap();
    let said = said(&output);
    assert_eq!(output.status.code(), Some(2), "{formula}: {said}");
    let caret = " ".repeat(at + 1) + "^";
    let expected = format!("error: --formula: {sentence}\n  {formula}\n{caret}");
    assert_eq!(said.trim_start_matches("importing m.csv\n").trim_end(), expected);
}

#[test]
fn wrong_formulas_are_shown_where_they_are_wrong() {
    let at_the_end = "a term is missing at the end: a column, or a function of one";
    let bias = "the bias is always part of the model and cannot be taken out: priors and reference \
                levels are set for models with one";
    let category = "C takes one column, and perhaps the level that the others are compared with: \
                    C(origin), C(origin, reference=\"JFK\")";
    let powers = "powers of a column are written as I(x^2) or poly(x, 2)";
    wrong("y x", 3, "after what is explained comes ~ and then the terms that explain it");
    wrong("~ x", 1, "the left side is missing; write what is explained before the ~");
    wrong("y ~ x + ", 9, at_the_end);
    wrong("y ~ x:", 7, at_the_end);
    wrong("y ~ x + * z", 9, "a term is missing before this *: a column, or a function of one");
    wrong("y ~ x + zz", 9, "there is no column \"zz\", perhaps \"z\"; there are y, x, z, c, d, t");
    wrong("y ~ log(x", 10, "a ) is missing here: log takes one argument");
    wrong(
        "y ~ sin(x)",
        5,
        "there is no function \"sin\"; there are C, log, log2, log10, log1p, sqrt, exp, abs, I, center, \
         scale, standardize, poly, offset, hour, weekday, month and year",
    );
    wrong("y ~ x - 1", 9, bias);
    wrong("y ~ 0 + x", 5, bias);
    wrong("y ~ x^2", 6, powers);
    wrong("y ~ x **2", 7, powers);
    wrong("y > z ~ x", 5, "after > comes a number, as in delay > 120");
    wrong("c == r ~ x", 6, "after == comes a number, or a word in quotes, as in delay == 120");
    wrong("y = 3 ~ x", 3, "two values are compared with ==");
    wrong("y ~ poly(x, 2.5)", 13, "poly takes a degree from 1 to 9: poly(x, 2)");
    wrong("y ~ poly(x)", 11, "poly takes a column and a degree: poly(x, 2)");
    wrong("y ~ poly(x, 2, 3)", 16, "poly takes a column, a degree and perhaps raw=True");
    wrong("y ~ x z", 7, "between two terms comes +, *, : or -");
    wrong(
        "y ~ x % z",
        7,
        "\"%\" has no meaning here; terms are joined with +, *, : and -, and names with other signs are \
         written in backticks",
    );
    wrong("y ~ x)", 6, "this ) closes nothing");
    wrong("y ~ hour(log(t))", 10, "hour takes a column of dates: hour(date)");
    wrong("y ~ x ~ z", 7, "a formula has one ~ only");
    wrong("y ~ 1", 5, "there is no term to estimate a weight for; name a column");
    wrong("y ~ log(C(c))", 9, "C(…) makes several covariates and stands by itself");
    wrong("y ~ `x", 5, "this ` is never closed; a name in backticks ends with another");
    wrong("y ~ C(c, \"r)", 10, "this \" is never closed; a word in quotes ends with another");
    wrong("y ~ x - z", 9, "this term is not there, so it cannot be taken out");
    wrong("y ~ C(c, \"r\"", 13, category);
    wrong("y ~ C(c, base=\"r\")", 10, category);
    wrong(
        "y ~ C(c, reference=r)",
        20,
        "a level is written in quotes: C(origin, reference=\"JFK\")",
    );
    wrong(
        "y ~ scale(center(x))",
        11,
        "scale cannot take a center, scale or poly of another column",
    );
    wrong("y ~ I(x^z)", 9, "a power is a number: I(x^2)");
    wrong("y ~ x / z", 7, "a quotient of columns is written as I(x / z)");
    wrong("y ~ x > 3", 7, "comparisons belong to the left side of the ~, or into I(x > 3)");
}

#[test]
fn cells_that_a_formula_cannot_take_are_named() {
    let desk = Desk::new();
    desk.put("m.csv", TABLE);
    let check = |formula: &str, exit: i32, words: &str| {
        let output =
            desk.command("import --data m.csv --number").args(["--formula", formula]).output();
        let output = output.unwrap();
        let said = said(&output);
        assert_eq!(output.status.code(), Some(exit), "{formula}: {said}");
        assert!(said.contains(words), "{formula}: no {words} in {said}");
    };
    check("y ~ log(z)", 3, "m.csv:3:3: log(z) is not a finite number, because \"z\" is 0");
    check("y ~ log(c)", 3, "m.csv:2:4: column \"c\" holds \"r\", not a finite number");
    check("y ~ hour(x)", 3, "m.csv:2:2: hour(x) is not known, because \"x\" holds \"1\"");
    check("y ~ I(x / z)", 3, "m.csv:3:3: I(x / z) is not a finite number, because \"z\" is 0");
    check("y ~ poly(c, 2)", 3, "m.csv:2:4: column \"c\" holds \"r\", not a finite number");
    check("y ~ poly(z, 6)", 3, "poly(z, 6) needs 7 different values or more, and there are 5");
    check(
        "y ~ C(c, reference='q')",
        2,
        "column \"c\" has no level \"q\" to compare with; it has b, g, r",
    );
    check("y ~ t + x", 3, "a date or a time; take a part of it: hour(t)");
    check("y ~ c:t", 3, "a date or a time; take a part of it: hour(t)");
    desk.wrong("import --data m.csv --formula y~x --label y", 2, &["cannot be used with"]);
    desk.wrong("estimate gaussian-mean --data m.csv --formula y~x", 2, &["leave --formula out"]);
    desk.put("m.csv", "y,x,c\n0,1,a\n1,2,a\n1,0,b\n0,0,b\n1,3,d\n0,1,d\n");
    check(
        "y ~ x:c",
        3,
        "column \"x:c=b\" is 0 in all rows, so that nothing can be said of its weight",
    );
    desk.put("a.svm", "1 1:1\n-1 2:1\n");
    desk.wrong("import --data a.svm --formula y~x", 2, &["no named columns"]);
}

/// New rows are coded as the data was, and need no response.
#[test]
fn predictions_follow_the_formula() {
    let desk = Desk::new();
    desk.put("m.csv", &TABLE.repeat(40).replace("\ny,x,z,c,d,t", ""));
    desk.put("new.csv", "c,x,t,d\nb,3,2024-01-31 10:00:00,n\nr,1,2024-01-31 11:00:00,m\n");
    let run = |new: &str| {
        let mut command = desk.command("estimate linear --data m.csv --noise 1 --replicates 4");
        let formula = "y ~ log(x) + c:d + hour(t) + poly(x, 2)";
        command.args(["--formula", formula, "--functional", new]);
        command.output().unwrap()
    };
    let output = run("predict:new.csv");
    assert!(output.status.success() && said(&output).contains("row 2"), "{}", said(&output));
    desk.put("unseen.csv", "c,x,t,d\nv,3,2024-01-31 10:00:00,n\n");
    let output = run("predict:unseen.csv");
    assert!(
        said(&output).contains("holds \"v:n\", which is not one of its levels"),
        "{}",
        said(&output)
    );
}
