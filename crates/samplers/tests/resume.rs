//! A chain that was killed and taken up again gives the draws of one that was not.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use debias::{Rng, Seed};
use samplers::{
    AdaptiveWalk, Chain, Frame, Hmc, Independence, Kernel, Length, Mala, NoUTurn, RandomWalk,
    Sampler, Student, Warming,
};
use serde::{Serialize, de::DeserializeOwned};
use support::{Counting, gaussian};

fn check<K>(kernel: &K)
where
    K: Kernel,
    K::State: Serialize + DeserializeOwned,
{
    let length = Length { warm_up: 60, draws: 40 };
    let start = [0.5, -1.0, 0.2];
    let mut target = Counting::new(3, gaussian);
    let whole = kernel.sample(&mut target, &start, length, &mut Seed(75).stream(0)).unwrap();

    let chain = Chain::begin(kernel, &mut target, &start).unwrap();
    let mut saved = serde_json::to_string(&(chain, Seed(75).stream(0))).unwrap();
    for round in 1..=15 {
        // Everything but the text is forgotten between two rounds.
        let (mut chain, mut rng): (Chain<K::State>, Rng) = serde_json::from_str(&saved).unwrap();
        let done = chain.advance(kernel, &mut target, length, 7, &mut rng);
        assert_eq!(done, round == 15);
        saved = serde_json::to_string(&(chain, rng)).unwrap();
    }
    let (chain, _): (Chain<K::State>, Rng) = serde_json::from_str(&saved).unwrap();
    assert_eq!(chain.transitions(), 100);
    assert_eq!(chain.draws.positions(), whole.positions());
    assert_eq!(chain.draws.step_size, whole.step_size);
}

/// Asking again what the target says where the chain is changes nothing on the same target, and
/// tells of another one.
fn check_renewal<K: Kernel>(kernel: &K) {
    let start = [0.5, -1.0, 0.2];
    let run = |renews: bool| {
        let (mut target, rng) = (Counting::new(3, gaussian), &mut Seed(76).stream(0));
        let mut state = kernel.init(&mut target, &start).unwrap();
        for iteration in 1..=30 {
            let step = kernel.step(&mut target, &mut state, rng);
            if iteration <= 20 {
                kernel.tune(&mut state, &step, Warming { iteration, length: 20 });
            }
            if renews {
                kernel.renew(&mut target, &mut state).unwrap();
            }
        }
        (kernel.point(&state).position.clone(), kernel.step_size(&state), state)
    };
    let (position, step_size, mut state) = run(true);
    let (plain, same, _) = run(false);
    assert_eq!((&position, step_size), (&plain, same));
    let mut flat = Counting::new(3, |_: &[f64], gradient: &mut [f64]| {
        gradient.fill(0.0);
        7.0
    });
    kernel.renew(&mut flat, &mut state).unwrap();
    let point = kernel.point(&state);
    assert_eq!((&point.position, point.log_density), (&position, 7.0));
    assert_eq!(kernel.step_size(&state), step_size);
}

#[test]
fn a_chain_stays_in_place_on_another_target() {
    check_renewal(&NoUTurn::default());
    check_renewal(&AdaptiveWalk::default());
    check_renewal(&RandomWalk { scale: 0.5 });
    check_renewal(&Mala { step_size: 0.3 });
    check_renewal(&Hmc { step_size: 0.3, steps: 5 });
}

#[test]
fn an_interrupted_chain_is_the_same_chain() {
    check(&NoUTurn::default());
    check(&AdaptiveWalk::default());
    check(&RandomWalk { scale: 0.5 });
    check(&Mala { step_size: 0.3 });
    check(&Hmc { step_size: 0.3, steps: 5 });
    let proposal = Student::new(Frame::standard(3), 4.0).unwrap();
    check(&Independence { proposal });
}
