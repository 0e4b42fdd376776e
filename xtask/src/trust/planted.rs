//! Mutation kills: faults planted one at a time, each of which must turn a named test red.
//!
//! The sources stay as they are. A copy of the tree under `target/` gets every fault of `planted.toml` behind
//! a switch,
//!
//! ```text
//! right   becomes   (if crate::planted_fault("id") { wrong } else { right })
//! ```
//!
//! and is built once. Each test is then run twice: without a fault, when it must pass, and with its own,
//! when it must fail. A fault whose right text is no longer in its file, once, is a failure.

use super::evidence::{Evidence, Table, counted};
use super::named_tests::{Outcome, Tests};
use super::{Bench, borrowed};
use crate::workspace::{output_of, root};
use anyhow::Context;
use records::Scale;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The variable that switches a fault on.
const SWITCH: &str = "PLANTED_FAULT";

/// What the switch of a crate reads.
const READER: &str = r#"
/// Whether this fault is switched on.
#[doc(hidden)]
pub fn planted_fault(id: &str) -> bool {
    static CHOSEN: std::sync::OnceLock<Option<String>> = std::sync::OnceLock::new();
    CHOSEN.get_or_init(|| std::env::var("PLANTED_FAULT").ok()).as_deref() == Some(id)
}
"#;

/// A fault and the test that sees it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// A name of its own.
    id: String,
    /// What is wrong, in words.
    what: String,
    /// The source it is planted in.
    file: String,
    /// The text there, which occurs once.
    right: String,
    /// What takes its place.
    wrong: String,
    /// The test that must fail.
    test: String,
    /// Whether it is in the sample of the smoke scale.
    #[serde(default)]
    smoke: bool,
}

#[derive(Deserialize)]
struct Faults {
    fault: Vec<Fault>,
}

/// All faults of the list.
pub fn faults() -> anyhow::Result<Vec<Fault>> {
    let list = root().join("xtask/src/trust/planted.toml");
    let faults: Faults = toml::from_str(&fs::read_to_string(list)?)?;
    let mut seen = BTreeSet::new();
    for fault in &faults.fault {
        anyhow::ensure!(seen.insert(&fault.id), "two faults are called {}", fault.id);
    }
    Ok(faults.fault)
}

/// Why a fault cannot be planted, if it cannot.
fn misplaced(fault: &Fault) -> Option<String> {
    let Fault { id, right, file, .. } = fault;
    let Ok(text) = fs::read_to_string(root().join(file)) else {
        return Some(format!("{id}: {file} cannot be read"));
    };
    let count = text.matches(right).count();
    (count != 1).then(|| {
        format!(
            "{id}: `{right}` is there {count} times in {file}; xtask/src/trust/planted.toml must follow the source"
        )
    })
}

/// A source with its faults behind switches.
fn planted(text: &str, faults: &[&Fault]) -> String {
    faults.iter().fold(text.to_owned(), |text, fault| {
        let Fault { id, right, wrong, .. } = fault;
        let switched =
            format!("if crate::planted_fault(\"{id}\") {{ {wrong} }} else {{ {right} }}");
        // A statement needs braces around it, an expression parentheses.
        let whole = if right.trim_end().ends_with(';') {
            format!("{{ {switched} }}")
        } else {
            format!("({switched})")
        };
        text.replacen(right, &whole, 1)
    })
}

/// Writes the tree with its faults; files that are the same already keep their time, so that nothing is
/// built twice.
pub fn plant(folder: &Path, faults: &[Fault]) -> anyhow::Result<()> {
    let mut by_file: BTreeMap<&str, Vec<&Fault>> = BTreeMap::new();
    faults.iter().for_each(|fault| by_file.entry(&fault.file).or_default().push(fault));
    let mut crates = BTreeSet::new();
    for file in by_file.keys() {
        let inside = file.split_once("/src/").context("a fault is planted in a source")?.0;
        let bin = root().join(inside).join("src/main.rs").exists();
        crates.insert(format!("{inside}/src/{}.rs", if bin { "main" } else { "lib" }));
    }
    let listed = output_of("git", &["ls-files", "--cached", "--others", "--exclude-standard"])
        .context("git ls-files failed")?;
    let wanted = |file: &&str| !file.starts_with("results/") && root().join(file).is_file();
    for file in listed.lines().filter(wanted) {
        let mut bytes = fs::read(root().join(file))?;
        let own = by_file.get(file);
        if own.is_some() || crates.contains(file) {
            let mut text = String::from_utf8(bytes)?;
            if let Some(faults) = own {
                text = planted(&text, faults);
            }
            if crates.contains(file) {
                text += READER;
            }
            bytes = text.into_bytes();
        }
        let to = folder.join(file);
        if fs::read(&to).is_ok_and(|before| before == bytes) {
            continue;
        }
        fs::create_dir_all(to.parent().unwrap_or(folder))?;
        fs::write(to, bytes)?;
    }
    Ok(())
}

/// The targets that hold these tests, for cargo.
fn selection(faults: &[Fault]) -> Vec<String> {
    let targets: BTreeSet<&str> =
        faults.iter().filter_map(|fault| fault.test.split('/').nth(1)).collect();
    let flag = |target: &str| match target {
        "lib" => vec!["--lib".to_owned()],
        "bin" => vec!["--bins".to_owned()],
        test => vec!["--test".to_owned(), test.to_owned()],
    };
    targets.into_iter().flat_map(flag).collect()
}

/// Plants every fault of the scale and runs its test.
pub fn gather(bench: &Bench) -> anyhow::Result<Evidence> {
    let all = faults()?;
    let wanted = all.iter().filter(|fault| bench.scale == Scale::Full || fault.smoke);
    let (chosen, lost): (Vec<Fault>, Vec<Fault>) =
        wanted.cloned().partition(|fault| misplaced(fault).is_none());
    let folder = bench.scratch.join("planted");
    plant(&folder, &chosen)?;
    let target = bench.scratch.join("build");
    borrowed::borrow(&target)?;
    bench.say("building the copy with its faults");
    let tests = Tests::build(&folder, &target, &selection(&chosen))?;
    let mut evidence = Evidence::about("Would the tests notice a fault in the method?");
    evidence.failures.extend(lost.iter().filter_map(misplaced));
    let mut table = Table::new(
        "Faults planted one at a time, and the tests that must fail with them and pass without",
        &["planted fault", "in", "test", "outcome"],
    );
    let mut sound: BTreeSet<&str> = BTreeSet::new();
    let mut caught = 0;
    for fault in &chosen {
        bench.say(&format!("planted fault {}", fault.id));
        if sound.insert(&fault.test)
            && let Outcome::Red(why) = tests.run(&fault.test, &[])?
        {
            evidence.failures.push(format!("{} fails without any fault: {why}", fault.test));
        }
        let red = matches!(tests.run(&fault.test, &[(SWITCH, &fault.id)])?, Outcome::Red(_));
        if red {
            caught += 1;
        } else {
            evidence.failures.push(format!("{} is not seen by {}", fault.id, fault.test));
        }
        table.push([
            fault.what.clone(),
            format!("`{}`", fault.file),
            format!("`{}`", fault.test),
            if red { "caught" } else { "**missed**" }.to_owned(),
        ]);
    }
    evidence.answer = format!(
        "{caught} of {} caught by their tests{}",
        counted(chosen.len(), "planted fault"),
        if chosen.len() < all.len() {
            format!(" (a sample of {})", all.len())
        } else {
            String::new()
        }
    );
    evidence.tables.push(table);
    Ok(evidence)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The list follows the sources, and is long enough to mean something.
    #[test]
    fn every_fault_has_its_place() {
        let faults = faults().unwrap();
        assert!(faults.len() >= 40, "{}", faults.len());
        assert!(faults.iter().filter(|fault| fault.smoke).count() >= 10);
        assert!(faults.iter().all(|fault| fault.right != fault.wrong));
        assert_eq!(faults.iter().filter_map(misplaced).collect::<Vec<_>>(), Vec::<String>::new());
    }

    #[test]
    fn expressions_and_statements_are_switched() {
        let fault = |right: &str, wrong: &str| Fault {
            id: "f".to_owned(),
            what: String::new(),
            file: String::new(),
            right: right.to_owned(),
            wrong: wrong.to_owned(),
            test: String::new(),
            smoke: false,
        };
        let expression = planted("let a = b + c;", &[&fault("b + c", "b - c")]);
        assert_eq!(
            expression,
            "let a = (if crate::planted_fault(\"f\") { b - c } else { b + c });"
        );
        let statement = planted("a += b;", &[&fault("a += b;", "a -= b;")]);
        assert_eq!(statement, "{ if crate::planted_fault(\"f\") { a -= b; } else { a += b; } }");
    }
}
