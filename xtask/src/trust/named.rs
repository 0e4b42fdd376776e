//! Evidence that tests of the tree give already: each by name, with the numbers that it prints.

use super::Bench;
use super::evidence::{Evidence, Table};
use super::named_tests::Outcome;

/// A statement, and the test that would fail if it were wrong.
pub struct Named {
    /// What holds.
    pub what: &'static str,
    /// `package/target/test`.
    pub test: &'static str,
    /// Whether it is quick enough for the smoke scale.
    pub smoke: bool,
}

/// For tables of tests.
pub const fn named(what: &'static str, test: &'static str, smoke: bool) -> Named {
    Named { what, test, smoke }
}

/// Runs the tests of the scale, shows them in a table, and returns how many held.
pub fn run(
    bench: &Bench,
    evidence: &mut Evidence,
    caption: &str,
    tests: &[Named],
) -> anyhow::Result<usize> {
    let built = bench.tests()?;
    let mut table = Table::new(caption, &["what holds", "test", "numbers", "outcome"]);
    let mut held = 0;
    for one in tests.iter().filter(|one| bench.full() || one.smoke) {
        bench.say(one.test);
        let (numbers, outcome) = match built.run(one.test, &[])? {
            Outcome::Held(numbers) => {
                held += 1;
                let said = numbers.iter().map(|(name, number)| format!("{name} {number}"));
                (said.collect::<Vec<_>>().join("; "), "held")
            }
            Outcome::Red(why) => {
                evidence.failures.push(format!("{} ({}): {why}", one.what, one.test));
                (String::new(), "**failed**")
            }
        };
        table.push([one.what.to_owned(), format!("`{}`", one.test), numbers, outcome.to_owned()]);
    }
    evidence.tables.push(table);
    Ok(held)
}
