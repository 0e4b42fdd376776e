//! The same promises, asked of the methods that are biased by design.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod promises;

use baselines::Budget;
use debias::{Estimator, Seed};
use posterior::Rows;
use promises::{Case, ROWS, WIDTH, conforms, model, refusal, rows, starve, walk};
use samplers::{Functional, Length};

#[test]
fn gp_svi() {
    use baselines::{GpSvi, GpSviError, GpSviPredictions, GpSviSettings, StepSize};
    let rows = rows();
    let points = rows.range(0..3);
    let settings = GpSviSettings {
        inducing: 10,
        inputs: baselines::InducingInputs::RandomRows,
        batch: 50,
        iterations: 5,
        natural_step: StepSize::decreasing(1.0, 1.0, 0.6).unwrap(),
        hyperparameter_step: Some(0.01),
        start: baselines::Hyperparameters { length_scales: vec![1.0], variance: 1.0, noise: 1.0 },
    };
    let of = |change: &dyn Fn(&mut GpSviSettings)| {
        let mut settings = settings.clone();
        change(&mut settings);
        let method = GpSvi::new(settings)?;
        // What depends on the rows is refused at the start of a fit.
        method.start(&rows, &mut Seed(1).stream(0))?;
        Ok::<_, GpSviError>(GpSviPredictions { method, rows: &rows, points: &points })
    };
    let good = of(&|_| {}).unwrap();
    let poor = GpSviPredictions { method: good.method.clone().within(Budget(1)), ..good.clone() };
    conforms(Case {
        name: "gp-svi",
        estimator: &good,
        refused: vec![
            refusal(of(&|settings| settings.inducing = ROWS + 1)),
            refusal(of(&|settings| settings.inducing = 0)),
            refusal(of(&|settings| settings.batch = 0)),
            refusal(of(&|settings| settings.batch = ROWS + 1)),
            refusal(of(&|settings| settings.start.noise = 0.0)),
            refusal(of(&|settings| settings.start.length_scales = vec![1.0; 2])),
            refusal(of(&|settings| settings.hyperparameter_step = Some(0.0))),
            refusal(StepSize::constant(0.0)),
        ],
        starved: Some(starve(&poor, |error| match error {
            GpSviError::Exhausted(exhausted) => Some(*exhausted),
            _ => None,
        })),
    });
}

/// SGLD and SGHMC: two dynamics of one chain.
#[test]
fn stochastic_gradients() {
    use baselines::{Sghmc, Sgld, StepSize, StochasticChain, StochasticError, StochasticSettings};
    let (rows, model) = (rows(), model());
    let settings = |batch, draws| StochasticSettings {
        batch,
        shape: samplers::Factor::identity(WIDTH + 1),
        start: vec![0.0; WIDTH + 1],
        centre: None,
        length: Length { warm_up: 5, draws },
        functionals: Functional::means(WIDTH + 1),
    };
    let sgld = Sgld { step: StepSize::decreasing(0.01, 10.0, 0.5).unwrap() };
    let sghmc = Sghmc::new(1e-3, 0.1, 0.0).unwrap();
    let exhausted = |error: &StochasticError| match error {
        StochasticError::Exhausted(exhausted) => Some(*exhausted),
        _ => None,
    };
    let of = |batch, draws| StochasticChain::new(&rows, &model, sgld, settings(batch, draws));
    let poor = of(50, 10).unwrap().within(Budget(1));
    conforms(Case {
        name: "sgld",
        estimator: &of(50, 10).unwrap(),
        refused: vec![
            refusal(of(0, 10)),
            refusal(of(ROWS + 1, 10)),
            refusal(of(50, 0)),
            refusal(StepSize::constant(0.0)),
            refusal(StepSize::constant(-1.0)),
            refusal(StepSize::decreasing(1.0, 1.0, 2.0)),
        ],
        starved: Some(starve(&poor, exhausted)),
    });
    let of = |batch, draws| StochasticChain::new(&rows, &model, sghmc, settings(batch, draws));
    let poor = of(50, 10).unwrap().within(Budget(1));
    conforms(Case {
        name: "sghmc",
        estimator: &of(50, 10).unwrap(),
        refused: vec![
            refusal(of(0, 10)),
            refusal(of(ROWS + 1, 10)),
            refusal(Sghmc::new(0.0, 0.1, 0.0)),
            refusal(Sghmc::new(1e-3, 1.1, 0.0)),
            refusal(Sghmc::new(1e-3, 0.1, 0.2)),
        ],
        starved: Some(starve(&poor, exhausted)),
    });
    // A centre makes its passes part of every answer's cost.
    let (mode, _) = baselines::smooth_mode(&model, &rows).unwrap();
    let centred =
        StochasticSettings { centre: Some(baselines::Centre::of(&mode)), ..settings(50, 10) };
    let centred = StochasticChain::new(&rows, &model, sgld, centred).unwrap();
    let cost = centred.estimate(0, &mut Seed(1).stream(0)).unwrap().cost;
    assert_eq!(cost.gradients, mode.ledger.gradients + 2 * 15 * 50);
    assert_eq!((cost.distinct_rows, mode.passes > 0), (ROWS as u64, true));
    conforms(Case {
        name: "sgld about a mode",
        estimator: &centred,
        refused: vec![],
        starved: None,
    });
}

/// Austerity and the confidence sampler: two tests of one walk.
#[test]
fn subsampled_walks() {
    use baselines::{Austerity, Confidence, SubsampledError, SubsampledSettings, SubsampledWalk};
    let (rows, model) = (rows(), model());
    let settings = |scale, draws| SubsampledSettings {
        scale,
        shape: samplers::Factor::identity(WIDTH + 1),
        start: vec![0.0; WIDTH + 1],
        length: Length { warm_up: 5, draws },
        functionals: Functional::means(WIDTH + 1),
    };
    let exhausted = |error: &SubsampledError| match error {
        SubsampledError::Exhausted(exhausted) => Some(*exhausted),
        _ => None,
    };
    let of = |batch, scale, draws| {
        let test = Austerity::new(batch, 0.05).unwrap();
        SubsampledWalk::new(&rows, &model, test, settings(scale, draws))
    };
    let poor = of(50, 0.2, 10).unwrap().within(Budget(1));
    conforms(Case {
        name: "austerity",
        estimator: &of(50, 0.2, 10).unwrap(),
        refused: vec![
            refusal(of(ROWS + 1, 0.2, 10)),
            refusal(of(50, 0.0, 10)),
            refusal(of(50, 0.2, 0)),
            refusal(Austerity::new(0, 0.05)),
            refusal(Austerity::new(50, 0.0)),
            refusal(Austerity::new(50, 1.0)),
        ],
        starved: Some(starve(&poor, exhausted)),
    });
    let of = |batch| {
        let test = Confidence::new(batch, 2.0, 0.1).unwrap();
        SubsampledWalk::new(&rows, &model, test, settings(0.2, 10))
    };
    let poor = of(50).unwrap().within(Budget(1));
    conforms(Case {
        name: "confidence sampler",
        estimator: &of(50).unwrap(),
        refused: vec![
            refusal(of(ROWS + 1)),
            refusal(Confidence::new(0, 2.0, 0.1)),
            refusal(Confidence::new(50, 1.0, 0.1)),
            refusal(Confidence::new(50, 2.0, 0.0)),
            refusal(Confidence::new(50, 2.0, 1.0)),
        ],
        starved: Some(starve(&poor, exhausted)),
    });
}

#[test]
fn consensus() {
    use baselines::{Consensus, ConsensusError};
    let (rows, model) = (rows(), model());
    let of = |draws, shards| Consensus::new(&rows, &model, walk(draws), shards);
    let poor = of(60, 4).unwrap().within(Budget(1));
    conforms(Case {
        name: "consensus",
        estimator: &of(60, 4).unwrap(),
        refused: vec![refusal(of(60, 0)), refusal(of(60, ROWS + 1)), refusal(of(WIDTH + 1, 4))],
        starved: Some(starve(&poor, |error| match error {
            ConsensusError::Exhausted(exhausted) => Some(*exhausted),
            _ => None,
        })),
    });
}
