//! The origin of a record: stored with it and never compared.

use crate::Table;
use std::collections::BTreeMap;

/// The commit, compiler, machine and time behind a record.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Provenance {
    /// The commit, or "unknown" outside a repository.
    pub commit: String,
    /// Whether files differed from that commit.
    pub dirty: bool,
    /// Digest of the sources that make numbers.
    pub code: String,
    /// The compiler.
    pub rustc: String,
    /// The platform.
    pub platform: Platform,
    /// Threads used.
    pub threads: usize,
    /// Seconds of wall time, chunks from an earlier run not counted.
    pub seconds: f64,
    /// Seconds of wall time of each step, all runs that worked on it together.
    #[serde(default)]
    pub steps: BTreeMap<String, f64>,
}

impl Provenance {
    /// Seconds that all runs together have worked, as far as steps were timed.
    pub fn worked(&self) -> f64 {
        self.steps.values().sum::<f64>().max(self.seconds)
    }

    /// The table `seconds`: wall time of each step, and on how many threads.
    pub fn seconds(&self) -> Table {
        Table::new("seconds")
            .with("step", self.steps.keys().cloned().collect::<Vec<_>>())
            .with("seconds", self.steps.values().copied().collect::<Vec<_>>())
            .with("threads", vec![self.threads as i64; self.steps.len()])
    }
}

/// What the last digit of a number depends on.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Platform {
    /// Architecture and operating system.
    pub target: String,
    /// Vector instructions that kernels choose between.
    pub features: Vec<String>,
}

impl Platform {
    /// This one.
    pub fn current() -> Platform {
        let target = format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS);
        Platform { target, features: features() }
    }
}

#[cfg(target_arch = "x86_64")]
fn features() -> Vec<String> {
    let known = [
        ("avx2", is_x86_feature_detected!("avx2")),
        ("fma", is_x86_feature_detected!("fma")),
        ("avx512f", is_x86_feature_detected!("avx512f")),
    ];
    known.iter().filter(|(_, there)| *there).map(|(name, _)| (*name).to_owned()).collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> Vec<String> {
    Vec::new()
}
