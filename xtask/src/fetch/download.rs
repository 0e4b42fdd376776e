//! One request: the rest of a file, from where the last one ended.

use super::{Entry, FetchError, Progress, Store};
use reqwest::StatusCode;
use reqwest::blocking::{Client, Response};
use reqwest::header::{ACCEPT_ENCODING, CONTENT_RANGE, ETAG, IF_RANGE, RANGE};
use std::error::Error;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

/// How a request ended, if not in an error that ends everything.
pub(crate) enum Outcome {
    /// The server ended the response.
    Complete,
    /// The connection or the server failed; another attempt may succeed.
    Interrupted(String),
    /// Bytes came, too slowly to wait for them.
    Slow(String),
    /// There was no connection in the first place.
    Unconnected(String),
}

/// Asks for what is missing of a file and appends it to the unfinished download.
pub(crate) fn request(
    client: &Client,
    url: &str,
    entry: &Entry,
    store: &Store,
    slowest: Slowest,
    progress: &dyn Progress,
) -> Result<Outcome, FetchError> {
    let partial = store.partial(entry);
    let have = store.had(entry);
    // Compressed on the way, a byte range would mean something else.
    let mut request = client.get(url).header(ACCEPT_ENCODING, "identity");
    if have > 0 {
        request = request.header(RANGE, format!("bytes={have}-"));
        if let Ok(version) = fs::read_to_string(store.validator(entry)) {
            request = request.header(IF_RANGE, version);
        }
    }
    let response = match request.send() {
        Ok(response) => response,
        Err(error) if error.is_connect() => return Ok(Outcome::Unconnected(reason(&error))),
        Err(error) => return Ok(Outcome::Interrupted(reason(&error))),
    };
    let status = response.status();
    let start = match status {
        StatusCode::PARTIAL_CONTENT if range_start(&response) == Some(have) => have,
        StatusCode::OK => 0,
        // What is there is longer than the file, or the range is not the one asked for.
        StatusCode::RANGE_NOT_SATISFIABLE | StatusCode::PARTIAL_CONTENT if have > 0 => {
            store.discard(entry)?;
            return Ok(Outcome::Interrupted("the server cannot resume".to_owned()));
        }
        StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS => {
            return Ok(Outcome::Interrupted(format!("answered {status}")));
        }
        _ if status.is_server_error() => {
            return Ok(Outcome::Interrupted(format!("answered {status}")));
        }
        _ => return Err(FetchError::Status { url: url.to_owned(), status: status.as_u16() }),
    };
    if start < have {
        progress.note(&format!("{}: the server starts from the beginning", entry.path));
    }
    let total = response.content_length().map(|length| start + length);
    if let (Some(found), Some(expected)) = (total, entry.size)
        && found != expected
    {
        return Err(FetchError::Size { from: url.to_owned(), found, expected });
    }
    let disk = |source| FetchError::Disk { path: partial.clone(), source };
    if start == 0 {
        remember_version(&response, store, entry).map_err(disk)?;
    }
    let mut file = store.open_partial(entry, start > 0).map_err(disk)?;
    progress.start(&entry.path, start, total.or(entry.size));
    let limit = entry.size;
    copy(response, &mut file, start, limit, Some(slowest), progress).map_err(|error| match error {
        Broken::Disk(source) => disk(source),
        Broken::TooLong(found) => {
            FetchError::Size { from: url.to_owned(), found, expected: limit.unwrap_or(found) }
        }
    })
}

/// Where the range that the server sends begins.
fn range_start(response: &Response) -> Option<u64> {
    let range = response.headers().get(CONTENT_RANGE)?.to_str().ok()?;
    range.strip_prefix("bytes ")?.split('-').next()?.parse().ok()
}

/// Keeps a strong ETag, so that a changed file is not glued to the beginning of the old one.
fn remember_version(response: &Response, store: &Store, entry: &Entry) -> io::Result<()> {
    let version = response.headers().get(ETAG).and_then(|version| version.to_str().ok());
    match version.filter(|version| version.starts_with('"')) {
        Some(version) => fs::write(store.validator(entry), version),
        None => match fs::remove_file(store.validator(entry)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        },
    }
}

/// What ends a copy for good.
pub(crate) enum Broken {
    Disk(io::Error),
    TooLong(u64),
}

/// The slowest that a source may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slowest {
    /// Bytes per second.
    pub rate: u64,
    /// Over how long.
    pub window: Duration,
}

/// Copies until the end, or until the source fails or is too slow, or until there is more than there may be.
pub(crate) fn copy(
    mut source: impl Read,
    file: &mut File,
    start: u64,
    limit: Option<u64>,
    slowest: Option<Slowest>,
    progress: &dyn Progress,
) -> Result<Outcome, Broken> {
    let mut buffer = vec![0; 1 << 16];
    let mut done = start;
    let mut window = (Instant::now(), start);
    loop {
        let size = match source.read(&mut buffer) {
            Ok(0) => return Ok(Outcome::Complete),
            Ok(size) => size,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Ok(Outcome::Interrupted(reason(&error))),
        };
        done += size as u64;
        if limit.is_some_and(|limit| done > limit) {
            return Err(Broken::TooLong(done));
        }
        file.write_all(&buffer[..size]).map_err(Broken::Disk)?;
        progress.reached(done);
        if let Some(Slowest { rate, window: length }) = slowest
            && window.0.elapsed() >= length
        {
            let least = rate as f64 * window.0.elapsed().as_secs_f64();
            if ((done - window.1) as f64) < least {
                return Ok(Outcome::Slow(format!("fewer than {rate} bytes per second")));
            }
            window = (Instant::now(), done);
        }
    }
}

/// The innermost cause: what is around it only repeats the address.
fn reason(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}
