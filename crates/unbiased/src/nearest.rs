//! The name that was probably meant.

/// The nearest of some names: one that begins like this, else that with the fewest letters put in, left out
/// or exchanged; nothing if no letter is left.
pub fn nearest<'a>(meant: &str, names: &'a [String]) -> Option<&'a str> {
    let meant = meant.to_lowercase();
    let far = |name: &&String| (!name.to_lowercase().starts_with(&meant), distance(&meant, name));
    let name = names.iter().min_by_key(far)?;
    let most = meant.chars().count().max(name.chars().count());
    (distance(&meant, name) < most).then_some(name)
}

fn distance(meant: &str, name: &str) -> usize {
    edits(&meant.to_lowercase(), &name.to_lowercase())
}

/// The three nearest, in quotes, for a sentence.
pub fn near_ones(meant: &str, names: &[String]) -> String {
    let mut sorted: Vec<&String> = names.iter().collect();
    sorted.sort_by_key(|name| distance(meant, name));
    let few: Vec<String> = sorted.iter().take(3).map(|name| format!("\"{name}\"")).collect();
    few.join(", ")
}

/// Levenshtein's distance, row by row.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let exchanged = before + usize::from(from != *to);
            before = row[j + 1];
            row[j + 1] = exchanged.min(before + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_seen_through() {
        let names = ["age", "price", "rooms"].map(str::to_owned);
        assert_eq!(nearest("prise", &names), Some("price"));
        assert_eq!(nearest("ROOM", &names), Some("rooms"));
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(nearest("x", &[]), None);
        let names = ["y", "x", "city of birth"].map(str::to_owned);
        assert_eq!(nearest("city", &names), Some("city of birth"));
        assert_eq!(nearest("g", &names), None);
    }
}
