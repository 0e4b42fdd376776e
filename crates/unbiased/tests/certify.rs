//! `certify` and the functionals, as a user calls them.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod desk;

use desk::{Desk, clicks, estimates};

/// Few positives, whose posterior is skewed: one in forty of 400.
fn rare() -> String {
    let mut text = "dose,group,ill\n".to_owned();
    for i in 0..400 {
        let dose = (f64::from(i) * 1.7).sin();
        let group = ["a", "b-c", "long name: d=1"][i as usize % 3];
        text += &format!("{dose:.3},{group},{}\n", u8::from(i % 40 == 7));
    }
    text
}

#[test]
fn approximations_are_certified_and_wrong_ones_named() {
    let desk = Desk::new();
    desk.put("rare.csv", &rare());
    desk.put("mine.csv", "parameter,mean,sd\nbias,-3,0.5\n");
    let line = "certify logistic --data rare.csv --label ill --json out.json";
    let shown = desk.fine(&format!("{line} --approximation mine.csv"));
    for words in
        ["Laplace", "next-order", "variational", "mine", "posterior sds off for", "worst of 4"]
    {
        assert!(shown.contains(words), "no {words} in {shown}");
    }
    for line in shown.lines().take_while(|line| !line.starts_with("the ")) {
        assert!(line.chars().count() <= 105, "{line}");
    }
    let all = desk.json("out.json")["answer"]["approximations"].clone();
    let certified = |at: usize, name: &str| {
        let parameters = all[at]["parameters"].as_array().unwrap().clone();
        parameters.into_iter().find(|one| one["name"] == name).unwrap()
    };
    assert_eq!(all[3]["name"], "mine");
    assert_eq!(certified(3, "bias")["mean"], -3.0);
    assert!(certified(3, "bias")["error"]["value"].is_number());
    assert!(certified(3, "dose")["error"].is_null());
    // Laplace is off where positives are few, by more than the interval.
    let error = certified(0, "bias")["error"].clone();
    assert!(error["interval"]["low"].as_f64().unwrap() > 0.0, "{error}");
    desk.put("wrong.json", r#"{"names": ["biass"], "mean": [1]}"#);
    desk.wrong(&format!("{line} --approximation wrong.json"), 3, &["\"biass\"", "\"bias\""]);
    desk.wrong(&format!("{line} --approximation none.csv"), 3, &["cannot read none.csv"]);
}

#[test]
fn functionals_agree_with_each_other() {
    let desk = Desk::new();
    desk.put("clicks.csv", &clicks(4000));
    let asked = [
        "mean:age",
        "sd:age",
        "variance:age",
        "covariance:age,age",
        "contrast:age-bias",
        "mean:bias",
        "probability:age<bias",
        "probability:bias>age",
        "quantile:age,0.5",
        "correlation:age,bias",
        "quantile:2*age,0.5",
    ];
    let line = "estimate logistic --data clicks.csv --label clicked --json out.json";
    let mut command = desk.command(line);
    asked.iter().for_each(|one| {
        command.args(["--functional", one]);
    });
    assert!(command.output().unwrap().status.success());
    let found: Vec<f64> = estimates(&desk.json("out.json")).iter().map(|one| one.0).collect();
    let close = |a: f64, b: f64| (a - b).abs() < 1e-3 * (a.abs() + b.abs()) + 1e-6;
    assert!(close(found[1] * found[1], found[2]) && close(found[2], found[3]), "{found:?}");
    assert!(close(found[4], found[0] - found[5]) && close(found[6], found[7]), "{found:?}");
    assert!(close(found[8], found[0]) && close(found[10], 2.0 * found[8]), "{found:?}");
    assert!(found[9].abs() < 1.0);
    let out = desk.json("out.json");
    let quantiles = out["answer"]["estimates"][0]["quantiles"].as_array().unwrap().clone();
    assert_eq!(quantiles.len(), 3);
    desk.wrong(
        &format!("{line} --functional contrast:age-bais"),
        2,
        &["\"bais\"; near it: \"bias\""],
    );
}
