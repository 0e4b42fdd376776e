//! Markov kernels, couplings, diagnostics, and level estimates by running them.
mod draws;
mod factor;
mod frame;
mod kernel;
mod kernels;
mod nuts;
mod sampler;
mod student;
mod whitened;

pub use draws::{Draws, Length};
pub use factor::{Factor, FactorError};
pub use frame::{Frame, FrameError};
pub use kernel::{Kernel, Point, StartError, Step};
pub use kernels::{AdaptiveWalk, Hmc, Independence, Mala, Mixture, RandomWalk, Sides, Stepped, Weighed, trajectory};
pub use nuts::Nuts;
pub use sampler::{SampleError, Sampler};
pub use student::{Student, StudentError};
pub use whitened::Whitened;
