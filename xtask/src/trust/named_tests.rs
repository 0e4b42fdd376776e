//! The tests of the workspace, built once and run by name.
//!
//! A test is named `package/target/path`: `posterior/enumeration/every_form_and_law_is_unbiased`, where the
//! package is the name of its folder and the target `lib`, `bin` or a file in `tests/`. A test may hand
//! numbers to the page by printing lines `evidence | name | number`.

use crate::exit::Usage;
use anyhow::Context;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// After so long a test has failed: the slowest one takes half a minute.
const PATIENCE: Duration = Duration::from_secs(600);
/// How often a running test is looked at.
const GLANCE: Duration = Duration::from_millis(5);

/// Test executables and binaries of a workspace.
pub struct Tests {
    tests: BTreeMap<(String, String), Built>,
    binaries: BTreeMap<String, PathBuf>,
}

struct Built {
    executable: PathBuf,
    folder: PathBuf,
}

/// How a test ended.
#[derive(Debug)]
pub enum Outcome {
    /// It passed, and printed these numbers.
    Held(Vec<(String, String)>),
    /// It failed, and its first complaint.
    Red(String),
}

impl Tests {
    /// Builds the tests of the workspace in `folder` into `target`; `selection` narrows the targets. A copy of the
    /// tree needs a target folder of its own: cargo would take its crates for those of the tree.
    pub fn build(folder: &Path, target: &Path, selection: &[String]) -> anyhow::Result<Tests> {
        let output = Command::new("cargo")
            .args(["test", "--release", "--workspace", "--offline", "--no-run"])
            .args(["--message-format=json-render-diagnostics", "--quiet"])
            .args(selection)
            .env("CARGO_TARGET_DIR", target)
            .current_dir(folder)
            .output()
            .context("cargo cannot be run")?;
        if !output.status.success() {
            eprintln!("{}", String::from_utf8_lossy(&output.stderr));
            anyhow::bail!("the tests in {} do not build", folder.display());
        }
        let mut found = Tests { tests: BTreeMap::new(), binaries: BTreeMap::new() };
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let message: Value = serde_json::from_str(line).context("cargo wrote no JSON")?;
            found.note(&message);
        }
        Ok(found)
    }

    fn note(&mut self, message: &Value) {
        let Some(executable) = message["executable"].as_str().map(PathBuf::from) else { return };
        let folder = message["manifest_path"].as_str().map(Path::new).and_then(Path::parent);
        let Some(folder) = folder.map(Path::to_path_buf) else { return };
        let package = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = message["target"]["name"].as_str().unwrap_or_default().to_owned();
        let kind = message["target"]["kind"][0].as_str().unwrap_or_default();
        if message["profile"]["test"] == true {
            let target = if kind == "test" { name } else { kind.to_owned() };
            self.tests.insert((package, target), Built { executable, folder });
        } else if kind == "bin" {
            self.binaries.insert(name, executable);
        }
    }

    /// A binary that integration tests use.
    pub fn binary(&self, name: &str) -> anyhow::Result<&Path> {
        let found =
            self.binaries.get(name).with_context(|| format!("no binary {name} was built"))?;
        Ok(found)
    }

    /// Runs one test with these variables set.
    pub fn run(&self, test: &str, variables: &[(&str, &str)]) -> anyhow::Result<Outcome> {
        let mut parts = test.splitn(3, '/');
        let (Some(package), Some(target), Some(path)) = (parts.next(), parts.next(), parts.next())
        else {
            return Err(Usage(format!("{test} is not package/target/path")).into());
        };
        let key = (package.to_owned(), target.to_owned());
        let built = self.tests.get(&key).with_context(|| format!("no tests {package}/{target}"))?;
        // Both streams into one file, so that a full pipe never stops a test.
        let said = tempfile::NamedTempFile::new()?;
        let file = File::options().append(true).open(said.path())?;
        let mut child = Command::new(&built.executable)
            .args(["--exact", path, "--nocapture"])
            .current_dir(&built.folder)
            .env("CARGO_MANIFEST_DIR", &built.folder)
            .env_remove("RUST_BACKTRACE")
            .envs(variables.iter().copied())
            .stdout(file.try_clone()?)
            .stderr(file)
            .spawn()?;
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if start.elapsed() > PATIENCE {
                child.kill()?;
                child.wait()?;
                return Ok(Outcome::Red(format!("not over after {} s", PATIENCE.as_secs())));
            }
            std::thread::sleep(GLANCE);
        };
        let text = String::from_utf8_lossy(&fs::read(said.path())?).into_owned();
        if !status.success() {
            return Ok(Outcome::Red(complaint(&text, &status.to_string())));
        }
        // A name that no test has is a test that cannot fail.
        anyhow::ensure!(text.contains("1 passed"), "there is no test {test}");
        Ok(Outcome::Held(numbers(&text)))
    }
}

/// The line after "panicked at", or how the process ended.
fn complaint(text: &str, ending: &str) -> String {
    let mut lines = text.lines().skip_while(|line| !line.contains("panicked at")).skip(1);
    let line = lines.next().unwrap_or(ending).trim();
    line.chars().take(160).collect()
}

/// The lines of evidence.
fn numbers(text: &str) -> Vec<(String, String)> {
    let of = |line: &str| -> Option<(String, String)> {
        let (name, number) = line.split_once("evidence | ")?.1.split_once(" | ")?;
        Some((name.to_owned(), number.trim().to_owned()))
    };
    text.lines().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_complaints_are_found() {
        let text =
            "running 1 test\ntest a ... evidence | worst bias | 2e-16\nevidence | cases | 3\nok\n";
        let pairs = [("worst bias", "2e-16"), ("cases", "3")];
        assert_eq!(numbers(text), pairs.map(|(a, b)| (a.to_owned(), b.to_owned())));
        let red = "thread 'a' panicked at x.rs:1:2:\n  off by 3\nnote: run\n";
        assert_eq!(complaint(red, "exit status: 101"), "off by 3");
        assert_eq!(complaint("", "signal: 9"), "signal: 9");
    }
}
