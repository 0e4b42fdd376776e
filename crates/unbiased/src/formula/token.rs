//! A formula in words and signs, each with the character at which it begins.

use super::Fault;

/// A word or a sign.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    Name(String),
    Number(f64),
    /// A word in quotes.
    Word(String),
    /// `~ + - * / : ( ) , = ^ ** . | ||` and comparisons.
    Sign(&'static str),
    End,
}

/// Longer signs first.
const SIGNS: [&str; 21] = [
    ">=", "<=", "==", "!=", "**", "||", "|", "~", "+", "-", "*", "/", ":", "(", ")", ",", "^", ">",
    "<", ".", "=",
];

/// Takes a formula apart.
pub fn tokens(text: &str) -> Result<Vec<(usize, Token)>, Fault> {
    let characters: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        let (start, first) = (at, characters[at]);
        let next = characters.get(at + 1).copied().unwrap_or(' ');
        if first.is_whitespace() {
            at += 1;
            continue;
        }
        let begins_name = |c: char| c.is_alphabetic() || c == '_';
        let token = if let '`' | '"' | '\'' = first {
            let length = characters[at + 1..].iter().position(|&c| c == first);
            let Some(length) = length else {
                let what = if first == '`' { "a name in backticks" } else { "a word in quotes" };
                return Fault::new(
                    at,
                    format!("this {first} is never closed; {what} ends with another"),
                );
            };
            at += length + 2;
            let inside = characters[start + 1..start + 1 + length].iter().collect();
            if first == '`' { Token::Name(inside) } else { Token::Word(inside) }
        } else if begins_name(first) || first == '.' && begins_name(next) {
            let in_name = |c: &char| c.is_alphanumeric() || *c == '_' || *c == '.';
            at += characters[at..].iter().take_while(|c| in_name(c)).count();
            Token::Name(characters[start..at].iter().collect())
        } else if first.is_ascii_digit() || first == '.' && next.is_ascii_digit() {
            let mut before = ' ';
            for &c in &characters[at..] {
                let sign = matches!(c, '+' | '-') && matches!(before, 'e' | 'E');
                if !(c.is_ascii_alphanumeric() || c == '.' || sign) {
                    break;
                }
                before = c;
                at += 1;
            }
            let word: String = characters[start..at].iter().collect();
            match word.parse::<f64>() {
                Ok(number) if number.is_finite() => Token::Number(number),
                _ => {
                    return Fault::new(
                        start,
                        format!(
                            "\"{word}\" is no number; a name that begins with a digit is written in \
                             backticks: `{word}`"
                        ),
                    );
                }
            }
        } else {
            let begins = |sign: &&&str| {
                sign.chars().enumerate().all(|(i, c)| characters.get(at + i) == Some(&c))
            };
            match SIGNS.iter().find(begins) {
                Some(sign) => {
                    at += sign.len();
                    Token::Sign(sign)
                }
                None => {
                    return Fault::new(
                        at,
                        format!(
                            "\"{first}\" has no meaning here; terms are joined with +, *, : and -, and \
                         names with other signs are written in backticks"
                        ),
                    );
                }
            }
        };
        found.push((start, token));
    }
    found.push((characters.len(), Token::End));
    Ok(found)
}
