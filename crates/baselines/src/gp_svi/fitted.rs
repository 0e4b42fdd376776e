//! Predictions of a fit: f(x) ~ N(φᵀμ, v − φᵀφ + φᵀP⁻¹φ); a new observation has λ more.

use super::bound::bound;
use super::projection::Projection;
use super::whitened::Whitened;
use super::{GpSvi, GpSviError, Hyperparameters, matrices};
use debias::{Estimate, Estimator, Ledger, Rng};
use posterior::{Block, DenseBlock, Rows};

/// Test points handled at a time: at m = 1000, 8 MB.
const PIECE: usize = 1024;

/// ℓ, v, λ, Z and q.
#[derive(Clone, Debug)]
pub struct GpSviFitted {
    hyperparameters: Hyperparameters,
    projection: Projection,
    q: Whitened,
    // L⁻ᵀμ, so that φᵀμ = k(x, Z) · weights.
    weights: Vec<f64>,
    total: usize,
    ledger: Ledger,
}

/// The law of f at some points.
#[derive(Clone, Debug, PartialEq)]
pub struct Predictions {
    /// E f(x).
    pub mean: Vec<f64>,
    /// Var f(x).
    pub variance: Vec<f64>,
}

/// The baseline: fits, and answers with E f(x) at the rows of a block of test points.
#[derive(Clone, Debug)]
pub struct GpSviPredictions<'a, R> {
    /// What to run.
    pub method: GpSvi,
    /// Rows to learn from.
    pub rows: &'a R,
    /// The test points; their targets are ignored.
    pub points: &'a DenseBlock,
}

impl GpSviFitted {
    pub(super) fn new(
        hyperparameters: Hyperparameters,
        projection: Projection,
        q: Whitened,
        total: usize,
        ledger: Ledger,
    ) -> GpSviFitted {
        let mut weights = q.mean().to_vec();
        projection.factor().solve_transposed(&mut weights);
        GpSviFitted { hyperparameters, projection, q, weights, total, ledger }
    }

    /// ℓ, v and λ in the end.
    pub fn hyperparameters(&self) -> &Hyperparameters {
        &self.hyperparameters
    }

    /// The work behind the fit.
    pub fn ledger(&self) -> Ledger {
        self.ledger
    }

    /// The bound, estimated from these rows as a sample of all.
    pub fn bound(&self, rows: &DenseBlock) -> f64 {
        let hyperparameters = &self.hyperparameters;
        bound(hyperparameters, &self.projection, &self.q, rows, self.total, false).value
    }

    /// E f(x) for each point.
    pub fn predictive_mean(&self, points: &DenseBlock) -> Vec<f64> {
        let mut means = Vec::with_capacity(points.rows());
        for start in (0..points.rows()).step_by(PIECE) {
            let rows = start..points.rows().min(start + PIECE);
            let covariances = self.projection.covariances(points, rows);
            let columns = covariances.chunks_exact(self.weights.len());
            means.extend(columns.map(|column| matrices::dot(column, &self.weights)));
        }
        means
    }

    /// E f(x) and Var f(x) for each point.
    pub fn predict(&self, points: &DenseBlock) -> Predictions {
        let m = self.weights.len();
        let mut variance = Vec::with_capacity(points.rows());
        for start in (0..points.rows()).step_by(PIECE) {
            let rows = start..points.rows().min(start + PIECE);
            let features = self.projection.features(self.projection.covariances(points, rows));
            let mut half = features.clone();
            matrices::solve_lower(self.q.factor(), &mut half);
            let pairs = features.chunks_exact(m).zip(half.chunks_exact(m));
            variance.extend(pairs.map(|(phi, half)| {
                self.projection.variance() - matrices::dot(phi, phi) + matrices::dot(half, half)
            }));
        }
        Predictions { mean: self.predictive_mean(points), variance }
    }
}

impl<R: Rows<Block = DenseBlock>> Estimator for GpSviPredictions<'_, R> {
    type Error = GpSviError;

    fn estimate(&self, _: u64, rng: &mut Rng) -> Result<Estimate, GpSviError> {
        let fitted = self.method.fit(self.rows, &mut |_| {}, rng)?;
        let value = fitted.predictive_mean(self.points);
        Ok(Estimate { value, depth: 1, cost: fitted.ledger() })
    }

    fn expected_cost(&self, _: u64) -> f64 {
        let settings = self.method.settings();
        (settings.batch * settings.iterations) as f64
    }
}
