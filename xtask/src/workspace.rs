//! Paths of the workspace, and output of commands.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The top folder of the workspace.
pub fn root() -> PathBuf {
    // `cargo run` names the folder of this crate; a binary called by hand knows where it was built.
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    manifest.parent().map_or(manifest.clone(), Path::to_path_buf)
}

/// The folder of the results, unless the caller names another.
pub fn results(named: Option<&PathBuf>) -> PathBuf {
    named.cloned().unwrap_or_else(|| root().join("results"))
}

/// A path for messages: relative to the top folder where it lies below it.
pub fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// What a command prints, or nothing if it cannot be run.
pub fn output_of(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).current_dir(root()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
