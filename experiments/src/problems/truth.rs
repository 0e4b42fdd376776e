//! Regression weights beside their true posterior means: errors in posterior standard deviations.

use debias::{Replicates, Summary};
use records::{Quantity, Table};

/// Points along a running error.
const POINTS: f64 = 120.0;

/// The posterior that all methods aim at.
pub struct Truth {
    /// Posterior means.
    pub means: Vec<f64>,
    /// Posterior standard deviations.
    pub sds: Vec<f64>,
    /// Standard errors of the means, where they come from chains; else zeros.
    pub errors: Vec<f64>,
}

impl Truth {
    /// Means that are known without a Monte Carlo error.
    pub fn exact(means: Vec<f64>, sds: Vec<f64>) -> Truth {
        Truth { errors: vec![0.0; means.len()], means, sds }
    }

    /// The standard error of the means in posterior sds, root mean square over the weights.
    pub fn own_error(&self) -> f64 {
        let squares = self.errors.iter().zip(&self.sds).map(|(error, sd)| (error / sd).powi(2));
        (squares.sum::<f64>() / self.sds.len() as f64).sqrt()
    }

    /// Root mean square over the weights of the error in posterior sds.
    pub fn error(&self, means: &[f64]) -> f64 {
        let squares = self.errors(means).map(|error| error * error);
        (squares.sum::<f64>() / means.len() as f64).sqrt()
    }

    /// The largest error in posterior sds.
    pub fn largest(&self, means: &[f64]) -> f64 {
        self.errors(means).map(f64::abs).fold(0.0, f64::max)
    }

    fn errors(&self, means: &[f64]) -> impl Iterator<Item = f64> {
        means.iter().zip(&self.means).zip(&self.sds).map(|((value, mean), sd)| (value - mean) / sd)
    }

    /// A table of weights: the true mean and standard deviation, what else is known of them, and
    /// the mean and standard error of every method.
    pub fn table(&self, known: &[(&str, Vec<f64>)], methods: &[(&str, Vec<Summary>)]) -> Table {
        let mut table = Table::new("weights")
            .with("index", (1..=self.means.len() as i64).collect::<Vec<_>>())
            .with("mean", self.means.clone())
            .with("sd", self.sds.clone());
        for (name, column) in known {
            table = table.with(name, column.clone());
        }
        for (name, summaries) in methods {
            let column =
                |value: fn(&Summary) -> f64| summaries.iter().map(value).collect::<Vec<_>>();
            table = table
                .with(name, column(|summary| summary.mean))
                .with(&format!("{name} error"), column(|summary| summary.standard_error));
        }
        table
    }

    /// What every method's means are worth.
    pub fn quantities(&self, methods: &[(&str, Vec<Summary>)]) -> Vec<Quantity> {
        let mut quantities = Vec::new();
        for (name, summaries) in methods {
            let means: Vec<f64> = summaries.iter().map(|summary| summary.mean).collect();
            let claimed = summaries.iter().zip(&self.sds);
            let claimed = claimed.map(|(summary, sd)| (summary.standard_error / sd).powi(2));
            let claimed = (claimed.sum::<f64>() / means.len() as f64).sqrt();
            // The interval, widened by what is not known of the truth.
            let covers = |j: &usize| {
                let half = summaries[*j].interval.half_width().hypot(1.96 * self.errors[*j]);
                (summaries[*j].mean - self.means[*j]).abs() <= half
            };
            let covered = (0..means.len()).filter(covers);
            for (label, value) in [
                ("rms error in posterior sds", self.error(&means)),
                ("largest error in posterior sds", self.largest(&means)),
                ("standard error in posterior sds", claimed),
                ("weights covered", covered.count() as f64),
            ] {
                quantities.push(Quantity::rough(&format!("{name}/{label}"), value));
            }
        }
        quantities
    }

    /// The error of the running means of every method against what they have cost, set-up included.
    pub fn running(&self, methods: &[(&str, &Replicates, f64)]) -> Table {
        let (mut names, mut spent, mut errors) = (vec![], vec![], vec![]);
        for &(name, run, setup) in methods {
            let count = run.count();
            let growth = (count as f64).powf(1.0 / POINTS);
            let mut sums = vec![0.0; self.means.len()];
            let (mut cost, mut next) = (setup, 1.0);
            for seen in 1..=count {
                let value = run.value(seen - 1);
                sums.iter_mut().zip(value).for_each(|(sum, value)| *sum += value);
                cost += run.costs()[seen - 1].evaluations() as f64;
                if seen as f64 >= next || seen == count {
                    let means: Vec<f64> = sums.iter().map(|sum| sum / seen as f64).collect();
                    names.push(name.to_owned());
                    spent.push(cost);
                    errors.push(self.error(&means));
                    next = seen as f64 * growth;
                }
            }
        }
        Table::new("errors").with("method", names).with("evaluations", spent).with("error", errors)
    }
}

/// The floor of plain partial posteriors that saw this many distinct rows, in posterior sds.
pub fn floor(all: usize, seen: f64) -> f64 {
    (all as f64 / seen - 1.0).max(0.0).sqrt()
}
