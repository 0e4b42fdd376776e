//! Licence expressions: `MIT OR (Apache-2.0 AND ISC)`; an old `/` means OR.

/// Whether the expression can be met with allowed licences; what cannot be read is not allowed.
pub fn allowed(expression: &str, allow: &[String]) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    either(&words, &mut at, allow) == Some(true) && at == words.len()
}

/// A OR B; nothing if it ends too early.
fn either(words: &[&str], at: &mut usize, allow: &[String]) -> Option<bool> {
    let mut met = both(words, at, allow)?;
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        met |= both(words, at, allow)?;
    }
    Some(met)
}

/// A AND B, which binds closer.
fn both(words: &[&str], at: &mut usize, allow: &[String]) -> Option<bool> {
    let mut met = one(words, at, allow)?;
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        met &= one(words, at, allow)?;
    }
    Some(met)
}

/// A licence, perhaps WITH an exception, or an expression in parentheses.
fn one(words: &[&str], at: &mut usize, allow: &[String]) -> Option<bool> {
    let word = *words.get(*at)?;
    *at += 1;
    if word == "(" {
        let met = either(words, at, allow)?;
        let closed = words.get(*at) == Some(&")");
        *at += 1;
        return closed.then_some(met);
    }
    let mut name = word.to_owned();
    if words.get(*at) == Some(&"WITH") {
        name = format!("{word} WITH {}", words.get(*at + 1)?);
        *at += 2;
    }
    Some(allow.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::allowed;

    #[test]
    fn expressions_by_hand() {
        let allow: Vec<String> = ["MIT", "ISC", "A WITH E"].map(str::to_owned).to_vec();
        for good in ["MIT", "GPL/MIT", "GPL OR MIT", "ISC AND (GPL OR MIT)", "A WITH E", "(MIT)"] {
            assert!(allowed(good, &allow), "{good}");
        }
        for bad in ["GPL", "MIT AND GPL", "A", "", "MIT OR", "(MIT", "MIT)", "ISC AND (GPL OR A)"] {
            assert!(!allowed(bad, &allow), "{bad}");
        }
    }
}
