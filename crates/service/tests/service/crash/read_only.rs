//! The data folder may not be written.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::folder::Folder;
use crate::common::failed;
use crate::program::{command, program};

/// A user without rights. Permissions do not apply to root, who may run the tests.
const NOBODY: &str = "65534";

/// Runs the program as a user to whom permissions apply.
struct User {
    folder: Folder,
    /// A copy of the program where every user can read it, if the tests run as root.
    program: Option<tempfile::TempDir>,
}

impl User {
    fn new() -> Self {
        let folder = Folder::demo(50);
        let id = Command::new("id").arg("-u").output().unwrap().stdout;
        let is_root = id == b"0\n";
        let program = is_root.then(|| {
            run(
                "chown",
                &["-R".as_ref(), NOBODY.as_ref(), folder.path().as_ref()],
            );
            let place = tempfile::tempdir().unwrap();
            let copy = place.path().join("program");
            fs::copy(env!("CARGO_BIN_EXE_lead-workspace"), copy).unwrap();
            set_mode(place.path(), 0o755);
            place
        });
        Self { folder, program }
    }

    fn command(&self) -> Command {
        self.program(command(self.folder.path(), &[]))
    }

    fn program(&self, own: Command) -> Command {
        let Some(program) = &self.program else {
            return own;
        };
        let mut other = Command::new("setpriv");
        let (user, group) = (format!("--reuid={NOBODY}"), format!("--regid={NOBODY}"));
        other.args([&user, &group, "--clear-groups"]);
        other.arg(program.path().join("program"));
        other.args(own.get_args()).stdout(Stdio::piped());
        other
    }
}

fn run(program: &str, arguments: &[&OsStr]) {
    assert!(
        Command::new(program)
            .args(arguments)
            .status()
            .unwrap()
            .success()
    );
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_read_only_folder_is_reported_and_not_changed() {
    let user = User::new();
    let folder = &user.folder;
    let database = folder.path().join("workspace.db");
    let before = fs::read(&database).unwrap();
    for (folder_mode, file_mode) in [(0o500, 0o600), (0o700, 0o400), (0o500, 0o400)] {
        set_mode(folder.path(), folder_mode);
        set_mode(&database, file_mode);
        let message = folder.try_run(user.command()).err().unwrap();
        for part in [
            "cannot be written",
            "earlier changes are saved",
            "Make the folder writable",
        ] {
            assert!(
                message.contains(part),
                "{folder_mode:o} {file_mode:o}: {message}"
            );
        }
        assert_eq!(fs::read(&database).unwrap(), before);
    }
    set_mode(folder.path(), 0o700);
    set_mode(&database, 0o600);
    drop(folder.try_run(user.command()).unwrap());
    folder.check();
}

#[test]
fn a_folder_that_becomes_read_only_loses_nothing() {
    let user = User::new();
    let folder = &user.folder;
    let service = folder.try_run(user.command()).unwrap();
    set_mode(folder.path(), 0o500);
    let (_, body) = service.call("POST", "/api/leads/query", &json!({"page_size": 20}));
    let leads: Vec<_> = body["data"].as_array().unwrap().iter().collect();
    let path = |lead: &Value| format!("/api/leads/{}", lead["lead_id"].as_str().unwrap());
    let mut saved = Vec::new();
    for lead in &leads {
        let body = json!({"approval_status": "approved"});
        let (status, body) = service.call("PATCH", &path(lead), &body);
        if status == 200 {
            saved.push(path(lead));
        } else {
            let detail = body["detail"].to_string();
            assert!(detail.contains("cannot be written"), "{detail}");
        }
    }
    drop(service);
    // It may start, because all files that it writes exist.
    if let Err(message) = folder.try_run(user.command()) {
        assert!(message.contains("Make the folder writable"), "{message}");
    }
    set_mode(folder.path(), 0o700);
    let service = folder.try_run(user.command()).unwrap();
    for path in &saved {
        let (_, lead) = service.call("GET", path, &Value::Null);
        assert_eq!(lead["approval_status"], "approved");
    }
    let (status, _) = service.call(
        "PATCH",
        &path(leads[0]),
        &json!({"approval_status": "rejected"}),
    );
    assert_eq!(status, 200);
    folder.check();
}

#[test]
fn a_folder_of_another_user_is_not_called_empty() {
    let user = User::new();
    let folder = user.folder.path();
    set_mode(folder, 0o000);
    for arguments in [
        &["keys", "list"][..],
        &["keys", "create"],
        &["backup", "/tmp/a-backup-that-is-not-written.db"],
        &["doctor"],
    ] {
        let mut own = program(arguments);
        own.arg("--data").arg(folder);
        let output = user.program(own).output().unwrap();
        let text = failed(&output) + &String::from_utf8_lossy(&output.stdout);
        assert!(
            text.contains("no permission to read the folder") && text.contains("as root"),
            "{arguments:?}: {text}"
        );
        assert!(!text.contains("no workspace"), "{arguments:?}: {text}");
    }
    set_mode(folder, 0o700);
}
