//! The questions, put to the data.

use crate::action;
use crate::arguments::Common;
use crate::certificate;
use crate::exit;
use crate::model::{Outcome, Question, Task};
use crate::outcome;
use crate::show;
use crate::surroundings::Stage;
use unbiased_bayes::{RunHooks, Stop};

/// `unbiased estimate`.
pub fn estimate(arguments: &action::Estimate) -> anyhow::Result<()> {
    launch(&arguments.common, "estimate", Question::Estimate, arguments.stop())
}

/// `unbiased plan`.
pub fn plan(arguments: &action::Plan) -> anyhow::Result<()> {
    let targets = arguments.targets(arguments.common.model.closed_form());
    // The points of a replicate follow from the first target.
    let stop = Stop::Error { target: targets[0], budget: None };
    launch(&arguments.common, "plan", Question::Plan(targets), stop)
}

/// `unbiased compare`.
pub fn compare(arguments: &action::Compare) -> anyhow::Result<()> {
    let question = Question::Compare(arguments.budget);
    launch(&arguments.common, "compare", question, Stop::Budget(arguments.budget))
}

/// `unbiased certify`.
pub fn certify(arguments: &action::Certify) -> anyhow::Result<()> {
    let question = Question::Certify(arguments.approximation.clone());
    launch(&arguments.common, "certify", question, arguments.stop())
}

fn launch(common: &Common, command: &str, question: Question, stop: Stop) -> anyhow::Result<()> {
    let stage = Stage::open(common)?;
    let settings = common.settings(stop);
    let chunks = stage.chunks(command, &settings)?;
    let say = |line: &str| stage.say(line);
    let hooks = RunHooks { store: &chunks, observer: &stage.bar, say: &say };
    let source = &stage.source;
    let mut task = Task {
        common,
        source,
        question,
        settings,
        hooks,
        notes: Vec::new(),
        shared: &[],
        groups: Vec::new(),
    };
    let outcome = task.run();
    stage.bar.finish();
    chunks.remarks().iter().for_each(|remark| stage.say(remark));
    let notes = show::notes(&task.notes) + &stage.source.notes();
    let settings = stage.settings(command, &settings);
    let seconds = stage.seconds();
    match outcome? {
        Outcome::Answer(answer) => {
            outcome::write_answer(&stage, command, &settings, &answer, &task.notes)?;
            let text = match task.question {
                Question::Certify(_) => certificate::show(&answer) + "\n" + &show::lines(&answer),
                _ => show::answer(&answer),
            };
            exit::print(&(text + &notes))?;
        }
        Outcome::Plan(plan) => {
            outcome::write_json(common.json.as_deref(), &plan)?;
            // Set-up and trial are work of the same kind as what is predicted.
            let each = seconds / plan.spent.evaluations().max(1) as f64;
            exit::print(&(show::plan(&plan, each) + &notes))?;
            stage.say(&format!("{seconds:.1} s"));
            return Ok(());
        }
        Outcome::Comparison(comparison) => {
            outcome::write_comparison(&stage, &settings, &comparison)?;
            exit::print(&(show::comparison(&comparison) + &notes))?;
        }
    }
    stage.say(&format!(
        "{:.1} s; figure and record in {}",
        stage.seconds(),
        stage.results(command).display()
    ));
    Ok(())
}
