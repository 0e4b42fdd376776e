//! What one method's repetitions at one budget are worth.

use crate::weights::Truth;
use records::Table;

/// One method at one budget.
pub(super) struct Row {
    pub(super) problem: &'static str,
    pub(super) method: &'static str,
    pub(super) passes: usize,
    /// On average.
    evaluations: f64,
    pub(super) rmse: f64,
    /// 95 % interval of it.
    interval: (f64, f64),
    pub(super) bias: f64,
    /// What the bias would be by noise alone.
    noise: f64,
    /// Intervals that hold the truth, and all of them.
    covered: (usize, usize),
}

impl Row {
    /// From repetitions, each evaluations, means and, where they are claimed, half widths.
    pub(super) fn of(
        problem: &'static str,
        method: &'static str,
        passes: usize,
        repetitions: &[&[f64]],
        truth: &Truth,
    ) -> Row {
        let (count, width) = (repetitions.len() as f64, truth.means.len());
        let error = |part: &[f64], j: usize| (part[1 + j] - truth.means[j]) / truth.sds[j];
        let squares: Vec<f64> =
            repetitions.iter().map(|p| truth.error(&p[1..=width]).powi(2)).collect();
        let square = squares.iter().sum::<f64>() / count;
        let spread: f64 = squares.iter().map(|s| (s - square).powi(2)).sum::<f64>() / (count - 1.0);
        // On the scale of the logarithm, where the interval of a positive number stays positive.
        let relative = 1.96 * (spread / count).sqrt() / square;
        let (mut bias, mut noise) = (0.0, 0.0);
        for j in 0..width {
            let mean = repetitions.iter().map(|p| error(p, j)).sum::<f64>() / count;
            let squares: f64 = repetitions.iter().map(|p| (error(p, j) - mean).powi(2)).sum();
            bias += mean * mean / width as f64;
            noise += squares / (count - 1.0) / count / width as f64;
        }
        let claimed = |part: &&&[f64]| part.len() > 1 + width;
        let holds =
            |part: &[f64], j: usize| (part[1 + j] - truth.means[j]).abs() <= part[1 + width + j];
        let covered = repetitions.iter().filter(claimed);
        let covered = covered.map(|p| (0..width).filter(|&j| holds(p, j)).count()).sum();
        let all = repetitions.iter().filter(claimed).count() * width;
        Row {
            problem,
            method,
            passes,
            evaluations: repetitions.iter().map(|part| part[0]).sum::<f64>() / count,
            rmse: square.sqrt(),
            interval: ((square * (-relative).exp()).sqrt(), (square * relative.exp()).sqrt()),
            bias: bias.sqrt(),
            noise: noise.sqrt(),
            covered: (covered, all),
        }
    }

    /// The share of intervals that hold the truth.
    pub(super) fn share(&self) -> f64 {
        self.covered.0 as f64 / self.covered.1 as f64
    }

    /// The table `lineup`.
    pub(super) fn table(rows: &[Row]) -> Table {
        let words =
            |of: fn(&Row) -> &str| rows.iter().map(|r| of(r).to_owned()).collect::<Vec<_>>();
        let numbers = |of: fn(&Row) -> f64| rows.iter().map(of).collect::<Vec<f64>>();
        Table::new("lineup")
            .with("problem", words(|row| row.problem))
            .with("method", words(|row| row.method))
            .with("passes", numbers(|row| row.passes as f64))
            .with("evaluations", numbers(|row| row.evaluations))
            .with("rmse", numbers(|row| row.rmse))
            .with("low", numbers(|row| row.interval.0))
            .with("high", numbers(|row| row.interval.1))
            .with("bias", numbers(|row| row.bias))
            .with("bias by noise", numbers(|row| row.noise))
    }

    /// The table `coverage`.
    pub(super) fn coverage(rows: &[Row]) -> Table {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.covered.1 > 0).collect();
        let ends: Vec<(f64, f64)> = rows.iter().map(|row| wilson(row.covered)).collect();
        Table::new("coverage")
            .with("method", rows.iter().map(|row| row.method.to_owned()).collect::<Vec<_>>())
            .with("covered", rows.iter().map(|row| row.covered.0 as i64).collect::<Vec<_>>())
            .with("repetitions", rows.iter().map(|row| row.covered.1 as i64).collect::<Vec<_>>())
            .with("low", ends.iter().map(|ends| ends.0).collect::<Vec<_>>())
            .with("high", ends.iter().map(|ends| ends.1).collect::<Vec<_>>())
            .with("evaluations", rows.iter().map(|row| row.evaluations).collect::<Vec<_>>())
            .with("rmse", rows.iter().map(|row| row.rmse).collect::<Vec<_>>())
    }
}

/// Wilson's 95 % interval of a share.
fn wilson((hits, all): (usize, usize)) -> (f64, f64) {
    const Z: f64 = 1.96;
    let (n, share) = (all as f64, hits as f64 / all as f64);
    let middle = share + Z * Z / (2.0 * n);
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    ((middle - half) / scale, (middle + half) / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Errors of 1 and −1, then 3 and 1, in one weight of sd 2 about 10, with half widths 2.5.
    #[test]
    fn rows_by_hand() {
        let truth = Truth { means: vec![10.0], sds: vec![2.0], errors: vec![0.0] };
        let parts: [&[f64]; 4] =
            [&[5.0, 12.0, 2.5], &[7.0, 8.0, 2.5], &[5.0, 16.0, 2.5], &[7.0, 12.0, 2.5]];
        let row = Row::of("p", "m", 8, &parts, &truth);
        assert_eq!((row.evaluations, row.covered), (6.0, (3, 4)));
        assert!((row.rmse - 3f64.sqrt()).abs() < 1e-12);
        assert!((row.bias - 1.0).abs() < 1e-12);
        // Var = (0 + 4 + 4 + 0)/3, over four.
        assert!((row.noise - (2.0 / 3.0_f64).sqrt()).abs() < 1e-12);
        assert!(row.interval.0 < row.rmse && row.rmse < row.interval.1);
    }

    #[test]
    fn wilson_by_hand() {
        let (low, high) = wilson((380, 400));
        assert!((low - 0.9240).abs() < 5e-4 && (high - 0.9674).abs() < 5e-4, "{low} {high}");
    }
}
