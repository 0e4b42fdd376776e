//! Debiased estimates against the level of all rows on the same points, and against quadrature.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use anchored::{AnchoredRows, Explored, law};
use data::SparseRows;
use debias::engine::Unobserved;
use debias::{Debiased, Depths, Estimator, Form, Path, Scheme, Seed, Summary};
use models::logistic::SparseLogistic;
use models::prior::Prior;
use posterior::{Smooth, SparseBlock};
use rand::RngExt;
use samplers::Functional;

const ROWS: usize = 6000;
const LEVELS: usize = 25;
const REPLICATES: usize = 150;

/// A category with many rare levels and one covariate with outliers.
fn rows(seed: Seed) -> SparseRows {
    let rng = &mut seed.stream(0);
    let mut block = SparseBlock::new(LEVELS + 1);
    for _ in 0..ROWS {
        let u: f64 = rng.random();
        let level = ((LEVELS as f64).powf(u * u) - 0.5).clamp(0.0, LEVELS as f64 - 1.0) as usize;
        let x = 1.0 / (0.15 + rng.random::<f64>()) - 1.5;
        let eta = -1.5 + 0.6 * ((level * 7 % 5) as f64 - 2.0) + 0.3 * x;
        let y = if rng.random::<f64>() < 1.0 / (1.0 + (-eta).exp()) { 1.0 } else { -1.0 };
        block.push(&[level as u16, LEVELS as u16], &[1.0, x], y);
    }
    SparseRows::new(block)
}

/// On ten designs, the mean over replicates of (debiased estimate − estimate of all rows on the same
/// points) is zero within its error: z has a root mean square between 0.8 and 1.2 over all weights and
/// designs, and none beyond 4.5 (a right estimator fails less than once in a hundred seeds: the z of
/// one design share points, and the root mean square is the stricter part). The first level alone is
/// off by more than eight.
#[test]
fn debiased_estimates_have_the_mean_of_all_rows() {
    let rows = rows(Seed(11));
    let model =
        SparseLogistic::new(LEVELS + 1, Prior::Gaussian { standard_deviation: 2.5 }).unwrap();
    let regression = model.regression().unwrap();
    let functionals = Functional::means(LEVELS + 2);
    let (mut squares, mut count, mut largest, mut first) = (0.0, 0.0, 0.0_f64, 0.0_f64);
    for design in 0..10 {
        let seed = Seed(100 + design);
        let anchored = AnchoredRows::find(&model, regression, &rows, seed).unwrap();
        let explored =
            Explored::new(&model, regression, &anchored, &functionals, 16, ROWS, seed, &Unobserved)
                .unwrap();
        let (path, _) = explored.path(REPLICATES, &Unobserved).unwrap();
        let levels = path.levels();
        let depths = Depths::draw(&law(levels), Scheme::Independent, REPLICATES, 1, seed).unwrap();
        let debiased = Debiased::new(&path, Form::AntitheticSum, depths).unwrap();
        let mut differences = vec![Vec::new(); functionals.len()];
        let mut of_first = differences.clone();
        for replicate in 0..REPLICATES as u64 {
            let stream = || seed.child("replicates").stream(replicate);
            let found = debiased.estimate(replicate, &mut stream()).unwrap();
            let rng = &mut stream();
            let (points, _) = path.begin_replicate(replicate, rng).unwrap();
            let alone = path.level_on(&points, &path.sample(1, rng), 1).unwrap();
            let whole = path.level_on(&points, &path.sample(levels, rng), levels).unwrap();
            for j in 0..functionals.len() {
                differences[j].push(found.value[j] - whole.value[j]);
                of_first[j].push(alone.value[j] - whole.value[j]);
            }
        }
        let z = |values: &[f64]| {
            let summary = Summary::of(values).unwrap();
            summary.mean / summary.standard_error
        };
        for j in 0..functionals.len() {
            let own = z(&differences[j]);
            squares += own * own;
            count += 1.0;
            largest = largest.max(own.abs());
            first = first.max(z(&of_first[j]).abs());
        }
    }
    let rms = (squares / count).sqrt();
    println!("z: rms {rms:.2}, at most {largest:.2}; of the first level alone at most {first:.1}");
    assert!((0.8..1.2).contains(&rms), "{rms}");
    assert!(largest < 4.5, "{largest}");
    assert!(first > 4.5, "{first}");
}
