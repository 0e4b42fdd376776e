//! NUTS on all rows, without and with zero-variance control variates, and on distinct rows with counts.
//!
//! How long its trees are depends on the step size that the warm-up found, which no trial can tell: a
//! chain goes on while the longest of its transitions would still fit in the budget. It begins only
//! where in trials a chain worth asking for fitted; one with an unlucky step size ends with fewer draws.

use super::Race;
use super::answers::{Answer, Ask, Setup};
use super::problem::Problem;
use anchored::{CountedRows, WholePosterior};
use baselines::FullPosterior;
use debias::Rng;
use posterior::{Differentiable, Rows, Smooth, Target};
use samplers::diagnostics::{Chains, mcse_mean};
use samplers::{
    Chain, Draws, Frame, Functional, Kernel, Length, Start, Whitened, with_control_variates,
};

/// Transitions thrown away, and draws below which a chain is not worth asking for.
pub const WARM_UP: usize = 50;
pub const LEAST_DRAWS: usize = 50;
/// Draws for each coefficient of a regression on gradients below which it is not worth asking for.
pub const DRAWS_PER_GRADIENT: usize = 3;
/// Draws without which there is no diagnosis, and draws per coefficient without which there is no regression.
const FEWEST_DRAWS: usize = 4;
const FEWEST_PER_GRADIENT: usize = 2;

/// Chains of a kernel on the posterior given all rows.
pub struct AllRows<'a, K> {
    pub target: MakeTarget<'a>,
    pub kernel: K,
    /// The kernel's coordinates.
    pub frame: Frame,
    /// The Laplace approximation, from which chains start.
    pub start: Frame,
    pub functionals: Vec<Functional>,
}

/// The posterior afresh, with no work counted.
pub type MakeTarget<'a> = Box<dyn Fn() -> Box<dyn Target + 'a> + Send + Sync + 'a>;

/// The posterior given all rows, each once.
pub fn all_rows<'a, R, M>(model: &'a M, rows: &'a R) -> MakeTarget<'a>
where
    R: Rows,
    M: Differentiable<Block = R::Block>,
    R::Block: 'a,
{
    let posterior = FullPosterior::new(model, rows);
    Box::new(move || Box::new(posterior.uncounted()))
}

/// NUTS on distinct rows with counts, with control variates, where the front door would put equal rows
/// together: the posterior is the same, and an evaluation of all rows is cheaper.
pub fn collapsed<R, M, K>(
    race: &mut Race<'_>,
    problem: &Problem<'_, R, M>,
    kernel: K,
) -> anyhow::Result<()>
where
    R: Rows,
    M: Smooth<Block = R::Block>,
    K: Kernel,
{
    let Problem { rows, model, ref functionals, .. } = *problem;
    let (Some(regression), true) = (model.regression(), race.wants("collapsed-nuts")) else {
        return Ok(());
    };
    let mut counted = CountedRows::collapse(rows, regression, problem.seed);
    if !counted.collapsed() {
        race.idle.push("collapsed-nuts");
        return Ok(());
    }
    counted.keep(model.dimension());
    let (counted, start) = (&counted, &problem.anchored.anchor.frame);
    let chains = AllRows {
        target: Box::new(move || Box::new(WholePosterior::new(model, regression, counted))),
        kernel,
        frame: Frame::standard(start.dimension()),
        start: start.clone(),
        functionals: functionals.clone(),
    };
    chains.corrected(race, "collapsed-nuts", &problem.setup)
}

impl<K: Kernel> AllRows<'_, K> {
    /// At least so many draws, and more while they fit; with their evaluations.
    pub fn run(&self, least: Length, budget: f64, rng: &mut Rng) -> anyhow::Result<(Draws, f64)> {
        let mut target = (self.target)();
        let start = Start::Frame { spread: 1.0 };
        let start = start.draw(self.start.dimension(), Some(&self.start), rng)?;
        let z = self.frame.coordinates(&start);
        let whitened = &mut Whitened::new(&mut *target, &self.frame);
        let mut chain = Chain::begin(&self.kernel, whitened, &z)?;
        let endless = Length { draws: usize::MAX / 2, ..least };
        let (mut spent, mut dearest) = (0.0, 0.0_f64);
        while chain.draws.count() < least.draws || spent + dearest <= budget {
            let whitened = &mut Whitened::new(&mut *target, &self.frame);
            chain.advance(&self.kernel, whitened, endless, 1, rng);
            let now = target.ledger().evaluations() as f64;
            // The first trees of a warm-up, of any length, tell nothing of those to come.
            if chain.draws.count() > 0 {
                dearest = dearest.max(now - spent);
            }
            spent = now;
        }
        Ok((chain.draws.placed(&self.frame), spent))
    }

    /// Asks for the draws' own means, and for those with control variates.
    pub fn race(&self, race: &mut Race<'_>, setup: &Setup) -> anyhow::Result<()> {
        self.ask(race, "full-nuts", setup, [FEWEST_DRAWS, LEAST_DRAWS], |draws| {
            let (mut means, mut halves) = (Vec::new(), Vec::new());
            for functional in &self.functionals {
                let values: Vec<f64> = draws.iter().map(|t| functional.integrand(t)).collect();
                means.push(values.iter().sum::<f64>() / values.len() as f64);
                halves.push(1.96 * mcse_mean(&Chains::new(vec![values])?));
            }
            Ok((means, halves))
        })?;
        self.corrected(race, "nuts-control-variates", setup)
    }

    /// Asks for means with control variates.
    fn corrected(
        &self,
        race: &mut Race<'_>,
        method: &'static str,
        setup: &Setup,
    ) -> anyhow::Result<()> {
        let coefficients = self.start.dimension() + 1;
        let least = LEAST_DRAWS.max(DRAWS_PER_GRADIENT * coefficients);
        let fewest = FEWEST_PER_GRADIENT * coefficients;
        self.ask(race, method, setup, [fewest, least], |draws| {
            Ok((with_control_variates(draws, &self.functionals)?, Vec::new()))
        })
    }

    fn ask(
        &self,
        race: &mut Race<'_>,
        method: &'static str,
        setup: &Setup,
        [fewest, least]: [usize; 2],
        means: impl Fn(&Draws) -> anyhow::Result<(Vec<f64>, Vec<f64>)> + Send + Sync,
    ) -> anyhow::Result<()> {
        if !race.wants(method) {
            return Ok(());
        }
        let length = |draws| Length { warm_up: WARM_UP, draws };
        let costs = race.trials(method, |rng| Ok(self.run(length(least), 0.0, rng)?.1))?;
        let dearest = costs.into_iter().fold(0.0, f64::max);
        let means = &means;
        race.ask(method, setup, |left| {
            if dearest > left {
                return Ok(None);
            }
            let ask: Ask<'_> = Box::new(move |rng| {
                let (draws, spent) = self.run(length(fewest), left, rng)?;
                let (means, halves) = means(&draws)?;
                Ok(Answer { means, halves, spent, done: spent })
            });
            Ok(Some(ask))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::anchored::{frame_of, newton};
    use data::{DenseRows, GaussianLaw, Generated};
    use debias::Seed;
    use models::log_gaussian::LogGaussian;
    use posterior::Rows;
    use samplers::NoUTurn;

    /// Whatever step sizes short warm-ups find, chains keep to their budget on average.
    #[test]
    fn chains_keep_their_budget() {
        const ROWS: usize = 300;
        let rows = Generated::new(GaussianLaw::log_gaussian(), Seed(1), ROWS);
        let rows = DenseRows::new(rows.range(0..ROWS));
        let mode = newton(&LogGaussian, &rows, &[0.0; 2], 0.1, 20).unwrap();
        let frame = frame_of(&mode.theta, &mode.covariance).unwrap();
        let chains = AllRows {
            target: all_rows(&LogGaussian, &rows),
            kernel: NoUTurn::default(),
            frame: frame.clone(),
            start: frame,
            functionals: Functional::means(2),
        };
        let budget = (1000 * ROWS) as f64;
        let fewest = Length { warm_up: WARM_UP, draws: FEWEST_DRAWS };
        let spent: Vec<f64> = (0..40)
            .map(|chain| chains.run(fewest, budget, &mut Seed(2).stream(chain)).unwrap().1)
            .collect();
        let mean = spent.iter().sum::<f64>() / spent.len() as f64;
        assert!((0.9 * budget..=1.02 * budget).contains(&mean), "{mean} of {budget}");
    }
}
