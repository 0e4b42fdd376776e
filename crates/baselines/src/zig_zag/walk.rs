//! A path under way: turns by thinning.

use super::ZigZag;
use super::clock::Rate;
use super::envelope::pull;
use super::trajectory::Trajectory;
use crate::Exhausted;
use debias::{Ledger, Rng};
use models::design::Design;
use posterior::Rows;
use rand::RngExt;

/// Rows drawn at a time, because sources are quicker at many rows than at one.
const BATCH: usize = 256;

/// A path under way.
pub struct Walk<'z, 'a, R: Rows> {
    zig_zag: &'z ZigZag<'a, R>,
    /// Where it is.
    pub path: Trajectory,
    now: f64,
    piece: Piece,
    drawn: Drawn<R::Block>,
    /// Rows drawn.
    pub proposals: u64,
    /// Turns.
    pub turns: u64,
    /// The largest probability with which a row turned the path.
    pub tightest: f64,
    // (x_j, 1) of the row at hand.
    x: Vec<(usize, f64)>,
}

/// What holds for a whole piece, measured from its beginning.
struct Piece {
    // ‖(θ − θ*)/σ‖² = square + 2 cross t + d t².
    square: f64,
    cross: f64,
    // The sum of the bounds of all coordinates.
    anchor: Rate,
}

/// Rows drawn at random, with replacement, to be used one by one.
struct Drawn<B> {
    block: B,
    used: usize,
    size: usize,
}

impl<'z, 'a, R> Walk<'z, 'a, R>
where
    R: Rows,
    R::Block: Design,
{
    /// A path that starts at the centre, in a random direction.
    pub fn new(zig_zag: &'z ZigZag<'a, R>, rng: &mut Rng) -> Walk<'z, 'a, R> {
        let scales = &zig_zag.scales;
        let signed = |scale: &f64| if rng.random::<bool>() { *scale } else { -scale };
        let velocity = scales.iter().map(signed).collect();
        let path = Trajectory::new(vec![0.0; scales.len()], velocity);
        Walk {
            zig_zag,
            piece: Piece::of(zig_zag, &path),
            path,
            now: 0.0,
            drawn: Drawn { block: zig_zag.rows.gather(&[]), used: 0, size: 0 },
            proposals: 0,
            turns: 0,
            tightest: 0.0,
            x: Vec::new(),
        }
    }

    /// All work, set-up included.
    pub fn ledger(&self) -> Ledger {
        let mut ledger = self.zig_zag.setup;
        ledger.gradients += 2 * self.proposals;
        ledger
    }

    /// Goes on to a time and ends a piece there; the process has no memory, so nothing is lost.
    pub fn until(&mut self, end: f64, measured: bool, rng: &mut Rng) -> Result<(), Exhausted> {
        loop {
            let (rows, anchor) = (self.row_bound(), self.anchor_bound());
            let (by_row, by_anchor) = (rows.arrival(rng), anchor.arrival(rng));
            let wait = by_row.min(by_anchor);
            if self.now + wait >= end {
                self.now = end;
                self.path.advance(end, measured);
                self.piece = Piece::of(self.zig_zag, &self.path);
                return Ok(());
            }
            let turned = if by_row < by_anchor {
                self.propose_row(wait, rows.at(wait), rng)
            } else {
                self.propose_anchor(wait, anchor.at(wait), rng)
            };
            self.now += wait;
            if let Some(i) = turned {
                self.turns += 1;
                self.path.advance(self.now, measured);
                self.path.flip(i);
                self.piece = Piece::of(self.zig_zag, &self.path);
            }
            self.zig_zag.budget.check(self.ledger())?;
        }
    }

    /// N min(max S_j, max S_j ‖x_j ∘ σ‖ (r + t √d)/4), r the distance from the centre in units of σ.
    fn row_bound(&self) -> Rate {
        let ZigZag { rows, scales, envelope, .. } = self.zig_zag;
        let count = rows.count() as f64;
        let (time, d) = (self.now - self.path.since(), scales.len() as f64);
        let Piece { square, cross, .. } = self.piece;
        // Rounding may take a square at the centre below zero.
        let distance = (square + time * (2.0 * cross + d * time)).max(0.0).sqrt();
        let slope = 0.25 * count * envelope.stiffness;
        let growth = slope * d.sqrt();
        Rate { now: slope * distance, growth, most: count * envelope.pull }
    }

    fn anchor_bound(&self) -> Rate {
        let now = self.piece.anchor.at(self.now - self.path.since());
        Rate { now, ..self.piece.anchor }
    }

    /// A row at random and one of its coordinates; the coordinate, if it turns.
    fn propose_row(&mut self, wait: f64, bound: f64, rng: &mut Rng) -> Option<usize> {
        let ZigZag { rows, anchor, scales, .. } = self.zig_zag;
        let drawn = &mut self.drawn;
        if drawn.used == drawn.size {
            let count = rows.count() as u64;
            let some: Vec<usize> =
                (0..BATCH).map(|_| rng.random_range(0..count) as usize).collect();
            *drawn = Drawn { block: rows.gather(&some), used: 0, size: BATCH };
        }
        drawn.block.row(drawn.used, &mut self.x);
        drawn.used += 1;
        self.proposals += 1;
        let pull = pull(&self.x, scales);
        let mut left = pull * rng.random::<f64>();
        let chosen = self.x.iter().find(|&&(i, x)| {
            left -= (x * scales[i]).abs();
            left < 0.0
        });
        // The last entry is the bias, which every row has.
        let &(i, x) = chosen.or(self.x.last())?;
        let at_centre: f64 = self.x.iter().map(|&(i, x)| x * anchor.centre[i]).sum();
        let time = self.now + wait;
        let away: f64 = self.x.iter().map(|&(i, x)| x * self.path.coordinate(i, time)).sum();
        let difference = logistic(at_centre + away) - logistic(at_centre);
        let turning = (x * self.path.velocity()[i]).signum() * difference;
        let probability = rows.count() as f64 * pull * turning / bound;
        self.tightest = self.tightest.max(probability);
        (rng.random::<f64>() < probability).then_some(i)
    }

    /// A coordinate in proportion to its bound; the coordinate, if it turns.
    fn propose_anchor(&mut self, wait: f64, bound: f64, rng: &mut Rng) -> Option<usize> {
        let ZigZag { anchor, scales, .. } = self.zig_zag;
        let since = self.path.since();
        let share = |i: usize| anchor.bound(&self.path, i, since).at(self.now + wait - since);
        let mut left = bound * rng.random::<f64>();
        let i = (0..scales.len()).find(|&i| {
            left -= share(i);
            left < 0.0
        })?;
        let probability = anchor.rate(&self.path, i, self.now + wait) / share(i);
        (rng.random::<f64>() < probability).then_some(i)
    }
}

impl Piece {
    fn of<R>(zig_zag: &ZigZag<'_, R>, path: &Trajectory) -> Piece {
        let ZigZag { anchor, scales, .. } = zig_zag;
        let none = Rate { now: 0.0, growth: 0.0, most: f64::INFINITY };
        let mut piece = Piece { square: 0.0, cross: 0.0, anchor: none };
        for (i, scale) in scales.iter().enumerate() {
            let (offset, velocity) = (path.offset()[i] / scale, path.velocity()[i] / scale);
            piece.square += offset * offset;
            piece.cross += offset * velocity;
            let rate = anchor.bound(path, i, path.since());
            piece.anchor.now += rate.now;
            piece.anchor.growth += rate.growth;
        }
        piece
    }
}

/// p(η).
fn logistic(eta: f64) -> f64 {
    1.0 / (1.0 + (-eta).exp())
}
