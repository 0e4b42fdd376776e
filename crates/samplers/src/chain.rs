//! A chain that can be left and taken up again.
//!
//! State, draws and the number of transitions are one value; with the generator they are all there
//! is. Written out after any transition and read back, they give the same draws as a run that was
//! never interrupted.

use crate::{Draws, Kernel, Length, StartError, Warming};
use debias::Rng;
use posterior::Target;

/// A chain of a kernel with state S, somewhere between its start and its end.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Chain<S> {
    state: S,
    transitions: usize,
    /// The draws so far.
    pub draws: Draws,
}

impl<S> Chain<S> {
    /// A chain that has not moved yet.
    pub fn begin<K>(
        kernel: &K,
        target: &mut dyn Target,
        start: &[f64],
    ) -> Result<Chain<S>, StartError>
    where
        K: Kernel<State = S>,
    {
        let state = kernel.init(target, start)?;
        let mut draws = Draws::new(start.len());
        draws.step_size = kernel.step_size(&state);
        Ok(Chain { state, transitions: 0, draws })
    }

    /// Transitions done, warm-up included.
    pub fn transitions(&self) -> usize {
        self.transitions
    }

    /// Forgets the draws so far, as if they had been part of the warm-up, whose lessons stay.
    pub fn discard(&mut self) {
        self.transitions -= self.draws.count();
        let mut draws = Draws::new(self.draws.dimension());
        draws.warm_up_divergences = self.draws.warm_up_divergences;
        draws.step_size = self.draws.step_size;
        self.draws = draws;
    }

    /// At most this many transitions more; whether the chain has reached its length.
    pub fn advance<K>(
        &mut self,
        kernel: &K,
        target: &mut dyn Target,
        length: Length,
        transitions: usize,
        rng: &mut Rng,
    ) -> bool
    where
        K: Kernel<State = S>,
    {
        let end = length.transitions();
        for _ in 0..transitions.min(end.saturating_sub(self.transitions)) {
            let step = kernel.step(target, &mut self.state, rng);
            self.transitions += 1;
            if self.transitions <= length.warm_up {
                let warming = Warming { iteration: self.transitions, length: length.warm_up };
                kernel.tune(&mut self.state, &step, warming);
                self.draws.warm_up_divergences += usize::from(step.diverged);
                self.draws.step_size = kernel.step_size(&self.state);
            } else {
                self.draws.push(kernel.point(&self.state), step);
            }
        }
        self.transitions >= end
    }
}
