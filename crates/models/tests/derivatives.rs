//! Kernels written by hand against densities that are differentiated automatically.

use models::differentiated::{Differentiated, DualNum, LogDensity, ln_gamma};
use models::dispersed::{Dispersed, Jet};
use models::dispersed_families::{Gamma, NegativeBinomial, Noise};
use models::generalised_linear::{Family, Gaussian, Poisson};
use models::logistic::{Bernoulli, Binomial};

macro_rules! density {
    ($name:ident, |$y:ident, $eta:ident, $dispersion:ident| $body:expr) => {
        struct $name;
        impl LogDensity for $name {
            fn log_density<D>(&self, $y: f64, $eta: D, $dispersion: D) -> D
            where
                D: DualNum<Primitive = f64> + Copy,
            {
                $body
            }
        }
    };
}

density!(NormalNoise, |y, eta, sigma| {
    let z = (eta - y) / sigma;
    -(z * z) * 0.5 - sigma.ln()
});
density!(StudentNoise, |y, eta, scale| {
    let z = (eta - y) / scale;
    -(z * z / 4.0 + 1.0).ln() * 2.5 - scale.ln()
});
density!(Counts, |y, eta, k| {
    ln_gamma(k + y) - ln_gamma(k) + k * k.ln() + eta * y - (k + y) * (k + eta.exp()).ln()
});
density!(Positive, |y, eta, a| {
    a * a.ln() - ln_gamma(a) + (a - 1.0) * y.ln() - a * eta - a * y * (-eta).exp()
});
density!(PoissonCounts, |y, eta, _one| eta * y - eta.exp());
density!(TwoClasses, |y, eta, _one| -((-eta * y).exp() + 1.0).ln());
density!(Proportion, |y, eta, _one| eta * y - (eta.exp() + 1.0).ln());

const CLOSE: f64 = 1e-9;

/// Values are compared by their differences: constants in η and δ are left out of some.
fn check_dispersed(hand: &dyn Dispersed, automatic: &dyn Dispersed, targets: &[f64]) {
    for &y in targets {
        let (mut first, mut second): (Option<Jet>, Option<Jet>) = (None, None);
        for eta in [-3.0, 0.4, 2.0] {
            for delta in [-1.5, 0.0, 0.7, 3.0] {
                let (a, b) =
                    (hand.derivatives(y, eta, delta), automatic.derivatives(y, eta, delta));
                let (a0, b0) = (*first.get_or_insert(a), *second.get_or_insert(b));
                let size = 1.0 + b.value.abs() + b0.value.abs();
                let apart = (a.value - a0.value) - (b.value - b0.value);
                assert!(apart.abs() < CLOSE * size, "value at y {y}, η {eta}, δ {delta}: {apart}");
                let pairs = a.first.iter().zip(b.first).chain(a.second.iter().zip(b.second));
                for (at, (a, b)) in pairs.enumerate() {
                    let close = CLOSE * (size + b.abs());
                    assert!((a - b).abs() < close, "{at} at y {y}, η {eta}, δ {delta}: {a} {b}");
                }
            }
        }
    }
}

#[test]
fn families_with_a_dispersion() {
    let numbers = [-7.0, -0.3, 0.0, 1.1, 40.0];
    check_dispersed(&Noise::normal(), &Differentiated(NormalNoise), &numbers);
    check_dispersed(&Noise::student(4.0).unwrap(), &Differentiated(StudentNoise), &numbers);
    check_dispersed(&NegativeBinomial, &Differentiated(Counts), &[0.0, 1.0, 3.0, 50.0]);
    check_dispersed(&Gamma, &Differentiated(Positive), &[0.01, 0.5, 1.0, 30.0]);
}

fn check(hand: &dyn Family, automatic: &dyn Family, targets: &[f64]) {
    for &y in targets {
        for eta in [-8.0, -1.0, 0.0, 0.3, 5.0] {
            let (a, b) = (hand.derivatives(y, eta), automatic.derivatives(y, eta));
            for (a, b) in a.iter().zip(b) {
                assert!((a - b).abs() < CLOSE * (1.0 + b.abs()), "y {y}, η {eta}: {a} {b}");
            }
        }
    }
}

#[test]
fn families_without_one() {
    check(&Poisson, &Differentiated(PoissonCounts), &[0.0, 2.0, 30.0]);
    check(&Bernoulli, &Differentiated(TwoClasses), &[-1.0, 1.0]);
    check(&Binomial, &Differentiated(Proportion), &[0.0, 0.25, 1.0]);
    check(&Gaussian::new(1.0).unwrap(), &Differentiated(NormalNoise), &[-3.0, 0.5]);
}

/// Shapes from nearly nothing to nearly Poisson, far counts and far predictors: no overflow, and slopes
/// that are differences of values.
#[test]
fn extremes_stay_finite() {
    for delta in [-25.0, -5.0, 10.0, 25.0] {
        for (y, eta) in [(0.0, -40.0), (0.0, 800.0), (1e6, 13.0), (3.0, -600.0), (1e6, -2.0)] {
            let jet = NegativeBinomial.derivatives(y, eta, delta);
            let all = [jet.value, jet.first[0], jet.first[1]];
            assert!(all.iter().chain(&jet.second).all(|x| x.is_finite()), "{y} {eta} {delta}");
        }
    }
    // A large shape is Poisson.
    let (counts, poisson) =
        (NegativeBinomial.derivatives(3.0, 1.0, 25.0), Poisson.derivatives(3.0, 1.0));
    assert!((counts.first[0] - poisson[1]).abs() < 1e-8 && counts.first[1].abs() < 1e-5);
    for delta in [-3.0, 0.0, 12.0] {
        let at = |step: f64| NegativeBinomial.derivatives(7.0, 1.3, delta + step);
        let slope = (at(1e-3).value - at(-1e-3).value) / 2e-3;
        assert!((slope - at(0.0).first[1]).abs() < 1e-5 * (1.0 + slope.abs()), "{delta}");
    }
}
