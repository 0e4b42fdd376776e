//! What the problems of `anchored-path` have found so far.

use super::problem::Problem;
use debias::{Replicates, Summary};
use records::{Quantity, Table};

/// Rows of one table, each of some problem.
pub struct Rows<const WIDTH: usize> {
    names: Vec<String>,
    values: Vec<[f64; WIDTH]>,
}

/// Everything but settings and data.
pub struct Report {
    pub quantities: Vec<Quantity>,
    pub notes: Vec<String>,
    pub tables: Vec<Table>,
    /// rows, level error and its interval, increment and its interval, least effective share.
    pub levels: Rows<8>,
    /// rows, error of a plain partial posterior.
    pub plain: Rows<2>,
    /// sds off, error, its interval, effective share at the last level.
    pub anchors: Rows<5>,
    methods: Vec<String>,
    errors: Rows<2>,
}

impl<const WIDTH: usize> Rows<WIDTH> {
    pub fn new() -> Rows<WIDTH> {
        Rows { names: Vec::new(), values: Vec::new() }
    }

    pub fn push(&mut self, problem: &str, values: [f64; WIDTH]) {
        self.names.push(problem.to_owned());
        self.values.push(values);
    }

    fn table(&self, name: &str, columns: [&str; WIDTH]) -> Table {
        let mut table = Table::new(name).with("problem", self.names.clone());
        for (place, column) in columns.iter().enumerate() {
            let values: Vec<f64> = self.values.iter().map(|row| row[place]).collect();
            table = table.with(column, values);
        }
        table
    }
}

impl Report {
    pub fn new() -> Report {
        Report {
            quantities: Vec::new(),
            notes: Vec::new(),
            tables: Vec::new(),
            levels: Rows::new(),
            plain: Rows::new(),
            anchors: Rows::new(),
            methods: Vec::new(),
            errors: Rows::new(),
        }
    }

    /// The error of a method after so many evaluations.
    pub fn error(&mut self, problem: &str, method: &str, evaluations: f64, error: f64) {
        self.methods.push(method.to_owned());
        self.errors.push(problem, [evaluations, error]);
    }

    /// The errors of the running means of replicates.
    pub fn running(
        &mut self,
        problem: &Problem<'_>,
        method: &str,
        run: &Replicates,
        setup: f64,
    ) -> anyhow::Result<()> {
        self.curve(problem.name, &problem.truth.running(&[(method, run, setup)]))
    }

    /// The errors in a table of another record, or of ours.
    pub fn curve(&mut self, problem: &str, table: &Table) -> anyhow::Result<()> {
        let (spent, errors) = (table.numbers("evaluations")?, table.numbers("error")?);
        for (row, method) in table.words("method")?.iter().enumerate() {
            self.error(problem, method, spent[row], errors[row]);
        }
        Ok(())
    }

    /// The true means and those found.
    pub fn weights(&mut self, problem: &Problem<'_>, found: &[Summary]) {
        let column = |value: fn(&Summary) -> f64| found.iter().map(value).collect::<Vec<_>>();
        let table = Table::new(&format!("{}-weights", problem.name))
            .with("mean", problem.truth.means.clone())
            .with("sd", problem.truth.sds.clone())
            .with("anchored", column(|summary| summary.mean))
            .with("anchored error", column(|summary| summary.standard_error));
        self.tables.push(table);
    }

    /// All tables.
    pub fn into_tables(self) -> Vec<Table> {
        let Report { mut tables, levels, plain, anchors, methods, errors, .. } = self;
        let columns = [
            "rows",
            "error",
            "error_low",
            "error_high",
            "increment",
            "increment_low",
            "increment_high",
            "effective_share",
        ];
        tables.insert(0, levels.table("levels", columns));
        tables.insert(1, plain.table("plain", ["rows", "error"]));
        let columns = ["sds_off", "error", "error_low", "error_high", "effective_share"];
        tables.insert(2, anchors.table("anchors", columns));
        let errors = errors.table("errors", ["evaluations", "error"]).with("method", methods);
        tables.insert(3, errors);
        tables
    }
}
