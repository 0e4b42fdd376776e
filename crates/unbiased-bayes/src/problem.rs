//! What is asked: rows, a model, and functionals of its posterior.

use posterior::{Model, Rows};
use samplers::Functional;

/// A question about the posterior given all rows.
///
/// ```
/// use unbiased_bayes::{DenseBlock, DenseRows, Functional, GaussianMean, Problem};
///
/// let rows = DenseRows::new(DenseBlock::zeros(100, 1));
/// let model = GaussianMean::new(&[1.0], &[0.0], &[1.0])?;
/// let means = Problem::means(&model, &rows);
/// assert_eq!(means.names(), ["θ1"]);
/// let chance = Functional::probability(|theta| theta[0] > 0.0);
/// let positive = Problem::new(&model, &rows, vec![("θ1 > 0".to_owned(), chance)]);
/// assert_eq!(positive.names(), ["θ1 > 0"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Problem<'a, R, M> {
    pub(crate) model: &'a M,
    pub(crate) rows: &'a R,
    pub(crate) names: Vec<String>,
    pub(crate) functionals: Vec<Functional>,
    pub(crate) kinks: Option<Kinks<'a, M>>,
}

/// A prior with a factor exp(−|θ_j| / b) in every coordinate.
pub(crate) struct Kinks<'a, M> {
    /// The same likelihood under a smooth prior, for modes and curvatures.
    pub stand_in: &'a M,
    /// b.
    pub scale: f64,
}

impl<'a, R, M> Problem<'a, R, M>
where
    R: Rows,
    M: Model<Block = R::Block>,
{
    /// The posterior means of all coordinates, named θ1, θ2, ….
    pub fn means(model: &'a M, rows: &'a R) -> Problem<'a, R, M> {
        let functionals = Functional::means(model.dimension());
        let named = functionals.into_iter().enumerate();
        Problem::new(model, rows, named.map(|(j, f)| (format!("θ{}", j + 1), f)).collect())
    }

    /// Any functionals, with their names.
    pub fn new(
        model: &'a M,
        rows: &'a R,
        functionals: Vec<(String, Functional)>,
    ) -> Problem<'a, R, M> {
        let (names, functionals) = functionals.into_iter().unzip();
        Problem { model, rows, names, functionals, kinks: None }
    }

    /// Says that the prior has a factor exp(−|θ_j| / b) in every coordinate, and lends the same model
    /// under a smooth prior: chains then go exactly through the kinks, and modes are those of the
    /// stand-in.
    ///
    /// ```
    /// use unbiased_bayes::{DenseBlock, DenseLogistic, DenseRows, Prior, Problem};
    ///
    /// let rows = DenseRows::new(DenseBlock::zeros(100, 2));
    /// let model = DenseLogistic::new(2, Prior::Laplace { scale: 1.0 })?;
    /// let stand_in = DenseLogistic::new(2, Prior::like_laplace(1.0))?;
    /// let problem = Problem::means(&model, &rows).with_laplace_prior(&stand_in, 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_laplace_prior(mut self, stand_in: &'a M, scale: f64) -> Problem<'a, R, M> {
        self.kinks = Some(Kinks { stand_in, scale });
        self
    }

    /// What the functionals are called.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    pub(crate) fn smooth(&self) -> &'a M {
        self.kinks.as_ref().map_or(self.model, |kinks| kinks.stand_in)
    }

    pub(crate) fn scale(&self) -> Option<f64> {
        self.kinks.as_ref().map(|kinks| kinks.scale)
    }
}
