//! `2*a - b + 1`: sums of parameters, whose names may hold any sign.
//!
//! A name is the longest known one that fits; what follows it must be the end, a space, a sign or a comma.

use crate::exit;
use crate::nearest::near_ones;
use unbiased_bayes::Combination;

/// a·θ + k.
#[derive(Clone, Debug, PartialEq)]
pub struct Sum {
    /// a.
    pub combination: Combination,
    /// k.
    pub constant: f64,
}

impl Sum {
    /// Reads a sum of known names.
    pub fn read(text: &str, names: &[String]) -> anyhow::Result<Sum> {
        let mut sum = Sum { combination: Combination(Vec::new()), constant: 0.0 };
        let mut rest = text.trim();
        let mut first = true;
        while !rest.is_empty() || first {
            let (sign, after) = match rest.as_bytes().first() {
                Some(b'-') => (-1.0, rest[1..].trim_start()),
                Some(b'+') => (1.0, rest[1..].trim_start()),
                _ if first => (1.0, rest),
                _ => return Err(unknown(rest, names)),
            };
            // A name may start like a number or a sign, so names are looked for first.
            if first && let Some((j, after)) = name_at(rest, names) {
                sum.combination.0.push((j, 1.0));
                rest = after;
            } else if let Some((j, after)) = name_at(after, names) {
                sum.combination.0.push((j, sign));
                rest = after;
            } else if let Some((number, after)) = number_at(after) {
                match after.trim_start().strip_prefix('*') {
                    Some(after) => {
                        let after = after.trim_start();
                        let (j, after) =
                            name_at(after, names).ok_or_else(|| unknown(after, names))?;
                        sum.combination.0.push((j, sign * number));
                        rest = after;
                    }
                    None => {
                        sum.constant += sign * number;
                        rest = after;
                    }
                }
            } else {
                return Err(unknown(after, names));
            }
            rest = rest.trim_start();
            first = false;
        }
        Ok(sum)
    }

    /// A sum of parameters alone.
    pub fn of_parameters(text: &str, names: &[String]) -> anyhow::Result<Combination> {
        let sum = Sum::read(text, names)?;
        if sum.combination.0.is_empty() || sum.constant != 0.0 {
            return Err(exit::usage(format!(
                "\"{text}\" is no sum of parameters: write a-b or 2*a-b+c"
            )));
        }
        Ok(sum.combination)
    }

    /// This minus another.
    pub fn minus(mut self, other: &Sum) -> Sum {
        self.combination.0.extend(other.combination.0.iter().map(|&(j, a)| (j, -a)));
        self.constant -= other.constant;
        self
    }
}

/// One parameter by its whole name.
pub fn parameter(name: &str, names: &[String]) -> anyhow::Result<usize> {
    names.iter().position(|known| known == name.trim()).ok_or_else(|| unknown(name, names))
}

/// The longest known name at the start of a text, and what follows.
fn name_at<'a>(text: &'a str, names: &[String]) -> Option<(usize, &'a str)> {
    let ends =
        |after: &str| after.chars().next().is_none_or(|c| c.is_whitespace() || "+-,".contains(c));
    let fits = |(_, name): &(usize, &String)| text.strip_prefix(name.as_str()).is_some_and(ends);
    let (j, name) = names.iter().enumerate().filter(fits).max_by_key(|(_, name)| name.len())?;
    Some((j, &text[name.len()..]))
}

/// The number at the start of a text, and what follows.
fn number_at(text: &str) -> Option<(f64, &str)> {
    let is_part = |(at, c): &(usize, char)| {
        let after_exponent = text[..*at].ends_with(['e', 'E']);
        c.is_ascii_digit() || ".eE".contains(*c) || ("+-".contains(*c) && after_exponent)
    };
    let end = text.char_indices().take_while(is_part).last().map_or(0, |(at, c)| at + c.len_utf8());
    let number = text[..end].parse().ok().filter(|number: &f64| number.is_finite())?;
    Some((number, &text[end..]))
}

fn unknown(text: &str, names: &[String]) -> anyhow::Error {
    let word = text.trim();
    exit::usage(format!("no parameter is called \"{word}\"; near it: {}", near_ones(word, names)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<String> {
        ["a", "b", "a-b", "city=New York", "1", "w:x=<30", "-c"].map(str::to_owned).to_vec()
    }

    #[test]
    fn sums_are_read_and_the_longest_name_wins() {
        let read = |text: &str| {
            let sum = Sum::read(text, &names()).unwrap();
            (sum.combination.0, sum.constant)
        };
        assert_eq!(read("a"), (vec![(0, 1.0)], 0.0));
        assert_eq!(read("a - b"), (vec![(0, 1.0), (1, -1.0)], 0.0));
        assert_eq!(read("a-b"), (vec![(2, 1.0)], 0.0));
        assert_eq!(read("-2.5e-1*city=New York + b"), (vec![(3, -0.25), (1, 1.0)], 0.0));
        assert_eq!(read("w:x=<30 - 2*a"), (vec![(5, 1.0), (0, -2.0)], 0.0));
        assert_eq!(read("1"), (vec![(4, 1.0)], 0.0));
        assert_eq!(read("a + 3"), (vec![(0, 1.0)], 3.0));
        assert_eq!(read("-c"), (vec![(6, 1.0)], 0.0));
        for wrong in ["", "c", "a b", "a + ", "2*", "city=New", "aa"] {
            let error = Sum::read(wrong, &names()).unwrap_err().to_string();
            assert!(error.contains("near it"), "{wrong}: {error}");
        }
        assert!(Sum::of_parameters("a+1.5", &names()).is_err());
    }
}
