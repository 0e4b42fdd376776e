//! What a run leaves behind: a record, its figure, and JSON for programs.

use crate::exit;
use crate::surroundings::Stage;
use figures::CONVERGENCE;
use records::{Quantity, Record, Scale, replicate_table, write_atomically, write_record};
use std::path::Path;
use unbiased_bayes::{Answer, Comparison, Replicates};

/// Functionals whose replicates are kept for the figure.
const DRAWN: usize = 6;

/// Record and figure of an estimate.
pub fn write_answer(stage: &Stage<'_>, answer: &Answer, said: &[String]) -> anyhow::Result<()> {
    let name = answer.method.name();
    let setup = (answer.cost.setup + answer.cost.pilot).evaluations() as f64;
    let mut quantities: Vec<Quantity> = answer
        .estimates
        .iter()
        .map(|one| Quantity::estimate(&one.name, one.summary.mean, one.summary.standard_error))
        .collect();
    quantities.push(Quantity::rough(&format!("{name}/set-up cost"), setup));
    let mut notes = vec![answer.reason.clone(), answer.guarantees.sentence()];
    notes.extend(answer.unseen.iter().map(|unseen| unseen.sentence()));
    notes.extend(answer.remarks.iter().chain(said).cloned());
    let methods = [(name, &answer.replicates)];
    let names: Vec<&str> = answer.estimates.iter().map(|one| one.name.as_str()).collect();
    write(stage, &record(stage, quantities, notes, &names, &methods))?;
    write_csv(stage.inquiry.common.csv.as_deref(), answer)
}

/// The same of a comparison.
pub fn write_comparison(stage: &Stage<'_>, comparison: &Comparison) -> anyhow::Result<()> {
    let mut quantities = Vec::new();
    for method in &comparison.methods {
        for one in &method.estimates {
            let label = format!("{}/{}", method.name, one.name);
            quantities.push(Quantity::estimate(
                &label,
                one.summary.mean,
                one.summary.standard_error,
            ));
        }
        quantities.push(Quantity::rough(&format!("{}/set-up cost", method.name), method.setup));
    }
    let notes =
        comparison.methods.iter().map(|one| format!("{}: {}", one.name, one.remark)).collect();
    let ran: Vec<_> = comparison.methods.iter().filter(|one| !one.estimates.is_empty()).collect();
    let methods: Vec<_> = ran.iter().map(|one| (one.name, &one.replicates)).collect();
    let names: Vec<&str> = ran
        .first()
        .map_or(Vec::new(), |one| one.estimates.iter().map(|one| one.name.as_str()).collect());
    if methods.is_empty() {
        stage.say("nothing fitted into the budget: there is nothing to draw");
        return Ok(());
    }
    write(stage, &record(stage, quantities, notes, &names, &methods))
}

fn record(
    stage: &Stage<'_>,
    quantities: Vec<Quantity>,
    notes: Vec<String>,
    names: &[&str],
    methods: &[(&str, &Replicates)],
) -> Record {
    // A cell of a table holds no commas, quotes or line breaks, and names differ.
    let plain = |(index, name): (usize, &&str)| {
        let name: String =
            name.chars().map(|c| if ",\"'\n\r".contains(c) { '_' } else { c }).collect();
        let taken = ["replicate", "depth", "evaluations", "distinct_rows"].contains(&name.as_str());
        if taken || names[..index].contains(&name.as_str()) {
            format!("{name} {}", index + 1)
        } else {
            name
        }
    };
    let names: Vec<String> = names.iter().take(DRAWN).enumerate().map(plain).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let inquiry = stage.inquiry;
    Record {
        experiment: inquiry.command.to_owned(),
        question: format!("{} on {}", inquiry.common.model.name(), stage.source.data.name),
        scale: Scale::Full,
        seed: inquiry.common.seed,
        settings: inquiry.described(&stage.source).as_object().cloned().unwrap_or_default(),
        data: vec![stage.source.data.clone()],
        quantities,
        claims: Vec::new(),
        notes,
        tables: methods.iter().map(|(name, run)| replicate_table(name, run, &names)).collect(),
    }
}

fn write(stage: &Stage<'_>, record: &Record) -> anyhow::Result<()> {
    let folder = stage.results();
    write_record(&folder, record)?;
    let picture = CONVERGENCE.draw(record)?;
    write_atomically(&folder.join("convergence.svg"), picture.svg.as_bytes())?;
    write_atomically(&folder.join("convergence.png"), &picture.png)?;
    Ok(())
}

/// The table of estimates with all its digits, if it was asked for.
fn write_csv(path: Option<&Path>, answer: &Answer) -> anyhow::Result<()> {
    let Some(path) = path else { return Ok(()) };
    let mut text = csv::Writer::from_writer(Vec::new());
    text.write_record(["name", "mean", "mcse", "sd", "2.5 %", "50 %", "97.5 %"])?;
    for one in &answer.estimates {
        let shown = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
        let quantile = |at: usize| shown(one.quantiles.get(at).map(|quantile| quantile.value));
        let summary = &one.summary;
        text.write_record([
            one.name.clone(),
            summary.mean.to_string(),
            summary.standard_error.to_string(),
            shown(one.posterior_sd),
            quantile(0),
            quantile(1),
            quantile(2),
        ])?;
    }
    write_atomically(path, &text.into_inner()?)
        .map_err(|error| exit::usage(format!("cannot write {}: {error}", path.display())))
}

/// JSON for programs, which asked for it.
pub fn write_json(path: &Path, text: &[u8]) -> anyhow::Result<()> {
    write_atomically(path, text)
        .map_err(|error| exit::usage(format!("cannot write {}: {error}", path.display())))
}
