//! Figure 10: how fast partial posterior expectations converge.
//!
//! ```text
//! d_n = E (φ_n − φ_N)² ≈ c n^{−β}
//! ```
//!
//! For a Gaussian mean, the log-Gaussian spread, a logistic weight and one prediction from random
//! features (and, beside it, the mean over a thousand). β by least squares of ln d_n on ln n over n ≤ N/8, where nearness to the full data
//! does not show yet, with an interval by the grouped jackknife over trials; beside it least
//! squares of d_n itself, as a plotting program fits it, which the first sizes rule; and β from 2048
//! rows on, where the prior has had its say.
//!
//! The trials are those of `log-gaussian`, `logistic-synthetic` and `random-features`; only the
//! Gaussian mean is run here.

use crate::methods::constant_batch::growing;
use crate::problems::log_gaussian;
use crate::slope::{Slope, means};
use crate::{Context, Experiment};
use debias::{Interval, Replicates, Schedule};
use models::gaussian_mean::{GaussianMean, GaussianMeanClosedForm};
use posterior::Rows;
use records::{Claim, DataSource, Quantity, Record, Table, Verdict};
use serde_json::json;

/// The experiment `convergence-rates`.
pub const EXPERIMENT: Experiment = Experiment {
    needs: &["log-gaussian", "logistic-synthetic", "random-features"],
    ..Experiment::new(
        "convergence-rates",
        "Figure 10",
        "How fast do partial posterior expectations approach those given all rows?",
        run,
        claims,
    )
};

/// What "near one" means: as it was first put down, and as it stood after a look at the fits.
const NEAR: [f64; 2] = [0.8, 0.9];
/// Rows from which on the prior counts for little.
const LATE: f64 = 2048.0;

/// Squared distances: for every size, one of each trial.
struct Distances {
    name: &'static str,
    sizes: Vec<f64>,
    squares: Vec<Vec<f64>>,
}

fn run(context: &Context<'_>) -> anyhow::Result<Record> {
    let (rows, trials) = context.scale.pick((1 << 17, 200), (1 << 12, 20));
    let settings = json!({ "rows": rows, "trials": trials, "largest share": 0.125 });
    let (log_gaussian, first) = context.needed("log-gaussian")?;
    let (logistic, second) = context.needed("logistic-synthetic")?;
    let (features, third) = context.needed("random-features")?;
    let target = log_gaussian.value("target")?;
    let weight = logistic.table("weights")?.numbers("mean")?[0];
    let (gaussian, own) = gaussian_mean(context, rows, trials, &settings)?;
    let all = [
        gaussian,
        of_table("log-Gaussian", &log_gaussian, ("convergence", "sigma"), |value| {
            (value - target).powi(2)
        })?,
        of_table("logistic weight", &logistic, ("convergence", "weight"), |value| {
            (value - weight).powi(2)
        })?,
        of_table("prediction", &features, ("paper-convergence", "first_error"), |error| error)?,
    ];
    let many =
        of_table("all predictions", &features, ("paper-convergence", "error"), |error| error)?;
    let mut record = context.record(&EXPERIMENT, &settings);
    record.data = vec![first, second, third];
    record.data.extend(own);
    let (mut names, mut sizes, mut all_means) = (vec![], vec![], vec![]);
    for distances in &all {
        let name = distances.name;
        let Slope { decay, error, groups } = Slope::fit(&distances.sizes, &distances.squares)?;
        let (beta, constant) = (decay.beta, decay.at(1.0));
        let interval = Interval::student(beta, error, groups as f64 - 1.0);
        let distance = means(&distances.squares, None);
        record.quantities.push(Quantity::estimate(&format!("{name}/beta"), beta, error));
        for (label, value) in [
            ("beta, low", interval.low),
            ("beta, high", interval.high),
            ("constant", constant),
            ("beta, linear fit", linear(&distances.sizes, &distance)),
        ] {
            record.quantities.push(Quantity::rough(&format!("{name}/{label}"), value));
        }
        let late = distances.sizes.iter().position(|&size| size >= LATE);
        let late = late.unwrap_or(distances.sizes.len());
        // A line through two sizes says nothing of its error.
        if distances.sizes.len() - late > 2 {
            let fit = Slope::fit(&distances.sizes[late..], &distances.squares[late..])?;
            let label = format!("{name}/beta, from {LATE} rows on");
            record.quantities.push(Quantity::estimate(&label, fit.decay.beta, fit.error));
        }
        names.extend(vec![name.to_owned(); distances.sizes.len()]);
        sizes.extend(distances.sizes.clone());
        all_means.extend(distance);
    }
    let fit = Slope::fit(&many.sizes, &many.squares)?;
    let label = format!("{}/beta", many.name);
    record.quantities.push(Quantity::estimate(&label, fit.decay.beta, fit.error));
    record.tables.push(
        Table::new("distances")
            .with("statistic", names)
            .with("rows", sizes)
            .with("squared_distance", all_means),
    );
    record.notes.push(
        "Sizes above an eighth of the data are left out: there d_n is small because the batch is \
         nearly the data, not because the posterior has converged."
            .to_owned(),
    );
    Ok(record)
}

fn claims(record: &Record) -> anyhow::Result<Vec<Claim>> {
    let names = ["Gaussian mean", "log-Gaussian", "logistic weight", "prediction"];
    let (mut ours, mut later, mut linear) = (Vec::new(), Vec::new(), Vec::new());
    // Every statistic's β over all sizes, and over the later ones where there are enough.
    let mut betas = Vec::new();
    for name in names {
        let value = |label: &str| record.value(&format!("{name}/{label}"));
        let (beta, high) = (value("beta")?, value("beta, high")?);
        ours.push(format!("{name} {beta:.2} ({:.2} to {high:.2})", value("beta, low")?));
        linear.push(format!("{:.2}", value("beta, linear fit")?));
        let late = value(&format!("beta, from {LATE} rows on")).ok();
        later.push(late.map_or(format!("{name} has none"), |late| format!("{name} {late:.2}")));
        betas.push((name, beta, late.unwrap_or(beta)));
    }
    let slow = |near: f64| -> Vec<&str> {
        betas.iter().filter(|(_, beta, _)| *beta < near).map(|(name, ..)| *name).collect()
    };
    let verdict = |near: f64| {
        let late = betas.iter().all(|(_, _, late)| *late >= near);
        Verdict::graded(slow(near).is_empty(), late)
    };
    let formerly = match slow(NEAR[1]).len() {
        0 => Verdict::Reproduced,
        1 => Verdict::ReproducedUnderReading,
        _ => Verdict::NotReproduced,
    };
    let many = record.value("all predictions/beta")?;
    Ok(vec![Claim::printed("rates/beta", "squared distances fall like n^-β with β near one or above", "β ≥ 1")
        .found(ours.join("; "))
        .rule("reproduced if all four fitted β, the fourth that of one prediction, are at least 0.8, the first \
         threshold put down; under the reading that the prior rules small batches, if they are when fitted from 2048 \
         rows on, where there are three sizes; else not")
        .judged(verdict(NEAR[0]), format!(
            "{} From 2048 rows on: {}. With the threshold at 0.9: {}. The mean over a thousand predictions has β = \
             {many:.2}. Least squares of d_n itself gives {} in the same order: the first sizes rule it, and the two \
             fits disagree where the decay is not yet a power.",
            if slow(NEAR[0]).is_empty() {
                "All four slopes are near one or above.".to_owned()
            } else {
                format!("All slopes but those of {} are at least 0.8.", slow(NEAR[0]).join(" and "))
            },
            later.join(", "),
            verdict(NEAR[1]).words(),
            linear.join(", ")
        ))
        .formerly("every β at least 0.9; under a stated reading if all but one are", formerly)])
}

/// The trials of another experiment, up to an eighth of its rows.
fn of_table(
    name: &'static str,
    record: &Record,
    (table, column): (&str, &str),
    square: impl Fn(f64) -> f64,
) -> anyhow::Result<Distances> {
    let all = record.data.first().map_or(f64::NAN, |data| data.rows as f64);
    let table = record.table(table)?;
    let mut distances = Distances { name, sizes: Vec::new(), squares: Vec::new() };
    for (size, value) in table.numbers("rows")?.into_iter().zip(table.numbers(column)?) {
        if size > all / 8.0 {
            continue;
        }
        if distances.sizes.last() != Some(&size) {
            distances.sizes.push(size);
            distances.squares.push(Vec::new());
        }
        if let Some(squares) = distances.squares.last_mut() {
            squares.push(square(value));
        }
    }
    Ok(distances)
}

/// The posterior mean of a Gaussian mean: the logarithms of log-Gaussian rows, their variance known.
fn gaussian_mean(
    context: &Context<'_>,
    rows: usize,
    trials: usize,
    settings: &serde_json::Value,
) -> anyhow::Result<(Distances, Vec<DataSource>)> {
    let (rows, data) = log_gaussian::rows(context.seed.child("rows"), rows);
    // A broad prior on the mean of ln x, whose variance is two.
    let model = GaussianMean::new(&[2.0], &[0.0], &[100.0])?;
    let truth = model.posterior(&rows.range(0..rows.count()))?.mean[0];
    let schedule = Schedule::halving(rows.count(), 8)?;
    let mut sizes = schedule.sizes().to_vec();
    sizes.retain(|&size| size <= rows.count() / 8);
    let parts = (&rows, &model, &GaussianMeanClosedForm);
    let runs = growing(&context.work(settings, &data), "", parts, &sizes, trials)?;
    let square = |value: &f64| (value - truth).powi(2);
    let squares = |run: &Replicates| run.functional(0).iter().map(square).collect();
    let distances = Distances {
        name: "Gaussian mean",
        sizes: sizes.iter().map(|&size| size as f64).collect(),
        squares: runs.iter().map(squares).collect(),
    };
    Ok((distances, data))
}

/// β by least squares of d on c n^{−β}: for each β the best c is known, and β is found by search.
fn linear(sizes: &[f64], distances: &[f64]) -> f64 {
    let error = |beta: f64| {
        let powers: Vec<f64> = sizes.iter().map(|size| (size / sizes[0]).powf(-beta)).collect();
        let cross: f64 = powers.iter().zip(distances).map(|(p, d)| p * d).sum();
        let constant = cross / powers.iter().map(|p| p * p).sum::<f64>();
        powers.iter().zip(distances).map(|(p, d)| (d - constant * p).powi(2)).sum::<f64>()
    };
    // One part in a thousand over every slope that could be meant.
    (0..=5000)
        .map(|step| f64::from(step) / 1000.0)
        .min_by(|a, b| error(*a).total_cmp(&error(*b)))
        .unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_is_found_by_both_fits() {
        let sizes: Vec<f64> = (3..12).map(|k| f64::from(1 << k)).collect();
        let distances: Vec<f64> = sizes.iter().map(|size| 3.0 * size.powf(-1.2)).collect();
        let squares: Vec<Vec<f64>> = distances.iter().map(|&d| vec![d; 12]).collect();
        let decay = Slope::fit(&sizes, &squares).unwrap().decay;
        assert!((decay.beta - 1.2).abs() < 1e-12 && (decay.at(1.0) - 3.0).abs() < 1e-10);
        assert!((linear(&sizes, &distances) - 1.2).abs() < 1e-9);
    }
}
