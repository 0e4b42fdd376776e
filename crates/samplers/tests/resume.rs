//! A chain that was killed and taken up again gives the draws of one that was not.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use debias::{Rng, Seed};
use samplers::{Chain, Length, NoUTurn, Sampler, TreeState};
use support::{Counting, gaussian};

#[test]
fn an_interrupted_chain_is_the_same_chain() {
    let length = Length { warm_up: 60, draws: 40 };
    let (kernel, start) = (NoUTurn::default(), [0.5, -1.0, 0.2]);
    let mut target = Counting::new(3, gaussian);
    let whole = kernel.sample(&mut target, &start, length, &mut Seed(75).stream(0)).unwrap();

    let chain = Chain::begin(&kernel, &mut target, &start).unwrap();
    let mut saved = serde_json::to_string(&(chain, Seed(75).stream(0))).unwrap();
    for round in 1..=15 {
        // Everything but the text is forgotten between two rounds.
        let (mut chain, mut rng): (Chain<TreeState>, Rng) = serde_json::from_str(&saved).unwrap();
        let done = chain.advance(&kernel, &mut target, length, 7, &mut rng);
        assert_eq!(done, round == 15);
        saved = serde_json::to_string(&(chain, rng)).unwrap();
    }
    let (chain, _): (Chain<TreeState>, Rng) = serde_json::from_str(&saved).unwrap();
    assert_eq!(chain.transitions(), 100);
    assert_eq!(chain.draws.positions(), whole.positions());
    assert_eq!(chain.draws.step_size, whole.step_size);
}
