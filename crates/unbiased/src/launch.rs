//! A question of the command line, put to the data.

use crate::exit;
use crate::inquiry::Inquiry;
use crate::model::Outcome;
use crate::outcome;
use crate::surroundings::Stage;
use unbiased_bayes::RunHooks;

/// `unbiased estimate`, `plan`, `compare` or `certify`.
pub fn launch(inquiry: &Inquiry) -> anyhow::Result<()> {
    let stage = Stage::open(inquiry)?;
    let chunks = stage.chunks()?;
    let say = |line: &str| stage.say(line);
    let hooks = RunHooks { store: &chunks, observer: &stage.bar, say: &say };
    let found = inquiry.run(&stage.source, hooks);
    stage.bar.finish();
    chunks.remarks().iter().for_each(|remark| stage.say(remark));
    let (found, seconds) = (found?, stage.seconds());
    match &found.outcome {
        Outcome::Answer(answer) => outcome::write_answer(&stage, answer, &found.notes)?,
        Outcome::Comparison(comparison) => outcome::write_comparison(&stage, comparison)?,
        Outcome::Plan(_) => {}
    }
    if let Some(path) = &inquiry.common.json {
        outcome::write_json(path, &inquiry.json(&stage.source, &found)?)?;
    }
    exit::print(&inquiry.text(&stage.source, &found, seconds))?;
    if let Outcome::Plan(_) = found.outcome {
        stage.say(&format!("{seconds:.1} s"));
        return Ok(());
    }
    stage.say(&format!(
        "{:.1} s; figure and record in {}",
        stage.seconds(),
        stage.results().display()
    ));
    Ok(())
}
