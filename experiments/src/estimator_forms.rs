//! Ours: which form, law and depth scheme is best, and what the noise of chains leaves of it.
//!
//! For every problem the levels of one path are drawn, nested and in antithetic increments; from
//! these draws the expected cost and the variance of every form (coupled sum, single term, antithetic
//! sum, antithetic single term) under every law (geometric at its best exponent, optimal) and depth
//! scheme (independent, stratified, systematic) follow as exact sums. Laws are tuned on a quarter of the
//! draws and judged on the rest, at no more than the expected cost of the paper's estimator;
//! intervals are the jackknife's over groups of replicates.
//!
//! Problems: a Gaussian mean, the log-Gaussian spread in closed form and by NUTS, logistic weights given
//! 10⁸ rows by chains, predictions from random features with σ² = λ = 1 and 25, flight delays.
//!
//! Then chains: lengths 100 to 2000, without and with control variates, coupled chains, and weighted
//! quasi-random points, against the closed form.

use crate::{Context, Experiment};
use data::{DenseRows, FeatureToyLaw, GaussianLaw, Generated};
use debias::{Coupling, Form, Path, Schedule, Scheme, Tradeoff, Truncation};
use judged::{Judged, judge};
use ladder::Ladder;
use level_draws::{Drawn, LevelDraws};
use models::feature_regression::{FeatureRegression, FeatureWeights, predict};
use models::features::FourierFeatures;
use models::gaussian_mean::{GaussianMean, GaussianMeanClosedForm};
use models::log_gaussian::{LogGaussian, LogGaussianClosedForm};
use posterior::{DataPath, DenseBlock, Rows};
use rand::RngExt;
use records::{DataSource, Quantity, Record, Scale, Table};
use serde_json::{Value, json};

mod chains;
mod claims;
mod flights;
mod judged;
mod ladder;
mod level_draws;

/// The experiment `estimator-forms`.
pub struct EstimatorForms;

/// The deepest levels that slopes are fitted to.
const DEEPEST: usize = 5;

/// What differs between the scales: levels and replicates of each problem.
struct Size {
    gaussian: (usize, usize, usize),
    log_gaussian_rows: usize,
    closed: (usize, usize),
    nuts: (usize, usize),
    logistic_rows: usize,
    logistic: (usize, usize),
    features: usize,
    flights: (usize, usize),
    flight_features: usize,
    chain_levels: usize,
    chain_replicates: usize,
    lengths: Vec<usize>,
    logistic_lengths: Vec<usize>,
    logistic_chains: (usize, usize),
}

impl Size {
    fn of(scale: Scale) -> Size {
        match scale {
            Scale::Full => Size {
                gaussian: (100_000, 11, 800),
                log_gaussian_rows: 1 << 26,
                closed: (13, 800),
                nuts: (9, 200),
                logistic_rows: 100_000_000,
                logistic: (7, 80),
                features: 120,
                flights: (6, 80),
                flight_features: 100,
                chain_levels: 8,
                chain_replicates: 80,
                lengths: vec![100, 250, 500, 1000, 2000],
                logistic_lengths: vec![100, 500, 2000],
                logistic_chains: (7, 40),
            },
            Scale::Smoke => Size {
                gaussian: (4096, 6, 80),
                log_gaussian_rows: 1 << 14,
                closed: (7, 80),
                nuts: (5, 40),
                logistic_rows: 1 << 14,
                logistic: (4, 40),
                features: 40,
                flights: (5, 40),
                flight_features: 20,
                chain_levels: 5,
                chain_replicates: 40,
                lengths: vec![100],
                logistic_lengths: vec![],
                logistic_chains: (5, 40),
            },
        }
    }
}

impl Experiment for EstimatorForms {
    fn id(&self) -> &'static str {
        "estimator-forms"
    }

    fn paper(&self) -> &'static str {
        "ours"
    }

    fn question(&self) -> &'static str {
        "Which form, law and depth scheme needs the least work for a variance, and where do chains set the floor?"
    }

    fn needs(&self) -> &'static [&'static str] {
        &["logistic-synthetic"]
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Record> {
        let size = Size::of(context.scale);
        let settings = json!({
            "gaussian": size.gaussian, "log_gaussian_rows": size.log_gaussian_rows,
            "closed": size.closed, "nuts": size.nuts, "logistic_rows": size.logistic_rows,
            "logistic": size.logistic, "feature_replicates": size.features,
            "flights": size.flights, "flight_features": size.flight_features,
            "chain_levels": size.chain_levels, "chain_replicates": size.chain_replicates,
            "lengths": size.lengths, "logistic_lengths": size.logistic_lengths,
            "logistic_chains": size.logistic_chains,
        });
        let mut forms = Forms {
            context,
            settings: &settings,
            judged: vec![],
            decays: vec![],
            quantities: vec![],
            data: vec![],
        };
        gaussian_mean(&mut forms, size.gaussian)?;
        let spread = log_gaussian(&mut forms, &size)?;
        let weights = chains::logistic(&mut forms, &size)?;
        for variance in [1.0, 25.0] {
            features(&mut forms, variance, size.features)?;
        }
        flights::run(&mut forms, size.flights, size.flight_features)?;
        let mut noise = chains::spread(&mut forms, &size, spread)?;
        noise.extend(chains::weights(&mut forms, &size, weights)?);
        let notes = vec![
            "Moments beyond the levels that were drawn are those of the fitted decay; the intervals know of the \
             draws' noise and not of a decay that changes further on."
                .to_owned(),
        ];
        let Forms { judged, decays, quantities, data, .. } = forms;
        let tables = vec![forms_table(&judged), decay_table(&decays), chains::table(&noise)];
        Ok(Record { data, quantities, notes, tables, ..context.record(self, &settings) })
    }

    fn claims(&self, record: &Record) -> anyhow::Result<Vec<records::Claim>> {
        claims::claims(record)
    }
}

/// What was found so far.
struct Forms<'a> {
    context: &'a Context<'a>,
    settings: &'a Value,
    judged: Vec<Judged>,
    decays: Vec<(String, Coupling, f64, f64)>,
    quantities: Vec<Quantity>,
    data: Vec<DataSource>,
}

/// A path whose levels are drawn: how many of them, how often, and what is asked.
struct Asked<'a, P> {
    name: &'a str,
    path: &'a P,
    schedule: &'a Schedule,
    levels: usize,
    replicates: usize,
    truth: Vec<f64>,
    data: &'a [DataSource],
}

impl Forms<'_> {
    /// Draws the levels of a path.
    fn ladder<P: Path>(
        &self,
        asked: &Asked<'_, P>,
        map: impl Fn(&[f64]) -> Vec<f64> + Sync,
    ) -> anyhow::Result<Ladder> {
        let Asked { name, path, schedule, levels, replicates, data, .. } = asked;
        (self.context.say)(&format!("{name}: {levels} of {} levels", schedule.levels()));
        let draws = LevelDraws { path: *path, levels: *levels, map };
        let step = slug(name);
        let run = self.context.replicate(&step, self.settings, data, &draws, *replicates)?;
        let costs = Form::ALL.map(|form| (form, Tradeoff::level_costs(*path, form)));
        Ok(Ladder {
            sizes: schedule.sizes().iter().map(|&size| size as f64).collect(),
            costs: costs.into(),
            truth: asked.truth.clone(),
            drawn: Drawn::new(run, *levels),
        })
    }

    /// Judges all forms on a ladder, beside the paper's at its own exponent.
    fn judge(&mut self, name: &str, ladder: &Ladder, alpha: f64) -> anyhow::Result<f64> {
        let law = Truncation::geometric(alpha, ladder.sizes.len())?;
        let judged = judge(name, ladder, &law)?;
        let paper = judged[0].product;
        self.judged.extend(judged);
        for coupling in [Coupling::Nested, Coupling::Antithetic] {
            let levels = ladder.drawn.levels();
            let squares: Vec<Vec<f64>> =
                (2..=levels).map(|level| ladder.drawn.squares(level, coupling)).collect();
            let from = squares.len().saturating_sub(DEEPEST);
            let slope =
                crate::slope::Slope::fit(&ladder.sizes[1 + from..levels], &squares[from..])?;
            let word = coupling_name(coupling);
            let label = format!("{name}/{word} slope");
            self.quantities.push(Quantity::estimate(&label, slope.decay.beta, slope.error));
            for (place, squares) in squares.iter().enumerate() {
                let mean = squares.iter().sum::<f64>() / squares.len() as f64;
                self.decays.push((name.to_owned(), coupling, ladder.sizes[1 + place], mean));
            }
        }
        Ok(paper)
    }
}

/// A name for folders: small letters and digits, hyphens for the rest.
fn slug(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric());
    let words: Vec<String> =
        words.filter(|word| !word.is_empty()).map(str::to_ascii_lowercase).collect();
    words.join("-")
}

fn coupling_name(coupling: Coupling) -> &'static str {
    match coupling {
        Coupling::Nested => "nested",
        Coupling::Antithetic => "antithetic",
    }
}

fn gaussian_mean(
    forms: &mut Forms<'_>,
    (rows, levels, replicates): (usize, usize, usize),
) -> anyhow::Result<()> {
    let seed = forms.context.seed.child("gaussian rows");
    let data = [DataSource {
        name: "Gaussian rows".to_owned(),
        rows: rows as u64,
        identity: format!("ln x ~ N(0, 2), seed {}", seed.0),
    }];
    let rows = Generated::new(GaussianLaw::log_gaussian(), seed, rows);
    let model = GaussianMean::new(&[2.0], &[0.0], &[100.0])?;
    let truth = model.posterior(&rows.range(0..rows.count()))?.mean;
    let schedule = Schedule::halving(rows.count(), 8)?;
    let path = DataPath::new(&rows, &model, &GaussianMeanClosedForm, &schedule)?;
    let name = "Gaussian mean";
    let asked =
        Asked { name, path: &path, schedule: &schedule, levels, replicates, truth, data: &data };
    let ladder = forms.ladder(&asked, <[f64]>::to_vec)?;
    forms.judge(name, &ladder, 0.87)?;
    forms.data.extend(data);
    Ok(())
}

/// In closed form, and by NUTS; gives back what the paper's estimator takes by NUTS, and by formula
/// what ours does.
fn log_gaussian(forms: &mut Forms<'_>, size: &Size) -> anyhow::Result<chains::Spread> {
    let seed = forms.context.root.child("log-gaussian").child("rows");
    let data = [DataSource {
        name: "log-Gaussian rows".to_owned(),
        rows: size.log_gaussian_rows as u64,
        identity: format!("ln x ~ N(0, 2), seed {}", seed.0),
    }];
    let rows = Generated::new(GaussianLaw::log_gaussian(), seed, size.log_gaussian_rows);
    let truth = vec![LogGaussian::moments(&rows.range(0..rows.count()))?.mean_sigma];
    let schedule = Schedule::halving(rows.count(), 8)?;
    let path = DataPath::new(&rows, &LogGaussian, &LogGaussianClosedForm, &schedule)?;
    let (levels, replicates) = size.closed;
    let name = "log-Gaussian, closed form";
    let asked = Asked {
        name,
        path: &path,
        schedule: &schedule,
        levels,
        replicates,
        truth: truth.clone(),
        data: &data,
    };
    let ladder = forms.ladder(&asked, <[f64]>::to_vec)?;
    forms.judge(name, &ladder, 0.95)?;

    let level = chains::nuts(forms.context, &rows, 500)?;
    let path = DataPath::new(&rows, &LogGaussian, &level, &schedule)?;
    let (levels, replicates) = size.nuts;
    let name = "log-Gaussian, NUTS";
    let asked = Asked {
        name,
        path: &path,
        schedule: &schedule,
        levels,
        replicates,
        truth: truth.clone(),
        data: &data,
    };
    let nuts = forms.ladder(&asked, <[f64]>::to_vec)?;
    let paper = forms.judge(name, &nuts, 0.95)?;
    forms.data.extend(data);
    Ok(chains::Spread { paper, exact: ladder, truth })
}

fn features(forms: &mut Forms<'_>, variance: f64, replicates: usize) -> anyhow::Result<()> {
    const ROWS: usize = 10_000;
    const FEATURES: usize = 100;
    const POINTS: usize = 50;
    let name = format!("features, σ² = λ = {variance}");
    let seed = forms.context.seed.child(&name);
    let law = FeatureToyLaw::new(FEATURES, 1.0, variance, seed.child("function"));
    let rows = DenseRows::new(Generated::new(law, seed.child("rows"), ROWS).range(0..ROWS));
    let map = FourierFeatures::sample(FEATURES, 1, 1.0, &mut seed.child("basis").stream(0))?;
    let model = FeatureRegression::new(map, variance)?;
    let mut points = DenseBlock::zeros(POINTS, 1);
    let rng = &mut seed.child("test points").stream(0);
    points.column_mut(0).iter_mut().for_each(|x| *x = 10.0 * rng.random::<f64>());
    let truth = model.posterior(rows.block())?.predictive_mean(&points);
    let data = [DataSource {
        name: name.clone(),
        rows: ROWS as u64,
        identity: format!("100 waves on [0, 10], noise {variance}, seed {}", seed.0),
    }];
    let schedule = Schedule::halving(ROWS, 78)?;
    let path = DataPath::new(&rows, &model, &FeatureWeights, &schedule)?;
    let levels = schedule.levels();
    let asked = Asked {
        name: &name,
        path: &path,
        schedule: &schedule,
        levels,
        replicates,
        truth,
        data: &data,
    };
    let ladder = forms.ladder(&asked, |weights| predict(model.map(), weights, &points))?;
    forms.judge(&name, &ladder, 1.08)?;
    forms.data.extend(data);
    Ok(())
}

fn forms_table(judged: &[Judged]) -> Table {
    let words = |word: &dyn Fn(&Judged) -> String| judged.iter().map(word).collect::<Vec<_>>();
    let numbers = |number: fn(&Judged) -> f64| judged.iter().map(number).collect::<Vec<_>>();
    Table::new("forms")
        .with("problem", words(&|row| row.problem.replace(',', "")))
        .with("form", words(&|row| row.form.name().to_owned()))
        .with("law", words(&|row| row.law.to_owned()))
        .with("scheme", words(&|row| scheme_name(row.scheme).to_owned()))
        .with("alpha", numbers(|row| row.alpha))
        .with("cost", numbers(|row| row.cost))
        .with("product", numbers(|row| row.product))
        .with("product_error", numbers(|row| row.product_error))
        .with("ratio", numbers(|row| row.ratio))
        .with("ratio_low", numbers(|row| row.low))
        .with("ratio_high", numbers(|row| row.high))
}

fn scheme_name(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Independent => "independent",
        Scheme::Stratified => "stratified",
        Scheme::Systematic => "systematic",
    }
}

fn decay_table(decays: &[(String, Coupling, f64, f64)]) -> Table {
    Table::new("decays")
        .with("problem", decays.iter().map(|row| row.0.replace(',', "")).collect::<Vec<_>>())
        .with(
            "coupling",
            decays.iter().map(|row| coupling_name(row.1).to_owned()).collect::<Vec<_>>(),
        )
        .with("rows", decays.iter().map(|row| row.2).collect::<Vec<_>>())
        .with("second_moment", decays.iter().map(|row| row.3).collect::<Vec<_>>())
}
