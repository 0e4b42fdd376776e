//! Determinism: one seed gives the same bytes on any number of threads, in any language, whatever the order of
//! columns, with optimisation and without; and pinned numbers stay pinned.

use super::Bench;
use super::commands::{Line, clicks, said};
use super::evidence::{Evidence, Table, counted};
use super::named::{self, Named, named};
use crate::workspace::root;
use anyhow::Context;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const TESTS: &[Named] = &[
    named(
        "replicates on 1, 2 and 5 threads",
        "debias/engine/any_number_of_threads_gives_the_same_bytes",
        true,
    ),
    named(
        "replicates that were stopped and go on",
        "debias/engine/a_cancelled_run_goes_on_where_it_stopped",
        true,
    ),
    named(
        "every replicate has a stream of its own",
        "debias/engine/every_replicate_has_a_stream_of_its_own",
        true,
    ),
    named(
        "every chain on the base density has a stream of its own",
        "anchored/kept_chains/every_chain_has_a_stream_of_its_own",
        true,
    ),
    named("streams are pinned", "debias/lib/seed::tests::the_first_draws_are_pinned", true),
    named(
        "the answer of the front door on any number of threads",
        "unbiased-bayes/front/threads_do_not_matter",
        true,
    ),
    named(
        "quantiles on any number of threads",
        "unbiased-bayes/quantiles/quantiles_do_not_depend_on_threads",
        false,
    ),
    named(
        "passes over generated rows on any number of threads",
        "data/generated/a_pass_is_the_same_on_any_number_of_threads",
        true,
    ),
    named("generated rows are pinned", "data/generated/the_first_rows_are_pinned", true),
    named(
        "vectors of every width give the bits of single numbers, in generated rows",
        "data/lib/generated::bulk::tests::wide_vectors_give_the_bits_of_single_numbers",
        true,
    ),
    named(
        "every operation has the same bits on every level of the processor (AVX-512, AVX2, NEON, plain)",
        "models/lib/simd::tests::all_levels_do_the_same",
        true,
    ),
    named(
        "likelihoods, gradients and Hessians agree to 10⁻¹¹ in every layout on every level of the processor",
        "models/dispatch/layouts_and_levels_agree",
        true,
    ),
    named("their sums are pinned", "models/dispatch/sums_are_pinned", true),
    named("draws of every kernel are pinned", "samplers/stability/kernels", true),
    named(
        "a chain that is interrupted is the same chain",
        "samplers/resume/an_interrupted_chain_is_the_same_chain",
        true,
    ),
    named(
        "GP-SVI on any number of threads",
        "baselines/gp_svi/one_thread_and_many_give_the_same_bytes",
        false,
    ),
];

/// What may vary: a name, arguments, and variables of the environment.
type Variation = (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

const VARIATIONS: &[Variation] = &[
    ("1 thread", &["--jobs", "1"], &[]),
    ("2 threads", &["--jobs", "2"], &[]),
    ("3 threads", &["--jobs", "3"], &[]),
    ("German numbers", &[], &[("LC_ALL", "de_DE.UTF-8"), ("LANG", "de_DE.UTF-8")]),
    ("Turkish letters", &[], &[("LC_ALL", "tr_TR.UTF-8")]),
    ("no locale, another time zone", &[], &[("LC_ALL", "C"), ("TZ", "Asia/Kathmandu")]),
];

/// Runs the command under every variation, and the tests.
pub fn gather(bench: &Bench) -> anyhow::Result<Evidence> {
    let mut evidence = Evidence::about("Does the same command give the same bytes?");
    let mut table = Table::new(
        "`unbiased estimate`, everything but one thing the same",
        &["method", "what is different", "outcome"],
    );
    let unbiased = bench.tests()?.binary("unbiased")?;
    let slow = if bench.full() { Some(unoptimised(bench)?) } else { None };
    let mut same = 0;
    for method in ["anchored", "nuts", "plain"] {
        bench.say(&format!("estimate by {method}"));
        let plain = answer(unbiased, method, [0, 1, 2], &[], &[])?;
        let mut compare = |what: &str, equal: bool| {
            same += usize::from(equal);
            let outcome = if equal { "the same bytes" } else { "**other bytes**" };
            table.push([method.to_owned(), what.to_owned(), outcome.to_owned()]);
            if !equal {
                evidence.failures.push(format!("{method}: other bytes with {what}"));
            }
        };
        for (what, arguments, variables) in VARIATIONS {
            let other = answer(unbiased, method, [0, 1, 2], arguments, variables)?;
            compare(what, other == plain);
        }
        // Only the order of what is printed follows the order of the columns.
        let turned = answer(unbiased, method, [2, 1, 0], &[], &[])?;
        compare("columns in another order", by_name(&turned)? == by_name(&plain)?);
        if let Some(slow) = &slow {
            compare(
                "no optimisation, all checks",
                answer(slow, method, [0, 1, 2], &[], &[])? == plain,
            );
        }
    }
    evidence.tables.push(table);
    let held = named::run(bench, &mut evidence, "Tests", TESTS)?;
    evidence.answer = format!(
        "{same} runs of the command under other threads, languages and orders of columns{} have the same bytes; {} \
         of threads, kills, widths of vectors and pinned numbers hold",
        if bench.full() { ", and without optimisation," } else { "" },
        counted(held, "test")
    );
    Ok(evidence)
}

/// The command as a debugger wants it: no optimisation, and every overflow and index checked.
fn unoptimised(bench: &Bench) -> anyhow::Result<PathBuf> {
    bench.say("building the command without optimisation");
    let target = bench.scratch.join("unoptimised");
    let status = Command::new("cargo")
        .args([
            "build",
            "--offline",
            "--quiet",
            "--package",
            "unbiased-bayes-cli",
            "--bin",
            "unbiased",
        ])
        .args(["--config", "profile.dev.opt-level=0", "--config", "profile.dev.debug=false"])
        .env("CARGO_TARGET_DIR", &target)
        .current_dir(root())
        .status()?;
    anyhow::ensure!(status.success(), "the command does not build without optimisation");
    Ok(target.join("debug/unbiased"))
}

/// What `estimate` writes as JSON.
fn answer(
    unbiased: &Path,
    method: &str,
    order: [usize; 3],
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> anyhow::Result<Vec<u8>> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("clicks.csv"), clicks(6_000, order))?;
    let chain = if method == "plain" { " --chain 50+100" } else { "" };
    let text = format!(
        "estimate logistic --data clicks.csv --label clicked --method {method} --replicates 24 --json out.json{chain}"
    );
    let mut line = Line {
        name: "estimate",
        program: unbiased.to_owned(),
        arguments: text.split_whitespace().map(str::to_owned).collect(),
        folder: folder.path().to_owned(),
        work: ".unbiased",
        outputs: |folder| vec![folder.join("out.json")],
    };
    line.arguments.extend(arguments.iter().map(|&word| word.to_owned()));
    let output: Output = line.command().envs(variables.iter().copied()).output()?;
    anyhow::ensure!(output.status.success(), "estimate by {method}: {}", said(&output));
    Ok(fs::read(folder.path().join("out.json"))?)
}

/// Estimates by name, with all that is said about each.
fn by_name(json: &[u8]) -> anyhow::Result<BTreeMap<String, String>> {
    let json: Value = serde_json::from_slice(json)?;
    let list = json["answer"]["estimates"].as_array().context("an answer has estimates")?;
    let one = |one: &Value| {
        (one["name"].as_str().unwrap_or_default().to_owned(), one["summary"].to_string())
    };
    Ok(list.iter().map(one).collect())
}
