//! What the record says of chains: where their noise becomes the floor, and what removes it.

use super::chains::{CHAIN, CONTROLLED};
use records::{Claim, Record, Verdict};
use serde::Deserialize;

/// The problems with chains inside.
const PROBLEMS: [&str; 2] = ["log-Gaussian", "logistic weights"];
/// The chain whose noise is looked at: the shortest.
const SHORTEST: f64 = 100.0;

/// A row of the table of chains.
#[derive(Deserialize)]
struct Inferred {
    problem: String,
    inference: String,
    draws: f64,
    ratio: f64,
    ratio_low: f64,
    ratio_high: f64,
    /// E Δ² at the deepest level drawn.
    deepest_increment: f64,
}

impl Inferred {
    fn name(&self) -> String {
        match &*self.inference {
            "closed form" => "the closed form".to_owned(),
            "weighted points" => format!("{:.0} weighted points", self.draws),
            inference => format!("{inference} of {:.0} draws", self.draws),
        }
    }
}

fn inferred(record: &Record, problem: &str) -> anyhow::Result<Vec<Inferred>> {
    let all = record.table("chains")?.read_rows::<Inferred>()?;
    Ok(all.into_iter().filter(|row| row.problem == problem).collect())
}

/// The inference of least product that knows no closed form.
fn cheapest(rows: &[Inferred]) -> anyhow::Result<&Inferred> {
    let open = rows.iter().filter(|row| row.inference != "closed form");
    open.min_by(|a, b| a.ratio.total_cmp(&b.ratio))
        .ok_or_else(|| anyhow::anyhow!("the record has no chains"))
}

/// Is some inference much cheaper than the paper's?
pub(super) fn inference(record: &Record) -> anyhow::Result<Claim> {
    let rows = inferred(record, "log-Gaussian")?;
    let best = cheapest(&rows)?;
    let each: Vec<String> =
        rows.iter().map(|row| format!("{}: {:.4}", row.name(), row.ratio)).collect();
    Ok(Claim::ours(
        "ours/estimator-forms-inference",
        "log-Gaussian: with the inference of levels chosen too, at most 1/10 of the paper's work × variance",
    )
        .found(each.join("; "))
        .rule("reproduced if some inference that knows no closed form brings the recommended default to at most 1/10 \
         of the paper's estimator with NUTS of 100 + 500 iterations")
        .judged(Verdict::of(best.ratio <= 0.1), format!(
            "Best is {} at 1/{:.0} (95 %: 1/{:.0} to 1/{:.0}).",
            best.name(),
            1.0 / best.ratio,
            1.0 / best.ratio_high,
            1.0 / best.ratio_low
        )))
}

/// How much of E Δ_t² is the noise of a chain's own, level by level.
#[derive(Clone, Copy, Deserialize)]
struct LevelNoise {
    rows: f64,
    increment: f64,
    chain_noise: f64,
}

fn noise(record: &Record, problem: &str, draws: f64) -> anyhow::Result<Vec<LevelNoise>> {
    let table = record.table("noise")?;
    let (problems, lengths) = (table.words("problem")?, table.numbers("draws")?);
    let levels = table.read_rows()?.into_iter().enumerate();
    let meant = levels.filter(|(row, _)| problems[*row] == problem && lengths[*row] == draws);
    Ok(meant.map(|(_, level)| level).collect())
}

/// The noise's share of E Δ².
fn share(level: LevelNoise) -> f64 {
    level.chain_noise / level.increment
}

/// From where on half of E Δ² is noise: measured, or by the growth of its share over the deepest three
/// levels.
fn half(levels: &[LevelNoise]) -> String {
    if let Some(level) = levels.iter().find(|&&level| share(level) >= 0.5) {
        return format!("half of it from n = {:.0} on", level.rows);
    }
    let [.., before, _, last] = *levels else { return "less than half of it".to_owned() };
    let growth = (share(last) / share(before)).ln() / (last.rows / before.rows).ln();
    if growth <= 0.0 {
        return "with no sign of growth".to_owned();
    }
    let rows = last.rows * (0.5 / share(last)).powf(1.0 / growth);
    format!("half of it from about n = {rows:.0e} on, by its growth over the deepest three levels")
}

/// Where chain noise becomes the floor, and what removes it.
pub(super) fn floor(record: &Record) -> anyhow::Result<Claim> {
    let (mut each, mut sentences, mut holds) = (Vec::new(), Vec::new(), true);
    for problem in PROBLEMS {
        let rows = inferred(record, problem)?;
        let levels = noise(record, problem, SHORTEST)?;
        let find = |draws: f64, inference: &str| {
            rows.iter()
                .find(|row| row.draws == draws && row.inference == inference)
                .ok_or_else(|| anyhow::anyhow!("{problem}: no {inference} of {draws} draws"))
        };
        let controlled = find(SHORTEST, CONTROLLED)?;
        let [Some(&first), Some(&last)] = [levels.first(), levels.last()] else {
            anyhow::bail!("{problem}: no noise of chains")
        };
        let removed = (last.increment - controlled.deepest_increment) / last.chain_noise;
        holds &= share(last) > share(first) && removed >= 0.5;
        each.extend(
            rows.iter()
                .map(|row| format!("{problem}, {} {:.1e}", row.name(), row.deepest_increment)),
        );
        let longest = rows.iter().filter(|row| row.inference == CHAIN);
        let longest = longest.map(|row| row.draws).fold(SHORTEST, f64::max);
        let left = noise(record, problem, longest)?.last().map_or(f64::NAN, |&level| share(level));
        let best = cheapest(&rows)?;
        sentences.push(format!(
            "{problem}: with 100 draws the chain's own noise is {:.0} % of E Δ² at n = {:.0} and {:.0} % at n = {:.0}, {}. At the \
             deepest level drawn control variates take away {:.0} % of it and {longest:.0} draws leave {:.0} %, but work × variance is 1/{:.0} of \
             the paper's with these, 1/{:.0} with 100 draws and control variates, and least, 1/{:.0}, with {}",
            100.0 * share(first),
            first.rows,
            100.0 * share(last),
            last.rows,
            half(&levels),
            100.0 * removed.min(1.0),
            100.0 * left,
            1.0 / find(longest, CHAIN)?.ratio,
            1.0 / controlled.ratio,
            1.0 / best.ratio,
            best.name()
        ));
    }
    Ok(Claim::ours(
        "ours/estimator-forms-chain-noise",
        "the deeper the level, the more of an antithetic increment is noise of its chains, and control variates take \
         most of that out, on the log-Gaussian and on logistic weights",
    )
        .found(format!("E Δ² at the deepest level drawn: {}", each.join("; ")))
        .rule("reproduced if on both problems, by chains of 100 draws, the noise of the chain (from the difference of \
         its halves) is a larger share of E Δ² at the deepest level drawn than at the second level, and control \
         variates lower E Δ² at the deepest by at least half of that noise")
        .judged(Verdict::of(holds), format!("{}.", sentences.join(". "))))
}
