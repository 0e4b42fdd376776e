//! Models whose posteriors have a closed form: the mean of the columns, and random features.

use crate::exit;
use crate::functionals::{self, Asked};
use crate::model::{Outcome, Question, Task, known_noise};
use crate::priors::{Law, PriorArgument};
use models::feature_regression::{FeaturePredictions, FeatureRegression, FeatureWeights};
use models::features::FourierFeatures;
use posterior::{Block, DenseBlock, LevelEstimate, Model, Rows};
use unbiased_bayes::{Estimation, Functional, GaussianMean, GaussianMeanClosedForm, Prior, Seed};

/// Columns of gaussian-mean: a matrix of so many squared takes 128 MB.
const MOST_MEANS: usize = 4000;

impl Task<'_> {
    fn closed_form<R, M, E>(
        &self,
        model: &M,
        rows: &R,
        names: Vec<String>,
        level: &E,
    ) -> anyhow::Result<Outcome>
    where
        R: Rows,
        M: Model<Block = R::Block>,
        E: LevelEstimate<M>,
    {
        let functionals = names.into_iter().map(|name| (name, Functional::Mean(0))).collect();
        let question = Estimation::new(model, rows).asking(functionals);
        let question = question.settings(self.settings).hooks(self.hooks);
        match &self.question {
            Question::Estimate { .. } => question.run_with(level).map(Box::new).map(Outcome::Answer),
            Question::Plan(targets) => question.plan_with(level, targets).map(Outcome::Plan),
            Question::Compare(_) | Question::Certify(_) => {
                return Err(exit::usage(
                    "this model has a closed form, and one pass over all rows gives the answer: there \
                     is nothing to compare or to certify",
                ));
            }
        }
        .map_err(|error| exit::of_estimate(error, &self.source.names))
    }

    /// The variance of the noise of a closed form.
    fn noise(&self) -> anyhow::Result<f64> {
        let noise = self.common.noise.unwrap_or(1.0);
        known_noise(noise).map(|_| noise)
    }

    pub(super) fn gaussian_mean<R>(&self, rows: &R, asked: &[Asked]) -> anyhow::Result<Outcome>
    where
        R: Rows<Block = DenseBlock>,
    {
        let width = self.source.names.len();
        let sd = match &self.common.prior[..] {
            [] => 10.0,
            [
                PriorArgument {
                    term: None,
                    law: Law { prior: Prior::Gaussian { standard_deviation }, centre: 0.0, .. },
                },
            ] => *standard_deviation,
            _ => return Err(exit::usage("gaussian-mean takes --prior normal:SD")),
        };
        only_means(asked)?;
        if width > MOST_MEANS {
            return Err(exit::data(format!(
                "{width} columns: gaussian-mean keeps matrices of columns by columns and takes at \
                 most {MOST_MEANS}; choose some with --columns"
            )));
        }
        let diagonal = |value: f64| -> Vec<f64> {
            (0..width * width).map(|i| if i % (width + 1) == 0 { value } else { 0.0 }).collect()
        };
        let covariances = (diagonal(self.noise()?), diagonal(sd * sd));
        let model = GaussianMean::new(&covariances.0, &vec![0.0; width], &covariances.1)?;
        self.closed_form(&model, rows, self.source.names.clone(), &GaussianMeanClosedForm)
    }

    pub(super) fn random_features<R>(&self, rows: &R, asked: &[Asked]) -> anyhow::Result<Outcome>
    where
        R: Rows<Block = DenseBlock>,
    {
        let (common, width) = (self.common, self.source.names.len());
        if !common.prior.is_empty() {
            return Err(exit::usage(
                "random-features have a standard normal prior: leave --prior out",
            ));
        }
        let rng = &mut Seed(common.seed).child("features").stream(0);
        let map = FourierFeatures::sample(common.features, width, common.length_scale, rng)
            .map_err(|error| exit::usage(error.to_string()))?;
        let model = FeatureRegression::new(map, self.noise()?)?;
        if let [Asked::Predict(_)] = asked {
            let points = self.source.predictions[0].dense(width);
            let names = (1..=points.rows()).map(|row| format!("row {row}")).collect();
            return self.closed_form(&model, rows, names, &FeaturePredictions { points });
        }
        only_means(asked)?;
        let names = (1..=common.features).map(|j| format!("f{j}")).collect();
        self.closed_form(&model, rows, names, &FeatureWeights)
    }
}

fn only_means(asked: &[Asked]) -> anyhow::Result<()> {
    if functionals::only_means(asked) {
        return Ok(());
    }
    Err(exit::usage("closed forms give means: leave --functional out"))
}
