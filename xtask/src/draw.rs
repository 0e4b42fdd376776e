//! `cargo xtask figures`.

use crate::exit::{Drifted, Exit};
use crate::workspace;
use clap::Args;
use records::{Record, Scale, read_provenance, read_record, write_atomically};
use std::fs;
use std::path::{Path, PathBuf};

/// Draw all figures again from the stored records.
///
/// A figure depends on its record alone; a figure of seconds also depends on the provenance stored with
/// it. If those files are unchanged, so are the figures.
#[derive(Args)]
pub struct Figures {
    /// Read and write here instead of results/.
    #[arg(long, value_name = "FOLDER")]
    results: Option<PathBuf>,
}

/// Draws the figures of every stored record.
pub fn run(arguments: &Figures) -> anyhow::Result<Exit> {
    let results = workspace::results(arguments.results.as_ref());
    for scale in [Scale::Full, Scale::Smoke] {
        for (folder, record) in stored(&results, scale)? {
            for path in draw_figures(&folder, &record)? {
                println!("{}", workspace::shown(&path));
            }
        }
    }
    Ok(Exit::Fine)
}

/// Draws the figures of a record beside it and returns the files.
pub fn draw_figures(folder: &Path, record: &Record) -> anyhow::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for figure in figures::ALL.iter().filter(|figure| figure.experiment == record.experiment) {
        let picture = if figure.timed {
            let mut record = record.clone();
            record.tables.push(read_provenance(folder)?.seconds());
            figure.draw(&record)?
        } else {
            figure.draw(record)?
        };
        for (ending, bytes) in [("svg", picture.svg.as_bytes()), ("png", &picture.png)] {
            let path = folder.join(format!("{}.{ending}", figure.name));
            write_atomically(&path, bytes).map_err(|error| {
                anyhow::anyhow!("{} cannot be written: {error}", path.display())
            })?;
            paths.push(path);
        }
    }
    Ok(paths)
}

/// The stored records of a scale with their folders, in the order of the paper.
pub fn stored(results: &Path, scale: Scale) -> anyhow::Result<Vec<(PathBuf, Record)>> {
    let mut records = Vec::new();
    for experiment in experiments::ALL {
        let folder = results.join(scale.name()).join(experiment.id());
        if fs::exists(folder.join("record.json"))? {
            let record = read_record(&folder)?;
            // A verdict that was edited, or follows from an older rule, must not reach a page.
            if experiment.claims(&record)? != record.claims {
                let (folder, id) = (workspace::shown(&folder), experiment.id());
                let text = format!(
                    "the claims in {folder} do not follow from their record; `cargo xtask reproduce {id}` makes them again"
                );
                return Err(Drifted(text).into());
            }
            records.push((folder, record));
        }
    }
    Ok(records)
}
