//! Types of stored columns: what makes no covariate is refused.

use crate::arguments::DataArguments;
use crate::exit;
use crate::files::Files;
use crate::table::Chosen;
use data::{StoredColumn, StoredKind};

/// Refuses columns of Parquet files whose types make no covariate.
pub fn types(arguments: &DataArguments, files: &Files, chosen: &Chosen) -> anyhow::Result<()> {
    for column in files.stored.iter().flatten() {
        let StoredColumn { name, kind } = column;
        if !chosen.used.contains(name) {
            continue;
        }
        let (file, kind_name) = (&files.shown, kind.name());
        let whole = chosen.covariates.contains(name) || chosen.label.as_ref() == Some(name);
        if kind.is_time() && whole && !arguments.categorical.contains(name) {
            return Err(exit::data(format!(
                "{file}: column \"{name}\" is {kind_name}; {}: hour({name}), weekday({name}), \
                 month({name}), year({name})",
                match arguments.formula {
                    Some(_) => "take a part of it".to_owned(),
                    None => {
                        format!(
                            "leave it out with --drop {name}, or take a part of it in a --formula"
                        )
                    }
                }
            )));
        }
        if let StoredKind::Other(_) = kind {
            return Err(exit::data(format!(
                "{file}: column \"{name}\" is {kind_name}, which is neither a number nor a category; \
                 leave it out with --drop {name}"
            )));
        }
    }
    Ok(())
}
