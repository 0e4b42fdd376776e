//! Every sample and every way to halve it, for tests that take expectations exactly.

use crate::strata::{Sample, Strata};
use debias::Seed;

/// Every sample with these exponents, all equally likely: one choice from every block of places.
pub fn all_samples(strata: &Strata, exponents: &[u8]) -> Vec<Sample> {
    let mut samples = vec![Sample { exponents: exponents.to_vec(), places: Vec::new() }];
    let whole = strata.draw(&vec![0; exponents.len()], &mut Seed(0).stream(0));
    for (members, &k) in whole.places.iter().zip(exponents) {
        samples.iter_mut().for_each(|sample| sample.places.push(Vec::new()));
        for block in 0..members.len().div_ceil(1 << k) {
            let choices =
                (block << k..(block + 1) << k).map(|place| members.get(place).copied().flatten());
            let choices: Vec<Option<u32>> = choices.collect();
            samples = samples
                .iter()
                .flat_map(|sample| {
                    choices.iter().map(|choice| {
                        let mut longer = sample.clone();
                        longer.places.last_mut().unwrap().push(*choice);
                        longer
                    })
                })
                .collect();
        }
    }
    samples
}

/// Every way to halve a sample, all equally likely: one coin for every pair of blocks.
pub fn all_halves(sample: &Sample, below: &[u8]) -> Vec<[Sample; 2]> {
    let empty = || Sample { exponents: below.to_vec(), places: Vec::new() };
    let mut all = vec![[empty(), empty()]];
    for (stratum, places) in sample.places.iter().enumerate() {
        all.iter_mut().flatten().for_each(|half| half.places.push(Vec::new()));
        if sample.exponents[stratum] == below[stratum] {
            all.iter_mut().flatten().for_each(|half| half.places[stratum].clone_from(places));
            continue;
        }
        for two in places.chunks(2) {
            let (one, other) = (two[0], two.get(1).copied().flatten());
            all = all
                .iter()
                .flat_map(|pair| {
                    [[one, other], [other, one]].map(|sides| {
                        let mut longer = pair.clone();
                        longer.iter_mut().zip(sides).for_each(|(half, side)| {
                            half.places[stratum].push(side);
                        });
                        longer
                    })
                })
                .collect();
        }
    }
    all
}
