//! A path of straight pieces, and exact integrals along it.
//!
//! ```text
//! θ(t) = θ₀ + v t on a piece,     ∫_0^τ θ dt = τ (θ₀ + v τ/2)
//! ∫_0^τ θ² dt = τ (θ₀² + θ₀ v τ + v² τ²/3)
//! ```
//!
//! θ is measured from the centre θ*, so that squares do not cancel.

/// Where the path is, and what has been integrated since the warm-up ended.
pub struct Trajectory {
    /// θ − θ* where the present piece began.
    offset: Vec<f64>,
    /// v.
    velocity: Vec<f64>,
    /// When the present piece began.
    since: f64,
    first: Vec<f64>,
    second: Vec<f64>,
    measured: f64,
}

impl Trajectory {
    /// A path that starts at an offset from the centre with a velocity.
    pub fn new(offset: Vec<f64>, velocity: Vec<f64>) -> Trajectory {
        let zeros = vec![0.0; offset.len()];
        let (first, second) = (zeros.clone(), zeros);
        Trajectory { offset, velocity, since: 0.0, first, second, measured: 0.0 }
    }

    /// θ − θ* where the present piece began.
    pub fn offset(&self) -> &[f64] {
        &self.offset
    }

    /// v.
    pub fn velocity(&self) -> &[f64] {
        &self.velocity
    }

    /// When the present piece began.
    pub fn since(&self) -> f64 {
        self.since
    }

    /// Coordinate i of θ − θ* at a time on the present piece.
    pub fn coordinate(&self, i: usize, time: f64) -> f64 {
        self.offset[i] + self.velocity[i] * (time - self.since)
    }

    /// Ends the piece at this time; its integrals count if they are measured.
    pub fn advance(&mut self, time: f64, measured: bool) {
        let length = time - self.since;
        for i in 0..self.offset.len() {
            let (x, moved) = (self.offset[i], self.velocity[i] * length);
            if measured {
                self.first[i] += length * (x + 0.5 * moved);
                self.second[i] += length * (x * x + x * moved + moved * moved / 3.0);
            }
            self.offset[i] = x + moved;
        }
        self.since = time;
        self.measured += if measured { length } else { 0.0 };
    }

    /// Turns coordinate i round.
    pub fn flip(&mut self, i: usize) {
        self.velocity[i] = -self.velocity[i];
    }

    /// The means of θ − θ* over the time that was measured.
    pub fn means(&self) -> Vec<f64> {
        self.first.iter().map(|sum| sum / self.measured).collect()
    }

    /// The variances of θ over that time.
    pub fn variances(&self) -> Vec<f64> {
        let means = self.means();
        let squares = self.second.iter().map(|sum| sum / self.measured);
        squares.zip(means).map(|(square, mean)| square - mean * mean).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integrals_by_hand() {
        // Warm-up from 5 to 0, then up to 2 and back to 1: ∫θ = 2 + 1.5, ∫θ² = 8/3 + 7/3.
        let mut path = Trajectory::new(vec![5.0], vec![-1.0]);
        path.advance(5.0, false);
        path.flip(0);
        path.advance(7.0, true);
        path.flip(0);
        assert_eq!(path.coordinate(0, 7.5), 1.5);
        path.advance(8.0, true);
        assert!((path.means()[0] - 3.5 / 3.0).abs() < 1e-15);
        assert!((path.variances()[0] - (5.0 / 3.0 - (3.5f64 / 3.0).powi(2))).abs() < 1e-14);
        assert_eq!((path.offset(), path.velocity(), path.since), (&[1.0][..], &[-1.0][..], 8.0));
    }
}
