//! Averaged level estimates of batches of one size.

use crate::Work;
use crate::problems::truth::Truth;
use baselines::ConstantBatch;
use debias::Replicates;
use posterior::{LevelEstimate, Model, Rows};
use records::Table;

/// The name in tables, quantities and checkpoints.
pub const NAME: &str = "constant-batch";

/// Level estimates of batches of each size: for every size, the replicates of its step `batch-n`.
pub fn growing<R, M, E>(
    work: &Work<'_>,
    prefix: &str,
    (rows, model, level): (&R, &M, &E),
    sizes: &[usize],
    trials: usize,
) -> anyhow::Result<Vec<Replicates>>
where
    R: Rows,
    M: Model<Block = R::Block>,
    E: LevelEstimate<M>,
{
    let run = |&batch: &usize| {
        let estimator = ConstantBatch::new(rows, model, level, batch)?;
        work.replicate(&format!("{prefix}batch-{batch}"), &estimator, trials)
    };
    sizes.iter().map(run).collect()
}

/// The table `convergence` of such trials: size and trial, then named columns.
pub fn convergence(
    name: &str,
    sizes: &[usize],
    trials: usize,
    columns: Vec<(&str, Vec<f64>)>,
) -> Table {
    let each = sizes.iter().flat_map(|&size| vec![size as i64; trials]);
    let numbers = sizes.iter().flat_map(|_| 1..=trials as i64);
    let table = Table::new(name)
        .with("rows", each.collect::<Vec<_>>())
        .with("trial", numbers.collect::<Vec<_>>());
    columns.into_iter().fold(table, |table, (name, column)| table.with(name, column))
}

/// Level estimates on batches of growing size: the first weight, and the error of all.
pub fn weights_converge<R, M, E>(
    work: &Work<'_>,
    truth: &Truth,
    parts: (&R, &M, &E),
    sizes: &[usize],
    trials: usize,
) -> anyhow::Result<Table>
where
    R: Rows,
    M: Model<Block = R::Block>,
    E: LevelEstimate<M>,
{
    let runs = growing(work, "", parts, sizes, trials)?;
    let first = runs.iter().flat_map(|run| run.functional(0)).collect();
    let error =
        |run: &Replicates| (0..trials).map(|t| truth.error(run.value(t))).collect::<Vec<_>>();
    let errors = runs.iter().flat_map(error).collect();
    Ok(convergence("convergence", sizes, trials, vec![("weight", first), ("error", errors)]))
}
