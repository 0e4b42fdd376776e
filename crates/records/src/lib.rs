//! What an experiment leaves behind.
