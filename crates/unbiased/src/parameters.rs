//! The parameters of a regression by name: weights, bias, the logarithms of what rows share, and those of the
//! standard deviations of group effects, in this order.

use crate::exit;
use crate::nearest::near_ones;
use std::ops::Range;

/// Effects up to which an answer has all of them unless it is told otherwise.
const SHOWN: usize = 40;

/// All parameters.
#[derive(Clone, Debug, Default)]
pub struct Parameters {
    /// In order.
    pub names: Vec<String>,
    /// Where the bias is.
    pub bias: usize,
    /// Positive numbers whose logarithms are parameters: which ones, and what the numbers are called.
    pub positive: Vec<(usize, String)>,
    /// Weights that are the effects of groups, group by group.
    pub effects: Vec<Range<usize>>,
    /// The parameter that is the logarithm of the first group's standard deviation; the others follow.
    pub first_log_sd: usize,
    /// Parameters that answers are about unless one is named.
    pub shown: Vec<usize>,
}

impl Parameters {
    /// Of these covariates, of numbers that rows share such as a dispersion, and of groups with the names of
    /// their standard deviations.
    pub fn new(
        covariates: &[String],
        shared: &[&str],
        groups: &[(Range<usize>, String)],
    ) -> Parameters {
        let mut names = covariates.to_vec();
        let bias = names.len();
        names.push("bias".to_owned());
        let mut positive = Vec::new();
        for name in shared {
            let name = match covariates.iter().any(|known| known == name) {
                true => format!("{name} of the noise"),
                false => (*name).to_owned(),
            };
            positive.push((names.len(), name.clone()));
            names.push(format!("ln {name}"));
        }
        let first_log_sd = names.len();
        for (_, name) in groups {
            positive.push((names.len(), name.clone()));
            names.push(format!("ln {name}"));
        }
        let effects: Vec<Range<usize>> = groups.iter().map(|(range, _)| range.clone()).collect();
        let shown = (0..names.len()).collect();
        Parameters { names, bias, positive, effects, first_log_sd, shown }
    }

    /// The same with the effects that `--groups` asks for; without any, all of them if they are few. Says
    /// what is left out.
    pub fn showing(mut self, asked: &[String]) -> anyhow::Result<(Parameters, Option<String>)> {
        let all: usize = self.effects.iter().map(Range::len).sum();
        let is_effect = |j: usize| self.effects.iter().any(|range| range.contains(&j));
        let mut wanted = vec![false; self.names.len()];
        if asked.is_empty() && all <= SHOWN {
            return Ok((self, None));
        }
        for word in asked.iter().map(|word| word.trim()) {
            let of_group = |j: &usize| {
                let name = &self.names[*j];
                name == word || name.strip_prefix(word).is_some_and(|rest| rest.starts_with('['))
            };
            let meant: Vec<usize> = match word {
                "none" => continue,
                "all" => (0..self.names.len()).collect(),
                _ => (0..self.names.len()).filter(|&j| is_effect(j)).filter(of_group).collect(),
            };
            if meant.is_empty() {
                let effects = (0..self.names.len()).filter(|&j| is_effect(j));
                let known: Vec<String> = effects.map(|j| self.names[j].clone()).collect();
                return Err(exit::usage(match known.is_empty() {
                    true => "--groups: the formula has no effects of groups, such as (1 | city)"
                        .to_owned(),
                    false => format!(
                        "--groups: \"{word}\" is neither a group nor an effect; near it: {}",
                        near_ones(word, &known)
                    ),
                }));
            }
            meant.into_iter().for_each(|j| wanted[j] = true);
        }
        self.shown = (0..self.names.len()).filter(|&j| wanted[j] || !is_effect(j)).collect();
        let left_out = self.names.len() - self.shown.len();
        let remark = format!(
            "{left_out} of {all} group effects are not shown; --groups all has all of them, --groups NAME \
             those of one group or one level, and --csv FILE writes the table"
        );
        Ok((self, (left_out > 0 && asked.is_empty()).then_some(remark)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(levels: usize) -> Parameters {
        let mut names = vec!["x".to_owned()];
        names.extend((0..levels).map(|level| format!("city[{level}]")));
        let groups = [(1..levels + 1, "sd(city)".to_owned())];
        Parameters::new(&names, &["sigma"], &groups)
    }

    #[test]
    fn names_and_places() {
        let found = parameters(3);
        let names = ["x", "city[0]", "city[1]", "city[2]", "bias", "ln sigma", "ln sd(city)"];
        assert_eq!((found.names.as_slice(), found.bias), (&names.map(str::to_owned)[..], 4));
        let positive = [(5, "sigma".to_owned()), (6, "sd(city)".to_owned())];
        assert_eq!((found.positive.as_slice(), found.first_log_sd), (&positive[..], 6));
    }

    #[test]
    fn few_effects_are_shown_and_many_if_asked_for() {
        assert_eq!(parameters(3).showing(&[]).unwrap().0.shown.len(), 7);
        let (many, remark) = parameters(100).showing(&[]).unwrap();
        assert_eq!(many.shown, [0, 101, 102, 103]);
        assert!(remark.unwrap().starts_with("100 of 100 group effects are not shown"));
        let asked = |word: &str| parameters(100).showing(&[word.to_owned()]);
        assert_eq!(asked("city").unwrap().0.shown.len(), 104);
        assert_eq!(asked("city[7]").unwrap().0.shown, [0, 8, 101, 102, 103]);
        assert_eq!(asked("none").unwrap().0.shown.len(), 4);
        let error = asked("town").unwrap_err().to_string();
        assert!(error.contains("neither a group nor an effect"), "{error}");
    }
}
