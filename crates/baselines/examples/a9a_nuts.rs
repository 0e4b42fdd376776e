//! Full NUTS on a9a, 32 561 rows and 124 weights, plain and whitened by the Laplace approximation.
//!
//! Prints wall time, gradients, effective draws and divergences of 100 + 500 iterations, and
//! whether two seeds agree within their Monte Carlo errors on all weights.
//!
//! ```sh
//! cargo run --release --package baselines --example a9a_nuts
//! ```

use data::a9a;
use debias::Seed;
use models::anchor::newton;
use models::design::{PatternBlock, Patterned};
use models::logistic::PatternLogistic;
use models::prior::Prior;
use posterior::{Block, PartialPosterior, Rows};
use samplers::diagnostics::Summary;
use samplers::{
    ByChain, Factor, Frame, Framing, Lbfgs, Length, Metric, NoUTurn, Nuts, Sampler, Start,
};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let rows = Patterned(a9a());
    let model = PatternLogistic::new(123, Prior::Laplace { scale: 1.0 })?;
    let block = rows.range(0..rows.count());

    let mut target = PartialPosterior::new(&model, &block);
    let start = Instant::now();
    let mode = Lbfgs::default().maximise(&mut target, &[0.0; 124])?;
    println!(
        "mode by L-BFGS: {} iterations, {} gradients, {:.2} s",
        mode.iterations,
        target.ledger().gradients / rows.count() as u64,
        start.elapsed().as_secs_f64()
    );

    // The curvature at a kink is none, so the frame is that of a smooth prior.
    let smooth = PatternLogistic::new(123, Prior::Gaussian { standard_deviation: 2f64.sqrt() })?;
    let start = Instant::now();
    let anchor = newton(&smooth, &rows, &[0.0; 124], 0.1, 20)?;
    let factor = Factor::of_covariance(&anchor.covariance.entries(), 124)?;
    let frame = Frame::new(anchor.theta.clone(), factor)?;
    println!("frame by Newton: {} passes, {:.2} s", anchor.passes, start.elapsed().as_secs_f64());

    let begin = Start::Frame { spread: 1.0 };
    let own = NoUTurn { metric: Metric::Unit, ..NoUTurn::default() };
    let target = (&model, &block);
    report("nuts-rs, whitened", Nuts::default(), Framing::Given(frame.clone()), &begin, target)?;
    report("own NUTS, whitened", own, Framing::Given(frame), &begin, target)?;
    report(
        "nuts-rs, plain",
        Nuts::default(),
        Framing::Plain,
        &Start::Uniform { radius: 0.1 },
        target,
    )
}

/// Runs two seeds and prints what they cost and whether they agree.
fn report<S: Sampler + Clone>(
    name: &str,
    sampler: S,
    framing: Framing,
    start: &Start,
    (model, block): (&PatternLogistic, &PatternBlock),
) -> Result<(), Box<dyn Error>> {
    let chain = ByChain {
        sampler,
        framing,
        start: start.clone(),
        length: Length { warm_up: 100, draws: 500 },
        functionals: vec![],
        control_variates: false,
        expected_evaluations: 0.0,
    };
    let mut summaries = Vec::new();
    for seed in 0..2 {
        let mut target = PartialPosterior::new(model, block);
        let clock = Instant::now();
        let draws = chain.draws(&mut target, &mut Seed(1).child(name).stream(seed))?;
        let seconds = clock.elapsed().as_secs_f64();
        let gradients = target.ledger().gradients / block.rows() as u64;
        let summary = Summary::of_draws(std::slice::from_ref(&draws))?;
        let effective = summary.iter().map(|weight| weight.ess_bulk).fold(f64::INFINITY, f64::min);
        println!(
            "{name}, seed {seed}: {seconds:.1} s, {gradients} gradients ({:.0} an iteration), least ESS \
             {effective:.0}, {:.1} effective draws a second, {} divergences",
            gradients as f64 / 600.0,
            effective / seconds,
            draws.divergences()
        );
        summaries.push(summary);
    }
    let worst = summaries[0]
        .iter()
        .zip(&summaries[1])
        .map(|(a, b)| ((a.mean - b.mean) / a.mcse.hypot(b.mcse)).abs())
        .fold(0.0, f64::max);
    println!("{name}: largest difference of 124 means between seeds: {worst:.2} joint errors");
    Ok(())
}
