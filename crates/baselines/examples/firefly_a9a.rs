//! Firefly on a9a beside NUTS: how many rows are bright, and what an effective draw costs.
//!
//! Firefly with three kernels and NUTS on all rows, all in the coordinates of the Laplace
//! approximation; likelihood evaluations after the set-up, warm-up included, for each effective
//! draw of the weight that mixes worst. Gradients and likelihoods count alike.
//!
//! ```sh
//! cargo run --release --example firefly_a9a
//! ```

use baselines::{Brightness, Firefly, FireflySettings, FullChain, FullPosterior, smooth_mode};
use data::a9a;
use debias::Seed;
use models::design::Patterned;
use models::logistic::{PatternLogistic, SparseLogistic};
use models::prior::Prior;
use posterior::Rows;
use samplers::diagnostics::Summary;
use samplers::{
    AdaptiveWalk, ByChain, Draws, Framing, Kernel, Length, Mala, Metric, NoUTurn, Start,
};
use std::error::Error;
use std::time::Instant;

const PRIOR: Prior = Prior::Laplace { scale: 1.0 };

fn main() -> Result<(), Box<dyn Error>> {
    let rows = a9a();
    let tree = NoUTurn { metric: Metric::Unit, ..NoUTurn::default() };
    let long = Length { warm_up: 4000, draws: 16_000 };
    firefly("adaptive walk", AdaptiveWalk { first_scale: 0.1, refresh: 500 }, 0.01, long)?;
    firefly("Langevin", Mala { step_size: 0.5 }, 0.01, long)?;
    for q in [0.1, 0.01, 0.001] {
        firefly("no U-turn", tree, q, Length { warm_up: 500, draws: 3000 })?;
    }

    let model = PatternLogistic::new(123, PRIOR)?;
    let patterns = Patterned(rows);
    let (mode, frame) = smooth_mode(&model, &patterns)?;
    let posterior = FullPosterior::new(&model, &patterns);
    let chain = ByChain {
        sampler: tree,
        framing: Framing::Given(frame),
        start: Start::Frame { spread: 0.0 },
        length: Length { warm_up: 100, draws: 300 },
        functionals: vec![],
        control_variates: false,
        expected_evaluations: 0.0,
    };
    let clock = Instant::now();
    let (draws, work) = FullChain::new(&posterior, chain)?.run(&mut Seed(1).stream(0))?;
    let evaluations = work.evaluations() as f64;
    report("NUTS on all rows", &draws, evaluations, patterns.count(), clock)?;
    println!("set-up of the frame: {} passes", mode.passes);
    Ok(())
}

fn firefly<K: Kernel>(name: &str, kernel: K, q: f64, length: Length) -> Result<(), Box<dyn Error>> {
    let rows = a9a();
    let model = SparseLogistic::new(123, PRIOR)?;
    let settings = FireflySettings {
        kernel,
        brightness: Brightness::Implicit { dark_to_bright: q },
        spread: 0.0,
        length,
        functionals: vec![],
    };
    let sampler = Firefly::new(&rows, &model, settings)?;
    let clock = Instant::now();
    let run = sampler.run(length, &mut Seed(1).child(name).stream(0))?;
    let work = run.ledger.evaluations() - run.setup.evaluations();
    println!(
        "firefly, {name}, q = {q}: {:.2} % of rows bright, set-up {} passes",
        100.0 * run.bright_share(),
        run.setup.evaluations() / rows.count() as u64
    );
    report(&format!("firefly, {name}, q = {q}"), &run.draws, work as f64, rows.count(), clock)
}

fn report(
    name: &str,
    draws: &Draws,
    work: f64,
    rows: usize,
    clock: Instant,
) -> Result<(), Box<dyn Error>> {
    let seconds = clock.elapsed().as_secs_f64();
    let summary = Summary::of_draws(std::slice::from_ref(draws))?;
    let least = summary.iter().map(|weight| weight.ess_bulk).fold(f64::INFINITY, f64::min);
    println!(
        "{name}: {} draws, least ESS {least:.0}, {:.0} evaluations an effective draw = {:.2} \
         passes, acceptance {:.2}, {seconds:.1} s",
        draws.count(),
        work / least,
        work / least / rows as f64,
        draws.acceptance()
    );
    Ok(())
}
