//! Supply chain: what other people's code is in the tree, under which licences, and where ours is unsafe.
//!
//! The rules are those of `deny.toml`, which `cargo deny` reads, too; here they are checked without a
//! network, from `Cargo.lock` and the manifests of the crates that this machine has.

use super::Bench;
use super::evidence::{Evidence, Table, counted};
use super::licence::allowed;
use super::unsafe_blocks;
use crate::workspace::{output_of, root};
use anyhow::Context;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// The part of `deny.toml` that is checked here.
#[derive(Deserialize)]
struct Deny {
    advisories: Advisories,
    licenses: Licences,
    bans: Bans,
}

#[derive(Deserialize)]
struct Advisories {
    ignore: Vec<Ignored>,
}

#[derive(Deserialize)]
struct Ignored {
    id: String,
    reason: String,
}

#[derive(Deserialize)]
struct Licences {
    allow: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Bans {
    deny: Vec<Named>,
    skip: Vec<Named>,
    skip_tree: Vec<Named>,
}

#[derive(Deserialize)]
struct Named {
    #[serde(rename = "crate")]
    name: String,
    reason: String,
}

/// `Cargo.lock`.
#[derive(Deserialize)]
pub(super) struct Lock {
    package: Vec<Locked>,
}

/// A package of `Cargo.lock`.
#[derive(Deserialize)]
pub(super) struct Locked {
    pub(super) name: String,
    version: String,
    source: Option<String>,
    checksum: Option<String>,
    #[serde(default)]
    dependencies: Vec<String>,
}

impl Lock {
    pub(super) fn read() -> anyhow::Result<Lock> {
        let text = fs::read_to_string(root().join("Cargo.lock"))?;
        toml::from_str(&text).context("Cargo.lock cannot be read")
    }

    /// Packages that are not ours.
    pub(super) fn foreign(&self) -> impl Iterator<Item = &Locked> {
        self.package.iter().filter(|one| one.source.is_some())
    }
}

/// Crates that are no longer maintained, with the advisory that says so.
const UNMAINTAINED: &[(&str, &str)] = &[
    ("paste", "RUSTSEC-2024-0436"),
    ("instant", "RUSTSEC-2024-0384"),
    ("proc-macro-error", "RUSTSEC-2024-0370"),
    ("atty", "RUSTSEC-2024-0375"),
    ("number_prefix", "RUSTSEC-2025-0119"),
    ("bincode", "RUSTSEC-2025-0141"),
    ("fxhash", "RUSTSEC-2025-0057"),
    ("serde_yaml", "RUSTSEC-2024-0320"),
];

/// Checks every rule and lists what there is.
pub fn gather(bench: &Bench) -> anyhow::Result<Evidence> {
    bench.say("dependencies and unsafe blocks");
    let deny: Deny = toml::from_str(&fs::read_to_string(root().join("deny.toml"))?)
        .context("deny.toml cannot be read")?;
    let lock = Lock::read()?;
    let mut evidence = Evidence::about("Whose code runs, and under which licences?");
    let licences = licences()?;
    let theirs: Vec<&Locked> = lock.foreign().collect();
    for one in &theirs {
        let registry = one.source.as_deref().is_some_and(|source| source.starts_with("registry+"));
        if !registry || one.checksum.is_none() {
            evidence.failures.push(format!("{} {} has no checksum", one.name, one.version));
        }
    }
    check_licences(&mut evidence, &deny, &licences);
    check_bans(&mut evidence, &deny, &lock);
    unmaintained(&mut evidence, &deny, &theirs);
    let unsafe_blocks = unsafe_blocks::count(&mut evidence)?;
    let mut all = Table::new(
        "Every package of Cargo.lock that is not ours",
        &["package", "version", "licence"],
    );
    for one in &theirs {
        let licence = licences.get(&(one.name.clone(), one.version.clone()));
        let licence = licence.map_or("of another platform, or behind a feature", String::as_str);
        all.push([one.name.clone(), one.version.clone(), licence.to_owned()]);
    }
    evidence.tables.push(all);
    evidence.answer = format!(
        "{} pinned by checksum, {} of them built here under allowed licences; {} unmaintained; {}, each with \
         its reason",
        counted(theirs.len(), "package"),
        licences.len(),
        UNMAINTAINED.iter().filter(|(name, _)| theirs.iter().any(|one| one.name == *name)).count(),
        counted(unsafe_blocks, "unsafe block"),
    );
    evidence.notes.push(
        "`cargo deny check` reads the same `deny.toml` where it is installed; advisories need its network."
            .to_owned(),
    );
    Ok(evidence)
}

/// The licences of the packages that are built on this platform.
fn licences() -> anyhow::Result<BTreeMap<(String, String), String>> {
    let about = output_of("rustc", &["-vV"]).context("rustc cannot be run")?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
    let arguments = ["metadata", "--offline", "--locked", "--format-version", "1"];
    let metadata = output_of("cargo", &[&arguments[..], &["--filter-platform", host]].concat())
        .context("cargo metadata failed")?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let packages = metadata["packages"].as_array().into_iter().flatten();
    Ok(packages
        .filter(|one| !one["source"].is_null())
        .map(|one| ((text(&one["name"]), text(&one["version"])), text(&one["license"])))
        .collect())
}

fn check_licences(
    evidence: &mut Evidence,
    deny: &Deny,
    licences: &BTreeMap<(String, String), String>,
) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for ((name, version), licence) in licences {
        *counts.entry(licence).or_default() += 1;
        if !allowed(licence, &deny.licenses.allow) {
            evidence.failures.push(format!("{name} {version} is under `{licence}`"));
        }
    }
    let mut table =
        Table::new("Licences of the packages that are built here", &["licence", "packages"]);
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|&(licence, count)| (std::cmp::Reverse(count), licence));
    counts
        .iter()
        .for_each(|(licence, count)| table.push([(*licence).to_owned(), count.to_string()]));
    evidence.tables.push(table);
}

fn check_bans(evidence: &mut Evidence, deny: &Deny, lock: &Lock) {
    for banned in &deny.bans.deny {
        if lock.package.iter().any(|one| one.name == banned.name) {
            evidence.failures.push(format!("{} is banned: {}", banned.name, banned.reason));
        }
    }
    let mut below: BTreeSet<&str> =
        deny.bans.skip_tree.iter().map(|one| one.name.as_str()).collect();
    loop {
        let inside = lock.package.iter().filter(|one| below.contains(one.name.as_str()));
        let needed = inside.flat_map(|one| &one.dependencies);
        let more: BTreeSet<&str> = needed.filter_map(|name| name.split(' ').next()).collect();
        if more.is_subset(&below) {
            break;
        }
        below.extend(more);
    }
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    lock.package.iter().for_each(|one| versions.entry(&one.name).or_default().push(&one.version));
    versions.retain(|name, all| all.len() > 1 && !below.contains(name));
    let mut table =
        Table::new("Packages in more than one version", &["package", "versions", "why"]);
    for (name, all) in &versions {
        match deny.bans.skip.iter().find(|skipped| skipped.name == *name) {
            Some(skipped) => {
                table.push([(*name).to_owned(), all.join(", "), skipped.reason.clone()]);
            }
            None => evidence.failures.push(format!("{name} is there as {}", all.join(" and "))),
        }
    }
    for skipped in &deny.bans.skip {
        if !versions.contains_key(skipped.name.as_str()) {
            evidence.failures.push(format!("{} need not be skipped any more", skipped.name));
        }
    }
    evidence.tables.push(table);
}

fn unmaintained(evidence: &mut Evidence, deny: &Deny, theirs: &[&Locked]) {
    let mut table = Table::new("Unmaintained packages", &["package", "advisory", "why it is here"]);
    for (name, id) in UNMAINTAINED {
        if theirs.iter().all(|one| one.name != *name) {
            continue;
        }
        match deny.advisories.ignore.iter().find(|ignored| ignored.id == *id) {
            Some(known) => {
                table.push([(*name).to_owned(), (*id).to_owned(), known.reason.clone()]);
            }
            None => evidence.failures.push(format!("{name} is unmaintained ({id})")),
        }
    }
    evidence.tables.push(table);
}
