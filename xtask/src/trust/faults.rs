//! Faults: processes killed at random moments, two at once, full disks, damaged files, signals, closed pipes.
//! What comes out has the same bytes, or is a sentence.

mod damage;
mod kills;

use super::Bench;
use super::commands::{Line, clicks, files};
use super::evidence::{Evidence, counted};
use super::named::{self, Named, named};
use crate::loopback::{Answer, Server};
use std::fs;
use std::path::Path;

const TESTS: &[Named] = &[
    named(
        "`reproduce`: threads, and kills at three moments",
        "xtask/command/threads_and_kills_leave_no_trace",
        false,
    ),
    named("`reproduce`: four at once", "xtask/command/processes_take_turns", true),
    named("`estimate`: eight at once", "unbiased/trust/processes_take_turns", true),
    named("`fetch-data`: two at once", "xtask/bin/fetch::tests::two_fetches_do_not_meet", true),
    named(
        "chains that are stopped and go on are the same chains",
        "anchored/kept_chains/stopping_changes_no_draw_and_no_count",
        true,
    ),
    named(
        "a chain of NUTS that is killed is the same chain",
        "baselines/kept_chain/a_killed_chain_is_the_same_chain",
        true,
    ),
    named("closed pipes end quietly", "unbiased/trust/closed_pipes_end_quietly", true),
    named("a full disk is a sentence", "unbiased/trust/a_full_disk_is_a_sentence", true),
    named(
        "a full disk while fetching leaves no half file",
        "xtask/bin/fetch::tests::a_full_disk_is_said_and_leaves_no_half_file",
        true,
    ),
    named("a signal ends a run soon", "unbiased/trust/a_signal_ends_a_run_soon", false),
    named(
        "edited imports are not believed",
        "unbiased/trust/an_edited_import_is_not_believed",
        true,
    ),
    named("changed data is imported again", "unbiased/trust/changed_data_is_imported_again", true),
    named(
        "changed predictions are predicted again",
        "unbiased/trust/changed_predictions_are_predicted_again",
        true,
    ),
    named(
        "a record that drifted is named",
        "xtask/command/drift_is_named_and_exits_with_one",
        false,
    ),
];

/// Kills, damages and runs the tests.
pub fn gather(bench: &Bench) -> anyhow::Result<Evidence> {
    let mut evidence =
        Evidence::about("What is lost when a run is killed, or its files are damaged?");
    let folder = tempfile::tempdir()?;
    let served: Vec<u8> =
        (0..500u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let body = served.clone();
    // A server that takes more than half a second, so that there is time to be killed.
    let server = Server::start(move |_, asked| Answer {
        headers: format!("ETag: \"one\"\r\n{}", Answer::good(&body, asked).headers),
        trickle: Some(std::time::Duration::from_millis(1)),
        ..Answer::good(&body, asked)
    });
    let lines = lines(bench, folder.path(), &served, &server.url)?;
    let kills = if bench.full() { 12 } else { 2 };
    let killed = kills::gather(bench, &mut evidence, &lines, kills)?;
    let damaged = damage::gather(bench, &mut evidence, &lines)?;
    let held = named::run(bench, &mut evidence, "Two at once, full disks, signals, pipes", TESTS)?;
    evidence.answer = format!(
        "the same bytes after {killed} kills at random moments; {damaged} damaged files repaired or refused by a \
         sentence; {} of turns, full disks, signals and pipes hold",
        counted(held, "test")
    );
    Ok(evidence)
}

/// The commands that are killed.
fn lines(bench: &Bench, folder: &Path, served: &[u8], url: &str) -> anyhow::Result<Vec<Line>> {
    let unbiased = bench.tests()?.binary("unbiased")?.to_owned();
    let xtask = bench.tests()?.binary("xtask")?.to_owned();
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    fs::write(folder.join("clicks.csv"), clicks(20_000, [0, 1, 2]))?;
    let datasets = folder.join("datasets");
    fs::create_dir_all(&datasets)?;
    fs::write(
        datasets.join("one.toml"),
        format!(
            "name = 'one'\ntitle = 'one'\nsource = 'loopback'\nlicence = 'none'\n[[file]]\npath = 'one.bin'\n\
             size = {}\nsha256 = '{}'\n",
            served.len(),
            records::digest(served)
        ),
    )?;
    let with = |name, program: &Path, line: &str, work, outputs| Line {
        name,
        program: program.to_owned(),
        arguments: words(line),
        folder: folder.to_owned(),
        work,
        outputs,
    };
    let data = "--data clicks.csv --label clicked";
    Ok(vec![
        with("import", &unbiased, &format!("import {data}"), ".unbiased", |folder| {
            let all = files(&folder.join(".unbiased"));
            all.into_iter().filter(|path| path.ends_with("rows")).collect()
        }),
        with(
            "estimate",
            &unbiased,
            &format!("estimate logistic {data} --method anchored --replicates 400 --json out.json"),
            ".unbiased",
            |folder| vec![folder.join("out.json")],
        ),
        with(
            "compare",
            &unbiased,
            &format!("compare logistic {data} --budget 3e7 --json both.json"),
            ".unbiased",
            |folder| vec![folder.join("both.json")],
        ),
        with(
            "reproduce",
            &xtask,
            "reproduce gaussian-path --results results --quiet",
            "results",
            |folder| {
                let all = files(&folder.join("results/full/gaussian-path"));
                all.into_iter().filter(|path| !path.ends_with("provenance.json")).collect()
            },
        ),
        with(
            "fetch-data",
            &xtask,
            &format!("fetch-data one --datasets datasets --mirror {url}"),
            "datasets/downloads",
            |folder| {
                let all = files(&folder.join("datasets/downloads"));
                all.into_iter().filter(|path| path.ends_with("one.bin")).collect()
            },
        ),
    ])
}
