//! `cargo mutants` on a fixed sample: faults that nobody chose, one at a time, against the tests of a package.
//!
//! It is a tool for development and no dependency; where it is not installed, the page says so. Survivors are
//! listed in `survivors.toml` with the reason why no test can see them; any other is a failure.

use super::evidence::{Evidence, Table};
use super::{Bench, borrowed, planted};
use crate::workspace::{output_of, root};
use anyhow::Context;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

/// Packages, and the fraction of their mutants that is tried: every so-manieth, from the first on.
const SHARDS: [(&str, usize); 5] = [
    ("unbiased-bayes-debias", 100),
    ("unbiased-bayes-posterior", 60),
    ("unbiased-bayes-records", 32),
    ("unbiased-bayes-anchored", 200),
    ("unbiased-bayes", 100),
];
/// The share of a package's sample that must be caught.
const LEAST: f64 = 0.95;

#[derive(Default, Deserialize)]
struct Survivors {
    #[serde(default)]
    survivor: Vec<Survivor>,
}

/// A mutant that no test can see, and why.
#[derive(Deserialize)]
struct Survivor {
    mutant: String,
    reason: String,
}

/// Runs the sample where the tool is installed.
pub fn gather(bench: &Bench) -> anyhow::Result<Evidence> {
    let mut evidence = Evidence::about("Would the tests notice a fault that nobody thought of?");
    let version = output_of("cargo", &["mutants", "--version"]);
    let (Some(version), true) = (version, bench.full()) else {
        evidence.answer = if bench.full() {
            "not run: cargo-mutants is not installed here (`cargo install cargo-mutants`)"
                .to_owned()
        } else {
            "not run at the smoke scale".to_owned()
        };
        return Ok(evidence);
    };
    let list = root().join("xtask/src/trust/survivors.toml");
    let known: Survivors = toml::from_str(&fs::read_to_string(list)?)?;
    let known: BTreeMap<&str, &str> =
        known.survivor.iter().map(|one| (one.mutant.as_str(), one.reason.as_str())).collect();
    let mut table = Table::new(
        "Mutants of a fixed shard, against the tests of their own package",
        &["package", "shard", "tried", "caught", "survived", "did not build"],
    );
    let mut survivors = Table::new("Survivors", &["mutant", "why no test sees it"]);
    let (mut all_caught, mut all_tried) = (0, 0);
    for (package, of) in SHARDS {
        bench.say(&format!("cargo mutants on {package}, shard 0 of {of}"));
        let found = run(bench, package, of)?;
        let tried = found.caught + found.missed.len();
        all_caught += found.caught;
        all_tried += tried;
        let explained = found.missed.iter().filter(|one| known.contains_key(one.as_str())).count();
        if ((found.caught + explained) as f64) < LEAST * tried as f64 {
            evidence.failures.push(format!("{package}: {} of {tried} caught", found.caught));
        }
        table.push([
            package.to_owned(),
            format!("0 of {of}"),
            tried.to_string(),
            found.caught.to_string(),
            found.missed.len().to_string(),
            found.unviable.to_string(),
        ]);
        for mutant in found.missed {
            let why = known.get(mutant.as_str()).copied().unwrap_or("**not looked into**");
            survivors.push([format!("`{mutant}`"), why.to_owned()]);
        }
    }
    evidence.answer = format!("{all_caught} of {all_tried} mutants caught, by {version}");
    evidence.tables.extend([table, survivors]);
    Ok(evidence)
}

struct Found {
    caught: usize,
    missed: Vec<String>,
    unviable: usize,
}

fn run(bench: &Bench, package: &str, of: usize) -> anyhow::Result<Found> {
    let output = bench.scratch.join("mutants");
    // A copy that keeps its target folder: only what a mutant changes is compiled again.
    let (folder, target) = (bench.scratch.join("mutated"), bench.scratch.join("mutated-build"));
    planted::plant(&folder, &[])?;
    borrowed::borrow(&target)?;
    let status = Command::new("cargo")
        .args(["mutants", "--in-place", "--package", package, "--no-times", "--no-shuffle"])
        .args(["--shard", &format!("0/{of}"), "--sharding", "round-robin", "--profile", "release"])
        .arg("--output")
        .arg(&output)
        .env("CARGO_TARGET_DIR", &target)
        .env("CARGO_INCREMENTAL", "1")
        .env("CARGO_NET_OFFLINE", "true")
        .current_dir(&folder)
        .status()?;
    // It exits with 2 where mutants were missed, and with 3 after timeouts.
    anyhow::ensure!(matches!(status.code(), Some(0 | 2 | 3)), "cargo mutants ended with {status}");
    let text = fs::read(output.join("mutants.out/outcomes.json"))?;
    let outcomes: Value = serde_json::from_slice(&text)?;
    let list = outcomes["outcomes"].as_array().context("outcomes.json has outcomes")?;
    let mut found = Found { caught: 0, missed: Vec::new(), unviable: 0 };
    for one in list {
        let Some(name) = one["scenario"]["Mutant"]["name"].as_str() else { continue };
        match one["summary"].as_str() {
            Some("CaughtMutant" | "Timeout") => found.caught += 1,
            Some("MissedMutant") => found.missed.push(name.to_owned()),
            _ => found.unviable += 1,
        }
    }
    Ok(found)
}
