//! `cargo xtask reproduce`.

use crate::console::Console;
use crate::exit::{self, Exit, Usage};
use crate::progress::{self, Overall};
use crate::report::write_pages;
use crate::runner::Runner;
use crate::workspace;
use anyhow::Context;
use clap::{Args, ValueEnum};
use experiments::{ALL, Experiment, MissingData};
use records::{Claim, FolderLock, Record, Scale, Verdict, read_provenance};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use strsim::levenshtein;

/// The seed of all stored results: the year of the paper.
pub const SEED: u64 = 2015;

/// Run experiments and write record, tables and figures to `results/<scale>/<id>/`.
///
/// A run resumes where an earlier one stopped, as long as settings, seed, data and code are the same;
/// the log says what was done again and why.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    cargo xtask reproduce all\n  \
    cargo xtask reproduce gaussian-path work-variance --jobs 1\n  \
    cargo xtask reproduce all --scale smoke --json")]
pub struct Reproduce {
    /// Experiments by id, or `all`; `cargo xtask list` names them.
    #[arg(required = true)]
    pub ids: Vec<String>,
    /// How much to run: the sizes of the paper, or small sizes that take a minute in all.
    #[arg(long, value_enum, default_value = "full")]
    pub scale: ScaleArgument,
    /// The seed of all random numbers.
    #[arg(long, default_value_t = SEED)]
    pub seed: u64,
    /// The number of threads; results do not depend on it [default: all].
    #[arg(long)]
    pub jobs: Option<usize>,
    /// A table of flights for `airline`, with the eight covariates and the delay by name.
    #[arg(long, value_name = "FILE")]
    pub flights: Option<PathBuf>,
    /// With `all`: `logistic-exhaustive` too, chains on all 10⁸ rows, which take 10 GB of memory.
    #[arg(long)]
    pub exhaustive: bool,
    /// Start anew: discard what an earlier run has finished.
    #[arg(long)]
    pub fresh: bool,
    /// Print a summary in JSON on standard output.
    #[arg(long)]
    pub json: bool,
    /// Print errors only; the log still gets every message.
    #[arg(long)]
    pub quiet: bool,
    /// Write here instead of results/.
    #[arg(long, value_name = "FOLDER")]
    pub results: Option<PathBuf>,
}

/// A scale on the command line.
#[derive(Clone, Copy, ValueEnum)]
pub enum ScaleArgument {
    /// Small sizes: a minute in all.
    Smoke,
    /// The sizes of the paper.
    Full,
}

impl From<ScaleArgument> for Scale {
    fn from(scale: ScaleArgument) -> Scale {
        match scale {
            ScaleArgument::Smoke => Scale::Smoke,
            ScaleArgument::Full => Scale::Full,
        }
    }
}

/// The result of one experiment.
struct Outcome {
    id: &'static str,
    result: Result<(Record, f64), anyhow::Error>,
}

/// Runs the experiments one after the other; one that fails does not stop the others.
pub fn run(arguments: &Reproduce) -> anyhow::Result<Exit> {
    let scale = Scale::from(arguments.scale);
    let results = workspace::results(arguments.results.as_ref());
    let stored = |id: &str| results.join(scale.name()).join(id).join("record.json").is_file();
    let chosen = with_needs(choose(&arguments.ids, arguments.exhaustive)?, &stored);
    set_threads(arguments.jobs)?;
    progress::listen_for_ctrl_c();
    let work = results.join(".work");
    let console = Console::new(arguments.quiet, &work.join("log.txt"));
    let _lock = enter(&work, &console)?;
    let runner = Runner {
        scale,
        seed: arguments.seed,
        results: results.clone(),
        work: work.clone(),
        quiet: arguments.quiet,
        console: &console,
        downloads: workspace::root().join("datasets/downloads"),
        flights: arguments.flights.clone(),
    };
    let seconds = seconds_before(&chosen, &[&results, &workspace::results(None)], scale);
    console.print(&announcement(&chosen, &seconds, &results, scale));
    let overall = Overall::new(&console, seconds, arguments.quiet);
    let mut outcomes = Vec::new();
    for (place, experiment) in chosen.iter().enumerate() {
        if progress::interrupted() {
            break;
        }
        console.print(&format!(
            "[{}/{}] {}: {}",
            place + 1,
            chosen.len(),
            experiment.id(),
            experiment.question()
        ));
        if arguments.fresh {
            fs::remove_dir_all(work.join(scale.name()).join(experiment.id())).ok();
        }
        let failed = |id: &&&str| {
            outcomes.iter().any(|other: &Outcome| other.id == **id && other.result.is_err())
        };
        let result = match experiment.needs.iter().find(failed) {
            Some(id) => Err(anyhow::anyhow!("it reads the record of {id}, which failed")),
            None => runner.reproduce(experiment, Some(overall.part(place))),
        };
        match &result {
            Ok((record, seconds)) => {
                for claim in &record.claims {
                    console.print(&format!(
                        "  {}: {}. {}",
                        claim.id,
                        claim.verdict.words(),
                        claim.sentence
                    ));
                }
                let folder = results.join(scale.name()).join(experiment.id());
                console.print(&format!("  {} in {seconds:.1} s", workspace::shown(&folder)));
            }
            Err(error) => console.print(&format!("  failed: {}", exit::chain(error))),
        }
        outcomes.push(Outcome { id: experiment.id(), result });
    }
    overall.finish();
    if scale == Scale::Full && outcomes.iter().any(|outcome| outcome.result.is_ok()) {
        write_pages(&results)?;
    }
    Ok(conclude(arguments, &outcomes, chosen.len(), &console))
}

/// Waits until no other process works in the folder.
fn enter(work: &Path, console: &Console) -> anyhow::Result<FolderLock> {
    let waiting = |other: Option<u32>| {
        let other = other.map_or("another process".to_owned(), |pid| format!("process {pid}"));
        console.print(&format!(
            "waiting for {other}, which works in {}; --results FOLDER names another place",
            work.display()
        ));
    };
    FolderLock::acquire(work, &waiting, &progress::interrupted)
        .with_context(|| format!("{} cannot be written", work.display()))
}

/// How long each took when its results were stored, here or else in the project; zero where they are
/// not.
fn seconds_before(chosen: &[&'static Experiment], folders: &[&PathBuf], scale: Scale) -> Vec<f64> {
    let before = |experiment: &&Experiment| {
        let stored = |folder: &&PathBuf| {
            read_provenance(&folder.join(scale.name()).join(experiment.id())).ok()
        };
        folders.iter().find_map(stored).map_or(0.0, |before| before.worked())
    };
    chosen.iter().map(before).collect()
}

/// What is ahead: how many experiments, how long they took when their results were stored, and what
/// they need.
fn announcement(
    chosen: &[&'static Experiment],
    seconds: &[f64],
    results: &Path,
    scale: Scale,
) -> String {
    let memory = chosen.iter().map(|experiment| experiment.memory(scale)).fold(0.0, f64::max);
    let known = seconds.iter().filter(|seconds| **seconds > 0.0).count();
    let minutes = (seconds.iter().sum::<f64>() / 60.0).ceil();
    let time = match known {
        0 => "of unknown length".to_owned(),
        _ => format!("about {minutes:.0} minutes by the stored results of {known}"),
    };
    format!(
        "{} experiment{}, {time}; up to {memory:.1} GB of memory, and 200 MB of disk under {}",
        chosen.len(),
        if chosen.len() == 1 { "" } else { "s" },
        workspace::shown(results)
    )
}

/// The experiments that are meant.
pub fn choose(ids: &[String], exhaustive: bool) -> anyhow::Result<Vec<&'static Experiment>> {
    if ids.iter().any(|id| id == "all") {
        let chosen = ALL.iter().copied();
        return Ok(chosen.filter(|experiment| exhaustive || !experiment.long).collect());
    }
    let mut chosen = ids
        .iter()
        .map(|id| {
            experiments::find(id).ok_or_else(|| {
                let nearest = ALL.iter().min_by_key(|known| levenshtein(known.id(), id));
                let hint = nearest
                    .map_or(String::new(), |known| format!("; did you mean {}?", known.id()));
                Usage(format!("there is no experiment {id}{hint} `cargo xtask list` names all"))
                    .into()
            })
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    // In the order of the paper, in which nothing comes before what it needs.
    chosen.sort_by_key(|chosen| ALL.iter().position(|known| known.id() == chosen.id()));
    Ok(chosen)
}

/// The same with the experiments whose records they read, where those are neither chosen nor stored.
fn with_needs(
    chosen: Vec<&'static Experiment>,
    stored: &dyn Fn(&str) -> bool,
) -> Vec<&'static Experiment> {
    let mut all: Vec<&'static Experiment> = Vec::new();
    for experiment in chosen {
        let needs = experiment.needs.iter().filter(|id| !stored(id));
        for needed in needs.filter_map(|id| experiments::find(id)).chain([experiment]) {
            if all.iter().all(|known| known.id() != needed.id()) {
                all.push(needed);
            }
        }
    }
    all
}

/// Runs everything on this many threads.
pub fn set_threads(jobs: Option<usize>) -> anyhow::Result<()> {
    if jobs == Some(0) {
        return Err(
            Usage("--jobs 0 leaves no thread to do the work; name one or more".to_owned()).into()
        );
    }
    Ok(rayon::ThreadPoolBuilder::new().num_threads(jobs.unwrap_or(0)).build_global()?)
}

fn conclude(arguments: &Reproduce, outcomes: &[Outcome], asked: usize, console: &Console) -> Exit {
    let records = || outcomes.iter().filter_map(|outcome| outcome.result.as_ref().ok());
    let verdicts: Vec<String> = Verdict::ALL
        .iter()
        .map(|&verdict| {
            let claims = records().flat_map(|(record, _)| &record.claims);
            format!(
                "{} {}",
                claims.filter(|claim| claim.verdict == verdict).count(),
                verdict.words()
            )
        })
        .collect();
    let widest = outcomes.iter().map(|outcome| outcome.id.len()).max().unwrap_or(0);
    for Outcome { id, result } in outcomes {
        let words = match result {
            Ok((record, seconds)) => {
                let good = |claim: &&Claim| claim.verdict <= Verdict::ReproducedUnderReading;
                let (claims, held) =
                    (record.claims.len(), record.claims.iter().filter(good).count());
                format!("{seconds:8.1} s  {held} of {claims} claims reproduced")
            }
            Err(error) if error.is::<MissingData>() => format!("  skipped: {}", exit::chain(error)),
            Err(error) => format!("   failed: {}", exit::chain(error)),
        };
        console.print(&format!("{id:widest$} {words}"));
    }
    console.print(&format!(
        "{} of {asked} experiments done; claims: {}",
        records().count(),
        verdicts.join(", ")
    ));
    if arguments.json {
        let rows: Vec<_> = outcomes
            .iter()
            .map(|outcome| match &outcome.result {
                Ok((record, seconds)) => json!({
                    "experiment": outcome.id, "seconds": seconds,
                    "quantities": record.quantities, "claims": record.claims,
                }),
                Err(error) => json!({ "experiment": outcome.id, "error": exit::chain(error) }),
            })
            .collect();
        println!("{}", json!({ "experiments": rows }));
    }
    if progress::interrupted() {
        console.print("interrupted; the same command resumes from here");
        return Exit::Interrupted;
    }
    let failures = outcomes.iter().filter_map(|outcome| outcome.result.as_ref().err());
    failures
        .map(|error| {
            if arguments.quiet {
                eprintln!("error: {}", exit::chain(error));
            }
            exit::of(error)
        })
        .max()
        .unwrap_or(Exit::Fine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_close_by_are_suggested() {
        let error = choose(&["gausian-path".to_owned()], false).err().unwrap().to_string();
        assert!(error.contains("did you mean gaussian-path?"), "{error}");
        assert_eq!(choose(&["all".to_owned()], true).unwrap().len(), ALL.len());
    }

    #[test]
    fn what_is_needed_comes_first() {
        let chosen = choose(&["convergence-rates".to_owned()], false).unwrap();
        let ids = |stored: &dyn Fn(&str) -> bool| -> Vec<_> {
            with_needs(chosen.clone(), stored).iter().map(|experiment| experiment.id()).collect()
        };
        assert_eq!(ids(&|_| true), ["convergence-rates"]);
        let all = ids(&|id| id == "log-gaussian");
        assert_eq!(all, ["logistic-synthetic", "random-features", "convergence-rates"]);
    }
}
