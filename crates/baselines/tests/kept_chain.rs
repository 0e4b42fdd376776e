//! A chain on all rows that is killed anywhere and taken up again has the bytes of one that is not.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

use baselines::{ChainStore, Checkpoint, FullPosterior, KeptChain, KeptChainError, smooth_mode};
use data::{Generated, LogisticLaw};
use debias::Seed;
use debias::engine::{Forgetful, Observer, StoreError, Unobserved};
use models::logistic::DenseLogistic;
use models::prior::Prior;
use samplers::{Kernel, Length, Metric, NoUTurn, RandomWalk, Sampler};
use serde::{Serialize, de::DeserializeOwned};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Keeps text, as a file would, and can fail.
#[derive(Default)]
struct Text {
    kept: Option<String>,
    saves: usize,
    fails_at: Option<usize>,
}

impl<S: Serialize + DeserializeOwned> ChainStore<S> for Text {
    fn load(&mut self) -> Option<Checkpoint<S>> {
        serde_json::from_str(self.kept.as_ref()?).ok()
    }

    fn save(&mut self, checkpoint: &Checkpoint<S>) -> Result<(), StoreError> {
        if self.fails_at == Some(self.saves) {
            return Err("no room".into());
        }
        self.saves += 1;
        self.kept = Some(serde_json::to_string(checkpoint)?);
        Ok(())
    }
}

/// Stops a run after so many looks.
struct Killer(AtomicUsize);

impl Observer for Killer {
    fn planned(&self, _: f64) {}
    fn advanced(&self, _: f64) {}
    fn cancelled(&self) -> bool {
        self.0.fetch_sub(1, Ordering::Relaxed) == 0
    }
}

fn check<K>(kernel: K)
where
    K: Kernel + Clone,
    K::State: Serialize + DeserializeOwned,
{
    let rows = Generated::new(LogisticLaw::paper(), Seed(41), 3000);
    let model = DenseLogistic::new(9, Prior::Laplace { scale: 1.0 }).unwrap();
    let (_, frame) = smooth_mode(&model, &rows).unwrap();
    let length = Length { warm_up: 40, draws: 60 };
    let start = frame.mean().to_vec();
    let posterior = FullPosterior::new(&model, &rows);
    let kept =
        KeptChain { kernel: kernel.clone(), frame: &frame, start: start.clone(), length, every: 7 };

    let mut target = posterior.uncounted();
    let (whole, work) =
        kept.run(&mut target, &mut Forgetful, &Unobserved, &mut Seed(42).stream(0)).unwrap();
    assert_eq!(whole.count(), 60);
    assert!(work.evaluations() >= 100 * 3000 && work.distinct_rows == 3000);
    let plain = kernel
        .sample_in(&frame, &mut posterior.uncounted(), &start, length, &mut Seed(42).stream(0))
        .unwrap();
    assert_eq!(whole.positions(), plain.positions(), "a checkpoint changes nothing");

    let mut text = Text::default();
    let mut kills = 0;
    let (resumed, total) = loop {
        // Everything but the text is forgotten: target, generator, the chain itself.
        let mut target = posterior.uncounted();
        let killer = Killer(AtomicUsize::new(2));
        match kept.run(&mut target, &mut text, &killer, &mut Seed(42).stream(0)) {
            Err(KeptChainError::Cancelled { transitions, length }) => {
                assert!(transitions < length && length == 100);
                kills += 1;
            }
            outcome => break outcome.unwrap(),
        }
    };
    assert!(kills > 5);
    assert_eq!(resumed.positions(), whole.positions());
    assert_eq!(resumed.log_densities(), whole.log_densities());
    assert_eq!(total, work);
}

#[test]
fn a_killed_chain_is_the_same_chain() {
    check(NoUTurn { metric: Metric::Unit, ..NoUTurn::default() });
    check(RandomWalk::optimal(10));
}

#[test]
fn bad_settings_and_full_disks_are_told() {
    let rows = Generated::new(LogisticLaw::paper(), Seed(41), 100);
    let model = DenseLogistic::new(9, Prior::Laplace { scale: 1.0 }).unwrap();
    let frame = samplers::Frame::standard(10);
    let mut target = FullPosterior::new(&model, &rows);
    let kernel = RandomWalk { scale: 0.1 };
    let mut run = |every, draws, dimension, store: &mut Text| {
        let (start, length) = (vec![0.0; dimension], Length { warm_up: 0, draws });
        let kept = KeptChain { kernel, frame: &frame, start, length, every };
        kept.run(&mut target, store, &Unobserved, &mut Seed(43).stream(0)).err()
    };
    let mut none = Text::default();
    assert!(matches!(run(0, 5, 10, &mut none), Some(KeptChainError::Empty { every: 0, draws: 5 })));
    assert!(matches!(run(5, 0, 10, &mut none), Some(KeptChainError::Empty { every: 5, draws: 0 })));
    assert!(matches!(run(5, 5, 9, &mut none), Some(KeptChainError::Start(_))));
    let mut full = Text { fails_at: Some(1), ..Text::default() };
    assert!(matches!(
        run(5, 20, 10, &mut full),
        Some(KeptChainError::Store { transitions: 10, .. })
    ));
    // A damaged checkpoint is none, and the chain begins anew.
    let mut damaged = Text { kept: Some("{".into()), ..Text::default() };
    assert!(run(5, 20, 10, &mut damaged).is_none());
    assert_eq!(damaged.saves, 4);
}
