//! Where rivals are as good, how far answers are off, and what they cost.

use records::{Claim, Record, Verdict};
use serde::Deserialize;

/// Work of NUTS over ours that prototypes found with 200 and with 1000 groups, two thirds of it.
const RATIOS: [(&str, f64); 2] = [("few groups", 88.0), ("many groups", 53.0)];
/// All problems.
const PROBLEMS: [&str; 4] = ["few groups", "many groups", "uneven groups", "crossed flights"];
/// Posterior sds: of a mode that is wrong, of an answer that is right, and of one as good as the target.
const WRONG: f64 = 1.0;
const RIGHT: f64 = 0.1;
const CLOSE: f64 = 0.05;
/// Joint standard errors beyond which two answers differ, and the share of parameters that may by chance.
const FAR: f64 = 4.0;
const BY_CHANCE: f64 = 1e-3;

/// A row of the table `answers`.
#[derive(Deserialize)]
struct Row {
    problem: String,
    method: String,
    passes: f64,
    #[serde(rename = "worst error")]
    worst: f64,
    #[serde(rename = "error of the sds")]
    of_sds: f64,
    #[serde(rename = "passes to the target")]
    to_target: f64,
}

/// A row of the table `parameters`.
#[derive(Deserialize)]
struct Parameter {
    problem: String,
    #[serde(rename = "is a log sd")]
    log_sd: i64,
    anchored: f64,
    #[serde(rename = "error of anchored")]
    anchored_error: f64,
    nuts: f64,
    #[serde(rename = "error of nuts")]
    nuts_error: f64,
}

struct Answers(Vec<Row>);

impl Answers {
    fn of(&self, problem: &str, method: &str) -> anyhow::Result<&Row> {
        let found = self.0.iter().find(|row| row.problem == problem && row.method == method);
        found.ok_or_else(|| anyhow::anyhow!("no answer of {method} on {problem}"))
    }

    fn ratio(&self, problem: &str) -> anyhow::Result<f64> {
        let nuts = self.of(problem, "nuts-control-variates")?.to_target;
        Ok(nuts / self.of(problem, "anchored")?.to_target)
    }

    /// A number of each problem, in words.
    fn list(&self, value: impl Fn(&str) -> anyhow::Result<String>) -> anyhow::Result<String> {
        let one = |problem: &&str| Ok(format!("{problem} {}", value(problem)?));
        let all: anyhow::Result<Vec<String>> = PROBLEMS.iter().map(one).collect();
        Ok(all?.join(", "))
    }

    fn worst(&self, method: &str) -> anyhow::Result<String> {
        self.list(|problem| Ok(format!("{:.3}", self.of(problem, method)?.worst)))
    }
}

pub(super) fn claims(record: &Record) -> anyhow::Result<Vec<Claim>> {
    let rows = record.table("answers")?.read_rows::<Row>()?;
    let answers = Answers(rows);
    let parameters = record.table("parameters")?.read_rows::<Parameter>()?;
    Ok(vec![
        approximations_win(&answers)?,
        mode(&answers)?,
        near(&answers)?,
        agrees(&parameters),
        work(&answers)?,
    ])
}

/// Where an approximation is as close for less.
fn approximations_win(answers: &Answers) -> anyhow::Result<Claim> {
    let next = answers.of("crossed flights", "next-order-laplace")?;
    let anchored = answers.of("crossed flights", "anchored")?;
    let wins = next.worst <= CLOSE && next.passes < anchored.passes;
    let worst = answers.worst("next-order-laplace")?;
    let variational = answers.worst("gaussian-vi")?;
    Ok(Claim::ours(
        "hierarchies/laplace-wins",
        "on crossed flights, next-order Laplace is within 0.05 posterior sds in every parameter for fewer \
         passes than the anchored path",
    )
    .found(format!(
        "{:.3} sds in {:.1} passes, the anchored path takes {:.1}",
        next.worst, next.passes, anchored.passes
    ))
    .rule(
        "reproduced if the worst parameter of next-order Laplace is within 0.05 posterior sds of the truth \
         there, and it takes fewer passes",
    )
    .judged(
        Verdict::of(wins),
        format!(
            "Worst parameters in posterior sds, next-order Laplace: {worst}; Gaussian variational inference: \
             {variational}. Neither says so of itself."
        ),
    ))
}

/// Whether there is something to certify.
fn mode(answers: &Answers) -> anyhow::Result<Claim> {
    let worst = answers.of("many groups", "mode")?.worst;
    let all = answers.worst("mode")?;
    let sds = answers.list(|problem| Ok(format!("{:.3}", answers.of(problem, "mode")?.of_sds)))?;
    Ok(Claim::ours(
        "hierarchies/mode",
        "with a thousand groups, the mode is more than one posterior sd off in some parameter",
    )
    .found(format!("{worst:.2} posterior sds in the worst parameter"))
    .rule(
        "reproduced if the worst parameter of the mode, at the sds of the largest marginal likelihood, is \
         more than one posterior sd off the truth with 1000 groups of 1000 rows each",
    )
    .judged(
        Verdict::of(worst > WRONG),
        format!("Worst parameters in posterior sds: {all}; of the sds of groups alone: {sds}."),
    ))
}

/// Errors of the anchored path.
fn near(answers: &Answers) -> anyhow::Result<Claim> {
    let mut largest = 0.0_f64;
    for problem in PROBLEMS {
        largest = largest.max(answers.of(problem, "anchored")?.worst);
    }
    let worst = answers.worst("anchored")?;
    let passes =
        answers.list(|problem| Ok(format!("{:.1}", answers.of(problem, "anchored")?.passes)))?;
    Ok(Claim::ours(
        "hierarchies/near",
        "the anchored path is within 0.1 posterior sds of the truth in every effect, weight and sd",
    )
    .found(format!("worst parameters: {worst}"))
    .rule("reproduced if no parameter of any problem is more than 0.1 posterior sds off the truth")
    .judged(
        Verdict::of(largest <= RIGHT),
        format!("The largest error is {largest:.3} posterior sds; passes: {passes}."),
    ))
}

/// Against NUTS, which looks at all rows.
fn agrees(parameters: &[Parameter]) -> Claim {
    let z = |one: &Parameter| {
        ((one.anchored - one.nuts) / one.anchored_error.hypot(one.nuts_error)).abs()
    };
    let far = parameters.iter().filter(|one| z(one) > FAR).count();
    let share = far as f64 / parameters.len() as f64;
    let worst = |which: &dyn Fn(&Parameter) -> bool| {
        parameters.iter().filter(|one| which(one)).map(z).fold(0.0, f64::max)
    };
    let of_first = worst(&|one| one.problem == PROBLEMS[0]);
    let of_sds = worst(&|one| one.log_sd == 1);
    let squares: f64 = parameters.iter().map(|one| z(one).powi(2)).sum();
    let rms = (squares / parameters.len() as f64).sqrt();
    Claim::ours(
        "hierarchies/agrees",
        "anchored path and NUTS on all rows agree within four joint standard errors in every parameter",
    )
    .found(format!(
        "{far} of {} parameters differ by more; the largest z with few groups is {of_first:.2}",
        parameters.len()
    ))
    .rule(
        "reproduced if no parameter of the first problem and no sd of any problem differs by more than four joint \
         standard errors, and at most one in a thousand of all parameters",
    )
    .judged(
        Verdict::of(of_first <= FAR && of_sds <= FAR && share <= BY_CHANCE),
        format!(
            "The largest z of an sd is {of_sds:.2}, the root mean square over all parameters {rms:.2}; effects share \
             the error of the bias."
        ),
    )
}

/// Work to the target.
fn work(answers: &Answers) -> anyhow::Result<Claim> {
    let mut enough = true;
    for (problem, least) in RATIOS {
        enough &= answers.ratio(problem)? >= least;
    }
    let ratios = answers.list(|problem| Ok(format!("{:.0}", answers.ratio(problem)?)))?;
    Ok(Claim::ours(
        "hierarchies/work",
        "NUTS with control variates takes at least 88 times the work of the anchored path with 200 groups, and \
         53 times with 1000",
    )
    .found(format!("times the work: {ratios}"))
    .rule(
        "reproduced if both ratios of evaluations to 0.05 posterior sds in the worst parameter are reached; the \
         cost of NUTS on distinct rows is scaled from four chains of a hundred draws by its squared standard \
         error, its warm-up not counted, and the anchored path's includes all set-up",
    )
    .judged(
        Verdict::of(enough),
        "Where rows repeat, as those of the flights do, NUTS has fewer of them to look at.".to_owned(),
    ))
}
