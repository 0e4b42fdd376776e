//! The problems that methods are tried on, each defined once.

pub mod truth;
