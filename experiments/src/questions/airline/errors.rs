//! Errors of predictions, as they pile up over repetitions.

use records::Table;

/// Errors of running means.
#[derive(Default)]
pub struct Running {
    methods: Vec<String>,
    repetitions: Vec<i64>,
    replicates: Vec<i64>,
    rows: Vec<f64>,
    errors: Vec<f64>,
}

impl Running {
    pub fn push(
        &mut self,
        method: &str,
        repetition: u64,
        replicates: usize,
        rows: f64,
        error: f64,
    ) {
        self.methods.push(method.to_owned());
        self.repetitions.push(repetition as i64 + 1);
        self.replicates.push(replicates as i64);
        self.rows.push(rows);
        self.errors.push(error);
    }

    /// The errors of a method at its end, one a repetition.
    pub fn last(&self, method: &str, replicates: usize) -> Vec<f64> {
        let at = |&index: &usize| {
            self.methods[index] == method && self.replicates[index] == replicates as i64
        };
        (0..self.errors.len()).filter(at).map(|index| self.errors[index]).collect()
    }

    pub fn table(self) -> Table {
        Table::new("running")
            .with("method", self.methods)
            .with("repetition", self.repetitions)
            .with("replicates", self.replicates)
            .with("rows", self.rows)
            .with("rmse", self.errors)
    }
}

/// Errors of one batch.
#[derive(Default)]
pub struct Ladder {
    sizes: Vec<i64>,
    repetitions: Vec<i64>,
    errors: Vec<f64>,
}

impl Ladder {
    pub fn push(&mut self, size: usize, repetition: u64, error: f64) {
        self.sizes.push(size as i64);
        self.repetitions.push(repetition as i64 + 1);
        self.errors.push(error);
    }

    pub fn at(&self, size: usize) -> Vec<f64> {
        let at = |&index: &usize| self.sizes[index] == size as i64;
        (0..self.errors.len()).filter(at).map(|index| self.errors[index]).collect()
    }

    pub fn table(self) -> Table {
        Table::new("convergence")
            .with("rows", self.sizes)
            .with("repetition", self.repetitions)
            .with("rmse", self.errors)
    }
}
