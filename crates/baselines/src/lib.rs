//! The competing methods, each an `Estimator`.
