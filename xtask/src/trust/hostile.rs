//! Hostile input: every parser on files that were damaged at random, with a fixed seed.
//!
//! A seed file of the kept corpus is changed a few times (bytes set, pieces cut, doubled, moved, spliced from
//! another file, numbers made extreme) and parsed. Whatever comes out, rows or an error with a sentence,
//! is fine; a panic, or a sentence without end, is not.

mod parsers;

use super::Bench;
use super::evidence::{Evidence, Table, counted};
use super::named::{self, Named, named};
use crate::workspace::root;
use anyhow::Context;
use debias::{Rng, Seed};
use parsers::{ALL, Parser};
use rand::RngExt;
use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;

/// Executions of each parser.
const SMOKE: u64 = 1_500;
const FULL: u64 = 60_000;
/// The longest message that a damaged file may cause.
const LONGEST: usize = 2_000;

const TESTS: &[Named] = &[
    named("bytes at random", "data/readers/no_bytes_make_a_reader_panic", false),
    named(
        "damaged libsvm files are read right, row by row, or refused",
        "data/readers/mutated_files_are_read_right_or_refused",
        true,
    ),
    named("damaged compressed files", "data/readers/mutated_compressed_files_never_panic", false),
    named("a mapped file with any byte changed", "data/mapped/every_damaged_byte_is_found", true),
    named(
        "a mapped file forged with the right checksum",
        "data/mapped/forged_files_are_refused_or_readable",
        true,
    ),
    named("memory bombs are refused soon", "unbiased/messy/bombs_are_refused_soon", false),
    named(
        "wrong formulas are shown where they are wrong",
        "unbiased/formula/wrong_formulas_are_shown_where_they_are_wrong",
        false,
    ),
    named(
        "a server that trickles is given up",
        "xtask/bin/fetch::tests::hostile::a_server_that_trickles_is_given_up",
        false,
    ),
    named(
        "links in the folder of downloads are not followed",
        "xtask/bin/fetch::tests::hostile::links_are_not_followed",
        true,
    ),
    named(
        "a file with the wrong sum is refused",
        "xtask/bin/fetch::tests::a_wrong_sum_is_refused",
        true,
    ),
    named(
        "a file that changed between two parts is not glued together",
        "xtask/bin/fetch::tests::a_changed_file_is_not_glued_to_the_old_one",
        true,
    ),
];

/// Feeds every parser.
pub fn gather(bench: &Bench) -> anyhow::Result<Evidence> {
    let mut evidence = Evidence::about("What does a damaged or malicious file do?");
    let executions = if bench.full() { FULL } else { SMOKE };
    let corpus = corpus()?;
    let mut table = Table::new(
        "Parsers on damaged files, without a panic and without a sentence of more than 2 000 letters",
        &["parser", "seed files", "executions", "taken", "refused"],
    );
    let mut total = 0;
    for parser in ALL {
        bench.say(parser.name);
        let found = feed(parser, &corpus, executions)?;
        total += executions;
        evidence.failures.extend(found.failures);
        let seeds = corpus.iter().filter(|(name, _)| parser.takes(name)).count();
        table.push([
            parser.name.to_owned(),
            seeds.to_string(),
            executions.to_string(),
            found.taken.to_string(),
            (executions - found.taken).to_string(),
        ]);
    }
    evidence.tables.push(table);
    let held = named::run(bench, &mut evidence, "Beside the fuzzer", TESTS)?;
    evidence.answer = format!(
        "{total} damaged files in {} and no panic; {} with damaged, forged and endless input hold",
        counted(ALL.len(), "parser"),
        counted(held, "test")
    );
    evidence.notes.push(
        "The seed files are in `xtask/src/trust/corpus`; what damages them is a function of the seed 2015, so that \
         every run feeds the same bytes."
            .to_owned(),
    );
    Ok(evidence)
}

/// What became of the damaged files of one parser.
#[derive(Default)]
struct Fed {
    taken: u64,
    failures: Vec<String>,
}

fn feed(parser: &Parser, corpus: &[(String, Vec<u8>)], executions: u64) -> anyhow::Result<Fed> {
    let seeds: Vec<&[u8]> = corpus
        .iter()
        .filter(|(name, _)| parser.takes(name))
        .map(|(_, bytes)| bytes.as_slice())
        .collect();
    anyhow::ensure!(!seeds.is_empty(), "no seed file for {}", parser.name);
    let folder = tempfile::tempdir()?;
    let mut fed = Fed::default();
    // A panic is a finding, to be told once and not by the usual message.
    let usual = panic::take_hook();
    panic::set_hook(Box::new(|_| ()));
    for execution in 0..executions {
        let rng = &mut Seed(2015).child(parser.name).stream(execution);
        let bytes = damaged(&seeds, rng);
        let parse = AssertUnwindSafe(|| (parser.parse)(&bytes, folder.path()));
        match panic::catch_unwind(parse) {
            Ok(Ok(())) => fed.taken += 1,
            Ok(Err(sentence)) if sentence.len() <= LONGEST => {}
            Ok(Err(sentence)) => fed.failures.push(format!(
                "{}, execution {execution}: a sentence of {} letters",
                parser.name,
                sentence.len()
            )),
            Err(_) => fed.failures.push(format!("{}, execution {execution}: a panic", parser.name)),
        }
    }
    panic::set_hook(usual);
    Ok(fed)
}

/// The files of the kept corpus, by name.
fn corpus() -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::new();
    for folder in ["xtask/src/trust/corpus", "crates/unbiased/tests/arrow"] {
        let folder = root().join(folder);
        let listed = fs::read_dir(&folder)
            .with_context(|| format!("{} cannot be read", folder.display()))?;
        for entry in listed {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            files.push((name, fs::read(path)?));
        }
    }
    files.sort();
    Ok(files)
}

/// Words that parsers stumble over.
const WORDS: &[&[u8]] = &[
    b"nan",
    b"inf",
    b"-1e999",
    b"1e-999",
    b"99999999999999999999",
    b"-0",
    b"\"",
    b",",
    b"\n",
    b"\r\n",
    b"\0",
    b"\xff\xfe",
    b"{",
    b"[",
    b"null",
    b":",
    b"#",
    b"0",
    b"18446744073709551615",
    b"\xe2\x80\xa8",
];

/// A seed file with one to six changes.
fn damaged(seeds: &[&[u8]], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = seeds[below(seeds.len(), rng)].to_vec();
    for _ in 0..=below(6, rng) {
        if bytes.is_empty() {
            bytes.push(0);
        }
        let at = below(bytes.len(), rng);
        let end = bytes.len().min(at + 1 + below(64, rng));
        match below(8, rng) {
            0 => bytes[at] ^= 1 << below(8, rng),
            1 => bytes[at] = below(256, rng) as u8,
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(at..end)),
            4 => {
                let piece = bytes[at..end].to_vec();
                let to = below(bytes.len(), rng);
                bytes.splice(to..to, piece);
            }
            5 => {
                let word = WORDS[below(WORDS.len(), rng)];
                bytes.splice(at..end.min(at + word.len()), word.iter().copied());
            }
            6 => {
                let other = seeds[below(seeds.len(), rng)];
                let from = below(other.len().max(1), rng);
                bytes.truncate(at);
                bytes.extend_from_slice(other.get(from..).unwrap_or_default());
            }
            _ => {
                // Lengths and offsets of binary formats are little-endian words.
                let word: [u8; 4] = [0, 1, u32::MAX, 1 << 31][below(4, rng)].to_le_bytes();
                let end = bytes.len().min(at + 4);
                bytes[at..end].copy_from_slice(&word[..end - at]);
            }
        }
    }
    bytes
}

fn below(count: usize, rng: &mut Rng) -> usize {
    rng.random_range(0..count as u64) as usize
}

/// Writes the bytes where a parser of files finds them.
fn at(folder: &Path, name: &str, bytes: &[u8]) -> std::path::PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).expect("a scratch folder can be written to");
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every parser has seeds, takes them undamaged, and survives a few damaged ones.
    #[test]
    fn every_parser_takes_its_seeds() {
        let (corpus, folder) = (corpus().unwrap(), tempfile::tempdir().unwrap());
        for parser in ALL {
            let own = corpus.iter().filter(|(name, _)| parser.takes(name));
            for (name, bytes) in own {
                let read = (parser.parse)(bytes, folder.path());
                assert_eq!(read, Ok(()), "{} on {name}", parser.name);
            }
            let fed = feed(parser, &corpus, 20).unwrap();
            assert_eq!(fed.failures, Vec::<String>::new());
        }
    }

    /// A parser that panics is told.
    #[test]
    fn a_panic_is_found() {
        let parser = Parser {
            name: "planted",
            seeds: "seed",
            parse: |bytes, _| {
                assert_ne!(bytes.first(), Some(&b'z'), "planted");
                Ok(())
            },
        };
        let fed = feed(&parser, &[("seed".to_owned(), b"zero".to_vec())], 50).unwrap();
        assert!(!fed.failures.is_empty() && fed.failures.len() < 50);
    }
}
