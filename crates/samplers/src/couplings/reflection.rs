//! Reflection-maximal coupling of two normals with one scale (Bou-Rabee, Eberle & Zimmer 2020;
//! Jacob, O'Leary & Atchadé 2020).
//!
//! ```text
//! z = (x − y)/s,  e = z/|z|,  ξ ~ N(0, I),   X' = x + s ξ,
//! Y' = X'                          with probability min(1, φ(ξ + z)/φ(ξ)),
//! Y' = y + s (ξ − 2 (eᵀξ) e)       otherwise
//! ```
//!
//! X' and Y' meet as often as possible, and where they do not the reflection keeps them from
//! drifting together past each other, so the distance behaves like a random walk absorbed at zero.

use debias::Rng;
use rand::RngExt;
use rand_distr::StandardNormal;

/// A draw of N(x, s² I) and one of N(y, s² I).
pub fn reflection(x: &[f64], y: &[f64], scale: f64, rng: &mut Rng) -> (Vec<f64>, Vec<f64>) {
    let xi: Vec<f64> = x.iter().map(|_| rng.sample(StandardNormal)).collect();
    let z: Vec<f64> = x.iter().zip(y).map(|(x, y)| (x - y) / scale).collect();
    let first: Vec<f64> = x.iter().zip(&xi).map(|(x, xi)| x + scale * xi).collect();
    let squared: f64 = z.iter().map(|z| z * z).sum();
    let along: f64 = z.iter().zip(&xi).map(|(z, xi)| z * xi).sum();
    // ln φ(ξ + z) − ln φ(ξ); zero when the chains are together, and then they stay so.
    if rng.random::<f64>().ln() <= -along - 0.5 * squared {
        return (first.clone(), first);
    }
    let second =
        (0..y.len()).map(|i| y[i] + scale * (xi[i] - 2.0 * along / squared * z[i])).collect();
    (first, second)
}
