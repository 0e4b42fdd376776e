//! Exact chains for logistic regression that look at few rows: Firefly and Zig-Zag.
//!
//! Both find a mode of their own, under a smooth prior, and the bounds they need there.

use super::Race;
use super::answers::{Answer, Ask, Setup, plainly};
use super::chains::{LEAST_DRAWS, WARM_UP};
use crate::methods::chains::kernel;
use crate::methods::full_logistic::{LOOKED_AT, brightness};
use baselines::{Firefly, FireflySettings, ZigZag, ZigZagSettings};
use models::design::Design;
use models::logistic::Logistic;
use posterior::Rows;
use samplers::{Functional, Length};
use serde_json::{Value, json};

/// Time that Zig-Zag throws away and keeps at least; in one unit each coordinate moves by one sd.
const TIME: f64 = 5.0;
/// Times of its trials: the longer the path, the farther from the centre, where rows are drawn most.
const TRIALS: [f64; 2] = [10.0, 50.0];

/// For the settings of the record.
pub fn settings() -> Value {
    json!({ "dark_rows_looked_at": LOOKED_AT, "zig_zag_warm_up": TIME })
}

pub fn run<R, B>(
    race: &mut Race<'_>,
    rows: &R,
    model: &Logistic<B>,
    functionals: &[Functional],
) -> anyhow::Result<()>
where
    R: Rows<Block = B>,
    B: Design,
{
    if race.wants("firefly") {
        firefly(race, rows, model, functionals)?;
    }
    if !race.wants("zig-zag") {
        return Ok(());
    }
    let zig_zag = |duration: f64| {
        let functionals = functionals.to_vec();
        ZigZag::new(rows, model, ZigZagSettings { warm_up: TIME, duration, grid: 0, functionals })
    };
    let step = format!("{}-zig-zag-set-up", race.problem);
    let short = race.work.timed(&step, || Ok(zig_zag(TRIALS[0])?))?;
    let before = short.setup().evaluations() as f64;
    let long = zig_zag(TRIALS[1])?;
    let price = race.price("zig-zag", TRIALS, |duration, rng| {
        let trial = if duration == TRIALS[0] { &short } else { &long };
        Ok(trial.run(rng)?.ledger.evaluations() as f64 - before)
    })?;
    let setup = Setup { step, evaluations: before };
    race.ask("zig-zag", &setup, |left| {
        let Some(duration) = price.size(left, TIME) else { return Ok(None) };
        Ok(Some(plainly(zig_zag(duration)?, before)))
    })
}

fn firefly<R, B>(
    race: &mut Race<'_>,
    rows: &R,
    model: &Logistic<B>,
    functionals: &[Functional],
) -> anyhow::Result<()>
where
    R: Rows<Block = B>,
    B: Design,
{
    let length = |draws: f64| Length { warm_up: WARM_UP, draws: draws as usize };
    let least = LEAST_DRAWS as f64;
    let settings = FireflySettings {
        kernel: kernel(),
        brightness: brightness(rows.count()),
        spread: 0.0,
        length: length(least),
        functionals: functionals.to_vec(),
    };
    let step = format!("{}-firefly-set-up", race.problem);
    let firefly = &race.work.timed(&step, || Ok(Firefly::new(rows, model, settings)?))?;
    let before = firefly.setup().evaluations() as f64;
    let price = race.price("firefly", [least, 4.0 * least], |draws, rng| {
        let run = firefly.run(length(draws), rng)?;
        Ok(run.ledger.evaluations() as f64 - before)
    })?;
    let setup = Setup { step, evaluations: before };
    race.ask("firefly", &setup, |left| {
        let Some(draws) = price.size(left, least) else { return Ok(None) };
        let ask: Ask<'_> = Box::new(move |rng| {
            let run = firefly.run(length(draws), rng)?;
            let spent = run.ledger.evaluations() as f64 - before;
            Ok(Answer::plain(run.draws.functionals(functionals), spent))
        });
        Ok(Some(ask))
    })
}
