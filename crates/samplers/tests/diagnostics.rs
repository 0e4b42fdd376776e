//! Agreement with ArviZ on stored draws; `arviz/make.py` made both files.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use debias::Seed;
use rand::RngExt;
use rand_distr::StandardNormal;
use samplers::diagnostics::{
    Chains, ChainsError, Summary, energy_fraction, ess_bulk, ess_mean, ess_tail, mcse_mean,
    mcse_sd, rhat,
};

const DRAWS: &str = include_str!("arviz/draws.csv");
const NUMBERS: &str = include_str!("arviz/numbers.csv");

/// One column of the stored draws, chain by chain.
fn stored(name: &str) -> Vec<Vec<f64>> {
    let mut lines = DRAWS.lines();
    let column = lines.next().unwrap().split(',').position(|header| header == name).unwrap();
    let mut chains = vec![Vec::new(); 4];
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        chains[cells[0].parse::<usize>().unwrap()].push(cells[column].parse().unwrap());
    }
    chains
}

#[test]
fn the_numbers_are_those_of_arviz() {
    for line in NUMBERS.lines().skip(1) {
        let (name, numbers) = line.split_once(',').unwrap();
        let wanted: Vec<f64> = numbers.split(',').map(|cell| cell.parse().unwrap()).collect();
        let draws = stored(name);
        let fraction = energy_fraction(&draws[0]);
        let chains = Chains::new(draws).unwrap();
        let got = [
            rhat(&chains),
            ess_bulk(&chains),
            ess_tail(&chains),
            ess_mean(&chains),
            mcse_mean(&chains),
            mcse_sd(&chains),
            fraction,
        ];
        for (index, (got, wanted)) in got.iter().zip(&wanted).enumerate() {
            // The quantile functions of the two libraries agree to about nine digits.
            let error = (got - wanted).abs() / wanted.abs();
            assert!(error < 1e-8, "{name}, number {index}: {got} against {wanted}");
        }
    }
}

#[test]
fn independent_draws_are_worth_themselves_and_agree() {
    let mut rng = Seed(41).stream(0);
    let chains: Vec<Vec<f64>> =
        (0..4).map(|_| (0..2_000).map(|_| rng.sample(StandardNormal)).collect()).collect();
    let summary = Summary::of(&Chains::new(chains).unwrap());
    assert!((summary.rhat - 1.0).abs() < 0.005, "{summary:?}");
    assert!((summary.ess_bulk / 8_000.0 - 1.0).abs() < 0.15, "{summary:?}");
    assert!((summary.ess_tail / 8_000.0 - 1.0).abs() < 0.15, "{summary:?}");
}

#[test]
fn bad_chains_are_refused() {
    assert_eq!(Chains::new(vec![]), Err(ChainsError::TooFew { chains: 0, draws: 0 }));
    assert_eq!(
        Chains::new(vec![vec![1.0; 5], vec![1.0; 4]]),
        Err(ChainsError::Uneven { index: 1, draws: 4, first: 5 })
    );
    let hole = Chains::new(vec![vec![1.0, 2.0, f64::INFINITY, 0.0]]);
    assert_eq!(hole, Err(ChainsError::NotFinite { chain: 0, draw: 2, value: f64::INFINITY }));
}

#[test]
fn a_quantity_that_never_changes_is_known() {
    let chains = Chains::new(vec![vec![2.0; 10]; 2]).unwrap();
    assert_eq!(ess_bulk(&chains), 20.0);
    assert!(rhat(&chains).is_nan());
    assert!(energy_fraction(&[1.0]).is_nan());
}
