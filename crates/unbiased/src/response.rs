//! What is explained: a number, or one of two classes.

use crate::arguments::DataArguments;
use crate::coding::listed;
use crate::exit;
use crate::source::Wants;
use crate::table::classes_remark;
use data::{CodedTarget, ColumnSurvey, Levels, Sighting};

/// Words that mean that something happened.
const POSITIVE: [&str; 10] =
    ["1", "yes", "y", "true", "t", "positive", "pos", "success", "on", "+"];

/// The label: a number, or one of two classes.
pub fn target(
    arguments: &DataArguments,
    wants: Wants,
    file: &str,
    label: &ColumnSurvey,
    remarks: &mut Vec<String>,
) -> anyhow::Result<CodedTarget> {
    let name = label.name.clone();
    if wants != Wants::Class {
        return match &label.word {
            None => Ok(CodedTarget { name, classes: None }),
            Some(Sighting { place, value }) => Err(exit::data(format!(
                "{place}: column \"{name}\" holds \"{value}\", not a finite number, and this model \
                 explains a number; two classes are explained by logistic"
            ))),
        };
    }
    let Levels::Counted(levels) = &label.levels else {
        return Err(exit::data(format!(
            "{file}: column \"{name}\" holds hundreds of different values; a logistic regression \
             takes two classes"
        )));
    };
    // Numbers are the same however they are written.
    let mut classes: Vec<(String, u64)> = Vec::new();
    for (level, count) in levels {
        let same = |(known, _): &&mut (String, u64)| {
            let pair = (known.parse::<f64>(), level.parse::<f64>());
            label.words == 0 && matches!(pair, (Ok(a), Ok(b)) if a == b)
        };
        match classes.iter_mut().find(same) {
            Some((_, total)) => *total += count,
            None => classes.push((level.clone(), *count)),
        }
    }
    if label.words == 0 {
        let value = |class: &(String, u64)| class.0.parse::<f64>().unwrap_or(0.0);
        classes.sort_by(|a, b| value(a).total_cmp(&value(b)));
    }
    let [low, high] = &classes[..] else {
        if let [(only, count)] = &classes[..] {
            return Err(exit::data(format!(
                "{file}: all {count} rows have one label, {name}={only}: there is nothing to tell apart"
            )));
        }
        let seen: Vec<String> =
            classes.iter().map(|(class, count)| format!("{class} ({count} rows)")).collect();
        return Err(exit::data(format!(
            "{file}: column \"{name}\" holds {} classes: {}; a logistic regression takes two classes",
            classes.len(),
            listed(&seen)
        )));
    };
    let (low, high) = (&low.0, &high.0);
    let is_positive = |word: &String| POSITIVE.contains(&word.to_lowercase().as_str());
    let low_is_positive = match &arguments.positive {
        Some(word) if word == low || word == high => word == low,
        Some(word) => match word.parse::<f64>() {
            Ok(value) if low.parse() == Ok(value) => true,
            Ok(value) if high.parse() == Ok(value) => false,
            _ => {
                return Err(exit::usage(format!(
                    "--positive {word}: column \"{name}\" holds {low} and {high}"
                )));
            }
        },
        None => label.words > 0 && is_positive(low) && !is_positive(high),
    };
    let classes = if low_is_positive { [high, low] } else { [low, high] }.map(Clone::clone);
    remarks.push(classes_remark(&name, &classes));
    Ok(CodedTarget { name, classes: Some(classes) })
}
