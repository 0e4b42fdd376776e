//! Numbers in the README and the guide, quoted from the records.
//!
//! ```text
//! <!--= EXPERIMENT | QUANTITY | DIGITS -->value<!--/-->
//! <!--= EXPERIMENT | QUANTITY ÷ QUANTITY | DIGITS -->value<!--/-->
//! <!--= EXPERIMENT | audit of METHOD -->sentence<!--/-->
//! <!--= EXPERIMENT | claim ID -->its sentence<!--/-->
//! ```
//!
//! A quotation stands where it is read, so that pages are plain Markdown; what lies between its marks
//! is written anew by `cargo xtask report`. A quantity may also be a number among the settings. Where a
//! record or a quantity is missing the report fails, and where a number has moved the tree is no longer
//! clean: a text cannot drift from its record.

use crate::results_table;
use crate::workspace::{output_of, root};
use anyhow::Context;
use records::{Record, write_atomically};
use std::fs;
use std::path::PathBuf;

const OPEN: &str = "<!--= ";
const CLOSE: &str = "<!--/-->";

/// Rewrites all quotations of README.md and docs/, and the table of results.
pub fn write_quotes(records: &[Record]) -> anyhow::Result<()> {
    for page in pages()? {
        let text = fs::read_to_string(&page)
            .with_context(|| format!("{} cannot be read", page.display()))?;
        let written = quoted(&text, records)
            .and_then(|text| results_table::rewritten(&text, records))
            .with_context(|| format!("a quotation in {}", page.display()))?;
        if written != text {
            write_atomically(&page, written.as_bytes())?;
        }
    }
    Ok(())
}

/// README.md and the pages of the guide.
fn pages() -> anyhow::Result<Vec<PathBuf>> {
    let files = output_of("git", &["ls-files", "README.md", "docs/*.md"]);
    let files = files.context("git ls-files failed")?;
    Ok(files.lines().map(|file| root().join(file)).collect())
}

/// The text with every quotation up to date.
fn quoted(text: &str, records: &[Record]) -> anyhow::Result<String> {
    let mut parts = text.split(OPEN);
    let mut written = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (asked, rest) = part.split_once(" -->").context("a quotation without an end")?;
        let (_, rest) = rest
            .split_once(CLOSE)
            .with_context(|| format!("the quotation of {asked} is not closed"))?;
        let value = answer(asked, records)?;
        written += &format!("{OPEN}{asked} -->{value}{CLOSE}{rest}");
    }
    Ok(written)
}

fn answer(asked: &str, records: &[Record]) -> anyhow::Result<String> {
    let parts: Vec<&str> = asked.split('|').map(str::trim).collect();
    if let [experiment, said] = parts[..] {
        if let Some(method) = said.strip_prefix("audit of ") {
            return audit(find(records, experiment)?, method);
        }
        if let Some(id) = said.strip_prefix("claim ") {
            return claimed(find(records, experiment)?, id);
        }
    }
    let [experiment, quantity, digits] = parts[..] else {
        anyhow::bail!("{asked}: not EXPERIMENT | QUANTITY | DIGITS");
    };
    let digits: usize = digits.parse().with_context(|| format!("{asked}: digits"))?;
    let value = match quantity.split_once('÷') {
        None => number(records, experiment, quantity)?,
        Some((above, below)) => {
            number(records, experiment, above.trim())? / number(records, experiment, below.trim())?
        }
    };
    Ok(significant(value, digits))
}

/// The record of an experiment.
pub fn find<'r>(records: &'r [Record], experiment: &str) -> anyhow::Result<&'r Record> {
    let record = records.iter().find(|record| record.experiment == experiment);
    record.with_context(|| format!("no record of {experiment}"))
}

/// The note of a record about the levels that no replicate of a method reached.
fn audit(record: &Record, method: &str) -> anyhow::Result<String> {
    const END: &str = " of the variance";
    let told = |note: &String| {
        let rest = note.strip_prefix(method)?.strip_prefix(": ")?;
        let end = rest.find(END)? + END.len();
        Some(rest[..end].to_owned())
    };
    let noted = record.notes.iter().find_map(told);
    noted.with_context(|| format!("{} has no audit of {method}", record.experiment))
}

/// The sentence of a claim in a record.
fn claimed(record: &Record, id: &str) -> anyhow::Result<String> {
    let claim = record.claims.iter().find(|claim| claim.id == id);
    let claim = claim.with_context(|| format!("{} has no claim {id}", record.experiment))?;
    Ok(claim.sentence.clone())
}

/// A quantity of a record, or a number among its settings.
pub fn number(records: &[Record], experiment: &str, name: &str) -> anyhow::Result<f64> {
    let record = find(records, experiment)?;
    let setting = || record.settings.get(name).and_then(|value| value.as_f64());
    let quantity = record.quantity(name).map(|quantity| quantity.value);
    quantity.ok().or_else(setting).with_context(|| format!("{experiment} has no {name}"))
}

/// A number to so many digits, as people write it: 0.031, 995, 12 000, −60, 2.2·10⁻⁶.
pub fn significant(value: f64, digits: usize) -> String {
    let sign = if value < 0.0 { "−" } else { "" };
    let scientific = format!("{:.*e}", digits.saturating_sub(1), value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if value != 0.0 && !(-3..=5).contains(&exponent) {
        let raised: String = exponent.to_string().chars().map(superscript).collect();
        return format!("{sign}{mantissa}·10{raised}");
    }
    let rounded: f64 = scientific.parse().unwrap_or(value);
    let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
    let text = format!("{rounded:.decimals$}");
    // Five digits and more are easier to read in groups of three.
    match text.len().checked_sub(3) {
        Some(split) if exponent >= 4 && decimals == 0 => {
            format!("{sign}{} {}", &text[..split], &text[split..])
        }
        _ => format!("{sign}{text}"),
    }
}

fn superscript(digit: char) -> char {
    match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        other => char::from_u32(0x2070 + other.to_digit(10).unwrap_or(0)).unwrap_or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::Scale;

    #[test]
    fn digits_by_hand() {
        let shown = [(0.030_89, 2), (995.0, 3), (2.217e-6, 2), (86.04, 2), (12_345.0, 2), (0.0, 2)]
            .map(|(value, digits)| significant(value, digits));
        assert_eq!(shown, ["0.031", "995", "2.2·10⁻⁶", "86", "12 000", "0.0"]);
        assert_eq!(significant(1.004e9, 3), "1.00·10⁹");
        assert_eq!(significant(-59.7, 2), "−60");
    }

    fn records() -> Vec<Record> {
        let mut settings = serde_json::Map::new();
        settings.insert("rows".to_owned(), 40.into());
        vec![Record {
            experiment: "coin".to_owned(),
            question: "how often?".to_owned(),
            scale: Scale::Full,
            seed: 1,
            settings,
            data: Vec::new(),
            quantities: vec![records::Quantity::exact("coin/heads", 10.0)],
            claims: vec![
                records::Claim::printed("coin/fair", "it is fair", "a half")
                    .found("a quarter")
                    .rule("a half")
                    .judged(records::Verdict::NotReproduced, "It is not."),
            ],
            notes: vec!["toss: levels hold 3 % of the variance; not all".to_owned()],
            tables: Vec::new(),
        }]
    }

    #[test]
    fn quotations_are_written_anew_and_the_rest_is_left() {
        let text = "a <!--= coin | coin/heads ÷ rows | 2 -->9<!--/--> of <!--= coin | rows | 2 --><!--/-->.";
        let expected = "a <!--= coin | coin/heads ÷ rows | 2 -->0.25<!--/--> of <!--= coin | rows | 2 -->40<!--/-->.";
        assert_eq!(quoted(text, &records()).unwrap(), expected);
        assert_eq!(quoted(expected, &records()).unwrap(), expected);
        let audit = "<!--= coin | audit of toss -->levels hold 3 % of the variance<!--/-->";
        assert_eq!(quoted(audit, &records()).unwrap(), audit);
        let claim = "<!--= coin | claim coin/fair -->It is not.<!--/-->";
        assert_eq!(quoted(claim, &records()).unwrap(), claim);
    }

    #[test]
    fn what_no_record_holds_is_refused() {
        for (bad, why) in [
            ("<!--= coin | coin/tails | 2 --><!--/-->", "coin has no coin/tails"),
            ("<!--= dice | sixes | 2 --><!--/-->", "no record of dice"),
            ("<!--= coin | rows | 2 -->", "not closed"),
            ("<!--= coin | rows --><!--/-->", "not EXPERIMENT"),
            ("<!--= coin | audit of dice --><!--/-->", "coin has no audit of dice"),
            ("<!--= coin | claim dice --><!--/-->", "coin has no claim dice"),
        ] {
            let error = format!("{:#}", quoted(bad, &records()).unwrap_err());
            assert!(error.contains(why), "{error}");
        }
    }
}
