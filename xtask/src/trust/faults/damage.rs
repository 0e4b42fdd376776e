//! Every file that a run keeps, cut, flipped and emptied: the next run has the same bytes or says a sentence.

use super::super::Bench;
use super::super::commands::{Line, files, is_sentence, said};
use super::super::evidence::{Evidence, Table};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// What becomes of the bytes of a file.
type Damage = fn(&[u8]) -> Vec<u8>;

/// Ways to damage a file.
const WAYS: [(&str, Damage); 3] = [
    ("cut in half", |bytes| bytes[..bytes.len() / 2].to_vec()),
    ("a byte flipped", |bytes| {
        let mut bytes = bytes.to_vec();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x10;
        bytes
    }),
    ("emptied", |_| Vec::new()),
];

/// Files of one kind that are damaged at most, at the full scale and at the smoke scale.
const EACH: [usize; 2] = [2, 1];

/// Damages what `estimate` and `reproduce` keep; returns how many files were damaged.
pub fn gather(bench: &Bench, evidence: &mut Evidence, lines: &[Line]) -> anyhow::Result<usize> {
    let mut table = Table::new(
        "Files that were damaged behind the back of the command",
        &["command", "kind of file", "damaged", "repaired, same bytes", "refused by a sentence"],
    );
    let mut total = 0;
    let each = EACH[usize::from(!bench.full())];
    for line in
        lines.iter().filter(|line| ["estimate", "reproduce", "fetch-data"].contains(&line.name))
    {
        bench.say(&format!("damaging the files of {}", line.name));
        line.clear()?;
        let expected = line.outcome()?;
        let mut counts: BTreeMap<String, [usize; 3]> = BTreeMap::new();
        for path in files(&line.folder.join(line.work)) {
            let Some(kind) = kind(&path) else { continue };
            let count = counts.entry(kind.clone()).or_default();
            if count[0] >= each * WAYS.len() {
                continue;
            }
            let good = fs::read(&path)?;
            if good.is_empty() {
                continue;
            }
            for (way, damage) in WAYS {
                fs::write(&path, damage(&good))?;
                let output = line.run()?;
                count[0] += 1;
                total += 1;
                let same = output.status.success() && line.bytes()? == expected;
                count[1] += usize::from(same);
                let refused = !output.status.success() && is_sentence(&output);
                count[2] += usize::from(refused);
                if !same && !refused {
                    let what = said(&output).chars().take(120).collect::<String>();
                    evidence.failures.push(format!("{}: {kind} {way}: {what}", line.name));
                }
                fs::write(&path, &good)?;
            }
        }
        for (kind, [damaged, repaired, refused]) in counts {
            table.push([
                line.name.to_owned(),
                kind,
                damaged.to_string(),
                repaired.to_string(),
                refused.to_string(),
            ]);
        }
    }
    evidence.tables.push(table);
    limits(bench, evidence, lines)?;
    Ok(total)
}

/// What a file is, by its name; locks and logs are for people.
fn kind(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy().into_owned();
    let kind = match path.extension().map(|ending| ending.to_string_lossy().into_owned()) {
        _ if name.starts_with('.') || name == "log.txt" || name == "seconds" => return None,
        Some(ending) if ["chunk", "csv", "svg", "png", "bin"].contains(&ending.as_str()) => {
            format!("*.{ending}")
        }
        _ => name,
    };
    Some(kind)
}

/// Limits of the system that end a run by a sentence, and not by a wrong answer.
fn limits(bench: &Bench, evidence: &mut Evidence, lines: &[Line]) -> anyhow::Result<()> {
    let mut table = Table::new("Limits of the system", &["command", "limit", "outcome"]);
    bench.say("limits of the system");
    // A process that ignores the signal is told by the system that a file has become too large.
    let limits = [
        ("files of at most 4 kB", "trap '' XFSZ; ulimit -f 8"),
        ("at most 24 open files", "ulimit -n 24"),
        ("at most 400 MB of addresses", "ulimit -v 400000"),
    ];
    for line in lines.iter().filter(|line| ["import", "estimate"].contains(&line.name)) {
        for (limit, shell) in limits {
            line.clear()?;
            let expected = line.outcome()?;
            line.clear()?;
            let output = Command::new("sh")
                .args(["-c", &format!("{shell}; exec \"$0\" \"$@\"")])
                .arg(&line.program)
                .args(&line.arguments)
                .current_dir(&line.folder)
                .output()?;
            let outcome = if output.status.success() && line.bytes()? == expected {
                "the same bytes"
            } else if !output.status.success() && is_sentence(&output) {
                "a sentence"
            } else {
                let what = said(&output).chars().take(160).collect::<String>();
                evidence.failures.push(format!("{}, {limit}: {what}", line.name));
                "**neither**"
            };
            table.push([line.name.to_owned(), limit.to_owned(), outcome.to_owned()]);
        }
    }
    // Nothing can be made there, not even by the superuser, for whom read-only folders are none.
    let closed = "/proc/closed";
    for (name, option) in [("import", "--work"), ("estimate", "--work"), ("reproduce", "--results")]
    {
        for line in lines.iter().filter(|line| line.name == name) {
            let mut arguments = line.arguments.clone();
            match arguments.iter().position(|word| word == option) {
                Some(at) => arguments[at + 1] = closed.to_owned(),
                None => arguments.extend([option, closed].map(str::to_owned)),
            }
            let mut command = Command::new(&line.program);
            let output = command.args(arguments).current_dir(&line.folder).output()?;
            let sentence = !output.status.success() && is_sentence(&output);
            if !(sentence && said(&output).contains(closed)) {
                let what = said(&output).chars().take(160).collect::<String>();
                evidence.failures.push(format!("{name} into {closed}: {what}"));
            }
            let outcome = if sentence { "a sentence" } else { "**neither**" };
            let limit = "a folder that cannot be written to";
            table.push([name.to_owned(), limit.to_owned(), outcome.to_owned()]);
        }
    }
    evidence.tables.push(table);
    Ok(())
}
