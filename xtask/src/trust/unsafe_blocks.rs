//! Every `unsafe` of the workspace, and the reason beside it.

use super::evidence::{Evidence, Table};
use crate::workspace::{output_of, root};
use anyhow::Context;
use std::collections::BTreeMap;
use std::fs;

/// Counts the unsafe blocks by file and reason; one without a `SAFETY:` comment is a failure.
pub fn count(evidence: &mut Evidence) -> anyhow::Result<usize> {
    let files = output_of("git", &["ls-files", "*.rs"]).context("git ls-files failed")?;
    let mut reasons: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut total = 0;
    for file in files.lines() {
        let Ok(text) = fs::read_to_string(root().join(file)) else { continue };
        for (line, reason) in blocks(&text) {
            total += 1;
            match reason {
                Some(reason) => *reasons.entry((file.to_owned(), reason)).or_default() += 1,
                None => evidence.failures.push(format!("{file}:{line}: unsafe without a reason")),
            }
        }
    }
    let mut table = Table::new("Unsafe blocks of ours", &["file", "blocks", "reason beside them"]);
    for ((file, reason), count) in reasons {
        table.push([format!("`{file}`"), count.to_string(), reason]);
    }
    evidence.tables.push(table);
    Ok(total)
}

/// The lines of unsafe blocks, each with the comment above it that begins with SAFETY.
fn blocks(text: &str) -> Vec<(usize, Option<String>)> {
    let lines: Vec<&str> = text.lines().collect();
    let code = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
    let is_unsafe = |line: &&str| {
        let code = code(line);
        ["{", "fn", "impl"].iter().any(|what| code.contains(&format!("unsafe {what}")))
            && !code.contains('"')
    };
    let reason = |at: usize| {
        let mut words = Vec::new();
        for line in lines[..at].iter().rev() {
            let Some(comment) = line.trim_start().strip_prefix("// ") else { break };
            words.push(comment);
            if let Some(first) = comment.strip_prefix("SAFETY: ") {
                words.pop();
                words.push(first);
                words.reverse();
                return Some(words.join(" "));
            }
        }
        None
    };
    lines
        .iter()
        .enumerate()
        .filter(|(_, line)| is_unsafe(line))
        .map(|(at, _)| (at + 1, reason(at)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::blocks;

    #[test]
    fn reasons_stand_above() {
        let word = "un".to_owned() + "safe";
        let text = format!(
            "// SAFETY: it is\n// fine.\n{word} {{ a }}\nlet b = {word} {{ b }};\n// {word} {{\n"
        );
        assert_eq!(blocks(&text), [(3, Some("it is fine.".to_owned())), (4, None)]);
    }
}
