//! What every baseline promises, asked of those that sample remainders of expansions.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]
#![allow(dead_code, reason = "no random walk is asked here")]

mod promises;

use baselines::{
    BlockPoisson, BlockPoissonError, BlockPoissonSettings, Budget, HmcEcs, HmcEcsError,
    HmcEcsSettings, ScalableMh, ScalableMhError, ScalableMhSettings, Taylor, Ububu, UbubuError,
    UbubuSettings,
};
use promises::{Case, WIDTH, conforms, model, refusal, rows, starve};
use samplers::{Functional, Length, RandomWalk};

const LENGTH: Length = Length { warm_up: 5, draws: 30 };
const EMPTY: Length = Length { warm_up: 5, draws: 0 };

fn functionals() -> Vec<Functional> {
    Functional::means(WIDTH + 1)
}

#[test]
fn scalable_mh() {
    let (rows, model) = (rows(), model());
    let taylor = Taylor::at_mode(&rows, &model).unwrap();
    let of = |step, length, functionals| {
        ScalableMh::new(&taylor, ScalableMhSettings { step, length, functionals })
    };
    let poor = of(1.0, LENGTH, functionals()).unwrap().within(Budget(1));
    conforms(Case {
        name: "scalable Metropolis–Hastings",
        estimator: &of(1.0, LENGTH, functionals()).unwrap(),
        refused: vec![
            refusal(of(0.0, LENGTH, functionals())),
            refusal(of(1.1, LENGTH, functionals())),
            refusal(of(1.0, EMPTY, functionals())),
            refusal(of(1.0, LENGTH, vec![Functional::Variance(0)])),
        ],
        starved: Some(starve(&poor, |error| match error {
            ScalableMhError::Exhausted(exhausted) => Some(*exhausted),
            _ => None,
        })),
    });
}

#[test]
fn block_poisson() {
    let (rows, model) = (rows(), model());
    let taylor = Taylor::at_mode(&rows, &model).unwrap();
    let of = |change: fn(&mut BlockPoissonSettings)| {
        let mut settings = BlockPoissonSettings {
            blocks: 10,
            batch: 3,
            renewed: 2,
            step: 1.0,
            length: LENGTH,
            functionals: functionals(),
        };
        change(&mut settings);
        BlockPoisson::new(&taylor, settings)
    };
    let poor = of(|_| {}).unwrap().within(Budget(1));
    conforms(Case {
        name: "block-Poisson",
        estimator: &of(|_| {}).unwrap(),
        refused: vec![
            refusal(of(|settings| settings.blocks = 0)),
            refusal(of(|settings| settings.batch = 0)),
            refusal(of(|settings| settings.renewed = 0)),
            refusal(of(|settings| settings.renewed = 11)),
            refusal(of(|settings| settings.step = 0.0)),
            refusal(of(|settings| settings.length = EMPTY)),
            refusal(of(|settings| settings.functionals = vec![Functional::Variance(0)])),
        ],
        starved: Some(starve(&poor, |error| match error {
            BlockPoissonError::Exhausted(exhausted) => Some(*exhausted),
            _ => None,
        })),
    });
}

#[test]
fn energy_conserving_subsampling() {
    let (rows, model) = (rows(), model());
    let taylor = Taylor::at_mode(&rows, &model).unwrap();
    let of = |batch, blocks, length, functionals| {
        let kernel = RandomWalk { scale: 0.5 };
        HmcEcs::new(&taylor, HmcEcsSettings { kernel, batch, blocks, length, functionals })
    };
    let poor = of(40, 4, LENGTH, functionals()).unwrap().within(Budget(1));
    conforms(Case {
        name: "energy-conserving subsampling",
        estimator: &of(40, 4, LENGTH, functionals()).unwrap(),
        refused: vec![
            refusal(of(1, 1, LENGTH, functionals())),
            refusal(of(40, 0, LENGTH, functionals())),
            refusal(of(40, 3, LENGTH, functionals())),
            refusal(of(40, 4, EMPTY, functionals())),
            refusal(of(40, 4, LENGTH, vec![Functional::Variance(0)])),
        ],
        starved: Some(starve(&poor, |error| match error {
            HmcEcsError::Exhausted(exhausted) => Some(*exhausted),
            _ => None,
        })),
    });
}

#[test]
fn ububu() {
    let (rows, model) = (rows(), model());
    let taylor = Taylor::at_mode(&rows, &model).unwrap();
    let of = |change: fn(&mut UbubuSettings)| {
        let mut settings = UbubuSettings {
            step: 0.5,
            friction: 2.0,
            batch: 10,
            burn_in: 5,
            lag: 2,
            kept: 10,
            functionals: functionals(),
        };
        change(&mut settings);
        Ububu::new(&taylor, settings)
    };
    let poor = of(|_| {}).unwrap().within(Budget(1));
    conforms(Case {
        name: "UBUBU",
        estimator: &of(|_| {}).unwrap(),
        refused: vec![
            refusal(of(|settings| settings.step = 0.0)),
            refusal(of(|settings| settings.step = 2.0)),
            refusal(of(|settings| settings.friction = 0.0)),
            refusal(of(|settings| settings.batch = 0)),
            refusal(of(|settings| settings.lag = 0)),
            refusal(of(|settings| settings.kept = 0)),
            refusal(of(|settings| settings.functionals = vec![Functional::Variance(0)])),
        ],
        starved: Some(starve(&poor, |error| match error {
            UbubuError::Exhausted(exhausted) => Some(*exhausted),
            _ => None,
        })),
    });
}
