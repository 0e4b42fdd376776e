//! Full NUTS on a9a, 32 561 rows and 124 weights: plain, whitened by the Laplace approximation, and
//! through the kinks of the Laplace prior in the same metric.
//!
//! Prints wall and processor time, gradients, effective draws and divergences of 100 + 500
//! iterations, warm-up included, and whether two seeds agree within their Monte Carlo errors on all
//! weights; before that, what mode and metric cost, which is no part of the other times.
//!
//! ```sh
//! cargo run --release --example a9a_nuts             # minutes
//! cargo run --release --example a9a_nuts -- whitened # seconds: nothing plain
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
    Draws, Factor, Frame, KinkedNoUTurn, Lbfgs, Length, Metric, NoUTurn, Nuts, SampleError,
    Sampler, Start,
};
use std::error::Error;
use std::time::Instant;

const LENGTH: Length = Length { warm_up: 100, draws: 500 };

/// Where the Laplace approximation is, for starts and for metrics.
struct Laplace {
    frame: Frame,
    start: Start,
}

/// A way to draw: in a frame, or in none.
enum Way<'a> {
    Framed(&'a dyn Sampler),
    Plain(&'a dyn Sampler),
}

fn main() -> Result<(), Box<dyn Error>> {
    let rows = Patterned(a9a());
    let model = PatternLogistic::new(123, Prior::Laplace { scale: 1.0 })?;
    let block = rows.range(0..rows.count());

    // The best of all that is tried serves as the optimum.
    let thorough = Lbfgs { memory: 60, gain: 1e-15, iterations: 20_000, ..Lbfgs::default() };
    let mut optimum = f64::NEG_INFINITY;
    for (name, search) in
        [("thorough", thorough), ("default", Lbfgs::default()), ("customary", Lbfgs::customary())]
    {
        let mut target = PartialPosterior::new(&model, &block);
        let clock = Clock::start();
        let mode = search.maximise(&mut target, &[0.0; 124])?;
        optimum = optimum.max(mode.point.log_density);
        let within = [1e-1, 1e-3, 1e-6, 1e-9].map(|gap| mode.iterations_within(gap, optimum));
        println!(
            "mode by L-BFGS, {name} stop: {} iterations, {} gradients, {clock}, {:.1e} below the \
             optimum; iterations to 1e-1, 1e-3, 1e-6, 1e-9 of it: {within:?}",
            mode.iterations,
            mode.evaluations,
            optimum - mode.point.log_density
        );
    }

    // The curvature at a kink is none, so the frame is that of a smooth prior of the same variance.
    let smooth = PatternLogistic::new(123, Prior::Gaussian { standard_deviation: 2f64.sqrt() })?;
    let clock = Clock::start();
    let anchor = newton(&smooth, &rows, &[0.0; 124], 0.1, 20)?;
    let factor = Factor::of_covariance(&anchor.covariance.entries(), 124)?;
    let frame = Frame::new(anchor.theta.clone(), factor.clone())?;
    println!("frame by Newton: {} passes, {clock}", anchor.passes);

    let laplace = Laplace { frame, start: Start::Frame { spread: 1.0 } };
    let target = (&model, &block);
    let kinked = KinkedNoUTurn::new(factor, 1.0)?;
    let own = NoUTurn { metric: Metric::Unit, ..NoUTurn::default() };
    let nuts = Nuts::default();
    report("whitened, through kinks", &Way::Plain(&kinked), &laplace, target)?;
    report("whitened, nuts-rs", &Way::Framed(&nuts), &laplace, target)?;
    report("whitened, own NUTS", &Way::Framed(&own), &laplace, target)?;
    if std::env::args().any(|argument| argument == "whitened") {
        return Ok(());
    }
    let laplace = Laplace { start: Start::Uniform { radius: 0.1 }, ..laplace };
    report("plain, nuts-rs", &Way::Plain(&nuts), &laplace, target)
}

/// Runs two seeds and prints what they cost and whether they agree.
fn report(
    name: &str,
    way: &Way<'_>,
    laplace: &Laplace,
    (model, block): (&PatternLogistic, &PatternBlock),
) -> Result<(), Box<dyn Error>> {
    let mut summaries = Vec::new();
    for seed in 0..2 {
        let mut target = PartialPosterior::new(model, block);
        let rng = &mut Seed(1).child(name).stream(seed);
        let start = laplace.start.draw(124, Some(&laplace.frame), rng)?;
        let clock = Clock::start();
        let draws: Result<Draws, SampleError> = match way {
            Way::Framed(sampler) => {
                sampler.sample_in(&laplace.frame, &mut target, &start, LENGTH, rng)
            }
            Way::Plain(sampler) => sampler.sample(&mut target, &start, LENGTH, rng),
        };
        let (draws, seconds, spent) = (draws?, clock.processor(), clock.to_string());
        let gradients = target.ledger().gradients / block.rows() as u64;
        let summary = Summary::of_draws(std::slice::from_ref(&draws))?;
        let effective = summary.iter().map(|weight| weight.ess_bulk).fold(f64::INFINITY, f64::min);
        println!(
            "{name}, seed {seed}: {spent}, {gradients} gradients ({:.1} an iteration), least ESS \
             {effective:.0}, {:.1} a second of processor time, {} divergences ({} in the warm-up)",
            gradients as f64 / 600.0,
            effective / seconds,
            draws.divergences(),
            draws.warm_up_divergences
        );
        summaries.push(summary);
    }
    let differences: Vec<f64> = summaries[0]
        .iter()
        .zip(&summaries[1])
        .map(|(a, b)| ((a.mean - b.mean) / a.mcse.hypot(b.mcse)).abs())
        .collect();
    // The largest of 124 standard normals exceeds 3.9 once in a hundred.
    println!(
        "{name}: largest difference of 124 means between seeds {:.2} joint errors, root mean square \
         {:.2}",
        differences.iter().copied().fold(0.0, f64::max),
        (differences.iter().map(|z| z * z).sum::<f64>() / 124.0).sqrt()
    );
    Ok(())
}

/// Time since some moment, on the wall and on the processor.
struct Clock {
    wall: Instant,
    processor: Option<f64>,
}

impl Clock {
    fn start() -> Clock {
        Clock { wall: Instant::now(), processor: processor_seconds() }
    }

    /// Seconds of processor time, or of wall time where the system does not tell.
    fn processor(&self) -> f64 {
        match (processor_seconds(), self.processor) {
            (Some(now), Some(before)) => now - before,
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

impl std::fmt::Display for Clock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{:.2} s wall, {:.2} s processor",
            self.wall.elapsed().as_secs_f64(),
            self.processor()
        )
    }
}

/// What Linux says this process has spent on processors so far, all its threads together.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program stands in parentheses; eleven fields later come the ticks spent in
    // the program and in the kernel, a hundred to the second.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |index: usize| fields.get(index)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}
