//! An anchored path by coupled chains against quadrature: no bias of subsets, weights or chains.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use anchored::uniform::{Anchor, AnchorError, doubling};
use data::DenseRows;
use debias::engine::{Forgetful, Unobserved, replicate};
use debias::{Debiased, Depths, Path, Schedule, Scheme, Truncation};
use debias::{Form, Seed, Summary};
use models::logistic::DenseLogistic;
use models::prior::Prior;
use posterior::DenseBlock;
use posterior::PartialPosterior;
use samplers::Functional;
use samplers::Lagged;

const ROWS: usize = 60;
const CORE: usize = 4;
const REPLICATES: usize = 20_000;
const LAGGED: Lagged = Lagged { lag: 5, burn_in: 10, last: 60, budget: 100_000 };

/// Few rows, some of them far out: the posterior is skewed, and so are its levels.
fn rows() -> DenseRows {
    let mut block = DenseBlock::zeros(ROWS, 1);
    for i in 0..ROWS {
        let x = 1.5 * (1.7 * i as f64).sin() + if i % 10 == 0 { 1.0 } else { 0.0 };
        block.column_mut(0)[i] = x;
        block.targets_mut()[i] = if (23.0 * i as f64).cos() < x { 1.0 } else { -1.0 };
    }
    DenseRows::new(block)
}

/// Posterior means by the trapezium rule within ten standard deviations of the anchor.
fn quadrature(
    model: &DenseLogistic,
    rows: &DenseRows,
    anchor: &Anchor<'_, DenseRows, DenseLogistic>,
) -> Vec<f64> {
    const POINTS: i32 = 300;
    let mut posterior = PartialPosterior::new(model, rows.block());
    let peak = posterior.log_density(anchor.frame.mean());
    let (mut mass, mut means) = (0.0, vec![0.0; 2]);
    for i in -POINTS..=POINTS {
        for j in -POINTS..=POINTS {
            let z = [i, j].map(|step| 10.0 * f64::from(step) / f64::from(POINTS));
            let mut theta = [0.0; 2];
            anchor.frame.place(&z, &mut theta);
            let density = (posterior.log_density(&theta) - peak).exp();
            mass += density;
            means.iter_mut().zip(theta).for_each(|(mean, theta)| *mean += density * theta);
        }
    }
    means.iter().map(|mean| mean / mass).collect()
}

/// |z| < 4 for two weights fails for a right estimator once in eight thousand seeds. The replicates
/// are enough to tell the mean from the mode, where the anchor stands, by more than eight.
#[test]
fn coupled_chains_leave_no_bias() {
    let rows = rows();
    let model = DenseLogistic::new(1, Prior::Laplace { scale: 1.0 }).unwrap();
    let stand_in = DenseLogistic::new(1, Prior::like_laplace(1.0)).unwrap();
    let anchor = Anchor::with_core(&model, &stand_in, &rows, &[0.0; 2], CORE).unwrap();
    let truth = quadrature(&model, &rows, &anchor);
    let schedule = doubling(ROWS - CORE, 7).unwrap();
    let functionals = Functional::means(2);
    let path = anchor.path_by_coupled_chains(&schedule, &functionals, LAGGED).unwrap();
    assert!(path.caveats().is_empty(), "{:?}", path.caveats());
    let law = Truncation::geometric(0.6, schedule.levels()).unwrap();
    let depths = Depths::draw(&law, Scheme::Independent, REPLICATES, 1, Seed(6)).unwrap();
    let estimator = Debiased::new(&path, Form::AntitheticSingleTerm, depths).unwrap();
    let range = 0..REPLICATES as u64;
    let run = replicate(&estimator, range, Seed(6), &Forgetful, &Unobserved).unwrap();
    let found: Vec<Summary> = (0..2).map(|j| Summary::of(&run.functional(j)).unwrap()).collect();
    let z = |from: &[f64]| -> Vec<f64> {
        let pairs = found.iter().zip(from);
        pairs.map(|(one, from)| ((one.mean - from) / one.standard_error).abs()).collect()
    };
    let (off, moved) = (z(&truth), z(anchor.frame.mean()));
    assert!(off.iter().all(|z| *z < 4.0), "{off:?}");
    assert!(moved.iter().any(|z| *z > 8.0), "{moved:?}");
}

#[test]
fn a_schedule_that_ends_too_early_is_refused() {
    let rows = rows();
    let model = DenseLogistic::new(1, Prior::like_laplace(1.0)).unwrap();
    let anchor = Anchor::with_core(&model, &model, &rows, &[0.0; 2], CORE).unwrap();
    let schedule = Schedule::explicit(vec![10, 20], 20).unwrap();
    let refused = anchor.path_by_coupled_chains(&schedule, &Functional::means(2), LAGGED).err();
    assert!(matches!(refused, Some(AnchorError::Schedule(_))), "{refused:?}");
}
