//! Particles along 2000 rows of a9a: each resampling with what led to it, and the work in all.
//!
//! ```sh
//! cargo run --release --example ibis_a9a
//! ```

use baselines::{Beginning, Ibis, IbisSettings};
use data::{SparseRows, a9a};
use debias::{Schedule, Seed};
use models::design::Patterned;
use models::logistic::PatternLogistic;
use models::prior::Prior;
use posterior::{Rows, subset};
use samplers::{Functional, Hmc};

const ROWS: usize = 2000;
const WIDTH: usize = 123;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let all = a9a();
    let rows = SparseRows::new(all.gather(&subset(all.count(), ROWS, &mut Seed(51).stream(0))));
    let rows = Patterned(rows);
    let prior = Prior::Laplace { scale: 1.0 };
    let model = PatternLogistic::new(WIDTH, prior)?;
    let stand_in = PatternLogistic::new(WIDTH, Prior::like_laplace(1.0))?;
    let settings = IbisSettings {
        schedule: Schedule::halving(ROWS, 30)?,
        shuffled: true,
        beginning: Beginning::prior(prior, WIDTH + 1).ok_or("no prior to draw from")?,
        particles: 200,
        threshold: 0.5,
        kernel: Hmc { step_size: 0.15, steps: 8 },
        steps: 2,
        functionals: Functional::means(WIDTH + 1),
    };
    for coordinates in ["curvature", "particles"] {
        let ibis = Ibis::new(&rows, &model, settings.clone())?;
        let ibis = if coordinates == "curvature" { ibis.curved_as(&stand_in) } else { ibis };
        let run = ibis.run(&mut Seed(56).stream(0))?;
        println!("coordinates of the {coordinates}");
        println!("rows  power  effective  acceptance");
        for stage in &run.stages {
            let (effective, acceptance) = (stage.effective, stage.acceptance);
            println!("{:4}  {:.3}  {effective:9.1}  {acceptance:10.2e}", stage.rows, stage.power);
        }
        println!(
            "{} stages, log evidence {:.1}, {:.0} passes over all rows\n",
            run.stages.len(),
            run.log_evidence,
            run.ledger.evaluations() as f64 / ROWS as f64
        );
    }
    Ok(())
}
