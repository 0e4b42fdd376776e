//! A trial on points that no replicate will see: how large the first level must be, and what a replicate
//! is worth.

use crate::explored::{ExploreError, law};
use crate::layout::Layout;
use crate::path::EnrichedPath;
use crate::points::PointSource;
use debias::{Coupling, Ledger, Path, Seed};
use posterior::{Rows, Smooth};

/// Effective points over points that are wanted at the first level and at a deep one.
pub(crate) const WANTED: f64 = 0.5;
/// The deep level has 2 to this power as many rows as the first.
const DEEP: usize = 3;
/// Replicates of the trial, as long as it plans few; at most; and how many it may plan for each of its own.
pub(crate) const TRIALS: usize = 8;
pub(crate) const MOST_TRIALS: usize = 64;
pub(crate) const PLANNED: usize = 8;
/// Pairs of mirrored points, at least, by which a proposal is judged: the share of a few varies by more than it
/// may fall short.
const JUDGED_PAIRS: usize = 32;

/// What a trial tells about a replicate.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The variance of each functional's estimate in one replicate.
    pub variances: Vec<f64>,
    /// The posterior standard deviation of each functional's integrand, roughly.
    pub deviations: Vec<f64>,
    /// E Δ_2² of each functional.
    pub increments: Vec<f64>,
    /// Effective points over points at the first level, and at a deep one.
    pub shares: (f64, f64),
    /// Gradients of the base per transition of a chain; zero where points are not drawn by chains.
    pub gradients: f64,
    /// φ_1 and Δ_2 of each replicate, the latter where there is a second level.
    terms: Vec<[Option<Vec<f64>>; 2]>,
}

/// First levels that are tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FirstLevel {
    /// Rows of the base from which points come.
    pub base: usize,
    /// Rows of the first level, at the start and at most.
    pub rows: usize,
    pub most: usize,
    /// Effective points over points that are wanted.
    pub share: f64,
}

/// Doubles the first level until points keep their weight there.
pub(crate) fn choose_first<R, M>(
    path: &mut EnrichedPath<'_, R, M>,
    FirstLevel { base, rows: mut first, most, share: wanted }: FirstLevel,
    gradients: f64,
    seed: Seed,
    ledger: &mut Ledger,
) -> Result<Trial, ExploreError>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
{
    let (kinds, share_at) = (path.rows.kinds(), path.layout().share());
    path.exponents = path.strata.exponents(first as f64);
    // A third of the points is enough to see whether the base is like a deep level.
    let level = (1 + DEEP).min(path.levels());
    let rng = &mut seed.child("deep").stream(0);
    let all = match &path.points {
        PointSource::Chains { chains, .. } => {
            PointSource::Chains { chains: chains.clone(), replicates: TRIALS / 2 }
        }
        PointSource::Mirrored { proposal, pairs } => {
            PointSource::Mirrored { proposal: proposal.clone(), pairs: JUDGED_PAIRS.max(*pairs) }
        }
    };
    let points = all.draw(path.model, path.anchor, path.functionals, 0, rng);
    let found = path.level_on(&points, &path.sample(level, rng), level)?;
    *ledger += found.cost;
    let deep = found.value[share_at];
    if deep < wanted {
        return Err(ExploreError::Share { base, first, share: deep });
    }
    loop {
        let mut trial = Trial {
            variances: Vec::new(),
            deviations: Vec::new(),
            increments: Vec::new(),
            shares: (0.0, deep),
            gradients,
            terms: Vec::new(),
        };
        trial.extend(path, TRIALS, seed, ledger)?;
        if trial.shares.0 >= wanted {
            return Ok(trial);
        }
        if first >= kinds || 2 * first > most {
            return Err(ExploreError::Share { base, first, share: trial.shares.0 });
        }
        first *= 2;
        path.exponents = path.strata.exponents(first as f64);
    }
}

impl Trial {
    /// The number of replicates.
    pub fn count(&self) -> usize {
        self.terms.len()
    }

    /// Goes on until there are so many replicates, up to the second level.
    pub(crate) fn extend<R, M>(
        &mut self,
        path: &EnrichedPath<'_, R, M>,
        count: usize,
        seed: Seed,
        ledger: &mut Ledger,
    ) -> Result<(), ExploreError>
    where
        R: Rows,
        M: Smooth<Block = R::Block>,
    {
        let seed = seed.child("trial");
        for replicate in self.terms.len()..count {
            let rng = &mut seed.stream(replicate as u64);
            let source = path.points.consecutive(replicate, count);
            let mut points = source.draw(path.model, path.anchor, path.functionals, 0, rng);
            let mut terms = [None, None];
            for level in 1..=path.levels().min(2) {
                let term = path.increment(&mut points, level, Coupling::Antithetic, rng)?;
                *ledger += term.cost;
                terms[level - 1] = Some(term.value);
            }
            self.terms.push(terms);
        }
        self.judge(path);
        Ok(())
    }

    /// Variances and deviations from all replicates so far.
    fn judge<R, M>(&mut self, path: &EnrichedPath<'_, R, M>)
    where
        R: Rows,
        M: Smooth<Block = R::Block>,
    {
        let layout: Layout = path.layout();
        let terms = |which: usize, at: usize| {
            self.terms.iter().filter_map(move |term| Some(term[which].as_ref()?[at]))
        };
        let count = self.terms.len() as f64;
        let mean = |at: usize| terms(0, at).sum::<f64>() / count;
        let law = law(path.levels());
        let sum: f64 =
            (2..=path.levels()).map(|level| 4f64.powi(2 - level as i32) / law.tail(level)).sum();
        let (mut variances, mut squares, mut increments) = (Vec::new(), Vec::new(), Vec::new());
        for (at, functional) in path.functionals.iter().enumerate() {
            let centre = functional.integrand(path.anchor.centre());
            let own = mean(at);
            squares.push((mean(layout.second_moment(at)) - (own - centre).powi(2)).max(0.0));
            let step = terms(1, at).map(|step| step * step).sum::<f64>() / count;
            let first = terms(0, at).map(|first| (first - own).powi(2)).sum::<f64>();
            variances.push(first / (count - 1.0) + sum * step);
            increments.push(step);
        }
        shrink(&mut variances, &squares, count);
        self.shares.0 = mean(layout.share());
        self.deviations = squares.into_iter().map(f64::sqrt).collect();
        (self.variances, self.increments) = (variances, increments);
    }
}

/// Draws variances towards the typical one, in units of `squares`, as far as their spread is noise: the
/// logarithm of a variance from n replicates has a variance of ψ′((n − 1) / 2), about 2 / (n − 1).
///
/// ```text
/// ln v ← max{ m + k (ln v − m), ln v − s } + ½ k s²,   k = 1 − s² / spread of ln v,   s² = ψ′((n − 1) / 2)
/// ```
///
/// One functional may really differ from all others, so that none is lowered by more than s. The last
/// term is half of what noise is left: the mean of v is wanted, not its median.
fn shrink(variances: &mut [f64], squares: &[f64], replicates: f64) {
    // ψ′(x), and ln x − ψ(x), which the logarithm is too small by on average, to four digits.
    let x = 0.5 * (replicates - 1.0);
    let noise = 1.0 / x + 0.5 / (x * x) + 1.0 / (6.0 * x.powi(3));
    let small = 0.5 / x + 1.0 / (12.0 * x * x);
    let logs: Vec<f64> = variances
        .iter()
        .zip(squares)
        .map(|(v, square)| (v / square).ln() + small)
        .filter(|log| log.is_finite())
        .collect();
    if logs.len() < TRIALS {
        return;
    }
    let mean = logs.iter().sum::<f64>() / logs.len() as f64;
    let spread = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / (logs.len() - 1) as f64;
    let keep = (1.0 - noise / spread).max(0.0);
    for (v, square) in variances.iter_mut().zip(squares) {
        let log = (*v / square).ln() + small;
        if log.is_finite() {
            let drawn = (mean + keep * (log - mean)).max(log - noise.sqrt());
            *v = square * (drawn + 0.5 * keep * noise).exp();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explored::AnchoredRows;
    use crate::layout::Direction;
    use data::DenseRows;
    use models::logistic::DenseLogistic;
    use models::prior::Prior;
    use samplers::{Functional, Student};

    /// Sixty rows say little of three parameters: eight of them would leave points without weight.
    #[test]
    fn first_levels_double_until_points_keep_their_weight() {
        const ROWS: usize = 60;
        let x = |i: usize| [3.0 * (1.3 * i as f64).sin(), (2.1 * i as f64).tan().clamp(-6.0, 6.0)];
        let x: Vec<[f64; 2]> = (0..ROWS).map(x).collect();
        let y: Vec<f64> = (0..ROWS).map(|i| if i % 3 == 0 { 1.0 } else { -1.0 }).collect();
        let rows = DenseRows::from_rows(&x, &y).unwrap();
        let model = DenseLogistic::new(2, Prior::Gaussian { standard_deviation: 2.5 }).unwrap();
        let regression = model.regression().unwrap();
        let anchored = AnchoredRows::find(&model, regression, &rows, Seed(1)).unwrap();
        let functionals = Functional::means(3);
        let proposal = Student::new(anchored.anchor.frame.clone(), 30.0).unwrap();
        let mut path = EnrichedPath {
            model: &model,
            regression,
            rows: &anchored.rows,
            anchor: &anchored.anchor,
            strata: &anchored.strata,
            exponents: Vec::new(),
            functionals: &functionals,
            directions: Direction::all(&functionals, &anchored.anchor),
            thresholds: Vec::new(),
            points: PointSource::Mirrored { proposal, pairs: 32 },
        };
        let mut choose = |rows: usize, share: f64| {
            let first = FirstLevel { base: 0, rows, most: 2 * ROWS, share };
            let trial = choose_first(&mut path, first, 0.0, Seed(2), &mut Ledger::default());
            (trial.unwrap().shares.0, path.expected_rows(1))
        };
        let (all, _) = choose(ROWS, 0.0);
        let (few, eight) = choose(8, 0.0);
        let wanted = 0.5 * (all + few);
        let (found, grown) = choose(8, wanted);
        assert!(found >= wanted && grown > 1.5 * eight, "{few} {all}: {found} with {grown} rows");
    }

    #[test]
    fn noise_is_shrunk_away_and_real_differences_stay() {
        // Logarithms that differ by less than noise all come out alike.
        let mut alike: Vec<f64> = (0..40).map(|j| (0.4 * f64::from(j).sin()).exp()).collect();
        shrink(&mut alike, &[1.0; 40], 8.0);
        assert!(alike.iter().all(|v| (v - alike[0]).abs() < 1e-12));
        // One that is a hundred times the others stays nearly so.
        let mut one: Vec<f64> = vec![4.0; 40];
        one[7] = 400.0;
        shrink(&mut one, &[4.0; 40], 8.0);
        assert!(one[7] > 40.0 * one[0], "{} and {}", one[7], one[0]);
    }
}
