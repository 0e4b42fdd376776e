//! What every baseline promises, asked of each from one list.
//!
//! The same seed gives the same answer and another seed another one; work is counted and adds up
//! over replicates; settings that make no sense are refused with their numbers; a budget that is
//! too small gives a typed error and no answer.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod promises;

use baselines::{
    Beginning, Brightness, Budget, ConstantBatch, ConstantBatchError, Firefly, FireflyError,
    FireflySettings, FullChain, FullChainError, FullPosterior, Ibis, IbisError, IbisSettings,
    Misfit, ZigZag, ZigZagError, ZigZagSettings,
};
use debias::{Estimator, Schedule, Seed};
use models::prior::Prior;
use posterior::Rows;
use promises::{Case, ROWS, WIDTH, conforms, model, refusal, rows, starve, walk};
use samplers::{Functional, Length, RandomWalk};

#[test]
fn constant_batch() {
    let (rows, model, level) = (rows(), model(), walk(10));
    let of = |batch| ConstantBatch::new(&rows, &model, &level, batch);
    let poor = of(50).unwrap().within(Budget(1));
    conforms(Case {
        name: "constant batch",
        estimator: &of(50).unwrap(),
        refused: vec![refusal(of(0)), refusal(of(ROWS + 1))],
        starved: Some(starve(&poor, |error| match error {
            ConstantBatchError::Exhausted(exhausted) => Some(*exhausted),
            ConstantBatchError::Level(_) => None,
        })),
    });
    assert_eq!(of(0).err(), Some(Misfit::Batch { batch: 0, rows: ROWS }));
    // A starved chain stands still: one more look than it may have, and no more.
    let spent = match poor.estimate(0, &mut Seed(3).stream(0)) {
        Err(ConstantBatchError::Exhausted(exhausted)) => exhausted.spent,
        other => panic!("{other:?}"),
    };
    assert_eq!(spent, 50);
}

#[test]
fn full_chain() {
    let (rows, model) = (rows(), model());
    let posterior = FullPosterior::new(&model, &rows);
    assert_eq!(posterior.rows(), rows.count() as u64);
    let of = |draws| FullChain::new(&posterior, walk(draws));
    let poor = of(10).unwrap().within(Budget(1));
    conforms(Case {
        name: "full chain",
        estimator: &of(10).unwrap(),
        refused: vec![refusal(of(0))],
        starved: Some(starve(&poor, |error| match error {
            FullChainError::Exhausted(exhausted) => Some(*exhausted),
            _ => None,
        })),
    });
}

#[test]
fn firefly() {
    let (rows, model) = (rows(), model());
    let of = |brightness, draws| {
        let settings = FireflySettings {
            kernel: RandomWalk { scale: 0.5 },
            brightness,
            spread: 1.0,
            length: Length { warm_up: 5, draws },
            functionals: Functional::means(WIDTH + 1),
        };
        Firefly::new(&rows, &model, settings)
    };
    let implicit = |dark_to_bright| Brightness::Implicit { dark_to_bright };
    let explicit = |rows| Brightness::Explicit { rows };
    let poor = of(implicit(0.1), 10).unwrap().within(Budget(1));
    conforms(Case {
        name: "firefly",
        estimator: &of(implicit(0.1), 10).unwrap(),
        refused: vec![
            refusal(of(implicit(0.0), 10)),
            refusal(of(implicit(1.1), 10)),
            refusal(of(implicit(-0.5), 10)),
            refusal(of(explicit(0), 10)),
            refusal(of(explicit(ROWS + 1), 10)),
            refusal(of(implicit(0.1), 0)),
        ],
        starved: Some(starve(&poor, |error| match error {
            FireflyError::Exhausted(exhausted) => Some(*exhausted),
            _ => None,
        })),
    });
}

#[test]
fn zig_zag() {
    let (rows, model) = (rows(), model());
    let of = |warm_up, duration, grid| {
        let mut functionals = Functional::means(WIDTH + 1);
        functionals.push(Functional::probability(|theta| theta[0] > 1.0));
        ZigZag::new(&rows, &model, ZigZagSettings { warm_up, duration, grid, functionals })
    };
    let poor = of(1.0, 2.0, 10).unwrap().within(Budget(1));
    conforms(Case {
        name: "zig-zag",
        estimator: &of(1.0, 2.0, 10).unwrap(),
        refused: vec![
            refusal(of(-1.0, 2.0, 10)),
            refusal(of(1.0, 0.0, 10)),
            refusal(of(1.0, f64::INFINITY, 10)),
            refusal(of(f64::NAN, 2.0, 10)),
            refusal(of(1.0, 2.0, 0)),
        ],
        starved: Some(starve(&poor, |error| match error {
            ZigZagError::Exhausted(exhausted) => Some(*exhausted),
            _ => None,
        })),
    });
}

#[test]
fn ibis() {
    let (rows, model) = (rows(), model());
    let usual = IbisSettings {
        schedule: Schedule::halving(ROWS, 20).unwrap(),
        shuffled: true,
        beginning: Beginning::prior(model.prior(), WIDTH + 1).unwrap(),
        particles: 50,
        threshold: 0.5,
        kernel: RandomWalk::optimal(WIDTH + 1),
        steps: 2,
        functionals: Functional::means(WIDTH + 1),
    };
    let of = |change: fn(&mut IbisSettings<RandomWalk>)| {
        let mut settings = usual.clone();
        change(&mut settings);
        Ibis::new(&rows, &model, settings)
    };
    let poor = of(|_| {}).unwrap().within(Budget(1));
    conforms(Case {
        name: "ibis",
        estimator: &of(|_| {}).unwrap(),
        refused: vec![
            refusal(of(|settings| settings.particles = WIDTH + 1)),
            refusal(of(|settings| settings.threshold = 0.0)),
            refusal(of(|settings| settings.threshold = 1.0)),
            refusal(of(|settings| settings.steps = 0)),
            refusal(of(|settings| settings.schedule = Schedule::halving(ROWS / 2, 20).unwrap())),
        ],
        starved: Some(starve(&poor, |error| match error {
            IbisError::Exhausted(exhausted) => Some(*exhausted),
            _ => None,
        })),
    });
    assert!(Beginning::prior(Prior::Flat, 2).is_none());
    // Particles move on all threads, and each has its own stream.
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let run = || of(|_| {}).unwrap().run(&mut Seed(5).stream(0)).unwrap();
    let (many, one) = (run(), alone.install(run));
    assert_eq!((many.positions, many.ledger), (one.positions, one.ledger));
}
