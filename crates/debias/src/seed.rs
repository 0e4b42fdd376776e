//! Seeds, split by name and then by index.
//!
//! A [`Seed`] never moves: `seed.child("pilot")` and `seed.stream(7)` are pure functions, so any
//! replicate can be computed alone, on any thread, on any machine.

use rand::SeedableRng;

/// The one generator: ChaCha with eight rounds, 2⁶⁴ independent streams a key.
pub type Rng = rand_chacha::ChaCha8Rng;

/// Where a family of random streams begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Seed(pub u64);

impl Seed {
    /// The seed of a named part of the work.
    pub fn child(self, name: &str) -> Seed {
        // FNV-1a over the name, then the finaliser of SplitMix64, which scatters close inputs.
        let mut hash = 0xcbf2_9ce4_8422_2325 ^ scatter(self.0);
        for byte in name.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Seed(scatter(hash))
    }

    /// The generator of one repetition.
    pub fn stream(self, index: u64) -> Rng {
        let mut rng = Rng::seed_from_u64(self.0);
        rng.set_stream(index);
        rng
    }
}

fn scatter(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng as _;

    #[test]
    fn names_and_indices_give_different_streams() {
        let seed = Seed(1);
        let mut firsts: Vec<u64> = ["", "a", "b", "ab", "ba"]
            .iter()
            .flat_map(|name| (0..4).map(move |index| seed.child(name).stream(index).next_u64()))
            .chain((0..4).map(|index| seed.stream(index).next_u64()))
            .collect();
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), 24);
    }

    /// The streams are part of every stored result: a change here is a change of all numbers.
    #[test]
    fn the_first_draws_are_pinned() {
        assert_eq!(Seed(1).child("pilot"), Seed(1).child("pilot"));
        let pinned: Vec<u64> =
            (0..2).map(|index| Seed(2015).child("path").stream(index).next_u64()).collect();
        assert_eq!(pinned, PINNED);
    }

    const PINNED: [u64; 2] = [2505013502459569998, 12017820962726973043];
}
