//! What the problems of `anchored-path` have found so far.

use super::case::Case;
use debias::Summary;
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

    /// A number of a problem that is compared loosely.
    pub fn rough(&mut self, problem: &str, what: &str, value: f64) {
        self.quantities.push(Quantity::rough(&format!("{problem}/{what}"), value));
    }

    /// Root mean squares of plain level errors in posterior sds, one for each size.
    pub fn plain(&mut self, problem: &str, rows: &[f64], squares: &[f64]) {
        let mut sizes = rows.to_vec();
        sizes.dedup();
        for size in sizes {
            let at: Vec<f64> =
                (0..rows.len()).filter(|&row| rows[row] == size).map(|row| squares[row]).collect();
            let mean = at.iter().sum::<f64>() / at.len() as f64;
            self.plain.push(problem, [size, mean.sqrt()]);
        }
    }

    /// The same from a table of convergence, whose errors are roots already, below so many rows.
    pub fn plain_below(&mut self, problem: &str, table: &Table, all: f64) -> anyhow::Result<()> {
        let squares: Vec<f64> = table.numbers("error")?.iter().map(|error| error * error).collect();
        let rows = table.numbers("rows")?;
        // All rows leave no error but the chain's own; the plot is about fewer.
        let below = rows.iter().filter(|&&rows| rows < all).count();
        self.plain(problem, &rows[..below], &squares[..below]);
        Ok(())
    }

    /// The errors in a table of another record, or of ours, but for one method.
    pub fn curve(
        &mut self,
        problem: &str,
        table: &Table,
        except: Option<&str>,
    ) -> anyhow::Result<()> {
        let (spent, errors) = (table.numbers("evaluations")?, table.numbers("error")?);
        for (row, method) in table.words("method")?.iter().enumerate() {
            if except != Some(method.as_str()) {
                self.error(problem, method, spent[row], errors[row]);
            }
        }
        Ok(())
    }

    /// The true means and those found.
    pub fn weights(&mut self, problem: &Case<'_>, found: &[Summary]) {
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
