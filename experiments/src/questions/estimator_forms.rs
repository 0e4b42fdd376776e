//! Ours: which form, law and depth scheme is best, and what the noise of chains leaves of it.
//!
//! For every problem the levels of one path are drawn, nested and in antithetic increments; from
//! these draws the expected cost and the variance of every form (coupled sum, single term, antithetic
//! sum, antithetic single term) under every law (geometric at its best exponent, optimal) and depth
//! scheme (independent, stratified, systematic) follow as exact sums. Laws are tuned on a quarter of the
//! draws and judged on the rest, at no more than the expected cost of the paper's estimator; so is the
//! default, whose form the same quarter chooses. Intervals are the jackknife's over groups of
//! replicates.
//!
//! Problems: a Gaussian mean, the log-Gaussian spread in closed form and by NUTS, logistic weights given
//! 10⁸ rows by chains, predictions from random features with σ² = λ = 1, σ² = λ = 25 and σ² = 1,
//! λ = 200, flight delays.
//!
//! Then chains: lengths 100 to 2000, without and with control variates, coupled chains, and weighted
//! quasi-random points, on the log-Gaussian and the logistic weights.

use crate::{Context, Experiment};
use debias::{Coupling, Form, Schedule, Tradeoff, Truncation};
use judged::{Judged, judge};
use ladder::Ladder;
use level_draws::Drawn;
use posterior::{DataPath, LevelEstimate, Model, Rows};
use records::{DataSource, Quantity, Record, Scale, Table};
use serde::Serialize;
use serde_json::{Value, json};

mod chain_claims;
mod chains;
mod claims;
mod closed_forms;
mod inference;
mod judged;
mod ladder;
mod level_draws;

/// The experiment `estimator-forms`.
pub const EXPERIMENT: Experiment = Experiment {
    needs: &["logistic-synthetic"],
    ..Experiment::new(
        "estimator-forms",
        "ours",
        "Which form, law and depth scheme needs the least work for a variance, and where do chains set the floor?",
        run,
        claims::claims,
    )
};

/// The deepest levels that slopes are fitted to.
const DEEPEST: usize = 5;
/// (σ², λ) of the random features: of the table this follows, of the paper, and of its companion whose
/// error is mostly bias.
const FEATURES: [(f64, f64); 3] = [(1.0, 1.0), (25.0, 25.0), (1.0, 200.0)];

/// What differs between the scales: rows, and levels with replicates of each problem.
struct Size {
    gaussian_rows: usize,
    gaussian: (usize, usize),
    log_gaussian_rows: usize,
    closed: (usize, usize),
    nuts: (usize, usize),
    logistic_rows: usize,
    logistic: (usize, usize),
    features: usize,
    flights: (usize, usize),
    flight_features: usize,
    lengths: Vec<usize>,
    log_gaussian_chains: (usize, usize),
    logistic_chains: (usize, usize),
}

impl Size {
    fn of(scale: Scale) -> Size {
        Size {
            gaussian_rows: scale.pick(100_000, 4096),
            gaussian: scale.pick((11, 800), (6, 80)),
            log_gaussian_rows: scale.pick(1 << 26, 1 << 14),
            closed: scale.pick((13, 800), (7, 80)),
            nuts: scale.pick((9, 200), (5, 40)),
            logistic_rows: scale.pick(100_000_000, 1 << 14),
            logistic: scale.pick((7, 80), (4, 40)),
            features: scale.pick(120, 40),
            flights: scale.pick((6, 80), (5, 40)),
            flight_features: scale.pick(100, 20),
            lengths: scale.pick(vec![100, 250, 500, 1000, 2000], vec![100]),
            log_gaussian_chains: scale.pick((8, 80), (5, 40)),
            logistic_chains: scale.pick((7, 40), (4, 40)),
        }
    }
}

fn run(context: &Context<'_>) -> anyhow::Result<Record> {
    let size = Size::of(context.scale);
    let settings = json!({
        "gaussian_rows": size.gaussian_rows, "gaussian": size.gaussian,
        "log_gaussian_rows": size.log_gaussian_rows, "closed": size.closed, "nuts": size.nuts,
        "logistic_rows": size.logistic_rows, "logistic": size.logistic,
        "feature_settings": FEATURES, "feature_replicates": size.features,
        "flights": size.flights, "flight_features": size.flight_features,
        "lengths": size.lengths, "log_gaussian_chains": size.log_gaussian_chains,
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
    closed_forms::gaussian_mean(&mut forms, &size)?;
    let mut noise = chains::log_gaussian(&mut forms, &size)?;
    noise.extend(chains::logistic(&mut forms, &size)?);
    for (variance, lambda) in FEATURES {
        closed_forms::features(&mut forms, (variance, lambda), size.features)?;
    }
    closed_forms::flights(&mut forms, size.flights, size.flight_features)?;
    let notes = vec![
        "Moments beyond the levels that were drawn are those of the fitted decay; the intervals know of the \
         draws' noise and not of a decay that changes further on."
            .to_owned(),
    ];
    let Forms { judged, decays, quantities, data, .. } = forms;
    let mut tables = vec![Table::of_rows("forms", &judged), Table::of_rows("decays", &decays)];
    tables.extend(chains::tables(&noise));
    Ok(Record { data, quantities, notes, tables, ..context.record(&EXPERIMENT, &settings) })
}

/// E Δ² at a level.
#[derive(Serialize)]
struct SecondMoment {
    problem: String,
    coupling: &'static str,
    rows: f64,
    second_moment: f64,
}

/// What was found so far.
struct Forms<'a> {
    context: &'a Context<'a>,
    settings: &'a Value,
    judged: Vec<Judged>,
    decays: Vec<SecondMoment>,
    quantities: Vec<Quantity>,
    data: Vec<DataSource>,
}

/// Rows with a model and a schedule, and the φ_L that is asked for.
struct Problem<R, M> {
    rows: R,
    model: M,
    schedule: Schedule,
    truth: Vec<f64>,
    data: Vec<DataSource>,
}

impl<R, M> Problem<R, M> {
    fn parts<'a, E>(&'a self, level: &'a E) -> (&'a R, &'a M, &'a E) {
        (&self.rows, &self.model, level)
    }
}

impl Forms<'_> {
    /// Draws so many levels of a path so often, by this inference; what is asked may be a linear map of
    /// its functionals.
    fn ladder<R, M, E>(
        &self,
        name: &str,
        problem: &Problem<R, M>,
        level: &E,
        (levels, replicates): (usize, usize),
        map: impl Fn(&[f64]) -> Vec<f64> + Sync,
    ) -> anyhow::Result<Ladder>
    where
        R: Rows,
        M: Model<Block = R::Block>,
        E: LevelEstimate<M>,
    {
        let Problem { rows, model, schedule, truth, data } = problem;
        let path = DataPath::new(rows, model, level, schedule)?;
        let levels = levels.min(schedule.levels());
        (self.context.say)(&format!("{name}: {levels} of {} levels", schedule.levels()));
        let work = self.context.work(self.settings, data);
        let drawn = Drawn::draw(&work, &slug(name), &path, levels, replicates, map)?;
        let costs = Form::ALL.map(|form| (form, Tradeoff::level_costs(&path, form)));
        Ok(Ladder {
            sizes: schedule.sizes().iter().map(|&size| size as f64).collect(),
            costs: costs.into(),
            truth: truth.clone(),
            drawn,
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
            let label = format!("{name}/{} slope", coupling_name(coupling));
            self.quantities.push(Quantity::estimate(&label, slope.decay.beta, slope.error));
            for (place, squares) in squares.iter().enumerate() {
                let mean = squares.iter().sum::<f64>() / squares.len() as f64;
                self.decays.push(SecondMoment {
                    problem: name.replace(',', ""),
                    coupling: coupling_name(coupling),
                    rows: ladder.sizes[1 + place],
                    second_moment: mean,
                });
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
