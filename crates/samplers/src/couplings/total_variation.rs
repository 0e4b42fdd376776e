//! How far a chain is from its target, from meeting times (Biswas, Jacob & Vanetti 2019).
//!
//! ```text
//! ‖π_t − π‖_TV ≤ E max(0, ⌈(τ − L − t)/L⌉)
//! ```

/// The bound at time t, as a mean over meeting times of pairs with lag L.
///
/// # Panics
/// If the lag is zero or there are no meeting times.
pub fn total_variation_bound(meetings: &[usize], lag: usize, time: usize) -> f64 {
    assert!(lag > 0 && !meetings.is_empty(), "a bound needs a lag and meeting times");
    let total: usize =
        meetings.iter().map(|meeting| meeting.saturating_sub(lag + time).div_ceil(lag)).sum();
    total as f64 / meetings.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_falls_to_zero() {
        let meetings = [11, 25];
        // L = 10: at t = 0 ⌈1/10⌉ = 1 and ⌈15/10⌉ = 2.
        assert_eq!(total_variation_bound(&meetings, 10, 0), 1.5);
        assert_eq!(total_variation_bound(&meetings, 10, 5), 0.5);
        assert_eq!(total_variation_bound(&meetings, 10, 15), 0.0);
    }
}
