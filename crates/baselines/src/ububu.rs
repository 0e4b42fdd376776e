//! Unbiased kinetic Langevin sampling with stochastic gradients, UBUBU (Chada, Leimkuhler, Paulin &
//! Whalley 2023, arXiv 2311.05025): no accept step, no bias of the step size, no bias of the start.
//!
//! In the coordinates of the Laplace approximation,
//!
//! ```text
//! dx = v dt        dv = ∇ ln π(x) dt − γ v dt + √(2γ) dW
//! ```
//!
//! by the UBU integrator: with U the exact flow without the force and B the kick v += h ĝ(x), one step of
//! size h is U(h/2) B(h) U(h/2), of strong order two. The gradient ĝ is that of ln p + Q and (N/b) times
//! that of d_i summed over b rows at random: unbiased, and its noise is as small as the d_i.
//!
//! Level l has the step h_l = 2^{−l} h_0 and a burn-in that grows with l; S_l is the mean of φ over the
//! kept time. Chains of levels l − 1 and l are driven by the same Brownian motion, the finer one starts
//! earlier, and both are averaged over the same time, so that S_l − S_{l−1} is small. Then
//!
//! ```text
//! Z = S_0 + (S_L − S_{L−1}) / P(L),     P(L = l) = (1 − r) r^{l−1},  r = 2^{−3/2},
//! E Z = lim_l E S_l = E φ:
//! ```
//!
//! differences fall like h_l² in variance and costs grow like 1/h_l, so that r in between keeps both variance
//! and cost finite. (The paper runs fixed numbers of copies of the first levels; a single random one has
//! the same expectation.) A coarse step takes the rows of the first of its two fine ones, so that every
//! level has steps with b fresh rows. Forces must be smooth: kinks of a Laplace prior within reach of the
//! posterior slow the decay down.

use crate::chain_means::no_expectation;
use crate::taylor::Taylor;
use crate::{Budget, Exhausted};
use debias::{Estimate, Estimator, Ledger, Rng};
use models::design::Design;
use models::simd::Level;
use posterior::{Differentiable, Rows};
use rand::RngExt;
use rand_distr::StandardNormal;
use samplers::Functional;

/// r.
const RATE: f64 = 0.353_553_390_593_273_8;

/// The baseline; one answer is one Z.
pub struct Ububu<'a, R: Rows> {
    taylor: &'a Taylor<'a, R>,
    settings: UbubuSettings,
    budget: Budget,
}

/// How to move, and what to ask.
#[derive(Clone, Debug)]
pub struct UbubuSettings {
    /// h_0; posterior standard deviations are one.
    pub step: f64,
    /// γ.
    pub friction: f64,
    /// b.
    pub batch: usize,
    /// Steps of level 0 to forget, further ones to forget for each level beyond, and steps to keep.
    pub burn_in: usize,
    /// See `burn_in`.
    pub lag: usize,
    /// See `burn_in`.
    pub kept: usize,
    /// φ; expectations only.
    pub functionals: Vec<Functional>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum UbubuError {
    /// A step or a friction is not positive, or no force could keep the chain stable.
    #[error("steps of {step} under a friction of {friction}")]
    Step {
        /// h_0.
        step: f64,
        /// γ.
        friction: f64,
    },
    /// No rows, no steps to keep, or a start that no level forgets better than the one before.
    #[error("{kept} steps kept and a lag of {lag}, with batches of {batch} rows")]
    Length {
        /// Steps.
        kept: usize,
        /// Steps.
        lag: usize,
        /// b.
        batch: usize,
    },
    /// A functional is no expectation.
    #[error("functional {functional} is no expectation")]
    Functional {
        /// Which one, from zero.
        functional: usize,
    },
    /// The budget was used up.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

/// Where a chain is.
struct Moving {
    x: Vec<f64>,
    v: Vec<f64>,
    /// Σ φ over the kept steps.
    sums: Vec<f64>,
}

/// ∫ dW and ∫ e^{−γ(s − u)} dW_u over a time s, coordinate by coordinate.
struct Driven {
    plain: Vec<f64>,
    faded: Vec<f64>,
}

impl<'a, R> Ububu<'a, R>
where
    R: Rows,
    R::Block: Design,
{
    /// Chains on rows about a centre.
    pub fn new(
        taylor: &'a Taylor<'a, R>,
        settings: UbubuSettings,
    ) -> Result<Ububu<'a, R>, UbubuError> {
        let UbubuSettings { step, friction, batch, lag, kept, ref functionals, .. } = settings;
        // The kick of a unit force is stable below two.
        if !(step > 0.0 && step < 2.0 && friction > 0.0 && friction.is_finite()) {
            return Err(UbubuError::Step { step, friction });
        }
        if kept == 0 || lag == 0 || batch == 0 {
            return Err(UbubuError::Length { kept, lag, batch });
        }
        if let Some(functional) = no_expectation(functionals) {
            return Err(UbubuError::Functional { functional });
        }
        Ok(Ububu { taylor, settings, budget: Budget::UNLIMITED })
    }

    /// The same, within a budget.
    pub fn within(self, budget: Budget) -> Ububu<'a, R> {
        Ububu { budget, ..self }
    }

    /// S_0.
    fn coarsest(&self, ledger: &mut Ledger, rng: &mut Rng) -> Result<Vec<f64>, UbubuError> {
        let UbubuSettings { step, burn_in, kept, .. } = self.settings;
        let mut chain = self.start(rng);
        for at in 0..burn_in + kept {
            let (rows, a, b) =
                (self.rows(rng), self.noise(step / 2.0, rng), self.noise(step / 2.0, rng));
            self.step(&mut chain, step, &rows, (&a, &b), at >= burn_in, ledger);
            self.budget.check(*ledger + self.taylor.setup)?;
        }
        Ok(chain.sums.iter().map(|sum| sum / kept as f64).collect())
    }

    /// S_l − S_{l−1}.
    fn difference(
        &self,
        level: u32,
        ledger: &mut Ledger,
        rng: &mut Rng,
    ) -> Result<Vec<f64>, UbubuError> {
        let UbubuSettings { step, burn_in, lag, kept, friction, .. } = self.settings;
        let (times, step) = (1_usize << (level - 1), step / f64::from(1_u32 << (level - 1)));
        let half = step / 2.0;
        let (mut coarse, mut fine) = (self.start(rng), self.start(rng));
        let burn_in = (burn_in + lag * (level as usize - 1)) * times;
        let (early, all) = (lag * times, burn_in + kept * times);
        for at in 0..early + all {
            let (rows, others) = (self.rows(rng), self.rows(rng));
            let [a, b, c, d] = [(); 4].map(|()| self.noise(half / 2.0, rng));
            let counts = at >= early + burn_in;
            self.step(&mut fine, half, &rows, (&a, &b), counts, ledger);
            self.step(&mut fine, half, &others, (&c, &d), counts, ledger);
            if at >= early {
                let faded = (-friction * half / 2.0).exp();
                let both = (&a.then(&b, faded), &c.then(&d, faded));
                self.step(&mut coarse, step, &rows, both, counts, ledger);
            }
            self.budget.check(*ledger + self.taylor.setup)?;
        }
        let number = (kept * times) as f64;
        let both = fine.sums.iter().zip(&coarse.sums);
        Ok(both.map(|(fine, coarse)| fine / (2.0 * number) - coarse / number).collect())
    }

    fn start(&self, rng: &mut Rng) -> Moving {
        let sums = vec![0.0; self.settings.functionals.len()];
        Moving { x: self.taylor.normal(rng), v: self.taylor.normal(rng), sums }
    }

    fn rows(&self, rng: &mut Rng) -> (Vec<usize>, R::Block) {
        let rows: Vec<usize> = (0..self.settings.batch).map(|_| self.taylor.any_row(rng)).collect();
        let block = self.taylor.rows.gather(&rows);
        (rows, block)
    }

    /// The Brownian motion over a time s.
    fn noise(&self, time: f64, rng: &mut Rng) -> Driven {
        let gamma = self.settings.friction;
        let (plain, faded) = (time, -(-2.0 * gamma * time).exp_m1() / (2.0 * gamma));
        let covariance = -(-gamma * time).exp_m1() / gamma;
        let slope = covariance / plain;
        let rest = (faded - slope * covariance).max(0.0).sqrt();
        let mut driven = Driven { plain: Vec::new(), faded: Vec::new() };
        for _ in 0..self.taylor.dimension() {
            let first = plain.sqrt() * rng.sample::<f64, _>(StandardNormal);
            driven.plain.push(first);
            driven.faded.push(slope * first + rest * rng.sample::<f64, _>(StandardNormal));
        }
        driven
    }

    /// U(h/2) B(h) U(h/2).
    fn step(
        &self,
        chain: &mut Moving,
        step: f64,
        rows: &(Vec<usize>, R::Block),
        (before, after): (&Driven, &Driven),
        counts: bool,
        ledger: &mut Ledger,
    ) {
        let (taylor, gamma) = (self.taylor, self.settings.friction);
        before.drive(chain, gamma, step / 2.0);
        let place = taylor.place(chain.x.clone());
        let mut slope = vec![0.0; chain.x.len()];
        taylor.model.add_prior_gradient(&place.theta, &mut slope);
        taylor.sum.add_gradient(&place.theta, &mut slope);
        ledger.gradients += rows.0.len() as u64;
        let scale = taylor.rows.count() as f64 / rows.0.len() as f64;
        let left = taylor.remainders(&place.theta, &rows.1, &rows.0);
        let mut at = 0;
        let mut link = |_: &[f64], eta: &mut [f64]| {
            for (eta, d) in eta.iter_mut().zip(&left[at..]) {
                *eta = scale * d.slope;
            }
            at += eta.len();
        };
        rows.1.sweep(Level::best(), &place.theta, &mut link, Some(&mut slope));
        let mut force = vec![0.0; slope.len()];
        taylor.frame.factor().apply_transpose(&slope, &mut force);
        chain.v.iter_mut().zip(&force).for_each(|(v, force)| *v += step * force);
        after.drive(chain, gamma, step / 2.0);
        if counts {
            let mut theta = place.theta;
            taylor.frame.place(&chain.x, &mut theta);
            for (sum, functional) in chain.sums.iter_mut().zip(&self.settings.functionals) {
                *sum += functional.integrand(&theta);
            }
        }
    }
}

impl Driven {
    /// U over a time s.
    fn drive(&self, chain: &mut Moving, gamma: f64, time: f64) {
        let kept = (-gamma * time).exp();
        let moved = -(-gamma * time).exp_m1() / gamma;
        let noise = self.plain.iter().zip(&self.faded);
        for ((x, v), (plain, faded)) in chain.x.iter_mut().zip(&mut chain.v).zip(noise) {
            *x += moved * *v + (2.0 / gamma).sqrt() * (plain - faded);
            *v = kept * *v + (2.0 * gamma).sqrt() * faded;
        }
    }

    /// The same motion over this time and the next, over which what was fades by a factor.
    fn then(&self, next: &Driven, faded: f64) -> Driven {
        let sum = |a: &[f64], b: &[f64], factor: f64| {
            a.iter().zip(b).map(|(a, b)| factor * a + b).collect()
        };
        Driven {
            plain: sum(&self.plain, &next.plain, 1.0),
            faded: sum(&self.faded, &next.faded, faded),
        }
    }
}

impl<R> Estimator for Ububu<'_, R>
where
    R: Rows,
    R::Block: Design,
{
    type Error = UbubuError;

    fn estimate(&self, _: u64, rng: &mut Rng) -> Result<Estimate, UbubuError> {
        let mut ledger = Ledger::default();
        self.budget.check(self.taylor.setup)?;
        let mut level = 1;
        let mut probability = 1.0 - RATE;
        while rng.random::<f64>() < RATE {
            level += 1;
            probability *= RATE;
        }
        let mut value = self.coarsest(&mut ledger, rng)?;
        let difference = self.difference(level, &mut ledger, rng)?;
        value.iter_mut().zip(difference).for_each(|(z, d)| *z += d / probability);
        Ok(Estimate { value, depth: level as usize, cost: ledger + self.taylor.setup })
    }

    fn expected_cost(&self, _: u64) -> f64 {
        let UbubuSettings { batch, burn_in, lag, kept, .. } = self.settings;
        // E 2^L is 2 (1 − r)/(1 − 2 r), and a pair of levels takes three kicks to a coarse step.
        let steps = (burn_in + kept + 2 * lag) as f64;
        let pair = 1.5 * 2.0 * (1.0 - RATE) / (1.0 - 2.0 * RATE);
        self.taylor.setup.evaluations() as f64 + steps * batch as f64 * (1.0 + pair)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use data::{DenseRows, Generated, LogisticLaw};
    use debias::{Seed, Summary};
    use models::logistic::DenseLogistic;
    use models::prior::Prior;

    /// Coupled levels draw nearer by about four in variance from level to level, and two halves of a motion
    /// are the whole.
    #[test]
    fn differences_fall_with_the_square_of_the_step() {
        let rows = DenseRows::new(Generated::new(LogisticLaw::paper(), Seed(5), 300).range(0..300));
        let model = DenseLogistic::new(9, Prior::Gaussian { standard_deviation: 1.0 }).unwrap();
        let taylor = Taylor::at_mode(&rows, &model).unwrap();
        let settings = UbubuSettings {
            step: 0.5,
            friction: 2.0,
            batch: 300,
            burn_in: 20,
            lag: 8,
            kept: 40,
            functionals: Functional::means(10),
        };
        let ububu = Ububu::new(&taylor, settings).unwrap();
        let variance = |level: u32| {
            let one = |index: u64| {
                let rng = &mut Seed(u64::from(level)).stream(index);
                ububu.difference(level, &mut Ledger::default(), rng).unwrap()[0]
            };
            let values: Vec<f64> = (0..60).map(one).collect();
            Summary::of(&values).unwrap().variance
        };
        let found = [1, 2, 3].map(variance);
        // Ratios of variances of sixty normal numbers stay within a factor of three.
        assert!(found[1] < 0.5 * found[0] && found[2] < 0.5 * found[1], "{found:?}");
        assert!(found[2] > 0.0);
    }
}
