//! The door: a question with all that was said about it, put to a source of rows. The command and every
//! other program that asks go through here, so that the same words and the same seed give the same bytes.

use crate::action;
use crate::arguments::Common;
use crate::model::{Outcome, Question, Task};
use crate::source::{Source, Wants};
use crate::{certificate, show};
use records::RunKey;
use serde_json::{Value, json};
use std::sync::Arc;
use unbiased_bayes::{Answer, Family, RunHooks, Settings, Stop};

/// A question.
#[derive(Clone)]
pub struct Inquiry {
    /// As on the command line: "estimate", "plan", "compare", "certify".
    pub command: &'static str,
    /// The model and how to work.
    pub common: Common,
    /// What is asked.
    pub question: Question,
    /// When to stop.
    pub stop: Stop,
    /// A likelihood that a program brings, in place of the model's own.
    pub own: Option<Arc<dyn Family>>,
}

/// What came out, and what was said of the prior on the way.
pub struct Found {
    /// What came out.
    pub outcome: Outcome,
    /// Sentences on priors and noise.
    pub notes: Vec<String>,
    /// The parameters in the order of draws; none of a closed form.
    pub parameters: Vec<String>,
}

impl Inquiry {
    fn new(command: &'static str, common: Common, question: Question, stop: Stop) -> Inquiry {
        Inquiry { command, common, question, stop, own: None }
    }

    /// The choices of the library.
    pub fn settings(&self) -> Settings {
        self.common.settings(self.stop)
    }

    /// What the model wants beside covariates.
    pub fn wants(&self) -> Wants {
        match self.own {
            Some(_) => Wants::Number,
            None => self.common.model.wants(),
        }
    }

    /// All choices that numbers hang on.
    pub fn described(&self, source: &Source) -> Value {
        let common = &self.common;
        json!({
            "command": self.command,
            "model": if self.own.is_some() { "own" } else { common.model.name() },
            "prior": common.prior.iter().map(|prior| format!("{prior:?}")).collect::<Vec<_>>(),
            "prior_intercept": common.prior_intercept.as_ref().map(|prior| format!("{prior:?}")),
            "functional": common.functional,
            "groups": common.groups,
            "predictions": source.predictions.iter().map(|one| &one.sha256).collect::<Vec<_>>(),
            "noise": common.noise,
            "degrees": common.degrees.to_string(),
            "features": common.features,
            "length_scale": common.length_scale,
            "label": common.data.label,
            "columns": source.names.len(),
            "choices": common.data.choices(),
            "run": self.settings(),
        })
    }

    /// What finished work is known by; `code` is a sum of the program.
    pub fn key(&self, source: &Source, code: String) -> RunKey {
        RunKey {
            settings: self.described(source),
            seed: self.common.seed,
            data: vec![source.data.identity.clone()],
            code,
        }
    }

    /// Puts the question.
    pub fn run(&self, source: &Source, hooks: RunHooks<'_>) -> anyhow::Result<Found> {
        let mut task = Task {
            common: &self.common,
            source,
            question: &self.question,
            settings: self.settings(),
            hooks,
            own: self.own.as_ref(),
            notes: Vec::new(),
            shared: &[],
            groups: Vec::new(),
            parameters: Vec::new(),
        };
        let outcome = task.run()?;
        Ok(Found { outcome, notes: task.notes, parameters: task.parameters })
    }

    /// The answer for people; `seconds` are those that the work took.
    pub fn text(&self, source: &Source, found: &Found, seconds: f64) -> String {
        let text = match (&found.outcome, &self.question) {
            (Outcome::Answer(answer), Question::Certify(_)) => {
                certificate::show(answer) + "\n" + &show::lines(answer)
            }
            (Outcome::Answer(answer), _) => show::answer(answer),
            (Outcome::Plan(plan), _) => {
                // Set-up and trial are work of the same kind as what is predicted.
                show::plan(plan, seconds / plan.spent.evaluations().max(1) as f64)
            }
            (Outcome::Comparison(comparison), _) => show::comparison(comparison),
        };
        text + &show::notes(&found.notes) + &source.notes()
    }

    /// The answer for programs.
    pub fn json(&self, source: &Source, found: &Found) -> anyhow::Result<Vec<u8>> {
        let settings = self.described(source);
        let mut text = match &found.outcome {
            Outcome::Answer(answer) => {
                let mut all = json!({
                    "data": source.data,
                    "coding": source.coding,
                    "settings": settings,
                    "answer": answer,
                });
                if matches!(self.question, Question::Estimate { draws: 1.. }) {
                    all["draws"] = draws(answer, &found.parameters);
                }
                serde_json::to_vec_pretty(&all)
            }
            Outcome::Plan(plan) => serde_json::to_vec_pretty(plan),
            Outcome::Comparison(comparison) => serde_json::to_vec_pretty(
                &json!({ "data": source.data, "settings": settings, "comparison": comparison }),
            ),
        }?;
        text.push(b'\n');
        Ok(text)
    }
}

/// Draws of the posterior with their weights; none where the method has none.
fn draws(answer: &Answer, parameters: &[String]) -> Value {
    let (positions, weights) = match &answer.weighted {
        Some(draws) => (draws.positions.clone(), draws.weights.clone()),
        None => {
            let positions: Vec<f64> =
                answer.draws.iter().flat_map(|chain| chain.positions()).copied().collect();
            let count = positions.len() / parameters.len().max(1);
            (positions, vec![1.0 / count as f64; count])
        }
    };
    let values: Vec<&[f64]> = positions.chunks_exact(parameters.len().max(1)).collect();
    json!({ "parameters": parameters, "values": values, "weights": weights })
}

impl From<action::Estimate> for Inquiry {
    fn from(asked: action::Estimate) -> Inquiry {
        let (stop, question) = (asked.stop(), Question::Estimate { draws: asked.draws });
        Inquiry::new("estimate", asked.common, question, stop)
    }
}

impl From<action::Plan> for Inquiry {
    fn from(asked: action::Plan) -> Inquiry {
        let targets = asked.targets(asked.common.model.closed_form());
        // The points of a replicate follow from the first target.
        let stop = Stop::Error { target: targets[0], budget: None };
        Inquiry::new("plan", asked.common, Question::Plan(targets), stop)
    }
}

impl From<action::Compare> for Inquiry {
    fn from(asked: action::Compare) -> Inquiry {
        let (question, stop) = (Question::Compare(asked.budget), Stop::Budget(asked.budget));
        Inquiry::new("compare", asked.common, question, stop)
    }
}

impl From<action::Certify> for Inquiry {
    fn from(asked: action::Certify) -> Inquiry {
        let stop = asked.stop();
        Inquiry::new("certify", asked.common, Question::Certify(asked.approximation), stop)
    }
}
