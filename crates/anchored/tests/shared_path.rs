//! An anchored path whose levels reweigh the same points.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../../samplers/tests/support/mod.rs"]
mod support;

use anchored::uniform::{Reweighting, SharedPath, SharedPathError};

use debias::{Coupling, Ledger, Path, Rng, Schedule, Seed};
use posterior::{Block, Model, PartialPosterior, Target};
use samplers::{Draws, Frame, Functional, Lbfgs, Length, Nuts, Sampler, SharedPoints, Student};
use support::model::{Few, Logistic};
use support::{Counting, GAUSSIAN_MEAN, ROWS, gaussian, quadrature_on};

/// An anchored path on 512 rows: the base is the second-order expansion of all rows at the anchor,
/// and the levels differ from it by the rows' remainders.
struct Anchored {
    anchor: [f64; 2],
}

impl Anchored {
    fn row(&self, theta: &[f64], (x, y): (f64, f64)) -> (f64, f64) {
        let at = |theta: &[f64]| theta[0] * x + theta[1];
        let exact = -(-y * at(theta)).exp().ln_1p();
        let (before, shift) = (y * at(&self.anchor), at(theta) - at(&self.anchor));
        let p = 1.0 / (1.0 + before.exp());
        let expansion =
            -(-before).exp().ln_1p() + y * p * shift - 0.5 * p * (1.0 - p) * shift * shift;
        (exact, expansion)
    }
}

impl Reweighting<Few> for Anchored {
    fn remainders(&self, points: &[f64], block: &Few) -> (Vec<f64>, Ledger) {
        let remainder = |theta: &[f64], &row: &(f64, f64)| {
            let (exact, expansion) = self.row(theta, row);
            exact - expansion
        };
        let sums: Vec<f64> = points
            .chunks_exact(2)
            .map(|theta| block.0.iter().map(|row| remainder(theta, row)).sum())
            .collect();
        let n = block.rows() as u64;
        let likelihoods = n * sums.len() as u64;
        (sums, Ledger { likelihoods, distinct_rows: n, ..Ledger::default() })
    }
}

#[test]
fn an_anchored_path_shares_its_points() {
    let rows = Few(ROWS
        .iter()
        .cycle()
        .take(512)
        .enumerate()
        .map(|(i, &(x, y))| (x + 0.002 * i as f64, y))
        .collect());
    let mut posterior = PartialPosterior::new(&Logistic, &rows);
    let mode = Lbfgs::default().maximise(&mut posterior, &[0.0; 2]).unwrap();
    let anchor = [mode.point.position[0], mode.point.position[1]];
    let frame = Frame::laplace(&mut posterior, &anchor, 1e-5).unwrap();
    let anchored = Anchored { anchor };
    let proposal = Student::new(frame, 6.0).unwrap();
    let base_density = |theta: &[f64], _: &mut [f64]| {
        let all = rows.0.iter().map(|&row| anchored.row(theta, row).1);
        Logistic.log_prior(theta) + all.sum::<f64>()
    };
    let functionals = Functional::means(2);
    let schedule = Schedule::halving(512, 64).unwrap();
    let path = SharedPath {
        rows: &rows,
        reweighting: &anchored,
        draw: |rng: &mut Rng| {
            let mut base = Counting::new(2, base_density);
            let points = SharedPoints::student(&proposal, 1_000, rng).onto(&mut base);
            Ok((points, base.ledger()))
        },
        schedule: &schedule,
        functionals: &functionals,
        floor: 300.0,
        expected_points: 1_000.0,
        expected_opening: 0.0,
        caveats: Vec::new(),
    };

    let full = |theta: &[f64], _: &mut [f64]| {
        Logistic.log_prior(theta) + Logistic.log_likelihood(theta, &rows)
    };
    let truth = quadrature_on(240, full, 3.0, |theta| theta[0]);
    let sd = quadrature_on(240, full, 3.0, |theta| (theta[0] - truth).powi(2)).sqrt();
    let (mut nested, mut antithetic) = (0.0, 0.0);
    for index in 0..8 {
        let mut rng = Seed(70).stream(index);
        let (mut points, cost) = path.begin(&mut rng).unwrap();
        assert_eq!(cost.likelihoods, 1_000);
        let terms = path.prefix(&mut points, schedule.levels(), &mut rng).unwrap();
        assert_eq!(terms.iter().map(|term| term.cost.distinct_rows).sum::<u64>(), 512);
        let last = terms.last().unwrap();
        assert_eq!(last.cost.likelihoods, 512_000);
        // The last level is the full posterior; what is left is the noise of the points.
        assert!((last.value[0] - truth).abs() < 0.1 * sd, "{} against {truth}", last.value[0]);
        // A plain partial posterior of 64 of the 512 rows would be about 2.6 sds away.
        assert!((terms[0].value[0] - truth).abs() < 0.5 * sd);
        let all: Vec<usize> = (0..512).collect();
        let (weighted, _) = path.weighted(&points, &all).unwrap();
        assert!(weighted.effective > 600.0, "{}", weighted.effective);
        let deepest = schedule.levels();
        let step = path.increment(&mut points, deepest, Coupling::Nested, &mut rng).unwrap();
        nested += step.value[0].powi(2);
        let step = path.increment(&mut points, deepest, Coupling::Antithetic, &mut rng).unwrap();
        antithetic += step.value[0].powi(2);
    }
    assert!(antithetic < 0.5 * nested, "{antithetic} against {nested}");

    let strict = SharedPath { floor: 1_001.0, ..path };
    let mut rng = Seed(70).stream(0);
    let (mut points, _) = strict.begin(&mut rng).unwrap();
    let error = strict.prefix(&mut points, 1, &mut rng).unwrap_err();
    assert!(matches!(error, SharedPathError::Weights { rows: 64, .. }), "{error}");
}

/// Nothing of the points' noise is left in the means of a Gaussian base, and what control variates
/// add is the same at every level.
#[test]
fn control_variates_take_the_noise_of_the_base_away() {
    let mut target = Counting::new(3, gaussian);
    let length = Length { warm_up: 100, draws: 200 };
    let rng = &mut Seed(71).stream(0);
    let draws = Nuts::default().sample(&mut target, &[0.0; 3], length, rng).unwrap();
    let means = Functional::means(3);
    let plain = SharedPoints::of_draws(&draws);
    let helped = SharedPoints::controlled(&draws, &means).unwrap();
    let even = vec![0.0; draws.count()];
    let tilted: Vec<f64> = draws.iter().map(|theta| 0.1 * theta[0]).collect();
    let value = |points: &SharedPoints, ratios: &[f64]| {
        points.reweigh(ratios.to_vec(), &means, 0.0).unwrap().value
    };
    let (noisy, exact) = (value(&plain, &even), value(&helped, &even));
    for j in 0..3 {
        assert!((exact[j] - GAUSSIAN_MEAN[j]).abs() < 1e-9, "{exact:?}");
        let shift = value(&helped, &tilted)[j] - value(&plain, &tilted)[j];
        assert!((shift - (exact[j] - noisy[j])).abs() < 1e-12);
    }
    assert!((noisy[0] - GAUSSIAN_MEAN[0]).abs() > 1e-3, "{noisy:?}");
    assert!(SharedPoints::controlled(&Draws::new(3), &means).is_err());
}
