//! The first screen: what this is, three figures, three numbers.

use super::{Stored, claims};
use crate::html::{chip, escape, figure};
use crate::quotes::{number, significant};
use records::{Record, Verdict};
use std::fmt::Write;

/// The figures that a reader in a hurry should see, each with what it shows.
const FIGURES: [(&str, &str, &str); 3] = [
    (
        "gaussian-path",
        "paths",
        "The idea: paths of partial posterior means stop at a random depth, and are weighed so that their \
         average is the posterior mean given all rows.",
    ),
    (
        "logistic-synthetic",
        "errors",
        "10⁸ rows: the paper's estimator stays many posterior sds off; the anchored path, ours, does not.",
    ),
    (
        "ordinary-data",
        "costs",
        "Seven ordinary regressions: what the anchored path and NUTS take, and how far approximations are off.",
    ),
];

/// A number of the first screen, and where it comes from.
struct Headline {
    number: String,
    words: String,
    link: &'static str,
}

/// Writes it.
pub fn write(page: &mut String, records: &Stored) -> anyhow::Result<()> {
    page.push_str(
        "<header>\n<h1>Unbiased Bayes for big data: what reproduces</h1>\n\
         <p class=\"lead\">Posterior expectations given all rows, estimated without bias from random subsets of them: \
         the 2015 paper <i>Unbiased Bayes for Big Data: Paths of Partial Posteriors</i>, run again in full, and \
         <i>anchored paths</i>, which are ours. Every number comes from a record under <code>results/full</code> that \
         <code>cargo xtask reproduce all</code> makes again, and every verdict from the rule stated with it.</p>\n\
         <nav><a href=\"#paper\">The paper, figure by figure</a><a href=\"#beyond\">Beyond the paper</a>\
         <a href=\"#claims\">All claims</a><a href=\"#made\">How it was made</a>\
         <a href=\"../CLAIMS.md\">CLAIMS.md</a><a href=\"../ERRATA.md\">ERRATA.md</a>\
         <a href=\"../RULES.md\">RULES.md</a></nav>\n<div class=\"three\">\n",
    );
    let there = |id: &str| records.iter().any(|(_, record)| record.experiment == id);
    for (experiment, name, caption) in FIGURES {
        if there(experiment) {
            page.push_str(&figure(experiment, name, caption));
        }
    }
    page.push_str("</div>\n<div class=\"three\">\n");
    for Headline { number, words, link } in headlines(records)? {
        writeln!(page, "<p><b>{number}</b>{} <a href=\"{link}\">More</a></p>", escape(&words))?;
    }
    page.push_str("</div>\n");
    counts(page, records)?;
    page.push_str("</header>\n");
    Ok(())
}

fn headlines(records: &Stored) -> anyhow::Result<Vec<Headline>> {
    let known: Vec<Record> = records.iter().map(|(_, record)| record.clone()).collect();
    let there = |id: &str| known.iter().any(|record| record.experiment == id);
    let shown = |experiment: &str, name: &str, digits: usize| {
        number(&known, experiment, name).map(|value| significant(value, digits))
    };
    let paper = claims(records, false).count();
    let holds = |verdict| matches!(verdict, Verdict::Reproduced | Verdict::ReproducedUnderReading);
    let held = claims(records, false).filter(|claim| holds(claim.verdict)).count();
    let mut found = vec![Headline {
        number: format!("{held} of {paper}"),
        words: "claims of the paper hold as printed or under a stated reading; our own claims are counted apart."
            .to_owned(),
        link: "#claims",
    }];
    if ["anchored-path", "laplace-truth", "logistic-exhaustive"].into_iter().all(there) {
        found.push(Headline {
            number: format!("{} passes", shown("anchored-path", "logistic/passes", 2)?),
            words: format!(
                "over 10⁸ rows give ten posterior means by an anchored path. They agree to {} posterior sds with \
                 Laplace to the next order, itself known to {}; NUTS on all rows took {} passes and is {} off.",
                shown("anchored-path", "logistic/rms error in posterior sds", 2)?,
                shown("laplace-truth", "logistic/largest difference in posterior sds", 2)?,
                shown("logistic-exhaustive", "full-nuts/passes", 3)?,
                shown("logistic-exhaustive", "full-nuts/rms error in posterior sds", 2)?,
            ),
            link: "#anchored-path",
        });
    }
    if there("baseline-lineup") {
        found.push(Headline {
            number: format!("{} sds", shown("baseline-lineup", "logistic/laplace/rmse", 2)?),
            words: format!(
                "is where a rival wins: Laplace to the next order, on 2¹⁴ logistic rows, is nearer than the anchored \
                 path at {}, for a few passes; the truth is known to {}. But it has no error bar and gets no better.",
                shown("baseline-lineup", "logistic/anchored/rmse", 2)?,
                shown("baseline-lineup", "logistic/truth/standard error in posterior sds", 2)?
            ),
            link: "#baseline-lineup",
        });
    }
    Ok(found)
}

/// How many claims have which verdict, the paper's and ours apart.
fn counts(page: &mut String, records: &Stored) -> anyhow::Result<()> {
    page.push_str(
        "<div class=\"scroll\"><table class=\"counts\">\n<tr><th>verdict<th class=\"number\">the paper's claims\
         <th class=\"number\">ours\n",
    );
    for verdict in Verdict::ALL {
        let count = |ours| claims(records, ours).filter(|claim| claim.verdict == verdict).count();
        writeln!(
            page,
            "<tr><td>{}<td class=\"number\">{}<td class=\"number\">{}",
            chip(verdict),
            count(false),
            count(true)
        )?;
    }
    page.push_str("</table></div>\n");
    Ok(())
}
