//! From a manifest's entry to a file under its final name.

use super::download::{Broken, Outcome, Slowest, copy, request};
use super::mirror::{Source, open};
use super::{Entry, FetchError, Mirror, Progress, State, Store};
use data::sha256_of_file;
use reqwest::blocking::Client;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// How patient a fetch is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Attempts in a row that may end without a new byte; one without a connection counts twice.
    pub attempts: u32,
    /// The wait before the second attempt; it doubles from one to the next.
    pub backoff: Duration,
    /// The longest wait for a connection, an answer, or the next bytes.
    pub timeout: Duration,
    /// The fewest bytes per second, on average over the longest wait: a server that trickles is given up.
    pub rate: u64,
    /// Whether a proxy named in the environment is used.
    pub proxy: bool,
}

impl Default for Settings {
    /// Four attempts over some seconds, half a minute of patience with a silent server or
    /// one that sends less than a kilobyte per second.
    fn default() -> Settings {
        Settings {
            attempts: 4,
            backoff: Duration::from_secs(1),
            timeout: Duration::from_secs(30),
            rate: 1024,
            proxy: true,
        }
    }
}

/// A file that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// Its sum.
    pub sha256: String,
    /// Where it came from; nothing if it was there already.
    pub from: Option<String>,
}

/// Fetches files into a store.
pub struct Fetcher<'a> {
    /// The folder of downloads.
    pub store: &'a Store,
    /// Asked instead of the manifest's own addresses.
    pub mirror: Option<&'a Mirror>,
    /// How patient to be.
    pub settings: Settings,
    /// Told how things go.
    pub progress: &'a dyn Progress,
    /// A last look at a finished download, by content, before it gets its name.
    pub inspect: &'a dyn Fn(&Entry, &Path) -> Result<(), String>,
}

impl Fetcher<'_> {
    /// Makes sure that a file is there and right; without any network if it already is.
    ///
    /// The caller holds the store's lock. A wrong file under the final name is an error, never
    /// overwritten: the user may have put it there.
    pub fn fetch(&self, entry: &Entry) -> Result<Fetched, FetchError> {
        match self.store.state(entry)? {
            State::Present { sha256 } => return Ok(Fetched { sha256, from: None }),
            State::Wrong { size, sha256 } => {
                let from = self.store.path(entry).display().to_string();
                return Err(match (entry.size, self.store.expected_sum(entry)?) {
                    (Some(expected), _) if expected != size => {
                        FetchError::Size { from, found: size, expected }
                    }
                    (_, expected) => FetchError::Checksum {
                        from,
                        found: sha256,
                        expected: expected.unwrap_or_default(),
                    },
                });
            }
            State::Absent { .. } => {}
        }
        let mut failure = None;
        for source in self.sources(entry)? {
            match self.fetch_from(&source, entry) {
                Ok(fetched) => return Ok(fetched),
                // The next source may be better, but a full disk stays full.
                Err(error @ FetchError::Disk { .. }) => return Err(error),
                Err(error) => failure = Some(error),
            }
        }
        Err(failure.unwrap_or(FetchError::NoSource { file: entry.path.clone() }))
    }

    /// The places to ask, in order.
    fn sources(&self, entry: &Entry) -> Result<Vec<Source>, FetchError> {
        match self.mirror {
            None => Ok(entry.urls.iter().cloned().map(Source::Url).collect()),
            Some(mirror) => match (mirror.source(entry), mirror) {
                (Some(source), _) => Ok(vec![source]),
                (None, Mirror::Folder(folder)) => Err(FetchError::NotInMirror {
                    file: entry.path.clone(),
                    mirror: folder.clone(),
                }),
                (None, Mirror::Url(_)) => Ok(Vec::new()),
            },
        }
    }

    fn fetch_from(&self, source: &Source, entry: &Entry) -> Result<Fetched, FetchError> {
        let had = self.store.had(entry) > 0;
        let from = match source {
            Source::Url(url) => url.clone(),
            Source::File(path) => path.display().to_string(),
        };
        let once = || {
            let done = match source {
                Source::Url(url) => self.download(url, entry),
                Source::File(path) => self.copy_file(path, entry),
            };
            self.progress.finish();
            done.and_then(|()| self.check(entry, &from))
        };
        let mut result = once();
        if had && matches!(result, Err(FetchError::Checksum { .. } | FetchError::Size { .. })) {
            // What an earlier run left behind may be the culprit: once more, from the beginning.
            self.progress
                .note(&format!("{}: the resumed file is wrong, starting over", entry.path));
            self.store.discard(entry)?;
            result = once();
        }
        let sha256 = match result {
            Ok(sha256) => sha256,
            Err(error) => {
                // A wrong download is of no use; an interrupted one is gone on with next time.
                let wrong = matches!(
                    error,
                    FetchError::Checksum { .. }
                        | FetchError::Size { .. }
                        | FetchError::Content { .. }
                );
                if wrong {
                    self.store.discard(entry)?;
                }
                return Err(error);
            }
        };
        self.store.keep(entry, &sha256)?;
        Ok(Fetched { sha256, from: Some(from) })
    }

    /// Requests until the file is whole or patience ends.
    fn download(&self, url: &str, entry: &Entry) -> Result<(), FetchError> {
        let client = self.client()?;
        let Settings { rate, timeout: window, .. } = self.settings;
        let slowest = Slowest { rate, window };
        let size = || self.store.had(entry);
        let (mut failures, mut attempts) = (0, 0);
        loop {
            let before = size();
            attempts += 1;
            let mut weight = 1;
            let mut trickles = false;
            let reason = match request(&client, url, entry, self.store, slowest, self.progress)? {
                Outcome::Complete => match entry.size {
                    // A server may close an answer of unknown length whenever it likes.
                    Some(expected) if size() < expected => {
                        format!("ended after {} of {expected} bytes", size())
                    }
                    _ => return Ok(()),
                },
                Outcome::Interrupted(reason) => reason,
                Outcome::Slow(reason) => {
                    trickles = true;
                    reason
                }
                // A host without name or open port seldom gets either within a minute.
                Outcome::Unconnected(reason) => {
                    weight = 2;
                    reason
                }
            };
            // As long as bytes arrive in numbers, patience starts anew.
            failures = if size() > before && !trickles { 1 } else { failures + weight };
            if failures >= self.settings.attempts {
                return Err(FetchError::Unreachable { url: url.to_owned(), reason, attempts });
            }
            let wait = self.settings.backoff * (1 << (failures - 1).min(16));
            self.progress.note(&format!("{}: {reason}; again in {wait:?}", entry.path));
            thread::sleep(wait);
        }
    }

    fn client(&self) -> Result<Client, FetchError> {
        let mut builder = Client::builder()
            .user_agent(concat!("unbiased-bayes/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(self.settings.timeout)
            .timeout(self.settings.timeout);
        if !self.settings.proxy {
            builder = builder.no_proxy();
        }
        builder.build().map_err(|error| FetchError::Client { reason: error.to_string() })
    }

    fn copy_file(&self, path: &Path, entry: &Entry) -> Result<(), FetchError> {
        let partial = self.store.partial(entry);
        let disk = |source| FetchError::Disk { path: partial.clone(), source };
        let source = open(path, &entry.path)
            .map_err(|source| FetchError::Disk { path: path.to_owned(), source })?;
        let mut file = self.store.open_partial(entry, false).map_err(disk)?;
        self.progress.start(&entry.path, 0, entry.size);
        match copy(source, &mut file, 0, entry.size, None, self.progress) {
            Ok(Outcome::Complete) => Ok(()),
            Ok(
                Outcome::Interrupted(reason) | Outcome::Slow(reason) | Outcome::Unconnected(reason),
            ) => {
                let from = path.display().to_string();
                Err(FetchError::Content { from, reason })
            }
            Err(Broken::Disk(source)) => Err(disk(source)),
            Err(Broken::TooLong(found)) => Err(FetchError::Size {
                from: path.display().to_string(),
                found,
                expected: entry.size.unwrap_or(found),
            }),
        }
    }

    /// Size, sum and content of a finished download.
    fn check(&self, entry: &Entry, from: &str) -> Result<String, FetchError> {
        let path = self.store.partial(entry);
        let disk = |source| FetchError::Disk { path: path.clone(), source };
        let found = fs::metadata(&path).map_err(disk)?.len();
        if let Some(expected) = entry.size.filter(|&expected| expected != found) {
            return Err(FetchError::Size { from: from.to_owned(), found, expected });
        }
        let sum = sha256_of_file(&path).map_err(disk)?;
        match self.store.expected_sum(entry)? {
            Some(expected) if expected != sum => {
                Err(FetchError::Checksum { from: from.to_owned(), found: sum, expected })
            }
            _ => {
                let looked = (self.inspect)(entry, &path);
                looked.map_err(|reason| FetchError::Content { from: from.to_owned(), reason })?;
                Ok(sum)
            }
        }
    }
}
