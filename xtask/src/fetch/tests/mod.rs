//! Downloads from a server on loopback: each ends in success or a clear error, and never in half a
//! file under the final name.

mod hostile;

use super::fetcher::Fetched;
use super::progress::Silent;
use super::{Entry, FetchError, Fetcher, Mirror, Settings, State, Store};
use crate::loopback::{Answer, Server};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The sha256 of [`body`].
const SUM: &str = "b979e17a4e147685e5c2df66ad2d316b7665ddb2896ff60fcab25cea0675b048";
const SIZE: usize = 200_000;

/// A file that looks different everywhere.
fn body() -> Vec<u8> {
    (0..SIZE as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect()
}

fn entry(url: &str) -> Entry {
    Entry {
        path: "file.bin".to_owned(),
        urls: vec![format!("{url}/there/file.bin")],
        size: Some(SIZE as u64),
        sha256: Some(SUM.to_owned()),
        rows: None,
    }
}

/// Patience for servers that answer; a busy machine may take its time.
const PATIENT: Duration = Duration::from_secs(10);

/// Fetches, and checks that the final name holds the whole file or nothing.
fn fetch_within(
    timeout: Duration,
    folder: &Path,
    entry: &Entry,
    mirror: Option<&Mirror>,
) -> Result<Fetched, FetchError> {
    let store = Store::new(folder);
    let _lock = store.lock()?;
    let backoff = Duration::from_millis(1);
    let settings = Settings { attempts: 3, backoff, timeout, rate: 1000, proxy: false };
    let inspect = |_: &Entry, _: &Path| Ok(());
    let fetcher = Fetcher { store: &store, mirror, settings, progress: &Silent, inspect: &inspect };
    let result = fetcher.fetch(entry);
    match fs::read(store.path(entry)) {
        Ok(found) => assert!(found == body() && result.is_ok(), "{} bytes", found.len()),
        Err(_) => assert!(result.is_err()),
    }
    result
}

fn fetch_into(
    folder: &Path,
    entry: &Entry,
    mirror: Option<&Mirror>,
) -> Result<Fetched, FetchError> {
    fetch_within(PATIENT, folder, entry, mirror)
}

/// Fetches from a server into a fresh folder.
fn fetch(server: &Server) -> Result<Fetched, FetchError> {
    let folder = tempfile::tempdir().expect("a folder for tests");
    fetch_into(folder.path(), &entry(&server.url), None)
}

#[test]
fn a_good_server_is_asked_once() {
    let server = Server::start(|_, asked| Answer::good(&body(), asked));
    let folder = tempfile::tempdir().unwrap();
    let entry = entry(&server.url);
    let fetched = fetch_into(folder.path(), &entry, None).unwrap();
    assert_eq!(fetched, Fetched { sha256: SUM.to_owned(), from: Some(entry.urls[0].clone()) });
    let again = fetch_into(folder.path(), &entry, None).unwrap();
    assert_eq!(again, Fetched { sha256: SUM.to_owned(), from: None });
    assert_eq!(server.asked().len(), 1);
    assert_eq!(server.asked()[0].path, "/there/file.bin");
    let left = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 2, "the file and the lock");
}

#[test]
fn a_cut_connection_is_resumed() {
    let server = Server::start(|number, asked| match number {
        0 => Answer::good(&body(), asked).cut(70_000),
        1 => Answer::good(&body(), asked).cut(50_000),
        _ => Answer::good(&body(), asked),
    });
    fetch(&server).unwrap();
    let ranges: Vec<_> = server.asked().iter().map(|asked| asked.range).collect();
    assert_eq!(ranges, [None, Some(70_000), Some(120_000)]);
}

#[test]
fn a_later_run_goes_on_where_the_last_one_ended() {
    let folder = tempfile::tempdir().unwrap();
    let dead = Server::start(|number, asked| match number {
        0 => Answer::good(&body(), asked).cut(70_000),
        _ => Answer::status("503 Service Unavailable"),
    });
    let error = fetch_into(folder.path(), &entry(&dead.url), None).unwrap_err();
    assert!(matches!(error, FetchError::Unreachable { attempts: 3, .. }), "{error}");
    assert!(error.is_missing());
    let state = Store::new(folder.path()).state(&entry("")).unwrap();
    assert_eq!(state, State::Absent { partial: 70_000 });
    let alive = Server::start(|_, asked| Answer::good(&body(), asked));
    fetch_into(folder.path(), &entry(&alive.url), None).unwrap();
    assert_eq!(alive.asked()[0].range, Some(70_000));
}

#[test]
fn a_changed_file_is_not_glued_to_the_old_one() {
    let folder = tempfile::tempdir().unwrap();
    let version = |answer: Answer, etag: &str| {
        let headers = answer.headers.clone() + &format!("ETag: \"{etag}\"\r\n");
        Answer { headers, ..answer }
    };
    let server = Server::start(move |number, asked| match number {
        0 => version(Answer::whole(&[7; SIZE]).cut(70_000), "old"),
        _ if asked.if_range.as_deref() == Some("\"new\"") => {
            version(Answer::good(&body(), asked), "new")
        }
        _ => version(Answer::whole(&body()), "new"),
    });
    fetch_into(folder.path(), &entry(&server.url), None).unwrap();
    assert_eq!(server.asked()[1].if_range.as_deref(), Some("\"old\""));
}

#[test]
fn a_wrong_sum_is_refused() {
    let server = Server::start(|_, _| Answer::whole(&[7; SIZE]));
    let error = fetch(&server).unwrap_err();
    assert!(matches!(&error, FetchError::Checksum { expected, .. } if expected == SUM));
    assert!(!error.is_missing());
    assert_eq!(server.asked().len(), 1, "wrong data is not asked for again");
}

#[test]
fn a_wrong_beginning_from_an_earlier_run_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file.bin.partial"), [7; 70_000]).unwrap();
    let server = Server::start(|_, asked| Answer::good(&body(), asked));
    fetch_into(folder.path(), &entry(&server.url), None).unwrap();
    let ranges: Vec<_> = server.asked().iter().map(|asked| asked.range).collect();
    assert_eq!(ranges, [Some(70_000), None]);
}

#[test]
fn a_wrong_size_is_refused() {
    let short = Server::start(|_, _| Answer::whole(&body()[..1000]));
    assert!(matches!(fetch(&short).unwrap_err(), FetchError::Size { found: 1000, .. }));
    // Without a stated length the server may send anything.
    let endless =
        Server::start(|_, _| Answer { length: None, ..Answer::whole(&[body(), body()].concat()) });
    let error = fetch(&endless).unwrap_err();
    assert!(matches!(error, FetchError::Size { found, .. } if found > SIZE as u64));
    let ends_early = Server::start(|_, asked| {
        let answer = Answer::good(&body(), asked);
        Answer { length: None, ..answer }.cut(if asked.range.is_none() { 1000 } else { 0 })
    });
    let error = fetch(&ends_early).unwrap_err();
    assert!(error.to_string().contains("ended after 1000 of 200000 bytes"), "{error}");
}

#[test]
fn missing_files_are_not_asked_for_again() {
    for (status, number) in [("404 Not Found", 404), ("403 Forbidden", 403)] {
        let server = Server::start(move |_, _| Answer::status(status));
        let error = fetch(&server).unwrap_err();
        assert!(matches!(error, FetchError::Status { status, .. } if status == number));
        assert!(error.is_missing());
        assert_eq!(server.asked().len(), 1);
    }
}

#[test]
fn a_failing_server_is_asked_again() {
    let server = Server::start(|number, asked| match number {
        0 => Answer::status("500 Internal Server Error"),
        1 => Answer::status("429 Too Many Requests"),
        _ => Answer::good(&body(), asked),
    });
    fetch(&server).unwrap();
    assert_eq!(server.asked().len(), 3);
    let down = Server::start(|_, _| Answer::status("500 Internal Server Error"));
    let error = fetch(&down).unwrap_err();
    assert!(error.to_string().ends_with("answered 500 Internal Server Error (attempt 3)"));
}

#[test]
fn a_server_that_ignores_ranges_sends_all_of_it() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file.bin.partial"), &body()[..70_000]).unwrap();
    let server = Server::start(|_, _| Answer::whole(&body()));
    fetch_into(folder.path(), &entry(&server.url), None).unwrap();
    assert_eq!(server.asked()[0].range, Some(70_000));
}

#[test]
fn a_range_that_cannot_be_or_is_another_starts_over() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file.bin.partial"), &body()[..70_000]).unwrap();
    let server = Server::start(|number, asked| match number {
        0 => Answer::status("416 Range Not Satisfiable"),
        _ => Answer::good(&body(), asked),
    });
    fetch_into(folder.path(), &entry(&server.url), None).unwrap();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file.bin.partial"), &body()[..70_000]).unwrap();
    let server = Server::start(|number, asked| match number {
        0 => Answer::rest(&body(), 60_000),
        _ => Answer::good(&body(), asked),
    });
    fetch_into(folder.path(), &entry(&server.url), None).unwrap();
}

#[test]
fn a_silent_server_is_given_up_and_asked_again() {
    let server = Server::start(|number, asked| match number {
        0 => Answer { stall: true, ..Answer::good(&body(), asked).cut(70_000) },
        _ => Answer::good(&body(), asked),
    });
    let folder = tempfile::tempdir().unwrap();
    let timeout = Duration::from_millis(500);
    fetch_within(timeout, folder.path(), &entry(&server.url), None).unwrap();
    assert_eq!(server.asked()[1].range, Some(70_000));
    let silent = Server::start(|_, _| Answer { stall: true, ..Answer::whole(&body()).cut(0) });
    let folder = tempfile::tempdir().unwrap();
    let error = fetch_within(timeout, folder.path(), &entry(&silent.url), None).unwrap_err();
    assert!(matches!(error, FetchError::Unreachable { attempts: 3, .. }), "{error}");
}

#[test]
fn a_redirect_is_followed() {
    let server = Server::start(|_, asked| match asked.path.as_str() {
        "/there/file.bin" => {
            Answer { headers: "Location: /elsewhere\r\n".to_owned(), ..Answer::status("302 Found") }
        }
        _ => Answer::good(&body(), asked),
    });
    fetch(&server).unwrap();
    assert_eq!(server.asked()[1].path, "/elsewhere");
}

#[test]
fn a_host_that_is_not_there_is_named() {
    let error = {
        let folder = tempfile::tempdir().unwrap();
        // A port that was free a moment ago.
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        drop(listener);
        fetch_into(folder.path(), &entry(&url), None).unwrap_err()
    };
    assert!(
        error.is_missing() && error.to_string().starts_with("cannot get http://127.0.0.1:"),
        "{error}"
    );
}

#[test]
fn the_second_address_stands_in_for_the_first() {
    let first = Server::start(|_, _| Answer::status("404 Not Found"));
    let second = Server::start(|_, asked| Answer::good(&body(), asked));
    let mut entry = entry(&first.url);
    entry.urls.push(format!("{}/x", second.url));
    let folder = tempfile::tempdir().unwrap();
    fetch_into(folder.path(), &entry, None).unwrap();
}

#[test]
fn the_first_sum_is_recorded_and_never_changes() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|number, _| match number {
        0 => Answer::whole(&body()),
        _ => Answer::whole(&[7; SIZE]),
    });
    let unknown = Entry { sha256: None, ..entry(&server.url) };
    assert_eq!(fetch_into(folder.path(), &unknown, None).unwrap().sha256, SUM);
    let recorded = fs::read_to_string(folder.path().join("file.bin.sha256")).unwrap();
    assert_eq!(recorded, format!("{SUM}  file.bin\n"));
    fs::remove_file(folder.path().join("file.bin")).unwrap();
    let error = fetch_into(folder.path(), &unknown, None).unwrap_err();
    assert!(matches!(error, FetchError::Checksum { expected, .. } if expected == SUM));
}

#[test]
fn a_wrong_file_under_the_final_name_is_not_overwritten() {
    let server = Server::start(|_, asked| Answer::good(&body(), asked));
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path());
    let entry = entry(&server.url);
    fs::write(store.path(&entry), "mine").unwrap();
    let inspect = |_: &Entry, _: &Path| Ok(());
    let settings = Settings { proxy: false, ..Settings::default() };
    let fetcher =
        Fetcher { store: &store, mirror: None, settings, progress: &Silent, inspect: &inspect };
    assert!(matches!(fetcher.fetch(&entry), Err(FetchError::Size { found: 4, .. })));
    assert_eq!(fs::read(store.path(&entry)).unwrap(), b"mine");
    assert!(server.asked().is_empty());
}

#[test]
fn what_fails_the_inspection_gets_no_name() {
    let server = Server::start(|_, asked| Answer::good(&body(), asked));
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path());
    let inspect = |_: &Entry, _: &Path| Err("3 rows, expected 4".to_owned());
    let settings = Settings { proxy: false, ..Settings::default() };
    let fetcher =
        Fetcher { store: &store, mirror: None, settings, progress: &Silent, inspect: &inspect };
    let _lock = store.lock().unwrap();
    let error = fetcher.fetch(&entry(&server.url)).unwrap_err();
    assert!(error.to_string().ends_with("3 rows, expected 4"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "only the lock is left");
}

#[test]
fn two_fetches_do_not_meet() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(&folder.path().join("new"));
    let first = store.lock().unwrap();
    assert!(matches!(store.lock(), Err(FetchError::Locked { .. })));
    drop(first);
    assert!(store.lock().is_ok());
}

#[test]
fn a_folder_stands_in_for_the_hosts() {
    let (mirror, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let entry = entry("http://nowhere.invalid");
    let from = Mirror::parse(mirror.path().to_str().unwrap());
    let error = fetch_into(folder.path(), &entry, Some(&from)).unwrap_err();
    assert!(matches!(error, FetchError::NotInMirror { .. }) && error.is_missing());

    // Compressed, cut, wrong, and right.
    let mut packed = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
    packed.write_all(&body()).unwrap();
    let packed = packed.finish().unwrap();
    let compressed = mirror.path().join("file.bin.bz2");
    fs::write(&compressed, &packed[..packed.len() / 2]).unwrap();
    let error = fetch_into(folder.path(), &entry, Some(&from)).unwrap_err();
    assert!(matches!(error, FetchError::Content { .. }), "{error}");
    fs::write(mirror.path().join("file.bin"), [7; SIZE]).unwrap();
    let error = fetch_into(folder.path(), &entry, Some(&from)).unwrap_err();
    assert!(matches!(error, FetchError::Checksum { .. }), "{error}");
    fs::remove_file(mirror.path().join("file.bin")).unwrap();
    fs::write(&compressed, &packed).unwrap();
    fetch_into(folder.path(), &entry, Some(&from)).unwrap();
}

#[test]
fn a_server_stands_in_for_the_hosts() {
    let server = Server::start(|_, asked| Answer::good(&body(), asked));
    let folder = tempfile::tempdir().unwrap();
    let mirror = Mirror::parse(&format!("{}/mirror/", server.url));
    fetch_into(folder.path(), &entry("http://nowhere.invalid"), Some(&mirror)).unwrap();
    assert_eq!(server.asked()[0].path, "/mirror/file.bin");
}

/// A file system of its own, taken away again at the end.
struct SmallDisk<'a>(&'a Path);

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

#[test]
fn a_full_disk_is_said_and_leaves_no_half_file() {
    let folder = tempfile::tempdir().unwrap();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"])
        .arg(folder.path())
        .output()
        .is_ok_and(|output| output.status.success());
    if !mounted {
        println!("skipped: this user may not mount a small disk");
        return;
    }
    let _disk = SmallDisk(folder.path());
    let server = Server::start(|_, asked| Answer::good(&body(), asked));
    let error = fetch_into(folder.path(), &entry(&server.url), None).unwrap_err();
    assert!(matches!(error, FetchError::Disk { .. }), "{error}");
    assert!(error.to_string().contains("No space left"), "{error}");
    assert!(!error.is_missing());
}
