//! `cargo xtask fetch-data`: the data sets of the manifests, fetched, checked and described.

mod bar;
mod contents;

use crate::exit::Exit;
use crate::fetch::{Entry, FetchError, Fetcher, Manifest, Mirror, Settings, State, Store};
use anyhow::Context;
use bar::Bar;
use std::path::{Path, PathBuf};

/// Fetch the data sets, check them, and print what they contain
///
/// Every experiment runs without this: a9a and the New York flights of 2013 are embedded. Fetch
/// `airline-2008` to run the airline experiment on the data of the paper.
///
/// Files are stored in datasets/downloads, under their final name only when complete and checked. An
/// interrupted download resumes where it ended, and a file that is already there is checked
/// without any network. Proxies are taken from the environment (HTTPS_PROXY, ALL_PROXY, NO_PROXY).
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  cargo xtask fetch-data                             all data sets that have a public address
  cargo xtask fetch-data airline-2008                one of them
  cargo xtask fetch-data --mirror ../shared/datasets whatever that folder has, in place of the hosts
  cargo xtask fetch-data --mirror http://127.0.0.1:8000 a9a
  cargo xtask fetch-data --list                      names, sizes, licences, and what is there
  cargo xtask fetch-data --verify                    check what is there, fetch nothing

By hand: put a file at datasets/downloads/<its name in the manifest> and run --verify.

Exit codes: 0 all that was asked for is there; 2 wrong usage; 3 a host or a file is missing;
4 a file is wrong or could not be stored. A folder as mirror need not have everything: what it
lacks is listed, and an error only if asked for by name.")]
pub struct FetchData {
    /// Data sets by name; all of them if none is named
    names: Vec<String>,
    /// A folder or an http(s) address that stands in for the hosts; a folder may hold a file
    /// compressed, as `NAME.bz2` or `NAME.gz`
    #[arg(long, value_name = "DIR|URL")]
    mirror: Option<String>,
    /// Check the files that are there; fetch nothing
    #[arg(long, conflicts_with_all = ["mirror", "list"])]
    verify: bool,
    /// List the data sets; fetch nothing
    #[arg(long)]
    list: bool,
    /// Read manifests here, and keep downloads below, instead of datasets/
    #[arg(long, value_name = "FOLDER")]
    datasets: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &FetchData) -> anyhow::Result<Exit> {
    let datasets = args
        .datasets
        .clone()
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets"));
    let datasets = datasets.canonicalize().context("cannot find the folder of the manifests")?;
    let manifests = Manifest::load_all(&datasets)?;
    let store = Store::new(&datasets.join("downloads"));
    let Some(chosen) = choose(&manifests, &args.names) else {
        return Ok(Exit::Usage);
    };
    if args.list {
        list(&chosen, &store)
    } else if args.verify {
        verify(&chosen, &store, !args.names.is_empty())
    } else {
        fetch(args, &chosen, &store)
    }
}

/// The manifests of these names, or all; nothing, after an error message, if a name is unknown.
fn choose<'a>(manifests: &'a [Manifest], names: &[String]) -> Option<Vec<&'a Manifest>> {
    let known = || manifests.iter().map(|manifest| manifest.name.as_str()).collect::<Vec<_>>();
    for name in names {
        if !known().contains(&name.as_str()) {
            eprintln!("error: no data set is called \"{name}\"; there are {}", known().join(", "));
            return None;
        }
    }
    let wanted = |manifest: &&Manifest| names.is_empty() || names.contains(&manifest.name);
    Some(manifests.iter().filter(wanted).collect())
}

fn list(manifests: &[&Manifest], store: &Store) -> anyhow::Result<Exit> {
    for manifest in manifests {
        println!("{}: {}", manifest.name, manifest.title);
        println!("  source   {}", manifest.source);
        println!("  licence  {}", manifest.licence);
        for entry in &manifest.files {
            let size = entry.size.map_or("size unknown".to_owned(), |size| format!("{size} bytes"));
            let rows = entry.rows.map_or(String::new(), |rows| format!(", {rows} rows"));
            let state = match store.state(entry)? {
                State::Present { .. } => "there".to_owned(),
                State::Absent { partial: 0 } if entry.urls.is_empty() => "mirror only".to_owned(),
                State::Absent { partial: 0 } => "not fetched".to_owned(),
                State::Absent { partial } => format!("unfinished, {partial} bytes so far"),
                State::Wrong { .. } => "WRONG FILE".to_owned(),
            };
            println!("  {:<28} {size}{rows}: {state}", entry.path);
        }
    }
    println!("embedded: a9a (training part) and the New York flights of 2013, always there");
    Ok(Exit::Fine)
}

/// Looks at every file by `look`, which returns its exit code and whether the file is there, and describes
/// the data sets whose files are all there.
fn each(
    manifests: &[&Manifest],
    store: &Store,
    look: impl Fn(&Entry) -> anyhow::Result<(Exit, bool)>,
) -> anyhow::Result<Exit> {
    let mut code = Exit::Fine;
    let mut complete = Vec::new();
    for manifest in manifests {
        let mut all_there = true;
        for entry in &manifest.files {
            let (exit, there) = look(entry)?;
            code = code.max(exit);
            all_there &= there;
        }
        if all_there {
            complete.push(*manifest);
        }
    }
    Ok(code.max(describe(&complete, store)))
}

fn verify(manifests: &[&Manifest], store: &Store, named: bool) -> anyhow::Result<Exit> {
    each(manifests, store, |entry| {
        let (exit, there, found) = match store.state(entry)? {
            State::Present { sha256 } => {
                (Exit::Fine, true, format!("right, {}", entry.described(&sha256)))
            }
            State::Absent { .. } if named => (Exit::MissingData, false, "not there".to_owned()),
            State::Absent { .. } => (Exit::Fine, false, "not there".to_owned()),
            State::Wrong { size, sha256 } => {
                (Exit::Failed, false, format!("WRONG, {size} bytes, sha256 {sha256}"))
            }
        };
        println!("{}: {found}", entry.path);
        Ok((exit, there))
    })
}

fn fetch(args: &FetchData, manifests: &[&Manifest], store: &Store) -> anyhow::Result<Exit> {
    let mirror = args.mirror.as_deref().map(Mirror::parse);
    if let Some(Mirror::Folder(folder)) = &mirror
        && !folder.is_dir()
    {
        eprintln!("error: the mirror {} is not a folder", folder.display());
        return Ok(Exit::MissingData);
    }
    let _lock = store.lock()?;
    let bar = Bar::default();
    let fetcher = Fetcher {
        store,
        mirror: mirror.as_ref(),
        settings: Settings::default(),
        progress: &bar,
        inspect: &contents::check_rows,
    };
    let named = !args.names.is_empty();
    each(manifests, store, |entry| match fetcher.fetch(entry) {
        Ok(fetched) => {
            let from = fetched.from.map(|from| format!("fetched from {from}"));
            let from = from.unwrap_or_else(|| "already there".to_owned());
            println!("{}: {from}, {}", entry.path, entry.described(&fetched.sha256));
            Ok((Exit::Fine, true))
        }
        Err(error) => Ok((failed(&error, entry, &store.path(entry), named), false)),
    })
}

/// Prints why a file is missing and what can be done about it; returns the exit code.
fn failed(error: &FetchError, entry: &Entry, path: &Path, named: bool) -> Exit {
    let here = relative(path);
    let optional = matches!(error, FetchError::NoSource { .. } | FetchError::NotInMirror { .. });
    let kind = if optional && !named { "skipped" } else { "error" };
    eprintln!("{kind}: {error}");
    if error.is_missing() {
        match entry.urls.first() {
            Some(url) => eprintln!(
                "  get {url}\n  by other means and put it at {}, or name a mirror that has {}",
                here.display(),
                entry.path
            ),
            None => eprintln!("  put it at {}, or name a mirror that has it", here.display()),
        }
    }
    match error {
        _ if optional && !named => Exit::Fine,
        _ if error.is_missing() => Exit::MissingData,
        _ => Exit::Failed,
    }
}

/// Prints the contents of the data sets whose files are all there, and of the embedded ones.
fn describe(manifests: &[&Manifest], store: &Store) -> Exit {
    let mut code = Exit::Fine;
    println!("embedded: {}", contents::embedded());
    for manifest in manifests {
        match contents::describe(manifest, store) {
            Ok(lines) => lines.iter().for_each(|line| println!("{}: {line}", manifest.name)),
            Err(error) => {
                eprintln!("error: {error:#}");
                code = Exit::Failed;
            }
        }
    }
    code
}

/// The path as seen from the current folder, if it lies below.
fn relative(path: &Path) -> PathBuf {
    let current = std::env::current_dir().and_then(|folder| folder.canonicalize());
    let below = current.ok().and_then(|current| Some(path.strip_prefix(current).ok()?.to_owned()));
    below.unwrap_or_else(|| path.to_owned())
}
