//! Opening the browser.

use std::process::{Command, Stdio};

/// Opens an address in the person's browser; where that fails, the printed line is enough.
pub(super) fn open(url: &str) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let mut command = Command::new(program);
    command.arg(url);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if command.spawn().is_err() {
        eprintln!("the browser did not open; open the address above yourself");
    }
}
