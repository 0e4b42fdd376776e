//! Ten logistic weights given very many rows that are generated and never stored.
//!
//! ```sh
//! cargo run --release --package unbiased-bayes --example tall -- 100000000
//! ```

use data::{Generated, LogisticLaw};
use unbiased_bayes::{DenseLogistic, Estimation, Method, Prior, RunHooks, Seed};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = std::env::args().nth(1).map_or(Ok(10_000_000), |count| count.parse())?;
    let rows = Generated::new(LogisticLaw::paper(), Seed(2015), count);
    let model = DenseLogistic::new(9, Prior::Laplace { scale: 1.0 })?;
    let say = |line: &str| eprintln!("{line}");
    let hooks = RunHooks { say: &say, ..RunHooks::none() };
    let answer = Estimation::new(&model, &rows).method(Method::Anchored).hooks(hooks).run()?;
    for one in &answer.estimates {
        let (mean, error) = (one.summary.mean, one.summary.standard_error);
        let sd = one.posterior_sd.unwrap_or(f64::NAN);
        println!("{}: {mean:.9} ± {error:.1e}, posterior sd {sd:.2e}", one.name);
    }
    let passes = answer.cost.evaluations() as f64 / count as f64;
    println!("{passes:.2} passes over {count} rows; {}", answer.remarks.join("; "));
    Ok(())
}
