//! The one binary of the suite.
fn main() {}
