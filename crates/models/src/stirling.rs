//! What ln Γ(x) leaves of x ln x − x, with two derivatives.
//!
//! ```text
//! G(x)  = x ln x − x − ln Γ(x) = ½ ln(x / 2π) − 1/12x + 1/360x³ − …
//! G′(x) = ln x − ψ(x)          G″(x) = 1/x − ψ′(x)
//! ```
//!
//! Differences of ln Γ at large arguments lose all digits; those of G keep them. Below ten the argument is
//! shifted by Γ(x + 1) = x Γ(x).

/// Arguments from which the series is good to sixteen digits.
const FAR: f64 = 10.0;

/// G, G′ and G″ at x > 0.
pub(crate) fn stirling(x: f64) -> [f64; 3] {
    if x >= FAR {
        return series(x);
    }
    let (mut product, mut sum, mut squares, mut far) = (1.0, 0.0, 0.0, x);
    while far < FAR {
        product *= far;
        sum += 1.0 / far;
        squares += 1.0 / (far * far);
        far += 1.0;
    }
    let [value, first, second] = series(far);
    let ln_gamma = far * far.ln() - far - value - product.ln();
    let digamma = far.ln() - first - sum;
    let trigamma = 1.0 / far - second + squares;
    [x * x.ln() - x - ln_gamma, x.ln() - digamma, 1.0 / x - trigamma]
}

fn series(x: f64) -> [f64; 3] {
    let r = 1.0 / x;
    let s = r * r;
    let value =
        r * (1.0 / 12.0 - s * (1.0 / 360.0 - s * (1.0 / 1260.0 - s * (1.0 / 1680.0 - s / 1188.0))));
    let first =
        s * (1.0 / 12.0 - s * (1.0 / 120.0 - s * (1.0 / 252.0 - s * (1.0 / 240.0 - s / 132.0))));
    let second = r
        * s
        * (1.0 / 6.0 - s * (1.0 / 30.0 - s * (1.0 / 42.0 - s * (1.0 / 30.0 - s * 5.0 / 66.0))));
    let half = 0.5 * (x / (2.0 * std::f64::consts::PI)).ln();
    [half - value, 0.5 * r + first, -0.5 * s - second]
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::function::gamma::{digamma, ln_gamma};

    #[test]
    fn it_is_what_is_left() {
        for x in [1e-6, 0.01, 0.5, 1.0, 2.5, 9.99, 10.0, 37.0, 1e3] {
            let [value, first, second] = stirling(x);
            let expected = x * x.ln() - x - ln_gamma(x);
            assert!((value - expected).abs() < 1e-11 * (1.0 + expected.abs()), "{x}: {value}");
            let expected = x.ln() - digamma(x);
            assert!((first - expected).abs() < 1e-8 * (1.0 + expected.abs()), "{x}: {first}");
            let h = 1e-4 * x;
            let slope = (stirling(x + h)[1] - stirling(x - h)[1]) / (2.0 * h);
            assert!((second - slope).abs() < 1e-6 * slope.abs(), "{x}: {second} {slope}");
        }
        // ψ′(1) = π²/6.
        let trigamma = 1.0 - stirling(1.0)[2];
        assert!((trigamma - std::f64::consts::PI.powi(2) / 6.0).abs() < 1e-13);
    }
}
