//! `cargo xtask claims`.

use crate::exit::Exit;
use crate::report::write_pages;
use crate::workspace;
use clap::Args;
use records::{Claim, Scale, read_record, write_record};
use std::path::{Path, PathBuf};

/// Compute all claims again from the stored records, after a rule has changed.
///
/// A verdict is computed from its record alone, so no experiment is run. Changed verdicts are printed.
#[derive(Args)]
pub struct Claims {
    /// Read and write here instead of results/.
    #[arg(long, value_name = "FOLDER")]
    results: Option<PathBuf>,
}

/// All claims as the stored full-scale records and the rules of today have them, each with its experiment.
pub fn judged(results: &Path) -> anyhow::Result<Vec<(&'static str, Claim)>> {
    let mut all = Vec::new();
    for experiment in experiments::ALL {
        let folder = results.join(Scale::Full.name()).join(experiment.id());
        if folder.join("record.json").is_file() {
            let claims = experiment.claims(&read_record(&folder)?)?;
            all.extend(claims.into_iter().map(|claim| (experiment.id(), claim)));
        }
    }
    Ok(all)
}

/// Computes the claims and writes records and pages.
pub fn run(arguments: &Claims) -> anyhow::Result<Exit> {
    let results = workspace::results(arguments.results.as_ref());
    for scale in [Scale::Full, Scale::Smoke] {
        for experiment in experiments::ALL {
            let folder = results.join(scale.name()).join(experiment.id());
            if !folder.join("record.json").is_file() {
                continue;
            }
            let mut record = read_record(&folder)?;
            let claims = experiment.claims(&record)?;
            for claim in &claims {
                let before = record.claims.iter().find(|known| known.id == claim.id);
                if before != Some(claim) {
                    let was = before.map_or("new", |before| before.verdict.words());
                    let now = claim.verdict.words();
                    println!("{}, {}: {was}, now {now}", scale.name(), claim.id);
                }
            }
            if claims != record.claims {
                record.claims = claims;
                write_record(&folder, &record)?;
            }
        }
    }
    write_pages(&results)?;
    Ok(Exit::Fine)
}
