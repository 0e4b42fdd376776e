//! `--data -`: standard input, kept as a file under the name of its content.

use crate::interruption::interrupted;
use crate::{exit, workplace};
use data::sha256_of_file;
use std::fs;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

/// The folder of these files.
const FOLDER: &str = "standard-input";
/// Digits of the sum that a name takes.
const DIGITS: usize = 16;

/// Copies standard input and says where it is.
pub fn keep(work: &Path, say: &dyn Fn(&str)) -> anyhow::Result<PathBuf> {
    let mut input = io::stdin().lock();
    if input.is_terminal() {
        return Err(exit::usage(
            "--data - reads standard input, and nothing is piped into it: psql … | unbiased …",
        ));
    }
    let folder = work.join(FOLDER);
    let advice = "--work FOLDER names another place";
    workplace::writable(&folder, advice)?;
    // The number keeps two processes apart.
    let half = folder.join(format!(".input-{}.partial", std::process::id()));
    let copied = copy(&mut input, &half).and_then(|bytes| Ok((bytes, sha256_of_file(&half)?)));
    let kept = copied.and_then(|(bytes, sum)| {
        let path = folder.join(&sum[..DIGITS]);
        if bytes > 0 && !path.exists() {
            fs::rename(&half, &path)?;
        }
        Ok((bytes, path))
    });
    fs::remove_file(&half).ok();
    match kept {
        Ok((0, _)) => Err(exit::data(
            "standard input is empty; the command before the pipe has most likely failed",
        )),
        Ok((_, path)) => {
            say(&format!("standard input is kept; --data {} reads it again", path.display()));
            Ok(path)
        }
        Err(error) => Err(exit::usage(format!(
            "cannot keep standard input in {}: {error}; {advice}",
            folder.display()
        ))),
    }
}

fn copy(input: &mut impl Read, path: &Path) -> io::Result<u64> {
    let mut file = fs::File::create(path)?;
    let mut buffer = vec![0; 1 << 16];
    let mut bytes = 0;
    loop {
        if interrupted() {
            return Err(io::Error::other("interrupted"));
        }
        match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(size) => {
                file.write_all(&buffer[..size])?;
                bytes += size as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    file.sync_all()?;
    Ok(bytes)
}
