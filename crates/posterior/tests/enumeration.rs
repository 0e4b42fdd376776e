//! E Z = φ_L by enumeration: every depth, every order of the rows, to 1e-12.
//!
//! No statistics here. For N ≤ 8 rows the mean of a replicate is a finite sum over depths and
//! orders, and it is computed with the estimator that users run. The functional, the squared mean
//! of a batch, is curved, so that partial posteriors are biased and a missing term shows.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod squares;

use debias::{
    Coupling, Debiased, Depths, Estimator, Form, Ledger, Path, Pilot, PilotSettings, Rng, Schedule,
    Scheme, Seed, Term, Truncation,
};
use posterior::DataPath;
use squares::{Flat, NUMBERS, Numbers, SquaredMean, evidence, permutations, squares};
use std::convert::Infallible;

type Squares<'a> = DataPath<'a, Numbers, Flat, SquaredMean>;

/// The path on one given order instead of a random one, with faults to plant.
struct OnOrder<'a> {
    path: &'a Squares<'a>,
    order: Vec<usize>,
    fault: Fault,
}

#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    /// φ_1 is not taken away from φ_2.
    MissingTerm,
    /// The path ends one level before all rows.
    DroppedLevel,
}

impl Path for OnOrder<'_> {
    type Shared = ();
    type Error = Infallible;

    fn levels(&self) -> usize {
        self.path.levels() - usize::from(self.fault == Fault::DroppedLevel)
    }

    fn level_cost(&self, level: usize) -> f64 {
        self.path.level_cost(level)
    }

    fn increment_cost(&self, level: usize, coupling: Coupling) -> f64 {
        self.path.increment_cost(level, coupling)
    }

    fn begin(&self, _: &mut Rng) -> Result<((), Ledger), Infallible> {
        Ok(((), Ledger::default()))
    }

    fn prefix(&self, _: &mut (), depth: usize, rng: &mut Rng) -> Result<Vec<Term>, Infallible> {
        let mut terms = self.path.prefix_on(&self.order, depth, rng)?;
        if self.fault == Fault::MissingTerm && depth > 1 {
            terms[0].value.fill(0.0);
        }
        Ok(terms)
    }

    fn increment(
        &self,
        _: &mut (),
        level: usize,
        coupling: Coupling,
        rng: &mut Rng,
    ) -> Result<Term, Infallible> {
        if self.fault == Fault::MissingTerm && level == 2 {
            let mut terms = self.path.prefix_on(&self.order, 2, rng)?;
            return Ok(terms.remove(1));
        }
        self.path.increment_on(&self.order, level, coupling, rng)
    }
}

/// Every list of n rows drawn with replacement.
fn with_replacement(n: usize) -> Vec<Vec<usize>> {
    (0..n.pow(n as u32))
        .map(|code| (0..n).map(|place| code / n.pow(place as u32) % n).collect())
        .collect()
}

/// E Z − φ_L, the larger of both functionals: depths from `drawn`, weights from `weights`.
fn bias(
    sizes: &[usize],
    form: Form,
    drawn: &[f64],
    weights: &Truncation,
    orders: &[Vec<usize>],
    fault: Fault,
) -> f64 {
    let rows = *sizes.last().unwrap();
    let numbers = Numbers(NUMBERS[..rows].to_vec());
    let schedule = Schedule::explicit(sizes.to_vec(), rows).unwrap();
    let path = DataPath::new(&numbers, &Flat, &SquaredMean, &schedule).unwrap();
    let rng = &mut Seed(0).stream(0);
    let target = squares(&NUMBERS[..rows]);
    let mut mean = vec![0.0; target.len()];
    for order in orders {
        let path = OnOrder { path: &path, order: order.clone(), fault };
        for (depth, chance) in (1..).zip(drawn) {
            let depths = Depths::constant(weights, depth, 1);
            let estimator = Debiased::new(&path, form, depths).unwrap();
            let estimate = estimator.estimate(0, rng).unwrap();
            for (mean, value) in mean.iter_mut().zip(&estimate.value) {
                *mean += chance * value / orders.len() as f64;
            }
        }
    }
    mean.iter().zip(&target).map(|(mean, target)| (mean - target).abs()).fold(0.0, f64::max)
}

fn masses(law: &Truncation) -> Vec<f64> {
    (1..=law.levels()).map(|level| law.mass(level)).collect()
}

fn laws(levels: usize) -> Vec<Truncation> {
    let costs: Vec<f64> = (0..levels).map(|level| f64::from(1 << level)).collect();
    let gains = costs.iter().map(|cost| 1.0 / (cost * cost)).collect();
    let tradeoff = debias::Tradeoff { form: Form::AntitheticSum, gains, costs };
    let total = (levels * (levels + 1) / 2) as f64;
    vec![
        Truncation::geometric(0.8, levels).unwrap(),
        Truncation::geometric(-0.4, levels).unwrap(),
        Truncation::from_masses((1..=levels).map(|t| t as f64 / total).collect()).unwrap(),
        debias::optimal(&tradeoff, 2.5).unwrap(),
    ]
}

const SCHEDULES: [&[usize]; 5] = [&[1, 2, 4, 8], &[2, 3, 7, 8], &[1, 3, 6], &[5, 6], &[4]];

#[test]
fn every_form_and_law_is_unbiased() {
    let (mut cases, mut worst) = (0, 0.0_f64);
    for sizes in SCHEDULES {
        let orders = permutations(*sizes.last().unwrap());
        for law in laws(sizes.len()) {
            for form in Form::ALL {
                let bias = bias(sizes, form, &masses(&law), &law, &orders, Fault::None);
                assert!(bias < 1e-12, "{form:?} {sizes:?} {law:?}: {bias}");
                (cases, worst) = (cases + 1, worst.max(bias));
            }
        }
    }
    evidence("cases", cases);
    evidence("largest bias", format!("{worst:.0e}"));
}

/// Form and law are what a pilot has chosen: given the choice, a replicate is unbiased.
#[test]
fn whatever_a_pilot_chooses_is_unbiased() {
    let sizes = SCHEDULES[0];
    let numbers = Numbers(NUMBERS.to_vec());
    let schedule = Schedule::explicit(sizes.to_vec(), NUMBERS.len()).unwrap();
    let path = DataPath::new(&numbers, &Flat, &SquaredMean, &schedule).unwrap();
    let settings = PilotSettings { levels: 3, replicates: 40 };
    let orders = permutations(NUMBERS.len());
    let mut worst = 0.0_f64;
    for seed in 0..4 {
        let form = Form::AntitheticSingleTerm;
        let pilot = Pilot::run(&path, &schedule, form, settings, Seed(seed)).unwrap();
        let pilot = pilot.in_better_form::<Infallible>(Scheme::Stratified, 10).unwrap();
        let tuned = pilot.best_under::<Infallible>(Scheme::Stratified, 10).unwrap();
        let (form, law) = (tuned.tradeoff.form, tuned.law);
        let bias = bias(sizes, form, &masses(&law), &law, &orders, Fault::None);
        assert!(bias < 1e-12, "{form:?} {law:?}: {bias}");
        worst = worst.max(bias);
    }
    evidence("largest bias", format!("{worst:.0e}"));
}

/// The exact share of each depth in a group of m: the uniform number enters only through finitely
/// many intervals, on each of which the depths are constant. By linearity the same integral
/// serves strata with numbers of their own and with a shared one.
fn shares(law: &Truncation, scheme: Scheme, group: usize) -> Vec<f64> {
    let parts = if scheme == Scheme::Independent { 1 } else { group };
    let mut cuts: Vec<f64> =
        (1..=law.levels()).map(|level| (parts as f64 * law.tail(level)).fract()).collect();
    cuts.extend([0.0, 1.0]);
    cuts.sort_by(f64::total_cmp);
    let mut shares = vec![0.0; law.levels()];
    for cut in cuts.windows(2) {
        let middle = 0.5 * (cut[0] + cut[1]);
        for uniform in scheme.spread(group, || middle) {
            shares[law.depth(uniform) - 1] += (cut[1] - cut[0]) / group as f64;
        }
    }
    shares
}

#[test]
fn every_depth_scheme_is_unbiased() {
    let (mut cases, mut worst) = (0, 0.0_f64);
    let sizes = SCHEDULES[2];
    let orders = permutations(6);
    for law in laws(sizes.len()) {
        for scheme in Scheme::ALL {
            for group in [1, 2, 5, 8] {
                let drawn = shares(&law, scheme, group);
                for form in Form::ALL {
                    let bias = bias(sizes, form, &drawn, &law, &orders, Fault::None);
                    assert!(bias < 1e-12, "{form:?} {scheme:?} in groups of {group}: {bias}");
                    (cases, worst) = (cases + 1, worst.max(bias));
                }
            }
        }
    }
    evidence("cases", cases);
    evidence("largest bias", format!("{worst:.0e}"));
}

/// Mutation: what the enumeration would say of four wrong estimators. 1e-3 is nine orders above
/// what it allows.
#[track_caller]
fn assert_caught(biases: impl IntoIterator<Item = f64>) {
    let mut least = f64::INFINITY;
    for bias in biases {
        assert!(bias > 1e-3, "a planted fault left a bias of only {bias}");
        least = least.min(bias);
    }
    evidence("least bias that it leaves", format!("{least:.2}"));
}

#[test]
fn a_wrong_tail_is_caught() {
    let sizes = SCHEDULES[2];
    let drawn = masses(&Truncation::geometric(0.8, 3).unwrap());
    let wrong = Truncation::geometric(0.7, 3).unwrap();
    let orders = permutations(6);
    assert_caught(Form::ALL.map(|form| bias(sizes, form, &drawn, &wrong, &orders, Fault::None)));
}

#[test]
fn a_missing_telescoping_term_is_caught() {
    let law = Truncation::geometric(0.8, 3).unwrap();
    let orders = permutations(6);
    assert_caught(
        Form::ALL
            .map(|form| bias(SCHEDULES[2], form, &masses(&law), &law, &orders, Fault::MissingTerm)),
    );
}

#[test]
fn sampling_with_replacement_at_the_top_is_caught() {
    let law = Truncation::geometric(0.8, 3).unwrap();
    let orders = with_replacement(6);
    assert_caught(
        Form::ALL.map(|form| bias(SCHEDULES[2], form, &masses(&law), &law, &orders, Fault::None)),
    );
}

#[test]
fn a_dropped_last_level_is_caught() {
    let law = Truncation::geometric(0.8, 2).unwrap();
    let orders = permutations(6);
    assert_caught(
        Form::ALL.map(|form| {
            bias(SCHEDULES[2], form, &masses(&law), &law, &orders, Fault::DroppedLevel)
        }),
    );
}

/// The random order behind the enumeration: a batch and what the next one adds to it are uniform
/// subsets. Rows are powers of two, so a mean names its rows. Pearson's χ² over all 10 pairs out
/// of 5 rows, 9 degrees of freedom; 33.7 is exceeded once in ten thousand seeds.
#[test]
fn batches_are_uniform_subsets() {
    let numbers = Numbers((0..5).map(|bit| f64::from(1 << bit)).collect());
    let schedule = Schedule::explicit(vec![2, 4, 5], 5).unwrap();
    let path = DataPath::new(&numbers, &Flat, &SquaredMean, &schedule).unwrap();
    let draws = 20_000;
    let mut counts = [[0_u32; 32]; 2];
    for draw in 0..draws {
        let levels = path.prefix(&mut (), 2, &mut Seed(3).stream(draw)).unwrap();
        let two = 2.0 * levels[0].value[0].sqrt();
        let four = 4.0 * levels[1].value[0].sqrt();
        counts[0][two.round() as usize] += 1;
        counts[1][(four - two).round() as usize] += 1;
    }
    let expected = draws as f64 / 10.0;
    for counts in counts {
        let chi: f64 = (0_usize..32)
            .filter(|pair| pair.count_ones() == 2)
            .map(|pair| (f64::from(counts[pair]) - expected).powi(2) / expected)
            .sum();
        assert!(chi < 33.7, "χ² = {chi}");
    }
}
