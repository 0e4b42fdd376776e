//! Ranks of groups: where an effect stands among those of its group, the largest first.
//!
//! ```text
//! rank of g = 1 + #{h : u_h > u_g}
//! ```
//!
//! Expected ranks and the chance to be among the largest know how uncertain every effect is; an order of
//! estimated effects does not.

use crate::combination::parameter;
use crate::exit;
use crate::parameters::Parameters;
use std::ops::Range;
use unbiased_bayes::Functional;

/// Comparisons of two effects at one point, up to which the ranks of a whole group are computed.
const COMPARISONS: usize = 10_000_000;

/// For each effect that is named, by its own name or by its group's, its rank; with `top`, the chance that it is
/// among so many largest.
pub fn ranks(
    of: &str,
    top: Option<usize>,
    parameters: &Parameters,
) -> anyhow::Result<Vec<(String, Functional)>> {
    let Parameters { names, effects, .. } = parameters;
    if effects.is_empty() {
        return Err(exit::usage(
            "ranks are those of the effects of a group, such as (1 | city), and the formula has none"
                .to_owned(),
        ));
    }
    let group_of = |range: &Range<usize>| names[range.start].split('[').next().unwrap_or("");
    let whole = effects.iter().find(|range| group_of(range) == of);
    let (range, wanted) = match whole {
        Some(range) => (range, range.clone()),
        None => {
            let j = parameter(of, names)?;
            let range = effects.iter().find(|range| range.contains(&j)).ok_or_else(|| {
                exit::usage(format!("\"{of}\" is not the effect of a group, and has no rank"))
            })?;
            (range, j..j + 1)
        }
    };
    if wanted.len() * range.len() > COMPARISONS {
        return Err(exit::usage(format!(
            "\"{of}\" has {} effects, too many to rank all of them: name one, such as {}",
            range.len(),
            names[range.start]
        )));
    }
    if let Some(top) = top
        && !(1..range.len()).contains(&top)
    {
        return Err(exit::usage(format!(
            "top:{top}: of {} effects, between 1 and {} can be the largest",
            range.len(),
            range.len() - 1
        )));
    }
    let one = |j: usize| {
        let range = range.clone();
        let rank = move |theta: &[f64]| {
            1 + theta[range.clone()].iter().filter(|other| **other > theta[j]).count()
        };
        match top {
            None => (
                format!("rank of {}", names[j]),
                Functional::prediction(move |theta| rank(theta) as f64),
            ),
            Some(top) => (
                format!("P({} in top {top})", names[j]),
                Functional::probability(move |theta| rank(theta) <= top),
            ),
        }
    };
    Ok(wanted.map(one).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(of: &str, top: Option<usize>) -> anyhow::Result<Vec<(String, Functional)>> {
        let names = ["x", "city[a]", "city[b]", "city[c]", "shop[p]", "shop[q]"].map(str::to_owned);
        let groups = [(1..4, "sd(city)".to_owned()), (4..6, "sd(shop)".to_owned())];
        ranks(of, top, &Parameters::new(&names, &[], &groups))
    }

    #[test]
    fn the_largest_effect_is_the_first() {
        let theta = [9.0, 0.5, -1.0, 2.0, 7.0, 8.0, 0.0, 0.0, 0.0];
        let values = |all: Vec<(String, Functional)>| -> Vec<(String, f64)> {
            all.into_iter().map(|(name, f)| (name, f.integrand(&theta))).collect()
        };
        let named = |name: &str, value: f64| (name.to_owned(), value);
        assert_eq!(
            values(found("city", None).unwrap()),
            [
                named("rank of city[a]", 2.0),
                named("rank of city[b]", 3.0),
                named("rank of city[c]", 1.0)
            ]
        );
        assert_eq!(values(found("shop[q]", None).unwrap()), [named("rank of shop[q]", 1.0)]);
        let top = values(found("city[a]", Some(1)).unwrap());
        assert_eq!(top, [named("P(city[a] in top 1)", 0.0)]);
        assert_eq!(values(found("city", Some(2)).unwrap())[0].1, 1.0);
    }

    #[test]
    fn what_has_no_rank_is_named() {
        for (of, top, sentence) in [
            ("x", None, "\"x\" is not the effect of a group"),
            ("town", None, "\"town\""),
            ("city", Some(3), "of 3 effects, between 1 and 2 can be the largest"),
        ] {
            let error = found(of, top).unwrap_err().to_string();
            assert!(error.contains(sentence), "{error}");
        }
        let none = Parameters::new(&["x".to_owned()], &[], &[]);
        assert!(ranks("x", None, &none).unwrap_err().to_string().contains("(1 | city)"));
    }
}
