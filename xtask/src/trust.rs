//! `cargo xtask trust`: the evidence that numbers of this project can be believed, on one page.
//!
//! Each kind of evidence is gathered by one file, from tests of the tree, which are run by name, and from
//! what only a command can do: planting faults, killing processes, feeding rubbish. What was found is kept
//! in `results/<scale>/trust/`, one file per kind, and `results/TRUST.md` is written from the full scale.

mod borrowed;
mod calibration;
mod commands;
mod determinism;
mod evidence;
mod exactness;
mod faults;
mod hostile;
mod kernels;
mod licence;
mod mutants;
mod named;
mod named_tests;
mod page;
mod planted;
mod supply;
mod unsafe_blocks;

use crate::exit::Exit;
use crate::reproduce::ScaleArgument;
use crate::workspace::{self, output_of, root};
use clap::{Args, ValueEnum};
use evidence::Evidence;
use named_tests::Tests;
pub use page::{kept, shown_in_report};
use records::{Platform, Scale, write_atomically};
use serde_json::json;
use std::cell::OnceCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Gather the evidence that the numbers can be believed; exit 1 if any of it does not hold.
///
/// Exactness by enumeration, calibration, kernels, planted faults, kills and full disks, hostile input, the
/// supply chain, determinism. At full scale the results are kept under results/full/trust/ and shown in
/// results/TRUST.md; at the smoke scale, three minutes, nothing is kept but target/trust/TRUST.md.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    cargo xtask trust --scale smoke                   a sample, before a change is proposed\n  \
    cargo xtask trust                                 all of it: about an hour on two cores\n  \
    cargo xtask trust --only planted --only supply    some kinds; the others stay as kept")]
pub struct Trust {
    /// How much to run: everything, or a fixed sample of it.
    #[arg(long, value_enum, default_value = "full")]
    scale: ScaleArgument,
    /// Gather this kind only; may be repeated.
    #[arg(long, value_enum)]
    only: Vec<Kind>,
    /// Keep the results here instead of results/.
    #[arg(long, value_name = "FOLDER")]
    results: Option<PathBuf>,
}

/// A kind of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Unbiasedness by enumeration.
    Exactness,
    /// Ranks and coverage.
    Calibration,
    /// Samplers and couplings against closed forms and quadrature.
    Kernels,
    /// Planted faults, each caught by a test.
    Planted,
    /// `cargo mutants` on a fixed sample.
    Mutants,
    /// Kills, full disks, damaged files.
    Faults,
    /// Rubbish in every parser.
    Hostile,
    /// Dependencies, licences, unsafe code.
    Supply,
    /// Same bytes everywhere.
    Determinism,
}

impl Kind {
    const ALL: [Kind; 9] = [
        Kind::Exactness,
        Kind::Calibration,
        Kind::Kernels,
        Kind::Planted,
        Kind::Mutants,
        Kind::Faults,
        Kind::Hostile,
        Kind::Supply,
        Kind::Determinism,
    ];

    /// The name of its file.
    fn name(self) -> &'static str {
        match self {
            Kind::Exactness => "exactness",
            Kind::Calibration => "calibration",
            Kind::Kernels => "kernels",
            Kind::Planted => "planted",
            Kind::Mutants => "mutants",
            Kind::Faults => "faults",
            Kind::Hostile => "hostile",
            Kind::Supply => "supply",
            Kind::Determinism => "determinism",
        }
    }

    fn gather(self, bench: &Bench) -> anyhow::Result<Evidence> {
        match self {
            Kind::Exactness => exactness::gather(bench),
            Kind::Calibration => calibration::gather(bench),
            Kind::Kernels => kernels::gather(bench),
            Kind::Planted => planted::gather(bench),
            Kind::Mutants => mutants::gather(bench),
            Kind::Faults => faults::gather(bench),
            Kind::Hostile => hostile::gather(bench),
            Kind::Supply => supply::gather(bench),
            Kind::Determinism => determinism::gather(bench),
        }
    }
}

/// What every kind of evidence is gathered with.
pub struct Bench {
    /// How much is run.
    pub scale: Scale,
    /// A folder for what is thrown away.
    pub scratch: PathBuf,
    tests: OnceCell<Tests>,
}

impl Bench {
    /// The tests of the tree, built when they are first needed.
    fn tests(&self) -> anyhow::Result<&Tests> {
        if let Some(tests) = self.tests.get() {
            return Ok(tests);
        }
        self.say("building the tests");
        let built = Tests::build(&root(), &root().join("target"), &[])?;
        Ok(self.tests.get_or_init(|| built))
    }

    fn full(&self) -> bool {
        self.scale == Scale::Full
    }

    /// Says what is being done.
    fn say(&self, what: &str) {
        eprintln!("  {what}");
    }
}

/// Gathers, keeps and shows.
pub fn run(arguments: &Trust) -> anyhow::Result<Exit> {
    let scale = Scale::from(arguments.scale);
    let scratch = root().join("target").join("trust");
    fs::create_dir_all(&scratch)?;
    // At the smoke scale nothing is kept that a reader could take for the evidence.
    let results = match (&arguments.results, scale) {
        (Some(named), _) => named.clone(),
        (None, Scale::Full) => workspace::results(None),
        (None, Scale::Smoke) => scratch.clone(),
    };
    let folder = results.join(scale.name()).join("trust");
    let bench = Bench { scale, scratch, tests: OnceCell::new() };
    let chosen = |kind: &&Kind| arguments.only.is_empty() || arguments.only.contains(kind);
    let mut exit = Exit::Fine;
    for kind in Kind::ALL.iter().filter(chosen) {
        eprintln!("{}", kind.name());
        let (start, processor) = (Instant::now(), processor_seconds());
        let evidence = kind.gather(&bench)?;
        let seconds = start.elapsed().as_secs_f64();
        let processor = processor_seconds().zip(processor).map(|(after, before)| after - before);
        keep(&folder, *kind, &evidence, [Some(seconds), processor])?;
        println!("{}: {} ({seconds:.0} s)", kind.name(), evidence.answer);
        for failure in &evidence.failures {
            println!("  FAILED: {failure}");
            exit = Exit::Drift;
        }
    }
    page::write(&results, scale)?;
    println!("{}", workspace::shown(&results.join("TRUST.md")));
    Ok(exit)
}

/// Writes what was found, and beside it what took how long where.
fn keep(
    folder: &Path,
    kind: Kind,
    evidence: &Evidence,
    seconds: [Option<f64>; 2],
) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(evidence)? + "\n";
    write_atomically(&folder.join(format!("{}.json", kind.name())), text.as_bytes())?;
    let unknown = || "unknown".to_owned();
    let provenance = json!({
        "commit": output_of("git", &["rev-parse", "HEAD"]).unwrap_or_else(unknown),
        "rustc": output_of("rustc", &["--version"]).unwrap_or_else(unknown),
        "platform": Platform::current(),
        "processors": std::thread::available_parallelism().map_or(0, usize::from),
        "seconds": seconds[0].map(f64::round),
        "processor_seconds": seconds[1].map(f64::round),
    });
    let text = serde_json::to_string_pretty(&provenance)? + "\n";
    let path = folder.join("provenance").join(format!("{}.json", kind.name()));
    Ok(write_atomically(&path, text.as_bytes())?)
}

/// Processor time of this process and of those that it has waited for, where the system tells it.
fn processor_seconds() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    // After the name in parentheses: times of user and system, then those of the children, in hundredths.
    let fields = text.rsplit_once(')')?.1.split_whitespace().skip(11).take(4);
    fields.map(|field| field.parse::<f64>().ok()).sum::<Option<f64>>().map(|ticks| ticks / 100.0)
}
