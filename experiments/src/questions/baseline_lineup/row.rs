//! What one method's repetitions at one budget are worth.

use super::answers::Answer;
use super::budget::WHOLE_LINE;
use crate::problems::truth::Truth;
use records::Table;
use serde::Serialize;

/// One method at one budget: a row of the table `lineup`.
#[derive(Serialize)]
pub struct Row {
    pub problem: &'static str,
    pub method: &'static str,
    pub passes: f64,
    /// The same in evaluations.
    budget: f64,
    /// Really taken, on average.
    evaluations: f64,
    pub rmse: f64,
    /// 95 % interval of it.
    low: f64,
    high: f64,
    pub bias: f64,
    /// What the bias would be by noise alone, that of the truth included.
    #[serde(rename = "bias by noise")]
    noise: f64,
    #[serde(skip)]
    intervals: Option<Intervals>,
}

/// The intervals of a method: a row of the table `coverage`.
#[derive(Serialize)]
struct Coverage {
    problem: &'static str,
    method: &'static str,
    covered: i64,
    intervals: i64,
    low: f64,
    high: f64,
    evaluations: f64,
    #[serde(rename = "half width")]
    half_width: f64,
    rmse: f64,
}

/// What claimed intervals are worth.
struct Intervals {
    /// Those that hold the truth, and all of them.
    covered: (usize, usize),
    /// How many independent ones they are worth: those of one repetition hold or fail together.
    worth: f64,
    /// Root mean square in posterior sds, the whole line not counted.
    half_width: f64,
}

impl Row {
    /// From the answers of all repetitions, after a set-up of so many evaluations.
    pub fn of(
        problem: &'static str,
        method: &'static str,
        (passes, budget): (usize, f64),
        setup: f64,
        repetitions: &[&Answer],
        truth: &Truth,
    ) -> Row {
        let (count, width) = (repetitions.len() as f64, truth.means.len());
        let error = |a: &Answer, j: usize| (a.means[j] - truth.means[j]) / truth.sds[j];
        let squares: Vec<f64> = repetitions.iter().map(|a| truth.error(&a.means).powi(2)).collect();
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
            noise += (truth.errors[j] / truth.sds[j]).powi(2) / width as f64;
        }
        Row {
            problem,
            method,
            passes: passes as f64,
            budget,
            evaluations: repetitions.iter().map(|a| setup + a.spent).sum::<f64>() / count,
            rmse: square.sqrt(),
            low: (square * (-relative).exp()).sqrt(),
            high: (square * relative.exp()).sqrt(),
            bias: bias.sqrt(),
            noise: noise.sqrt(),
            intervals: Intervals::of(repetitions, truth),
        }
    }

    /// The share of intervals that hold the truth, if any are claimed.
    pub fn share(&self) -> Option<f64> {
        self.intervals.as_ref().map(Intervals::share)
    }

    /// Of the claimed intervals, in posterior sds.
    pub fn half_width(&self) -> Option<f64> {
        self.intervals.as_ref().map(|intervals| intervals.half_width)
    }

    /// The table `coverage`.
    pub fn coverage(rows: &[Row]) -> Table {
        let claimed = |row: &Row| {
            let Intervals { covered, half_width, .. } = *row.intervals.as_ref()?;
            let (low, high) = row.intervals.as_ref()?.ends();
            let Row { problem, method, evaluations, rmse, .. } = *row;
            let (covered, intervals) = (covered.0 as i64, covered.1 as i64);
            Some(Coverage {
                problem,
                method,
                covered,
                intervals,
                low,
                high,
                evaluations,
                half_width,
                rmse,
            })
        };
        Table::of_rows("coverage", &rows.iter().filter_map(claimed).collect::<Vec<_>>())
    }
}

impl Intervals {
    fn of(repetitions: &[&Answer], truth: &Truth) -> Option<Intervals> {
        let width = truth.means.len();
        if repetitions.iter().any(|answer| answer.halves.is_empty()) {
            return None;
        }
        let holds = |a: &Answer, j: usize| (a.means[j] - truth.means[j]).abs() <= a.halves[j];
        let hits: Vec<usize> =
            repetitions.iter().map(|a| (0..width).filter(|&j| holds(a, j)).count()).collect();
        let covered = (hits.iter().sum::<usize>(), hits.len() * width);
        let share = covered.0 as f64 / covered.1 as f64;
        let count = hits.len() as f64;
        let spread = hits.iter().map(|&hits| (hits as f64 / width as f64 - share).powi(2));
        let variance = spread.sum::<f64>() / (count - 1.0) / count;
        // Where all hold there is no spread to tell; then a repetition is worth one.
        let worth = if variance > 0.0 { share * (1.0 - share) / variance } else { count };
        let halves = repetitions.iter().flat_map(|answer| {
            let known =
                answer.halves.iter().zip(&truth.sds).filter(|(half, _)| **half < WHOLE_LINE);
            known.map(|(half, sd)| half / sd)
        });
        let (number, squares) = halves.fold((0.0, 0.0), |(n, sum), h| (n + 1.0, sum + h * h));
        let half_width = f64::sqrt(squares / number);
        Some(Intervals { covered, worth: worth.min(covered.1 as f64), half_width })
    }

    fn share(&self) -> f64 {
        self.covered.0 as f64 / self.covered.1 as f64
    }

    fn ends(&self) -> (f64, f64) {
        wilson(self.share(), self.worth)
    }
}

/// Wilson's 95 % interval of a share among n.
fn wilson(share: f64, n: f64) -> (f64, f64) {
    const Z: f64 = 1.96;
    let middle = share + Z * Z / (2.0 * n);
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    ((middle - half) / scale, (middle + half) / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(spent: f64, means: &[f64], halves: &[f64]) -> Answer {
        Answer { means: means.to_vec(), halves: halves.to_vec(), spent, done: spent }
    }

    /// Errors of 1 and −1, then 3 and 1, in one weight of sd 2 about 10, with half widths 2.5.
    #[test]
    fn rows_by_hand() {
        let truth = Truth { means: vec![10.0], sds: vec![2.0], errors: vec![0.0] };
        let answers = [(5.0, 12.0), (7.0, 8.0), (5.0, 16.0), (7.0, 12.0)]
            .map(|(spent, mean)| answer(spent - 1.0, &[mean], &[2.5]));
        let answers: Vec<&Answer> = answers.iter().collect();
        let row = Row::of("p", "m", (8, 64.0), 1.0, &answers, &truth);
        let intervals = row.intervals.as_ref().unwrap();
        assert_eq!((row.evaluations, intervals.covered, row.share()), (6.0, (3, 4), Some(0.75)));
        // p (1 − p) / (Var/4), Var = (3/16 + 9/16)/3 = ¼.
        assert!((intervals.worth - 3.0).abs() < 1e-12 && intervals.half_width == 1.25);
        assert!((row.rmse - 3f64.sqrt()).abs() < 1e-12);
        assert!((row.bias - 1.0).abs() < 1e-12);
        // Var = (0 + 4 + 4 + 0)/3, over four.
        assert!((row.noise - (2.0 / 3.0_f64).sqrt()).abs() < 1e-12);
        assert!(row.low < row.rmse && row.rmse < row.high);
    }

    /// Two weights that always hold or fail together are worth one.
    #[test]
    fn intervals_of_one_repetition_are_not_independent() {
        let truth = Truth { means: vec![0.0; 2], sds: vec![1.0; 2], errors: vec![0.0; 2] };
        let of = |i: usize| if i < 4 { [2.0; 2] } else { [0.5; 2] };
        let answers: Vec<Answer> = (0..40).map(|i| answer(1.0, &of(i), &[1.0; 2])).collect();
        let intervals = Intervals::of(&answers.iter().collect::<Vec<_>>(), &truth).unwrap();
        assert_eq!(intervals.covered, (72, 80));
        assert!((intervals.worth - 39.0).abs() < 1e-9, "{}", intervals.worth);
        let unclaimed = answer(1.0, &[0.5; 2], &[]);
        assert!(Intervals::of(&[&unclaimed, &unclaimed], &truth).is_none());
    }

    #[test]
    fn wilson_by_hand() {
        let (low, high) = wilson(0.95, 400.0);
        assert!((low - 0.9240).abs() < 5e-4 && (high - 0.9674).abs() < 5e-4, "{low} {high}");
    }
}
