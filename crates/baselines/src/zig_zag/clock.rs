//! Arrival times of Poisson processes by inversion.
//!
//! ```text
//! ∫_0^t min(a + b s, c) ds = E,   E ~ Exp(1)
//! ```

use debias::Rng;
use rand::RngExt;
use rand_distr::Exp1;

/// The rate min(a + b t, c), from now on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// a.
    pub now: f64,
    /// b.
    pub growth: f64,
    /// c.
    pub most: f64,
}

impl Rate {
    /// The rate at a time from now.
    pub fn at(self, time: f64) -> f64 {
        (self.now + self.growth * time).min(self.most)
    }

    /// The first arrival from now; never is infinite.
    pub fn arrival(self, rng: &mut Rng) -> f64 {
        self.inverse(rng.sample(Exp1))
    }

    fn inverse(self, area: f64) -> f64 {
        let Rate { now, growth, most } = self;
        if now >= most {
            return area / most;
        }
        let until = (most - now) / growth;
        let below = 0.5 * (now + most) * until;
        if area <= below || !until.is_finite() {
            // The root of a t + b t²/2 = E, without a difference of close numbers.
            return 2.0 * area / (now + (now * now + 2.0 * growth * area).sqrt());
        }
        until + (area - below) / most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_up_to_the_arrival_is_what_was_asked() {
        for (now, growth, most) in [
            (2.0, 0.0, f64::INFINITY),
            (0.0, 3.0, f64::INFINITY),
            (1.0, 3.0, 2.0),
            (5.0, 1.0, 2.0),
            (1.0, 0.0, 2.0),
        ] {
            let rate = Rate { now, growth, most };
            for area in [1e-6, 0.3, 1.0, 7.0] {
                let time = rate.inverse(area);
                let steps = 20_000;
                let width = time / f64::from(steps);
                let sum: f64 =
                    (0..steps).map(|i| rate.at((f64::from(i) + 0.5) * width) * width).sum();
                assert!((sum / area - 1.0).abs() < 1e-6, "{rate:?} {area}: {sum}");
            }
        }
        assert_eq!(Rate { now: 0.0, growth: 0.0, most: 1.0 }.inverse(1.0), f64::INFINITY);
    }
}
