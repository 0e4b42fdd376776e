//! Octaves of the score, random samples of their rows, and halves of samples.
//!
//! Rows with the same ⌊log₂ score⌋ form an octave. A sample with exponents k takes one random row
//! from every block of 2ᵏ neighbours of an octave, so that each row is in with chance 2⁻ᵏ exactly;
//! blocks at the end are padded with empty places. Octaves with k = 0 are in as a whole: rows that
//! matter are certain to be in. The next level has exponents k − 1, floored at zero, and the last
//! one all rows.
//!
//! To *halve* a sample, adjacent blocks are paired and a coin is tossed for each pair: each half is
//! then exactly a sample of the level below.
//!
//! Neighbours are alike: inside an octave rows are ordered by their dominant column and by their
//! predictor. Octaves that hold a large share of very many rows are left in the order of the data,
//! where blocks are stretches of 2ᵏ rows of which only those of the octave count.

use debias::Rng;
use rand::Rng as _;

/// 2⁻⁵⁶ and less is the lowest octave, 2⁷ and more the highest.
const LOWEST: i32 = -56;
pub(crate) const OCTAVES: usize = 64;
/// Rows up to which all octaves are listed and ordered.
const LISTED: usize = 1 << 24;
/// Beyond that, octaves with a larger share of the rows than one in so many are not.
const SHARE: usize = 16;

/// The octave of a score.
pub(crate) fn octave(score: f64) -> u8 {
    if score.is_nan() || score <= 0.0 {
        return 0;
    }
    (score.log2().floor() as i32 - LOWEST).clamp(0, OCTAVES as i32 - 1) as u8
}

/// What a pass notes of every row, and of every octave.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    pub octaves: Vec<u8>,
    /// Dominant column and predictor, where rows will be ordered.
    pub keys: Vec<(u32, f32)>,
    /// Σ score² of each octave.
    pub squares: Vec<f64>,
    /// Σ h v for each octave and each dominant column.
    pub curvature: Vec<f64>,
}

impl Notes {
    /// Whether so many rows are few enough to be ordered.
    pub fn ordered(rows: usize) -> bool {
        rows <= LISTED
    }
}

/// All rows by octaves.
#[derive(Clone, Debug)]
pub struct Strata {
    octaves: Vec<u8>,
    // Invariant: from the highest score to the lowest; every row in exactly one of them.
    strata: Vec<Stratum>,
    dimension: usize,
}

#[derive(Clone, Debug)]
struct Stratum {
    octave: u8,
    /// The rows in order; nothing for an octave in the order of the data.
    rows: Option<Vec<u32>>,
    count: usize,
    /// Root mean square of the scores.
    score: f64,
    /// Σ h v by dominant column.
    curvature: Vec<f64>,
}

/// A random sample: for each octave one place per block, which may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    pub(crate) exponents: Vec<u8>,
    pub(crate) places: Vec<Vec<Option<u32>>>,
}

/// One row of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Picked {
    pub row: u32,
    /// k: the row is in with chance 2⁻ᵏ.
    pub exponent: u8,
}

impl Picked {
    /// 2ᵏ, one over the chance to be in.
    pub fn weight(self) -> f64 {
        2f64.powi(i32::from(self.exponent))
    }
}

impl Strata {
    pub(crate) fn new(notes: Notes, dimension: usize) -> Strata {
        let Notes { octaves, keys, squares, curvature } = notes;
        let mut counts = vec![0usize; OCTAVES];
        octaves.iter().for_each(|&octave| counts[usize::from(octave)] += 1);
        let listed = |octave: usize| {
            Notes::ordered(octaves.len()) || counts[octave] <= octaves.len() / SHARE
        };
        let mut lists: Vec<Vec<u32>> = (0..OCTAVES)
            .map(|octave| Vec::with_capacity(if listed(octave) { counts[octave] } else { 0 }))
            .collect();
        for (row, &octave) in octaves.iter().enumerate() {
            if listed(usize::from(octave)) {
                lists[usize::from(octave)].push(row as u32);
            }
        }
        let strata = lists.into_iter().enumerate().rev().filter(|(octave, _)| counts[*octave] > 0);
        let strata = strata.map(|(octave, mut rows)| {
            if !keys.is_empty() {
                rows.sort_unstable_by(|&a, &b| {
                    let ((dominant, eta), (other, theirs)) = (keys[a as usize], keys[b as usize]);
                    dominant.cmp(&other).then(eta.total_cmp(&theirs)).then(a.cmp(&b))
                });
            }
            let count = counts[octave];
            Stratum {
                octave: octave as u8,
                rows: listed(octave).then_some(rows),
                count,
                score: (squares[octave] / count as f64).sqrt(),
                curvature: curvature[octave * dimension..][..dimension].to_vec(),
            }
        });
        Strata { strata: strata.collect(), octaves, dimension }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.octaves.len()
    }

    /// The places of an octave, padding at the end left out.
    fn places(&self, stratum: &Stratum) -> usize {
        if stratum.rows.is_some() { stratum.count } else { self.octaves.len() }
    }

    fn at(&self, stratum: &Stratum, place: usize) -> Option<u32> {
        match &stratum.rows {
            Some(rows) => rows.get(place).copied(),
            None => (self.octaves.get(place) == Some(&stratum.octave)).then_some(place as u32),
        }
    }

    /// The exponents with which about `size` rows are expected in a sample.
    pub fn exponents(&self, size: f64) -> Vec<u8> {
        let at = |log_c: f64| -> Vec<u8> {
            let one = |stratum: &Stratum| {
                let most = (stratum.count as f64).log2().ceil();
                (log_c - stratum.score.max(f64::MIN_POSITIVE).log2()).round().clamp(0.0, most) as u8
            };
            self.strata.iter().map(one).collect()
        };
        let (mut low, mut high) = (-1100.0, 1100.0);
        for _ in 0..64 {
            let middle = 0.5 * (low + high);
            if self.expected(&at(middle)) > size {
                low = middle;
            } else {
                high = middle;
            }
        }
        at(high)
    }

    /// The rows that a sample with these exponents is expected to have.
    pub fn expected(&self, exponents: &[u8]) -> f64 {
        let each = self.strata.iter().zip(exponents);
        each.map(|(stratum, &k)| stratum.count as f64 / 2f64.powi(i32::from(k))).sum()
    }

    /// The exponents of a level, counted from one, when those of the first are given.
    pub fn level(exponents: &[u8], level: usize) -> Vec<u8> {
        exponents.iter().map(|&k| k.saturating_sub((level - 1) as u8)).collect()
    }

    /// A sample with these exponents.
    pub fn draw(&self, exponents: &[u8], rng: &mut Rng) -> Sample {
        let places = self.strata.iter().zip(exponents).map(|(stratum, &k)| {
            let blocks = self.places(stratum).div_ceil(1 << k);
            let place = |block: usize| {
                // The low bits of a word are uniform on 0 … 2ᵏ − 1.
                let within = if k == 0 { 0 } else { rng.next_u64() as usize & ((1 << k) - 1) };
                self.at(stratum, (block << k) + within)
            };
            (0..blocks).map(place).collect()
        });
        Sample { places: places.collect(), exponents: exponents.to_vec() }
    }

    /// Two samples of the level below, whose exponents are `below`, that together hold this one.
    pub fn halve(&self, sample: &Sample, below: &[u8], rng: &mut Rng) -> [Sample; 2] {
        let empty = || Sample { exponents: below.to_vec(), places: Vec::new() };
        let mut halves = [empty(), empty()];
        for (stratum, places) in sample.places.iter().enumerate() {
            if sample.exponents[stratum] == below[stratum] {
                halves.iter_mut().for_each(|half| half.places.push(places.clone()));
                continue;
            }
            let mut sides = [Vec::new(), Vec::new()];
            let mut coins = 0;
            for (pair, two) in places.chunks(2).enumerate() {
                if pair % 64 == 0 {
                    coins = rng.next_u64();
                }
                let heads = (coins >> (pair % 64) & 1) as usize;
                sides[heads].push(two[0]);
                sides[1 - heads].push(two.get(1).copied().flatten());
            }
            halves.iter_mut().zip(sides).for_each(|(half, side)| half.places.push(side));
        }
        halves
    }

    /// Σ h v by dominant column over the octaves that a sample with these exponents does not hold
    /// as a whole.
    pub(crate) fn unsaturated_curvature(&self, exponents: &[u8]) -> Vec<f64> {
        let mut sums = vec![0.0; self.dimension];
        for (stratum, _) in self.strata.iter().zip(exponents).filter(|(_, k)| **k > 0) {
            sums.iter_mut().zip(&stratum.curvature).for_each(|(sum, part)| *sum += part);
        }
        sums
    }
}

impl Sample {
    /// The rows in the sample, octave after octave.
    pub(crate) fn picked(&self) -> Vec<Picked> {
        let each = self.places.iter().zip(&self.exponents);
        each.flat_map(|(places, &exponent)| {
            places.iter().flatten().map(move |&row| Picked { row, exponent })
        })
        .collect()
    }
}
