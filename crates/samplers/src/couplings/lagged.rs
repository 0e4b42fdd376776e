//! Unbiased estimates from two lagged chains (Jacob, O'Leary & Atchadé 2020; lags as in Biswas,
//! Jacob & Vanetti 2019).
//!
//! ```text
//! (X_t, Y_{t−L}) are coupled from t = L + 1 on and stay together from τ = min{t : X_t = Y_{t−L}}.
//! H_{k:m} = (1/(m−k+1)) [ Σ_{t=k}^m h(X_t) + Σ_{t=k+L}^{τ−1} v_t (h(X_t) − h(Y_{t−L})) ],
//! v_t = #{ j ≥ 1 : k ≤ t − jL ≤ m } = ⌊(t−k)/L⌋ − max(1, ⌈(t−m)/L⌉) + 1
//! ```
//!
//! E H_{k:m} = E_π h exactly, for any k ≤ m, if X_0 and Y_0 have the same law: the sum takes away
//! what is left of the start. A pair that has not met within the budget is an error, because
//! stopping there would put the bias back.

use crate::vectors::add;
use crate::{Kernel, StartError};
use debias::Rng;
use posterior::Target;

/// A kernel for two chains, each of which moves by itself as [`Kernel::step`] says.
pub trait CoupledKernel: Kernel {
    /// One transition of both; chains that are together stay together.
    fn step_both(
        &self,
        target: &mut dyn Target,
        first: &mut Self::State,
        second: &mut Self::State,
        rng: &mut Rng,
    );
}

/// How far the chains run, and which part of them is averaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lagged {
    /// L ≥ 1.
    pub lag: usize,
    /// k.
    pub burn_in: usize,
    /// m ≥ k.
    pub last: usize,
    /// Transitions of the first chain within which the pair has to meet.
    pub budget: usize,
}

/// An unbiased estimate and when the chains met.
#[derive(Clone, Debug, PartialEq)]
pub struct Unbiased {
    /// H_{k:m}, for every value of h.
    pub value: Vec<f64>,
    /// The average of h(X_k), …, h(X_m) alone, which is biased.
    pub average: Vec<f64>,
    /// τ.
    pub meeting: usize,
}

/// Why there is no estimate.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CouplingError {
    /// A chain cannot start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The lag is zero, or the average is over nothing.
    #[error("lag {lag}, averaging from {burn_in} to {last}")]
    Lengths {
        /// L.
        lag: usize,
        /// k.
        burn_in: usize,
        /// m.
        last: usize,
    },
    /// The pair has not met.
    #[error("the chains are still apart after {steps} transitions")]
    Apart {
        /// The budget.
        steps: usize,
    },
}

impl Lagged {
    /// Runs a pair from two starting points, drawn from the same law by the caller; `observe` is h,
    /// with as many values at every point.
    pub fn estimate<K: CoupledKernel>(
        &self,
        kernel: &K,
        target: &mut dyn Target,
        starts: (&[f64], &[f64]),
        observe: &dyn Fn(&[f64]) -> Vec<f64>,
        rng: &mut Rng,
    ) -> Result<Unbiased, CouplingError> {
        let Lagged { lag, burn_in, last, budget } = *self;
        if lag == 0 || last < burn_in {
            return Err(CouplingError::Lengths { lag, burn_in, last });
        }
        let mut first = kernel.init(target, starts.0)?;
        let mut second = kernel.init(target, starts.1)?;
        let mut average = vec![0.0; observe(starts.0).len()];
        let mut correction = vec![0.0; average.len()];
        let share = 1.0 / (last - burn_in + 1) as f64;
        let mut meeting = None;
        let mut time = 0;
        loop {
            let theta = &kernel.point(&first).position;
            if (burn_in..=last).contains(&time) {
                add(&mut average, share, &observe(theta));
            }
            // Nobody has to have moved for the chains to be together.
            if time >= lag && meeting.is_none() {
                let other = &kernel.point(&second).position;
                if theta == other {
                    meeting = Some(time);
                } else {
                    let weight = share * self.visits(time) as f64;
                    if weight > 0.0 {
                        add(&mut correction, weight, &observe(theta));
                        add(&mut correction, -weight, &observe(other));
                    }
                }
            }
            match meeting {
                Some(meeting) if time >= last => {
                    let value = average.iter().zip(&correction).map(|(a, b)| a + b).collect();
                    return Ok(Unbiased { value, average, meeting });
                }
                None if time >= budget => return Err(CouplingError::Apart { steps: time }),
                _ => {}
            }
            if time >= lag && meeting.is_none() {
                kernel.step_both(target, &mut first, &mut second, rng);
            } else {
                kernel.step(target, &mut first, rng);
            }
            time += 1;
        }
    }

    /// v_t, for t ≥ L.
    fn visits(&self, time: usize) -> usize {
        if time < self.burn_in + self.lag {
            return 0;
        }
        let furthest = (time - self.burn_in) / self.lag;
        let nearest = time.saturating_sub(self.last).div_ceil(self.lag).max(1);
        (furthest + 1).saturating_sub(nearest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visits_count_the_shifted_times_in_the_window() {
        for (lag, burn_in, last) in [(1, 0, 0), (1, 3, 7), (2, 3, 8), (5, 4, 4), (4, 0, 21)] {
            let lagged = Lagged { lag, burn_in, last, budget: 0 };
            for time in lag..60 {
                let window = burn_in..=last;
                let counted =
                    (1..=time / lag).filter(|j| window.contains(&(time - j * lag))).count();
                assert_eq!(lagged.visits(time), counted, "{lagged:?} at {time}");
            }
        }
    }
}
