//! Links between the Markdown pages: every relative one leads to a file, every `#part` to a heading.

use crate::workspace::{output_of, root};
use anyhow::Context;
use std::fs;
use std::path::Path;

/// Adds a line for each link that leads nowhere.
pub fn check(broken: &mut Vec<String>) -> anyhow::Result<()> {
    let files = output_of("git", &["ls-files", "*.md"]).context("git ls-files failed")?;
    for file in files.lines() {
        let Ok(text) = fs::read_to_string(root().join(file)) else { continue };
        for (line, link) in links(&text) {
            if let Some(why) = fault(&root().join(file), &text, link) {
                broken.push(format!("{file}:{line}: {link}: {why}"));
            }
        }
    }
    Ok(())
}

/// Links with the numbers of their lines; fenced code is skipped.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (number, line) in prose(text) {
        for part in line.split("](").skip(1) {
            if let Some((link, _)) = part.split_once(')') {
                found.push((number, link));
            }
        }
    }
    found
}

/// Lines outside fences, from one.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    text.lines().enumerate().filter_map(move |(number, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        (!fenced && !fence).then_some((number + 1, line))
    })
}

/// What is wrong with a link on a page, if anything.
fn fault(page: &Path, text: &str, link: &str) -> Option<&'static str> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (path, part) = link.split_once('#').map_or((link, None), |(path, part)| (path, Some(part)));
    let target = page.parent()?.join(path);
    let there;
    let text = match path {
        "" => text,
        _ if !target.exists() => return Some("no such file"),
        _ if part.is_none() => return None,
        _ => {
            there = fs::read_to_string(target).unwrap_or_default();
            &there
        }
    };
    let known = |part: &str| prose(text).any(|(_, line)| anchor(line).as_deref() == Some(part));
    part.filter(|part| !known(part)).map(|_| "no such heading")
}

/// The name of a heading, as GitHub and mdBook make it: lower case, no punctuation, dashes.
fn anchor(line: &str) -> Option<String> {
    let title = line.strip_prefix('#')?.trim_start_matches('#').strip_prefix(' ')?;
    let kept = title.trim().to_lowercase();
    let kept = kept.chars().filter(|&c| c.is_alphanumeric() || " -_".contains(c));
    Some(kept.map(|c| if c == ' ' { '-' } else { c }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_outside_code_are_found_with_their_lines() {
        let text = "a [b](c.md)\n```\n[no](no.md)\n```\n![p](q.svg) and [r](#s)\n";
        assert_eq!(links(text), [(1, "c.md"), (5, "q.svg"), (5, "#s")]);
    }

    #[test]
    fn headings_have_names() {
        assert_eq!(anchor("## What if N is small?").as_deref(), Some("what-if-n-is-small"));
        assert_eq!(anchor("no heading"), None);
    }

    #[test]
    fn a_dead_link_is_told() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("other.md"), "# One part\n").unwrap();
        let page = folder.path().join("page.md");
        let told = |link| fault(&page, "# Here\n", link);
        assert_eq!(told("other.md"), None);
        assert_eq!(told("other.md#one-part"), None);
        assert_eq!(told("#here"), None);
        assert_eq!(told("https://example.org/x"), None);
        assert_eq!(told("gone.md"), Some("no such file"));
        assert_eq!(told("other.md#two"), Some("no such heading"));
        assert_eq!(told("#there"), Some("no such heading"));
    }
}
