//! Flights within the United States in 2001, one row per flight: is it more than two hours late?
//!
//! ```text
//! logit P(late) = Σ_a w_a [origin = a] + Σ_b w_b [destination = b] (+ w_h (hour − 13) / 5) + bias
//! ```
//!
//! Columns are the origins by the alphabet, then the destinations, then the hour where it is wanted. The
//! rows come from the embedded counts; equal flights are neighbours, those that are late first.

use data::{Departures, SparseRows, flights_2001};
use posterior::SparseBlock;
use std::collections::{BTreeMap, BTreeSet};

/// How the hour is centred and scaled.
const NOON: f64 = 13.0;
const HOURS: f64 = 5.0;

/// Airports that flights leave, and airports that they go to.
pub(super) const AIRPORTS: (usize, usize) = (229, 228);

/// So many flights at even distances among those between the busiest airports, at most so many origins and
/// as many destinations; all flights if there are not more.
pub(super) fn flights(airports: usize, hours: bool, most: usize) -> SparseRows {
    let all = flights_2001();
    let origins = busiest(&all, airports, |one| &one.origin);
    let destinations = busiest(&all, airports, |one| &one.destination);
    let width = origins.len() + destinations.len() + usize::from(hours);
    let place = |one: &Departures| {
        Some((*origins.get(&*one.origin)?, *destinations.get(&*one.destination)?))
    };
    let total: u64 = all.iter().filter(|one| place(one).is_some()).map(|one| one.flights).sum();
    let most = (most as u64).min(total);
    let mut block = SparseBlock::new(width);
    // Of flights 0, 1, …, total − 1 those at which ⌊i most / total⌋ is about to grow are kept.
    let mut before = 0;
    let kept = |from: u64, to: u64| to * most / total - from * most / total;
    for one in &all {
        let Some((origin, destination)) = place(one) else { continue };
        let columns = [origin, origins.len() + destination, width - 1].map(|column| column as u16);
        let values = [1.0, 1.0, (f64::from(one.hour) - NOON) / HOURS];
        let columns = &columns[..if hours { 3 } else { 2 }];
        // A bare pattern of ones needs no values.
        let values = if hours { &values[..] } else { &[] };
        let (late, end) = (before + one.late, before + one.flights);
        for _ in 0..kept(before, late) {
            block.push(columns, values, 1.0);
        }
        for _ in 0..kept(late, end) {
            block.push(columns, values, -1.0);
        }
        before = end;
    }
    SparseRows::new(block)
}

/// The places, by the alphabet, of the airports with the most flights.
fn busiest(
    all: &[Departures],
    airports: usize,
    name: fn(&Departures) -> &str,
) -> BTreeMap<&str, usize> {
    let mut flights: BTreeMap<&str, u64> = BTreeMap::new();
    for one in all {
        *flights.entry(name(one)).or_default() += one.flights;
    }
    let mut busy: Vec<(&str, u64)> = flights.into_iter().collect();
    busy.sort_by_key(|&(name, flights)| (std::cmp::Reverse(flights), name));
    let names: BTreeSet<&str> = busy.into_iter().take(airports).map(|(name, _)| name).collect();
    names.into_iter().zip(0..).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use posterior::Rows;

    #[test]
    fn all_flights_are_there_or_some_at_even_distances() {
        let all = flights(usize::MAX, false, usize::MAX);
        assert_eq!((all.count(), all.positives()), (3_000_000, 42_681));
        assert_eq!(all.block().width(), AIRPORTS.0 + AIRPORTS.1);
        let some = flights(10, true, 2000);
        assert_eq!((some.count(), some.block().width()), (2000, 21));
        // About one flight in seventy is late.
        assert!((10..60).contains(&some.positives()), "{}", some.positives());
        assert!(some.block().values().iter().all(|value| value.abs() <= 2.6));
    }
}
