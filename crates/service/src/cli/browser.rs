//! Opens the user's browser.

use std::path::Path;
use std::process::{Command, Stdio};

use super::output::tell_line;

/// Opens a page in the user's browser. If that fails, prints the path of the page.
pub(super) fn open(page: &Path) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let mut command = Command::new(program);
    command.arg(page);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Err(error) = command.spawn() {
        tell_line!(
            "could not open the browser ({program}: {error}); open {} manually",
            page.display()
        );
    }
}
