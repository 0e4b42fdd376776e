//! Draws as Stan CSV text.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

use debias::Seed;
use samplers::{Draws, Length, Nuts, Point, Sampler, Step, write_stan_csv};
use support::{Counting, gaussian};

#[test]
fn the_text_is_what_stan_would_write() {
    let mut draws = Draws::new(2);
    draws.step_size = Some(0.5);
    let point = Point { position: vec![0.1, -2.0], log_density: -1.25, gradient: vec![] };
    draws.push(&point, Step { acceptance: 0.875, diverged: true, energy: Some(3.5) });
    let mut text = Vec::new();
    write_stan_csv(&draws, &["mu", "beta.1"], &mut text).unwrap();
    let wanted = "# num_samples = 1\n# num_warmup = 0\n# save_warmup = 0\n# thin = 1\n\
                  lp__,accept_stat__,stepsize__,divergent__,energy__,mu,beta.1\n\
                  -1.25,0.875,0.5,1,3.5,0.1,-2\n";
    assert_eq!(String::from_utf8(text).unwrap(), wanted);
}

#[test]
fn numbers_read_back_to_the_same_bits() {
    let mut target = Counting::new(3, gaussian);
    let length = Length { warm_up: 20, draws: 50 };
    let draws =
        Nuts::default().sample(&mut target, &[0.1; 3], length, &mut Seed(71).stream(0)).unwrap();
    let mut text = Vec::new();
    write_stan_csv(&draws, &["a", "b", "c"], &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    for (row, theta) in rows.zip(draws.iter()) {
        let cells: Vec<f64> = row.split(',').skip(5).map(|cell| cell.parse().unwrap()).collect();
        assert_eq!(cells, theta);
    }
}
