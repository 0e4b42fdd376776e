//! Raw replicates as a table.

use crate::Table;
use debias::Replicates;

/// Every replicate with its depth and cost.
pub fn replicate_table(name: &str, run: &Replicates, functionals: &[&str]) -> Table {
    let integers = |values: &mut dyn Iterator<Item = u64>| {
        values.map(|value| value as i64).collect::<Vec<_>>()
    };
    let mut table = Table::new(name)
        .with("replicate", integers(&mut (1..=run.count() as u64)))
        .with("depth", integers(&mut run.depths().iter().map(|&depth| u64::from(depth))));
    for (entry, functional) in functionals.iter().enumerate() {
        table = table.with(functional, run.functional(entry));
    }
    let costs = run.costs();
    table
        .with("evaluations", integers(&mut costs.iter().map(|cost| cost.evaluations())))
        .with("distinct_rows", integers(&mut costs.iter().map(|cost| cost.distinct_rows)))
}
