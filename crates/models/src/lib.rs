//! Priors, likelihoods, gradients and closed forms; each model one file.
