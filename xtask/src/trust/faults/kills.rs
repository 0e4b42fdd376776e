//! SIGKILL at random moments, again and again, and then to the end: the same bytes.

use super::super::Bench;
use super::super::commands::Line;
use super::super::evidence::{Evidence, Table};
use debias::Seed;
use rand::RngExt;
use std::time::Instant;

/// Kills each command so many times and lets it finish; returns how many kills found it running.
pub fn gather(
    bench: &Bench,
    evidence: &mut Evidence,
    lines: &[Line],
    kills: u64,
) -> anyhow::Result<u64> {
    let mut table = Table::new(
        "Killed with -9 at random moments of its usual duration, then run to the end",
        &["command", "kills", "files compared", "outcome"],
    );
    let mut total = 0;
    for line in lines {
        bench.say(&format!("killing {}", line.name));
        line.clear()?;
        let start = Instant::now();
        let expected = line.outcome()?;
        let duration = start.elapsed();
        line.clear()?;
        let (mut killed, mut same) = (0, true);
        for attempt in 0.. {
            anyhow::ensure!(attempt < 20 * kills, "{} is over too soon to be killed", line.name);
            let rng = &mut Seed(2015).child(line.name).stream(attempt);
            if line.killed_after(duration.mul_f64(rng.random::<f64>()))? {
                killed += 1;
            } else {
                // It had come to its end, with the help of what earlier attempts left: begin anew.
                same &= line.bytes()? == expected;
                line.clear()?;
            }
            if killed == kills {
                break;
            }
        }
        total += killed;
        same &= line.outcome()? == expected;
        if !same {
            evidence.failures.push(format!("{} has other bytes after {kills} kills", line.name));
        }
        table.push([
            line.name.to_owned(),
            kills.to_string(),
            expected.len().to_string(),
            if same { "the same bytes" } else { "**other bytes**" }.to_owned(),
        ]);
    }
    evidence.tables.push(table);
    Ok(total)
}
