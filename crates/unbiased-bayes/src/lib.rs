//! Posterior expectations from random subsets of the data, without bias.

pub mod anchored;
