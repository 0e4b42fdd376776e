//! Markov kernels, couplings, diagnostics, and level estimates by running them.
