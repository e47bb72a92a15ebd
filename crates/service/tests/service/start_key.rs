//! The start key: where it is shown, and how long it is valid.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::json;

use crate::common::{done, failed};
#[cfg(unix)]
use crate::program::terminate;
use crate::program::{Running, program, run, start};

/// Starts the program with piped output, and returns its first line, which has no key.
fn start_quietly(command: &mut Command, dir: &Path) -> (Child, String) {
    let command = command.args(["--port", "0", "--data"]).arg(dir);
    let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    let mut line = String::new();
    let out = child.stdout.take().unwrap();
    BufReader::new(out).read_line(&mut line).unwrap();
    (child, line)
}

/// Stops a program, and returns its output on stderr.
#[cfg(unix)]
fn ended(mut child: Child) -> String {
    terminate(&child);
    let mut message = String::new();
    let mut errors = child.stderr.take().unwrap();
    errors.read_to_string(&mut message).unwrap();
    assert!(child.wait().unwrap().success(), "{message}");
    message
}

fn status(line: &str, key: &str) -> u16 {
    let address = line
        .trim()
        .trim_start_matches("ready http://")
        .trim_end_matches('/');
    // `Running` needs a child process: the program itself is already running elsewhere.
    let none = program(&["--version"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let running = Running {
        child: none,
        address: address.to_owned(),
        key: key.to_owned(),
    };
    running.call("POST", "/api/leads/query", &json!({})).0
}

#[cfg(unix)]
#[test]
fn the_log_shows_the_address_without_the_key() {
    let dir = tempfile::tempdir().unwrap();
    let (child, line) = start_quietly(&mut program(&["serve"]), dir.path());
    let key = std::fs::read_to_string(dir.path().join("start-key")).unwrap();
    let bare = line.strip_prefix("ready http://127.0.0.1:").unwrap().trim();
    assert!(
        bare.strip_suffix('/').unwrap().parse::<u16>().is_ok(),
        "{line}"
    );
    assert_eq!(status(&line, key.trim()), 200);
    let message = ended(child);
    assert!(!message.contains("lwk_"), "{message}");
}

#[test]
fn start_keys_of_earlier_runs_are_invalid() {
    let dir = tempfile::tempdir().unwrap();
    let first = start(dir.path(), &[]).key.clone();
    // The file is missing, e.g. in a copy of the folder.
    std::fs::remove_file(dir.path().join("start-key")).unwrap();
    let mut running = start(dir.path(), &[]);
    assert_ne!(running.key, first);
    assert_eq!(running.call("POST", "/api/leads/query", &json!({})).0, 200);
    running.key = first;
    assert_eq!(running.call("POST", "/api/leads/query", &json!({})).0, 401);
    let message = failed(&run(&["keys", "create", "--name", "start"], dir.path()));
    assert!(message.contains("choose another --name"), "{message}");
}

#[cfg(unix)]
#[test]
fn the_start_key_can_be_disabled() {
    let dir = tempfile::tempdir().unwrap();
    let before = start(dir.path(), &[]).key.clone();
    let (child, line) = start_quietly(&mut program(&["serve", "--no-start-key"]), dir.path());
    assert_eq!(status(&line, &before), 401);
    ended(child);
    assert!(!dir.path().join("start-key").exists());
    let listed = done(&run(&["keys", "list"], dir.path()));
    assert!(!listed.contains(" valid "), "{listed}");
}

/// The arguments of a process are readable for every user of the machine.
#[cfg(target_os = "linux")]
#[test]
fn a_private_file_redirects_the_browser_to_the_ui() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (bin, seen) = (folder.path().join("bin"), folder.path().join("seen"));
    std::fs::create_dir(&bin).unwrap();
    let browser = bin.join("xdg-open");
    let script = format!(
        "#!/bin/sh\nprintf '%s' \"$*\" > {0}.part && mv {0}.part {0}\n",
        seen.display()
    );
    std::fs::write(&browser, script).unwrap();
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let data = folder.path().join("data");
    let (child, _) = start_quietly(program(&["serve", "--open"]).env("PATH", path), &data);
    while !seen.exists() {
        std::thread::yield_now();
    }
    let argument = std::fs::read_to_string(&seen).unwrap();
    let key = std::fs::read_to_string(data.join("start-key")).unwrap();
    assert!(!argument.contains("lwk_"), "{argument}");
    let page = std::fs::read_to_string(&argument).unwrap();
    assert!(page.contains(&format!("/#key={}\"", key.trim())), "{page}");
    let mode = std::fs::metadata(&argument).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    ended(child);
    assert!(!Path::new(&argument).exists());
}

#[test]
fn other_machines_are_served_only_on_request() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let everywhere = ["serve", "--port", "0", "--host", "0.0.0.0"];
    let message = failed(&run(&everywhere, &data));
    assert!(
        message.contains("TLS") && message.contains("--insecure-network"),
        "{message}"
    );
    assert!(!data.exists());
    let running = start(&data, &["--host", "0.0.0.0", "--insecure-network"]);
    assert_eq!(running.call("GET", "/health", &json!(null)).0, 200);
}

/// Another start, or a command, would make a new workspace of it, and backups by schedule would replace the good ones.
#[test]
fn an_empty_database_is_damaged() {
    let dir = tempfile::tempdir().unwrap();
    drop(start(dir.path(), &["--demo", "5"]));
    // As with `--no-start-key`.
    std::fs::remove_file(dir.path().join("start-key")).unwrap();
    let database = dir.path().join("workspace.db");
    for extra in ["workspace.db-wal", "workspace.db-shm"] {
        let _ = std::fs::remove_file(dir.path().join(extra));
    }
    std::fs::write(&database, "").unwrap();
    for message in [
        crate::program::refused(dir.path(), &[]),
        failed(&run(&["keys", "list"], dir.path())),
        failed(&run(&["export"], dir.path())),
    ] {
        assert!(
            message.contains("is empty or cut off") && message.contains("restore a backup"),
            "{message}"
        );
    }
    assert_eq!(std::fs::read(&database).unwrap(), b"");
}

#[cfg(target_os = "linux")]
#[test]
fn a_key_that_cannot_be_shown_is_named() {
    let dir = tempfile::tempdir().unwrap();
    drop(start(dir.path(), &["--demo", "5"]));
    let command = |arguments: &[&str], out: Stdio| {
        let mut command = program(arguments);
        command.arg("--data").arg(dir.path()).stdout(out);
        command.output().unwrap()
    };
    let full = || std::fs::File::create("/dev/full").unwrap().into();
    let message = failed(&command(&["keys", "create", "--name", "Ana"], full()));
    let id = message.rsplit("keys revoke ").next().unwrap().trim();
    done(&run(&["keys", "revoke", id], dir.path()));
    let message = failed(&command(&["keys", "list"], full()));
    assert!(message.contains("cannot be written"), "{message}");
    // A reader that has read enough.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    done(&command(&["keys", "list"], writer.into()));
}
