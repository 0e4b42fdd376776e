//! The three questions, put to the data.

use crate::action;
use crate::exit;
use crate::model::{Question, put};
use crate::outcome;
use crate::show;
use crate::surroundings::Stage;
use posterior::{LevelEstimate, Model, Rows, Smooth};
use unbiased_bayes::{
    Answer, Comparison, Plan, Problem, Settings, Surroundings, Target, compare as compare_all,
    estimate as estimate_smooth, estimate_with, plan as plan_smooth, plan_with,
};

/// `unbiased estimate`.
pub fn estimate(arguments: &action::Estimate) -> anyhow::Result<()> {
    let stage = Stage::open(&arguments.common)?;
    let settings = arguments.common.settings(arguments.stop());
    let chunks = stage.chunks("estimate", &settings)?;
    let say = |line: &str| stage.say(line);
    let surroundings = Surroundings { store: &chunks, observer: &stage.bar, say: &say };
    let answer = put(&arguments.common, &stage.source, Estimating { settings, surroundings });
    stage.bar.finish();
    chunks.remarks().iter().for_each(|remark| stage.say(remark));
    let answer = answer?;
    let settings = stage.settings("estimate", &settings);
    outcome::write_answer(&stage, &settings, &answer)?;
    exit::print(&(show::answer(&answer) + &stage.source.notes()))?;
    stage.say(&format!(
        "{:.1} s; figure and record in {}",
        stage.seconds(),
        stage.results("estimate").display()
    ));
    Ok(())
}

/// `unbiased plan`.
pub fn plan(arguments: &action::Plan) -> anyhow::Result<()> {
    let common = &arguments.common;
    let stage = Stage::open(common)?;
    let settings = common.settings(unbiased_bayes::Stop::Replicates(0));
    let say = |line: &str| stage.say(line);
    let surroundings = Surroundings { say: &say, ..Surroundings::none() };
    let targets = arguments.targets(common.model.closed_form());
    let plan = put(common, &stage.source, Planning { targets, settings, surroundings });
    stage.bar.finish();
    let plan = plan?;
    // Set-up and pilot are work of the same kind as what is predicted.
    let spent = (plan.setup + plan.pilot).evaluations() as f64;
    let seconds = stage.seconds();
    outcome::write_json(common.json.as_deref(), &plan)?;
    exit::print(&(show::plan(&plan, seconds / spent) + &stage.source.notes()))?;
    stage.say(&format!("{seconds:.1} s"));
    Ok(())
}

/// `unbiased compare`.
pub fn compare(arguments: &action::Compare) -> anyhow::Result<()> {
    let common = &arguments.common;
    if common.model.closed_form() {
        return Err(exit::usage(
            "this model has a closed form, and one pass over all rows gives the answer: there is \
             nothing to compare",
        ));
    }
    let stage = Stage::open(common)?;
    let settings = common.settings(unbiased_bayes::Stop::Budget(arguments.budget));
    let chunks = stage.chunks("compare", &settings)?;
    let say = |line: &str| stage.say(line);
    let surroundings = Surroundings { store: &chunks, observer: &stage.bar, say: &say };
    let comparing = Comparing { budget: arguments.budget, settings, surroundings };
    let comparison = put(common, &stage.source, comparing);
    stage.bar.finish();
    let comparison = comparison?;
    let settings = stage.settings("compare", &settings);
    outcome::write_comparison(&stage, &settings, &comparison)?;
    exit::print(&(show::comparison(&comparison) + &stage.source.notes()))?;
    stage.say(&format!(
        "{:.1} s; figure and record in {}",
        stage.seconds(),
        stage.results("compare").display()
    ));
    Ok(())
}

struct Estimating<'a> {
    settings: Settings,
    surroundings: Surroundings<'a>,
}

impl Question for Estimating<'_> {
    type Outcome = Answer;

    fn smooth<R, M>(self, problem: &Problem<'_, R, M>) -> anyhow::Result<Answer>
    where
        R: Rows,
        M: Smooth<Block = R::Block>,
    {
        estimate_smooth(problem, &self.settings, &self.surroundings).map_err(exit::of_estimate)
    }

    fn closed<R, M, E>(self, problem: &Problem<'_, R, M>, level: &E) -> anyhow::Result<Answer>
    where
        R: Rows,
        M: Model<Block = R::Block>,
        E: LevelEstimate<M>,
    {
        estimate_with(problem, level, &self.settings, &self.surroundings).map_err(exit::of_estimate)
    }
}

struct Planning<'a> {
    targets: Vec<Target>,
    settings: Settings,
    surroundings: Surroundings<'a>,
}

impl Question for Planning<'_> {
    type Outcome = Plan;

    fn smooth<R, M>(self, problem: &Problem<'_, R, M>) -> anyhow::Result<Plan>
    where
        R: Rows,
        M: Smooth<Block = R::Block>,
    {
        plan_smooth(problem, &self.targets, &self.settings, &self.surroundings)
            .map_err(exit::of_estimate)
    }

    fn closed<R, M, E>(self, problem: &Problem<'_, R, M>, level: &E) -> anyhow::Result<Plan>
    where
        R: Rows,
        M: Model<Block = R::Block>,
        E: LevelEstimate<M>,
    {
        plan_with(problem, level, &self.targets, &self.settings, &self.surroundings)
            .map_err(exit::of_estimate)
    }
}

struct Comparing<'a> {
    budget: f64,
    settings: Settings,
    surroundings: Surroundings<'a>,
}

impl Question for Comparing<'_> {
    type Outcome = Comparison;

    fn smooth<R, M>(self, problem: &Problem<'_, R, M>) -> anyhow::Result<Comparison>
    where
        R: Rows,
        M: Smooth<Block = R::Block>,
    {
        compare_all(problem, self.budget, &self.settings, &self.surroundings)
            .map_err(exit::of_estimate)
    }

    fn closed<R, M, E>(self, _: &Problem<'_, R, M>, _: &E) -> anyhow::Result<Comparison>
    where
        R: Rows,
        M: Model<Block = R::Block>,
        E: LevelEstimate<M>,
    {
        unreachable!("closed forms are refused before the data is opened")
    }
}
