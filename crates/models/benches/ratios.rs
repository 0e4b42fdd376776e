//! The promised ratios, each from one run.
//!
//! Both sides of a ratio take turns, and each counts by its fastest turn, so that a machine that is
//! busy with something else slows both or neither.
//!
//! ```sh
//! cargo bench --bench ratios             # passes over 10⁷ rows
//! cargo bench --bench ratios -- 1e8      # … over 10⁸
//! ```

#[path = "support/plain.rs"]
mod plain;
#[path = "support/rows.rs"]
mod rows;

use models::design::{Design, PatternBlock};
use models::logistic::{DenseLogistic, Logistic, PatternLogistic};
use models::prior::Prior;
use models::simd::Level;
use posterior::{Block, DenseBlock, Differentiable, MixedBlock, SparseBlock, pass};
use rows::Generated;
use std::hint::black_box;
use std::time::Instant;

/// The fastest of many turns of two things to do, in nanoseconds a row.
fn fastest(turns: usize, rows: usize, mut one: impl FnMut(), mut other: impl FnMut()) -> [f64; 2] {
    let mut best = [f64::INFINITY; 2];
    let time = |slot: &mut f64, run: &mut dyn FnMut()| {
        let clock = Instant::now();
        run();
        *slot = slot.min(clock.elapsed().as_secs_f64() * 1e9 / rows as f64);
    };
    for _ in 0..turns {
        time(&mut best[0], &mut one);
        time(&mut best[1], &mut other);
    }
    best
}

fn dense() {
    let (block, by_row, theta) = rows::dense();
    let model = DenseLogistic::new(rows::WIDTH, Prior::Flat).expect("flat is a prior");
    let (mut first, mut second) = (theta.clone(), theta.clone());
    type Link = fn(f64, f64) -> (f64, f64);
    let ways: [(&str, Link); 2] =
        [("exp, exp, ln_1p", plain::first_thought), ("one exp, ln_1p", plain::second_thought)];
    for (name, link) in ways {
        let [naive, own] = fastest(
            2_000,
            block.rows(),
            || {
                black_box(plain::dense(
                    &by_row,
                    block.targets(),
                    black_box(&theta),
                    &mut first,
                    link,
                ));
            },
            || {
                black_box(model.add_gradient(black_box(&theta), &block, &mut second));
            },
        );
        println!(
            "dense, D = 10, {:?}: naive ({name}) {naive:.2} ns a row, ours {own:.2}: {:.1} times",
            Level::best(),
            naive / own
        );
    }
}

fn sparse() {
    let (block, theta) = rows::sparse();
    let patterns = PatternBlock::new(block.clone()).expect("binary rows");
    let model = PatternLogistic::new(block.width(), Prior::Flat).expect("flat is a prior");
    let (mut first, mut second) = (theta.clone(), theta.clone());
    let [naive, own] = fastest(
        300,
        block.rows(),
        || {
            let link = plain::second_thought;
            black_box(plain::sparse(&block, black_box(&theta), &mut first, link));
        },
        || {
            black_box(model.add_gradient(black_box(&theta), &patterns, &mut second));
        },
    );
    println!(
        "in the shape of a9a: CSR {naive:.2} ns a row, ours {own:.2}: {:.1} times",
        naive / own
    );
}

/// Numbers and categories, in their own layout and as compressed sparse rows.
fn mixed() {
    let (block, csr, theta) = rows::mixed();
    let level = Level::best();
    let wide: Vec<u32> = csr.indices().iter().map(|column| column as u32).collect();
    let (mut first, mut second) = (theta.clone(), theta.clone());
    let mut eta = vec![0.0; csr.rows()];
    let say = |what: &str, [other, own]: [f64; 2]| {
        println!("{what}: {other:.2} ns a row, ours {own:.2}: {:.1} times", other / own);
    };
    let mut look = |_: &[f64], eta: &mut [f64]| {
        black_box(eta);
    };
    let mut again = |_: &[f64], eta: &mut [f64]| {
        black_box(eta);
    };
    let products = fastest(
        2_000,
        csr.rows(),
        || {
            let parts = (csr.offsets(), &wide[..], csr.values());
            plain::products(parts, black_box(&theta), &mut eta, &mut first);
            black_box(&mut eta);
        },
        || block.sweep(level, black_box(&theta), &mut look, Some(&mut second)),
    );
    say("categories, both products, plain CSR", products);
    let products = fastest(
        2_000,
        csr.rows(),
        || csr.sweep(level, black_box(&theta), &mut look, Some(&mut first)),
        || block.sweep(level, black_box(&theta), &mut again, Some(&mut second)),
    );
    say("categories, both products, SparseBlock", products);
    let products = fastest(
        2_000,
        csr.rows(),
        || csr.moves(level, black_box(&theta), &mut look),
        || block.moves(level, black_box(&theta), &mut again),
    );
    say("categories, predictors, SparseBlock", products);
    let sums = fastest(
        2_000,
        csr.rows(),
        || csr.add_rows(level, black_box(csr.targets()), &mut first),
        || block.add_rows(level, black_box(csr.targets()), &mut second),
    );
    say("categories, sums of rows, SparseBlock", sums);
    let models = (
        Logistic::<SparseBlock>::new(csr.width(), Prior::Flat).expect("flat is a prior"),
        Logistic::<MixedBlock>::new(csr.width(), Prior::Flat).expect("flat is a prior"),
    );
    let gradients = fastest(
        2_000,
        csr.rows(),
        || {
            black_box(models.0.add_gradient(black_box(&theta), &csr, &mut first));
        },
        || {
            black_box(models.1.add_gradient(black_box(&theta), &block, &mut second));
        },
    );
    say("categories, logistic gradient, SparseBlock", gradients);
    let size = theta.len();
    let weights: Vec<f64> = csr.targets().iter().map(|y| 0.1 + 0.05 * y).collect();
    let (mut one, mut other) = (vec![0.0; size * size], vec![0.0; size * size]);
    let grams = fastest(
        100,
        csr.rows(),
        || csr.add_gram(level, black_box(&weights), &mut one),
        || block.add_gram(level, black_box(&weights), &mut other),
    );
    say("categories, Gram matrix, SparseBlock", grams);
    let forms = fastest(
        200,
        csr.rows(),
        || {
            black_box(csr.quadratic_forms(black_box(&one)));
        },
        || {
            black_box(block.quadratic_forms(black_box(&one)));
        },
    );
    say("categories, quadratic forms, SparseBlock", forms);
}

/// All rows in pieces of 2¹⁷, first without the gradient and then with it.
fn generated(count: usize) {
    const PIECE: usize = 1 << 17;
    let model = DenseLogistic::new(rows::WIDTH, Prior::Flat).expect("flat is a prior");
    let theta = [0.5; rows::WIDTH + 1];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    let add = |total: &mut f64, part: f64| *total += part;
    let turns = count.div_ceil(PIECE);
    let piece = |turn: usize| Generated { first: turn * PIECE, count: PIECE };
    let (mut bare_turn, mut full_turn) = (0, 0);
    let [bare, full] = fastest(
        turns,
        PIECE,
        || {
            let visit = |block: DenseBlock| black_box(&block).rows() as f64;
            black_box(pool.install(|| pass(&piece(bare_turn), visit, 0.0, add)));
            bare_turn += 1;
        },
        || {
            let visit = |block: DenseBlock| {
                let mut gradient = [0.0; rows::WIDTH + 1];
                let value = model.add_gradient(black_box(&theta), &block, &mut gradient);
                value + black_box(gradient)[0]
            };
            black_box(pool.install(|| pass(&piece(full_turn), visit, 0.0, add)));
            full_turn += 1;
        },
    );
    println!(
        "pass over {} generated rows: {bare:.2} ns a row, with the gradient {full:.2}: {:.1} % more",
        turns * PIECE,
        100.0 * (full / bare - 1.0)
    );
}

fn main() {
    let count = std::env::args().find_map(|text| text.parse::<f64>().ok());
    dense();
    sparse();
    mixed();
    generated(count.unwrap_or(1e7) as usize);
}
