//! What all commands are told: model, data, and how to work.

use crate::degrees::Degrees;
use crate::priors::PriorArgument;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::str::FromStr;
use unbiased_bayes::{ChainLength, Form, Method, Seed, Settings, Stop};

/// A model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModelName {
    /// Two classes, also bernoulli: p(y ∣ x) = 1 / (1 + exp(−y (x·w + bias))).
    #[value(alias = "bernoulli")]
    Logistic,
    /// Successes in a number of --trials, each with chance 1 / (1 + exp(−(x·w + bias))).
    Binomial,
    /// A number, also gaussian or normal: y = x·w + bias + normal noise, whose standard deviation is sigma.
    #[value(aliases = ["gaussian", "normal"])]
    Linear,
    /// A number: y = x·w + bias + scale · Student's t, for responses with outliers.
    #[value(aliases = ["student-t", "student_t"])]
    Student,
    /// A count: y has mean exp(x·w + bias).
    Poisson,
    /// A count: the same with variance mean + mean²/shape.
    #[value(aliases = ["negative_binomial", "negbinomial"])]
    NegativeBinomial,
    /// A number above zero: y has mean m = exp(x·w + bias) and variance m²/shape.
    Gamma,
    /// A number: regression on random Fourier features, in closed form.
    RandomFeatures,
    /// The mean of the columns, under Gaussian noise, in closed form.
    GaussianMean,
}

impl ModelName {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            ModelName::Logistic => "logistic",
            ModelName::Binomial => "binomial",
            ModelName::Linear => "linear",
            ModelName::Student => "student",
            ModelName::NegativeBinomial => "negative-binomial",
            ModelName::Gamma => "gamma",
            ModelName::Poisson => "poisson",
            ModelName::RandomFeatures => "random-features",
            ModelName::GaussianMean => "gaussian-mean",
        }
    }
}

/// Where the rows are.
#[derive(Args, Clone)]
pub struct DataArguments {
    /// A CSV with a header or a libsvm file, plain or compressed (bzip2, gzip); an Arrow file or stream;
    /// or a Parquet file, a folder of them, or a pattern in quotes such as 'flights-*.parquet'; - is
    /// standard input.
    #[arg(long, value_name = "FILE")]
    pub data: PathBuf,
    /// The label or response: a column.
    #[arg(long, value_name = "COLUMN")]
    pub label: Option<String>,
    /// What is explained, and by which terms: "late ~ distance + log(price) + C(origin) + hour:weekday";
    /// see docs/models.md.
    #[arg(long, conflicts_with_all = ["label", "columns"])]
    pub formula: Option<String>,
    /// Rows count so many times: a column of weights, zero or more.
    #[arg(long, value_name = "COLUMN")]
    pub weights: Option<String>,
    /// Added to the predictor of a row as it is: a column, as offset(…) in a formula.
    #[arg(long, value_name = "COLUMN")]
    pub offset: Option<String>,
    /// Of how many trials the label counts the successes, for binomial: a column.
    #[arg(long, value_name = "COLUMN")]
    pub trials: Option<String>,
    /// Use these columns and no others: a,b, or one at a time.
    #[arg(long, value_name = "COLUMNS")]
    pub columns: Vec<String>,
    /// Leave these columns out.
    #[arg(long, value_name = "COLUMNS")]
    pub drop: Vec<String>,
    /// Take these columns as categories even if they hold numbers, such as postcodes.
    #[arg(long, value_name = "COLUMNS")]
    pub categorical: Vec<String>,
    /// Refuse anything but numbers in these columns.
    #[arg(long, value_name = "COLUMNS")]
    pub numeric: Vec<String>,
    /// Compare the levels of a category with this one [default: the most frequent one]; may be
    /// repeated.
    #[arg(long, value_name = "COLUMN=LEVEL")]
    pub reference: Vec<String>,
    /// The class that counts as positive [default: yes, true or 1, else the larger one].
    #[arg(long, value_name = "CLASS")]
    pub positive: Option<String>,
    /// What becomes of rows with missing cells (empty, NA, N/A, NaN, null, None, ?).
    #[arg(long, value_enum, default_value = "refuse")]
    pub missing: MissingArgument,
    /// Where imported rows, finished work and results are kept.
    #[arg(long, value_name = "FOLDER", default_value = ".unbiased")]
    pub work: PathBuf,
    /// Forget what an earlier run has imported and finished.
    #[arg(long)]
    pub fresh: bool,
}

impl DataArguments {
    /// With lists of columns taken apart at their commas, unless the whole is the name of a column.
    pub fn with_names(&self, header: &[String]) -> DataArguments {
        let apart = |list: &[String]| -> Vec<String> {
            let names = list.iter().flat_map(|entry| {
                let pieces = if header.contains(entry) { 1 } else { usize::MAX };
                entry.splitn(pieces, ',').map(str::to_owned).collect::<Vec<_>>()
            });
            names.collect()
        };
        DataArguments {
            columns: apart(&self.columns),
            drop: apart(&self.drop),
            categorical: apart(&self.categorical),
            numeric: apart(&self.numeric),
            ..self.clone()
        }
    }

    /// All choices that the imported rows depend on.
    pub fn choices(&self) -> String {
        let choices = format!(
            "{:?}",
            (
                (&self.label, &self.columns, &self.drop, &self.categorical),
                (&self.numeric, &self.reference, &self.positive, self.missing)
            )
        );
        let mut choices = match &self.formula {
            None => choices,
            Some(formula) => format!("{choices}|{formula}"),
        };
        if self.extras().next().is_some() {
            let extras = (&self.weights, &self.offset, &self.trials);
            choices.push_str(&format!("|{extras:?}"));
        }
        choices
    }

    /// The columns that are neither explained nor covariates.
    pub fn extras(&self) -> impl Iterator<Item = &String> {
        self.weights.iter().chain(&self.offset).chain(&self.trials)
    }

    /// Whether anything is said about columns, which a libsvm file does not name.
    pub fn names_columns(&self) -> bool {
        let lists = [&self.columns, &self.drop, &self.categorical, &self.numeric, &self.reference];
        let one = self.label.is_some() || self.positive.is_some() || self.formula.is_some();
        one || self.extras().next().is_some() || lists.iter().any(|list| !list.is_empty())
    }
}

/// What becomes of missing cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MissingArgument {
    /// Stop and count them.
    Refuse,
    /// Leave rows with a missing cell out.
    Drop,
    /// Keep them: the column's mean and a covariate "COLUMN missing", or a level "missing".
    Indicator,
}

/// The model and how to work.
#[derive(Args, Clone)]
pub struct Common {
    /// The model; or a formula in quotes, with the model behind --family.
    #[arg(value_enum)]
    pub model: ModelName,
    #[command(flatten)]
    /// Where the rows are.
    pub data: DataArguments,
    /// The prior of every weight, in the units of the data: "normal(0, 2)", "student(3, 0, 2.5)",
    /// "laplace(0, 1)" or flat; of the weights of one term: "C(origin) ~ normal(0, 1)"; may be repeated
    /// [default: normal, 2.5 on the standardised scale; normal(0, 10) for gaussian-mean].
    #[arg(long)]
    pub prior: Vec<PriorArgument>,
    /// The prior of the bias [default: that of --prior for every weight; without one, wide and normal].
    #[arg(long, value_name = "PRIOR")]
    pub prior_intercept: Option<PriorArgument>,
    /// What is asked: mean, sd, variance, covariance:A,B, correlation:A,B, contrast:A-B (or 2*A-B+C),
    /// exp:A, probability:A>0, probability:A>B, quantile:A,0.9, rank:GROUP, top:10:GROUP, predict:FILE; may be
    /// repeated.
    #[arg(long, default_value = "mean")]
    pub functional: Vec<String>,
    /// Which effects of groups, as (1 | city) has them, are estimated: all, none, those of one group (city)
    /// or of one level (`city[Bonn]`); may be repeated [default: all if there are at most 40].
    #[arg(long, value_name = "WHICH")]
    pub groups: Vec<String>,
    /// The variance of the noise [default: a parameter for linear; 1 for random-features and
    /// gaussian-mean].
    #[arg(long)]
    pub noise: Option<f64>,
    /// Degrees of freedom of the noise of student: a number, or unknown, which makes them a parameter
    /// with the prior gamma(2, 0.1).
    #[arg(long, default_value_t = Degrees::Known(4.0))]
    pub degrees: Degrees,
    /// Random features, and the length over which they vary.
    #[arg(long, default_value_t = 100)]
    pub features: usize,
    /// See --features.
    #[arg(long, default_value_t = 1.0)]
    pub length_scale: f64,
    /// Rows of the first level of --method plain [default: four per parameter, 256 at least].
    #[arg(long, value_name = "ROWS")]
    pub first: Option<usize>,
    /// How the answer is computed; auto takes the method that is predicted to take the least work.
    #[arg(long, value_enum, default_value = "auto")]
    pub method: MethodArgument,
    /// How a replicate is put together; coupled-sum is the paper's [default: an antithetic form].
    #[arg(long, value_enum)]
    pub form: Option<FormArgument>,
    /// Warm-up and draws of the chains of --method plain.
    #[arg(long, value_name = "W+M", default_value = "100+500")]
    pub chain: ChainArgument,
    /// The seed of everything.
    #[arg(long, default_value_t = 2015)]
    pub seed: u64,
    /// Threads; results do not depend on it [default: all].
    #[arg(long)]
    pub jobs: Option<usize>,
    /// Write the answer for programs here.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write the table of estimates here, with all rows and digits.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Print the answer and nothing else.
    #[arg(long)]
    pub quiet: bool,
}

impl Common {
    /// The choices of the library.
    pub fn settings(&self, stop: Stop) -> Settings {
        let mut settings = Settings::default();
        settings.stop = stop;
        settings.method = match self.method {
            MethodArgument::Auto => Method::Auto,
            MethodArgument::Anchored => Method::Anchored,
            MethodArgument::Nuts => Method::Nuts,
            MethodArgument::Plain => Method::Plain,
        };
        settings.form = self.form.map(Form::from);
        settings.first = self.first;
        settings.length = self.chain.0;
        settings.seed = Seed(self.seed);
        settings
    }
}

/// A method on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MethodArgument {
    /// Whichever is predicted to reach the target with the least work.
    Auto,
    /// A quadratic for all rows, and random samples of what it leaves, debiased.
    Anchored,
    /// NUTS on all rows, equal rows put together.
    Nuts,
    /// Partial posteriors given nothing but random subsets of the rows, debiased.
    Plain,
}

/// A form on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormArgument {
    /// The paper's sum over nested batches.
    CoupledSum,
    /// One nested increment.
    SingleTerm,
    /// Antithetic increments up to the depth.
    AntitheticSum,
    /// One antithetic increment.
    AntitheticSingleTerm,
}

impl From<FormArgument> for Form {
    fn from(form: FormArgument) -> Form {
        match form {
            FormArgument::CoupledSum => Form::CoupledSum,
            FormArgument::SingleTerm => Form::SingleTerm,
            FormArgument::AntitheticSum => Form::AntitheticSum,
            FormArgument::AntitheticSingleTerm => Form::AntitheticSingleTerm,
        }
    }
}

/// A chain's length on the command line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainArgument(pub ChainLength);

impl FromStr for ChainArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<ChainArgument, String> {
        let parts = text.split_once('+').and_then(|(warm_up, draws)| {
            Some(ChainLength { warm_up: warm_up.parse().ok()?, draws: draws.parse().ok()? })
        });
        let help =
            || format!("\"{text}\" is no length: write 100+500 for 100 of warm-up, 500 draws");
        parts.filter(|length| length.draws >= 10).map(ChainArgument).ok_or_else(help)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_are_read_or_refused() {
        assert_eq!("20+50".parse::<ChainArgument>().unwrap().0.draws, 50);
        assert!("20".parse::<ChainArgument>().is_err());
    }
}
