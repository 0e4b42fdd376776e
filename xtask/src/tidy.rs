//! `cargo xtask tidy`: the rules that no compiler checks.

use crate::exit::Exit;
use crate::links;
use crate::workspace::{output_of, root};
use anyhow::Context;
use clap::Args;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

/// Check the arrows between crates, the house rules of the sources and the links between pages; exit
/// 1 if one is broken.
#[derive(Args)]
pub struct Tidy {}

/// Who may see whom, tests and benches included.
const ARROWS: &[(&str, &[&str])] = &[
    ("debias", &[]),
    ("posterior", &["debias"]),
    ("data", &["debias", "posterior"]),
    ("models", &["debias", "posterior"]),
    ("samplers", &["debias", "posterior"]),
    ("baselines", &["debias", "posterior", "data", "models", "samplers"]),
    ("unbiased-bayes", &["debias", "posterior", "data", "models", "samplers", "baselines"]),
    ("records", &["debias"]),
    ("figures", &["records"]),
    (
        "unbiased",
        &["posterior", "data", "models", "samplers", "unbiased-bayes", "records", "figures"],
    ),
    (
        "experiments",
        &[
            "debias",
            "posterior",
            "data",
            "models",
            "samplers",
            "baselines",
            "unbiased-bayes",
            "records",
        ],
    ),
    ("examples", &["debias", "posterior", "samplers", "baselines", "unbiased-bayes"]),
    ("xtask", &["debias", "posterior", "data", "records", "figures", "experiments"]),
];

/// What no source may say, and why. Written in pieces, so that this file does not say it.
const WORDS: &[(&str, &str, &str)] = &[
    ("TO", "DO", "open an issue instead"),
    ("FIX", "ME", "open an issue instead"),
    ("todo", "!(", "finish it"),
    ("unimplemented", "!(", "finish it"),
    ("#[ign", "ore", "a test that does not run is none"),
    ("thread", "_rng", "randomness comes from a Seed"),
    ("rand::", "rng(", "randomness comes from a Seed"),
    ("Instant::", "now", "libraries do not read the clock"),
    ("print", "ln!", "libraries do not print"),
];

/// Lines in which a file may hold one idea.
const LINES: usize = 400;

/// Prints every broken rule.
pub fn run(_: &Tidy) -> anyhow::Result<Exit> {
    let mut broken = Vec::new();
    arrows(&mut broken)?;
    sources(&mut broken)?;
    links::check(&mut broken)?;
    for line in &broken {
        println!("{line}");
    }
    if broken.is_empty() {
        println!("tidy");
        return Ok(Exit::Fine);
    }
    Ok(Exit::Drift)
}

fn arrows(broken: &mut Vec<String>) -> anyhow::Result<()> {
    let metadata =
        output_of("cargo", &["metadata", "--no-deps", "--offline", "--format-version", "1"])
            .context("cargo metadata failed")?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let names = |value: &Value| -> Vec<String> {
        let list = value.as_array().into_iter().flatten();
        list.filter_map(|item| item["name"].as_str().map(str::to_owned)).collect()
    };
    let allowed: BTreeMap<&str, &[&str]> = ARROWS.iter().copied().collect();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = package["name"].as_str().unwrap_or_default();
        let Some(may_see) = allowed.get(name) else {
            broken.push(format!("crate {name} has no place in the arrows of ARCHITECTURE.md"));
            continue;
        };
        for seen in names(&package["dependencies"]) {
            if allowed.contains_key(seen.as_str()) && !may_see.contains(&seen.as_str()) {
                broken.push(format!("crate {name} must not see {seen}"));
            }
        }
    }
    Ok(())
}

fn sources(broken: &mut Vec<String>) -> anyhow::Result<()> {
    let files = output_of("git", &["ls-files", "*.rs"]).context("git ls-files failed")?;
    for file in files.lines() {
        let Ok(text) = fs::read_to_string(root().join(file)) else { continue };
        let count = text.lines().count();
        if count > LINES {
            broken.push(format!("{file}: {count} lines; what is the second idea?"));
        }
        if !text.starts_with("//!") {
            broken.push(format!("{file}:1: a file opens with what it computes"));
        }
        // What runs on the command line may speak and tell the time.
        let speaks =
            ["xtask/", "crates/unbiased/", "build.rs", "/benches/", "/tests/", "examples/"]
                .iter()
                .any(|part| file.contains(part));
        for (number, line) in text.lines().enumerate() {
            for (first, second, why) in WORDS {
                let word = format!("{first}{second}");
                // An example in the documentation speaks for its reader.
                let speaks = speaks || line.trim_start().starts_with("//");
                let exempt = speaks && why.starts_with("libraries");
                if line.contains(&word) && !exempt {
                    broken.push(format!("{file}:{}: {word}: {why}", number + 1));
                }
            }
        }
    }
    Ok(())
}
