//! `cargo xtask check`.

use crate::exit::{Exit, Usage};
use crate::progress;
use crate::reproduce::{ScaleArgument, choose, set_threads};
use crate::runner::Runner;
use crate::speaker::Speaker;
use crate::workspace;
use clap::Args;
use experiments::Experiment;
use records::{Platform, Record, Scale, Severity, compare, read_provenance, read_record};
use std::path::PathBuf;

/// Run experiments again and compare with the stored results; exit 1 if anything drifted.
///
/// Every difference is named with the old number, the new one, what was allowed and how bad it is.
/// On the platform of the stored results numbers must come out bit by bit; on another one within
/// one part in 10⁹.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    cargo xtask check                                  the smoke scale of everything\n  \
    cargo xtask check gaussian-path --scale full       the real thing, one experiment\n  \
    cargo xtask check --accept                         take the new numbers, and print what moved")]
pub struct Check {
    /// Experiments by id [default: all].
    ids: Vec<String>,
    /// What to run again.
    #[arg(long, value_enum, default_value = "smoke")]
    scale: ScaleArgument,
    /// Threads; results do not depend on it [default: all].
    #[arg(long)]
    jobs: Option<usize>,
    /// Rewrite the stored results and print what moved, for the changelog.
    #[arg(long)]
    accept: bool,
    /// Compare with the results here instead of results/.
    #[arg(long, value_name = "FOLDER")]
    results: Option<PathBuf>,
}

/// Compares everything that is stored with what comes out now.
pub fn run(arguments: &Check) -> anyhow::Result<Exit> {
    let all = ["all".to_owned()];
    let chosen = choose(if arguments.ids.is_empty() { &all } else { &arguments.ids })?;
    set_threads(arguments.jobs)?;
    progress::listen_for_ctrl_c();
    let results = workspace::results(arguments.results.as_ref());
    // Chunks of earlier runs would compare the past with itself.
    let work = tempfile::tempdir()?;
    let speaker = Speaker::new(false, &results.join(".work").join("log.txt"));
    let mut exit = Exit::Fine;
    for experiment in chosen {
        let scale = Scale::from(arguments.scale);
        let folder = results.join(scale.name()).join(experiment.id());
        if !folder.join("record.json").exists() && !arguments.accept {
            let hint =
                format!("cargo xtask reproduce {} --scale {}", experiment.id(), scale.name());
            return Err(Usage(format!(
                "{} is not stored; `{hint}` makes it",
                workspace::shown(&folder)
            ))
            .into());
        }
        let stored =
            if arguments.accept { read_record(&folder).ok() } else { Some(read_record(&folder)?) };
        let seed = stored.as_ref().map_or(crate::reproduce::SEED, |stored| stored.seed);
        let runner = Runner {
            scale,
            seed,
            results: results.clone(),
            work: work.path().to_owned(),
            quiet: false,
            speaker: &speaker,
        };
        let fresh = if arguments.accept {
            runner.reproduce(experiment)?.0
        } else {
            runner.record(experiment)?
        };
        if let Some(stored) = stored {
            let same_platform = read_provenance(&folder)
                .is_ok_and(|provenance| provenance.platform == Platform::current());
            if report(experiment, &stored, &fresh, same_platform, &speaker)? && !arguments.accept {
                exit = Exit::Drift;
            }
        }
    }
    Ok(exit)
}

/// Says what drifted, and whether anything did.
fn report(
    experiment: &dyn Experiment,
    stored: &Record,
    fresh: &Record,
    same_platform: bool,
    speaker: &Speaker,
) -> anyhow::Result<bool> {
    let mut drifts = compare(stored, fresh, same_platform);
    // A verdict edited by hand is caught by computing it again from the stored record.
    for (stored, claim) in stored.claims.iter().zip(experiment.claims(stored)?) {
        if *stored != claim {
            drifts.push(records::Drift {
                name: format!("claim {} as stored", stored.id),
                stored: format!("{}: {}", stored.verdict.words(), stored.ours),
                fresh: format!("{}: {}", claim.verdict.words(), claim.ours),
                policy: "follows from its own record".to_owned(),
                severity: Severity::Verdict,
            });
        }
    }
    let (id, count) = (experiment.id(), drifts.len());
    if count == 0 {
        speaker.say(&format!("{id}: as stored"));
    } else {
        speaker.say(&format!("{id}: {count} differences"));
    }
    for drift in &drifts {
        speaker.say(&format!(
            "  {}: {}\n    stored  {}\n    now     {}\n    allowed {}",
            drift.severity.word(),
            drift.name,
            drift.stored,
            drift.fresh,
            drift.policy
        ));
    }
    Ok(count > 0)
}
