//! `cargo xtask tidy`: the rules that no compiler checks.

use crate::exit::Exit;
use crate::workspace::{output_of, root};
use crate::{links, rules};
use anyhow::Context;
use clap::Args;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Check the arrows between crates, the house rules of the sources, the links between pages and the table of
/// dated rules; exit 1 if one is broken.
#[derive(Args)]
pub struct Tidy {}

/// Each crate and the crates it may depend on, for tests and benches too.
const ARROWS: &[(&str, &[&str])] = &[
    ("debias", &[]),
    ("posterior", &["debias"]),
    ("data", &["debias", "posterior"]),
    ("models", &["debias", "posterior"]),
    ("samplers", &["debias", "posterior"]),
    ("anchored", &["debias", "posterior", "data", "models", "samplers"]),
    ("baselines", &["debias", "posterior", "data", "models", "samplers"]),
    (
        "unbiased-bayes",
        &["debias", "posterior", "data", "models", "samplers", "anchored", "baselines"],
    ),
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
            "anchored",
            "baselines",
            "unbiased-bayes",
            "records",
        ],
    ),
    ("examples", &["debias", "posterior", "samplers", "baselines", "unbiased-bayes"]),
    ("xtask", &["debias", "posterior", "data", "records", "figures", "experiments"]),
];

/// Words that no source may contain, and why; split in two so that this file does not contain them.
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

/// The most lines of a source file.
const LINES: usize = 400;

/// Prints every broken rule.
pub fn run(_: &Tidy) -> anyhow::Result<Exit> {
    let mut broken = Vec::new();
    arrows(&mut broken)?;
    sources(&mut broken)?;
    links::check(&mut broken)?;
    rules::check(&mut broken)?;
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
    // A crate is known by its folder; its package has a longer name.
    let folder = |path: &Value| -> Option<String> {
        Some(Path::new(path.as_str()?).file_name()?.to_str()?.to_owned())
    };
    let allowed: BTreeMap<&str, &[&str]> = ARROWS.iter().copied().collect();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let manifest = package["manifest_path"].as_str().map(Path::new);
        let name = manifest.and_then(Path::parent).and_then(Path::file_name);
        let name = name.and_then(|name| name.to_str()).unwrap_or_default();
        let Some(may_see) = allowed.get(name) else {
            broken.push(format!("crate {name} has no place in the arrows of ARCHITECTURE.md"));
            continue;
        };
        let dependencies = package["dependencies"].as_array().into_iter().flatten();
        for seen in dependencies.filter_map(|dependency| folder(&dependency["path"])) {
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
        // Commands, tests and benches may print and read the clock.
        let command = [
            "xtask/",
            "crates/unbiased/",
            "crates/python/",
            "build.rs",
            "/benches/",
            "/tests/",
            "examples/",
        ]
        .iter()
        .any(|part| file.contains(part));
        for (number, line) in text.lines().enumerate() {
            if escapes(file, line) {
                broken.push(format!("{file}:{}: includes a file outside its package", number + 1));
            }
            for (first, second, why) in WORDS {
                let word = format!("{first}{second}");
                // So may an example in the documentation.
                let command = command || line.trim_start().starts_with("//");
                let exempt = command && why.starts_with("libraries");
                if line.contains(&word) && !exempt {
                    broken.push(format!("{file}:{}: {word}: {why}", number + 1));
                }
            }
        }
    }
    Ok(())
}

/// Whether a line of a library includes a file outside the package, which a registry would not have.
fn escapes(file: &str, line: &str) -> bool {
    let Some(inside) = file.strip_prefix("crates/").and_then(|file| file.split_once("/src/"))
    else {
        return false;
    };
    let depth = 1 + inside.1.matches('/').count();
    let included = line.split_once("include_").map_or("", |(_, rest)| rest);
    included.matches("../").count() > depth
}

#[cfg(test)]
mod tests {
    use super::escapes;

    #[test]
    fn a_package_holds_what_it_includes() {
        let line = |ups: usize| format!("include_bytes!(\"{}data\")", "../".repeat(ups));
        assert!(!escapes("crates/data/src/embedded.rs", &line(1)));
        assert!(escapes("crates/data/src/embedded.rs", &line(3)));
        assert!(!escapes("crates/data/src/readers/open.rs", &line(2)));
        assert!(!escapes("examples/lib.rs", &line(1)));
    }
}
