//! Which rows are bright (Maclaurin & Adams 2014, section 3.2 and algorithm 2).
//!
//! ```text
//! P(z_i = 1 ∣ θ) = 1 − B_i/L_i,     odds r_i = P(z_i = 1)/P(z_i = 0) = exp(g_i) − 1
//!
//! explicit    some rows, drawn at random, get a new z_i from its law
//! implicit    dark → bright    proposed with probability q, accepted with min(1, r_i/q)
//!             bright → dark    proposed always,             accepted with min(1, q/r_i)
//! ```
//!
//! Dark rows are never looked at one by one: the distance to the next proposal is geometric, so a
//! sweep costs q N rows and the bright ones. The published algorithm 2 compares the wrong way round
//! in its line 10, and would accept dark → bright where it should refuse.

use debias::Rng;
use posterior::subset;
use rand::RngExt;

/// How brightness is resampled after each move of θ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Brightness {
    /// Metropolis steps for all rows, of which only few are looked at.
    Implicit {
        /// q, the probability of proposing to light a dark row.
        dark_to_bright: f64,
    },
    /// Gibbs steps for this many rows.
    Explicit {
        /// How many.
        rows: usize,
    },
}

/// A row with g_i at the present θ.
pub type Lit = (usize, f64);

/// dark → bright: u < r/q.
fn lightens(odds: f64, q: f64, uniform: f64) -> bool {
    uniform * q < odds
}

/// bright → dark: u < q/r.
fn darkens(odds: f64, q: f64, uniform: f64) -> bool {
    uniform * odds < q
}

impl Brightness {
    /// The rows that are bright next, in order, given those that are bright now, in order.
    ///
    /// `gaps` computes g_i for some rows, in order.
    pub fn resample(
        self,
        bright: &[Lit],
        count: usize,
        gaps: impl FnMut(&[usize]) -> Vec<f64>,
        rng: &mut Rng,
    ) -> Vec<Lit> {
        match self {
            Brightness::Implicit { dark_to_bright } => {
                implicit(dark_to_bright, bright, count, gaps, lightens, rng)
            }
            Brightness::Explicit { rows } => explicit(rows, bright, count, gaps, rng),
        }
    }

    /// Rows that one sweep is expected to look at beyond the bright ones.
    pub fn looked_at(self, count: usize) -> f64 {
        match self {
            Brightness::Implicit { dark_to_bright } => dark_to_bright * count as f64,
            Brightness::Explicit { rows } => rows as f64,
        }
    }
}

/// Rows bright at θ, drawn from their law, given all their gaps from row `first` on.
pub fn gibbs(first: usize, gaps: &[f64], rng: &mut Rng) -> Vec<Lit> {
    let rows = gaps.iter().enumerate().map(|(i, &gap)| (first + i, gap));
    rows.filter(|&(_, gap)| rng.random::<f64>() < -(-gap).exp_m1()).collect()
}

fn implicit(
    q: f64,
    bright: &[Lit],
    count: usize,
    mut gaps: impl FnMut(&[usize]) -> Vec<f64>,
    lightens: impl Fn(f64, f64, f64) -> bool,
    rng: &mut Rng,
) -> Vec<Lit> {
    let mut next: Vec<Lit> =
        bright.iter().copied().filter(|(_, gap)| !darkens(gap.exp_m1(), q, rng.random())).collect();
    let proposed = proposals(q, bright, count, rng);
    let odds = gaps(&proposed);
    let lit = proposed.into_iter().zip(odds);
    next.extend(lit.filter(|(_, gap)| lightens(gap.exp_m1(), q, rng.random())));
    next.sort_unstable_by_key(|&(row, _)| row);
    next
}

/// Each dark row with probability q, in order.
fn proposals(q: f64, bright: &[Lit], count: usize, rng: &mut Rng) -> Vec<usize> {
    let log_stays = (-q).ln_1p();
    let mut chosen = Vec::new();
    let mut bright = bright.iter().map(|&(row, _)| row).peekable();
    let mut row = 0;
    loop {
        // ⌊ln u / ln(1 − q)⌋ rows are passed over; u in (0, 1]. With q = 1 none is.
        let skipped = ((1.0 - rng.random::<f64>()).ln() / log_stays).floor();
        if skipped >= (count - row) as f64 {
            return chosen;
        }
        row += skipped as usize;
        while bright.next_if(|&lit| lit < row).is_some() {}
        if bright.peek() != Some(&row) {
            chosen.push(row);
        }
        row += 1;
    }
}

fn explicit(
    size: usize,
    bright: &[Lit],
    count: usize,
    mut gaps: impl FnMut(&[usize]) -> Vec<f64>,
    rng: &mut Rng,
) -> Vec<Lit> {
    let mut some = subset(count, size, rng);
    some.sort_unstable();
    let found = gaps(&some);
    let untouched = bright.iter().filter(|(row, _)| some.binary_search(row).is_err());
    let mut next: Vec<Lit> = untouched.copied().collect();
    for (&row, gap) in some.iter().zip(found) {
        next.extend(gibbs(row, &[gap], rng));
    }
    next.sort_unstable_by_key(|&(row, _)| row);
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use debias::Seed;

    /// Gaps below, about and far above q.
    const GAPS: [f64; 5] = [1e-3, 0.02, 0.1, 0.7, 3.0];
    const SWEEPS: usize = 40_000;

    /// The largest |z| over rows between how often a row is bright and 1 − e^{−g}. Neighbouring
    /// sweeps depend on each other, so means over 100 batches are compared.
    fn worst(mut sweep: impl FnMut(&[Lit], &mut Rng) -> Vec<Lit>) -> f64 {
        const BATCHES: usize = 100;
        let rng = &mut Seed(61).stream(0);
        let mut bright: Vec<Lit> = gibbs(0, &GAPS, rng);
        let mut shares = vec![[0.0; GAPS.len()]; BATCHES];
        for i in 0..SWEEPS {
            bright = sweep(&bright, rng);
            for &(row, _) in &bright {
                shares[i * BATCHES / SWEEPS][row] += BATCHES as f64 / SWEEPS as f64;
            }
        }
        let z = |row: usize| {
            let values: Vec<f64> = shares.iter().map(|batch| batch[row]).collect();
            let mean = values.iter().sum::<f64>() / BATCHES as f64;
            let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
            let error = (squares / (BATCHES * (BATCHES - 1)) as f64).sqrt();
            (mean + (-GAPS[row]).exp_m1()) / error
        };
        (0..GAPS.len()).map(|row| z(row).abs()).fold(0.0, f64::max)
    }

    fn gaps(rows: &[usize]) -> Vec<f64> {
        rows.iter().map(|&row| GAPS[row]).collect()
    }

    /// Five rows at |z| < 4.5: once in 29 000 seeds a variant.
    #[test]
    fn both_ways_leave_the_law_of_brightness_alone() {
        for brightness in [
            Brightness::Implicit { dark_to_bright: 0.05 },
            Brightness::Implicit { dark_to_bright: 1.0 },
            Brightness::Explicit { rows: 2 },
        ] {
            let z = worst(|bright, rng| brightness.resample(bright, GAPS.len(), gaps, rng));
            assert!(z < 4.5, "{brightness:?}: {z}");
        }
    }

    /// Line 10 of algorithm 2 as published, and a sweep that accepts whatever is proposed.
    #[test]
    fn the_published_inequality_is_caught() {
        let published = |odds: f64, q: f64, uniform: f64| uniform * q > odds;
        let z = worst(|bright, rng| implicit(0.05, bright, GAPS.len(), gaps, published, rng));
        assert!(z > 20.0, "{z}");
        let always = |_: f64, _: f64, _: f64| true;
        let z = worst(|bright, rng| implicit(0.05, bright, GAPS.len(), gaps, always, rng));
        assert!(z > 20.0, "{z}");
    }

    /// Counts of proposals are binomial: ten thousand rows at |z| < 4, once in sixteen thousand.
    #[test]
    fn proposals_skip_geometrically_and_leave_bright_rows_out() {
        let bright: Vec<Lit> = (0..10_000).step_by(10).map(|row| (row, 1.0)).collect();
        let (mut seen, q, rounds) = (0, 0.03, 200);
        for round in 0..rounds {
            let chosen = proposals(q, &bright, 10_000, &mut Seed(62).stream(round));
            assert!(chosen.windows(2).all(|pair| pair[0] < pair[1]));
            assert!(chosen.iter().all(|row| row % 10 != 0 && *row < 10_000));
            seen += chosen.len();
        }
        let mean = q * 9_000.0 * rounds as f64;
        assert!((seen as f64 - mean).abs() < 4.0 * (mean * (1.0 - q)).sqrt(), "{seen} {mean}");
        assert_eq!(proposals(1.0, &[(1, 0.0)], 3, &mut Seed(62).stream(0)), [0, 2]);
    }
}
