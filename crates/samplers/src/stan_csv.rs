//! Draws as Stan CSV, which ArviZ, posterior and Stan's own tools read.
//!
//! Comment lines with the lengths, a header, and one line a draw: `lp__`, `accept_stat__`,
//! `stepsize__`, `divergent__`, `energy__`, then the parameters; NaN where a kernel has no such
//! thing. Numbers are written so that they
//! read back to the same bits.

use crate::Draws;
use std::io::{self, Write};

/// Writes the draws; `names` are the parameters, with `beta.1` for the first entry of a vector.
///
/// # Panics
/// If there is not one name for each coordinate.
pub fn write_stan_csv(draws: &Draws, names: &[&str], mut out: impl Write) -> io::Result<()> {
    assert_eq!(names.len(), draws.dimension(), "one name for each coordinate");
    writeln!(out, "# num_samples = {}", draws.count())?;
    writeln!(out, "# num_warmup = 0")?;
    writeln!(out, "# save_warmup = 0")?;
    writeln!(out, "# thin = 1")?;
    write!(out, "lp__,accept_stat__,stepsize__,divergent__,energy__")?;
    for name in names {
        write!(out, ",{name}")?;
    }
    writeln!(out)?;
    for (index, theta) in draws.iter().enumerate() {
        let step = &draws.steps()[index];
        write!(
            out,
            "{},{},{},{},{}",
            draws.log_densities()[index],
            step.acceptance,
            draws.step_size.unwrap_or(f64::NAN),
            u8::from(step.diverged),
            step.energy.unwrap_or(f64::NAN)
        )?;
        for value in theta {
            write!(out, ",{value}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
