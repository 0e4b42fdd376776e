//! Servers and folders that mean no good.

use super::{body, entry, fetch_into, fetch_within};
use crate::fetch::FetchError;
use crate::loopback::{Answer, Server};
use std::fs;
use std::time::Duration;

/// A byte every tenth of a second is no silence, and would take five hours.
#[test]
fn a_server_that_trickles_is_given_up() {
    let trickle = Some(Duration::from_millis(100));
    let server = Server::start(move |_, asked| Answer { trickle, ..Answer::good(&body(), asked) });
    let folder = tempfile::tempdir().unwrap();
    let timeout = Duration::from_millis(500);
    let error = fetch_within(timeout, folder.path(), &entry(&server.url), None).unwrap_err();
    assert!(matches!(error, FetchError::Unreachable { attempts: 3, .. }), "{error}");
    assert!(error.to_string().contains("fewer than 1000 bytes per second"), "{error}");
}

/// Fault: a link under the name of the unfinished download, through which another file is written to.
#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("precious");
    fs::write(&other, "precious").unwrap();
    let link = folder.path().join("downloads/file.bin.partial");
    fs::create_dir(folder.path().join("downloads")).unwrap();
    std::os::unix::fs::symlink(&other, &link).unwrap();
    let server = Server::start(|_, asked| Answer::good(&body(), asked));
    fetch_into(&folder.path().join("downloads"), &entry(&server.url), None).unwrap();
    assert_eq!(fs::read_to_string(&other).unwrap(), "precious");
    assert_eq!(server.asked()[0].range, None);
}
