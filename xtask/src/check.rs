//! `cargo xtask check`.

use crate::console::Console;
use crate::exit::{self, Drifted, Exit, Usage};
use crate::progress;
use crate::report::write_pages;
use crate::reproduce::{SEED, ScaleArgument, choose, set_threads};
use crate::runner::Runner;
use crate::workspace;
use clap::Args;
use experiments::Experiment;
use records::{Platform, Record, Scale, Severity, compare, read_provenance, read_record};
use std::path::PathBuf;

/// Run experiments again and compare with the stored results; exit 1 if anything drifted.
///
/// Every difference is listed with the stored number, the new one, the tolerance and its severity. On
/// the platform of the stored results, numbers must agree bit for bit; on another one, each within its
/// own tolerance.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    cargo xtask check                                  the smoke scale of everything\n  \
    cargo xtask check gaussian-path --scale full       the real thing, one experiment\n  \
    cargo xtask check --accept                         store the new numbers, and print what changed")]
pub struct Check {
    /// Experiments by id [default: all].
    ids: Vec<String>,
    /// The scale to run.
    #[arg(long, value_enum, default_value = "smoke")]
    scale: ScaleArgument,
    /// The number of threads; results do not depend on it [default: all].
    #[arg(long)]
    jobs: Option<usize>,
    /// Replace the stored results and print what changed, for the changelog.
    #[arg(long)]
    accept: bool,
    /// Compare with the results here instead of results/.
    #[arg(long, value_name = "FOLDER")]
    results: Option<PathBuf>,
}

/// Compares everything that is stored with what comes out now.
pub fn run(arguments: &Check) -> anyhow::Result<Exit> {
    let all = ["all".to_owned()];
    let chosen = choose(if arguments.ids.is_empty() { &all } else { &arguments.ids }, false)?;
    set_threads(arguments.jobs)?;
    progress::listen_for_ctrl_c();
    let results = workspace::results(arguments.results.as_ref());
    // Chunks of earlier runs would compare the past with itself.
    let work = tempfile::tempdir()?;
    let console = Console::new(false, &results.join(".work").join("log.txt"));
    let scale = Scale::from(arguments.scale);
    let mut exit = Exit::Fine;
    for experiment in chosen {
        let runner = Runner {
            scale,
            seed: SEED,
            results: results.clone(),
            work: work.path().to_owned(),
            quiet: false,
            console: &console,
            // Stored results are those of the data that travels with the code.
            downloads: PathBuf::new(),
            flights: None,
        };
        // One that cannot be checked does not hide what the others say.
        let outcome = check(experiment, runner, arguments.accept).unwrap_or_else(|error| {
            console.print(&format!("{}: {}", experiment.id(), exit::chain(&error)));
            exit::of(&error)
        });
        exit = exit.max(outcome);
        if progress::interrupted() {
            return Ok(Exit::Interrupted);
        }
    }
    if arguments.accept && scale == Scale::Full {
        write_pages(&results)?;
    }
    Ok(exit)
}

/// Compares one experiment with what is stored of it, or takes the new numbers.
fn check(experiment: &Experiment, mut runner: Runner<'_>, accept: bool) -> anyhow::Result<Exit> {
    let folder = runner.results.join(runner.scale.name()).join(experiment.id());
    if !folder.join("record.json").exists() && !accept {
        let hint =
            format!("cargo xtask reproduce {} --scale {}", experiment.id(), runner.scale.name());
        let text = format!("{} is not stored; `{hint}` makes it", workspace::shown(&folder));
        return Err(Usage(text).into());
    }
    let stored = match read_record(&folder) {
        Ok(stored) => Some(stored),
        Err(_) if accept => None,
        Err(damaged) => return Err(Drifted(damaged.to_string()).into()),
    };
    if let Some(stored) = &stored {
        runner.seed = stored.seed;
    }
    let same_platform =
        read_provenance(&folder).is_ok_and(|before| before.platform == Platform::current());
    let fresh = if accept {
        runner.reproduce(experiment, None)?.0
    } else {
        runner.record(experiment, None)?.0
    };
    let Some(stored) = stored else { return Ok(Exit::Fine) };
    let drifted = report(experiment, &stored, &fresh, same_platform, runner.console)?;
    Ok(if drifted && !accept { Exit::Drift } else { Exit::Fine })
}

/// Says what drifted, and whether anything did.
fn report(
    experiment: &Experiment,
    stored: &Record,
    fresh: &Record,
    same_platform: bool,
    console: &Console,
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
        console.print(&format!("{id}: as stored"));
    } else {
        console.print(&format!("{id}: {count} differences"));
    }
    for drift in &drifts {
        console.print(&format!(
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
