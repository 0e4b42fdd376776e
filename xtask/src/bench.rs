//! `cargo xtask bench`: criterion's benches, reported as ratios within one run.

use crate::exit::Exit;
use crate::workspace;
use clap::Args;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

/// Run the benchmarks and print each group as ratios to its fastest member.
///
/// Machines are noisy and differ: only ratios within one run are worth comparing.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    cargo xtask bench                    everything\n  \
    cargo xtask bench --package debias   one crate\n  \
    cargo xtask bench engine             benches whose name contains a word")]
pub struct Bench {
    /// Only benches whose name contains this.
    filter: Option<String>,
    /// Only the benches of this crate, by its folder in crates/.
    #[arg(long, short)]
    package: Option<String>,
}

/// Runs criterion and reads what it measured.
pub fn run(arguments: &Bench) -> anyhow::Result<Exit> {
    let started = SystemTime::now();
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.arg("bench").current_dir(workspace::root());
    match &arguments.package {
        Some(package) => cargo.args(["--manifest-path", &format!("crates/{package}/Cargo.toml")]),
        None => cargo.arg("--workspace"),
    };
    cargo.args(["--benches", "--"]);
    cargo.args(&arguments.filter);
    if !cargo.status()?.success() {
        return Ok(Exit::Failed);
    }
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| workspace::root().join("target"), std::path::PathBuf::from);
    let mut groups: BTreeMap<String, Vec<(String, f64)>> = BTreeMap::new();
    measured(&target.join("criterion"), started, &mut groups)?;
    for (group, mut members) in groups {
        members.sort_by(|a, b| a.1.total_cmp(&b.1));
        let fastest = members[0].1;
        println!("\n{group}");
        for (name, nanoseconds) in members {
            println!("  {:>8.2} ×  {nanoseconds:>14.1} ns  {name}", nanoseconds / fastest);
        }
    }
    Ok(Exit::Fine)
}

/// Medians measured since `started`, by group.
fn measured(
    folder: &Path,
    started: SystemTime,
    groups: &mut BTreeMap<String, Vec<(String, f64)>>,
) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let estimates = path.join("new").join("estimates.json");
        let fresh =
            estimates.metadata().and_then(|meta| meta.modified()).is_ok_and(|at| at >= started);
        if fresh {
            let read = |path: &Path| -> anyhow::Result<serde_json::Value> {
                Ok(serde_json::from_slice(&fs::read(path)?)?)
            };
            let identity = read(&path.join("new").join("benchmark.json"))?;
            let median = read(&estimates)?["median"]["point_estimate"].as_f64().unwrap_or(f64::NAN);
            let group = identity["group_id"].as_str().unwrap_or("").to_owned();
            let name = identity["full_id"].as_str().unwrap_or("").to_owned();
            groups.entry(group).or_default().push((name, median));
        } else if path.is_dir() && !path.ends_with("new") && !path.ends_with("base") {
            measured(&path, started, groups)?;
        }
    }
    Ok(())
}
