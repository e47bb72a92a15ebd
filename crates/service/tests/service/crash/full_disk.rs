//! The file system of the data folder is full, or the process may not write larger files.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::folder::Folder;
use crate::program::{Running, limited};

/// A data folder on a small file system of its own, with more than the 64 MiB that a service needs to
/// be ready.
struct SmallDisk {
    folder: Folder,
}

impl SmallDisk {
    /// Returns `None` if this user may not mount. Then only the limit on files is tested.
    fn mount() -> Option<Self> {
        let folder = Folder::empty();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=128m", "tmpfs"]);
        let mounted = mount.arg(folder.path()).output();
        mounted
            .is_ok_and(|mounted| mounted.status.success())
            .then_some(Self { folder })
    }

    /// Uses all that is free.
    fn fill_up(&self) {
        let mut filler = fs::File::create(self.filler()).unwrap();
        while filler.write_all(&[1; 512]).is_ok() {}
    }

    fn make_room(&self) {
        fs::remove_file(self.filler()).unwrap();
    }

    fn filler(&self) -> PathBuf {
        self.folder.path().join("filler")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount")
            .arg("--lazy")
            .arg(self.folder.path())
            .status();
    }
}

/// Decides on leads until the service refuses, and returns the last status that it saved, and its
/// refusal.
fn decide_until_refused(service: &Running, leads: &[String]) -> (Value, u16, String) {
    let mut saved = status_of(service, &leads[0]);
    for round in 0..10_000 {
        let status = ["approved", "rejected"][round % 2];
        let body = json!({"lead_ids": leads, "approval_status": status});
        let (code, body) = service.call("PATCH", "/api/leads", &body);
        if code != 200 {
            return (saved, code, body["detail"].to_string());
        }
        saved = status.into();
    }
    panic!("nothing was refused");
}

/// Gives all leads the same status to start with.
fn set_all(service: &Running, leads: &[String], status: &str) {
    let body = json!({"lead_ids": leads, "approval_status": status});
    assert_eq!(service.call("PATCH", "/api/leads", &body).0, 200);
}

fn status_of(service: &Running, lead: &str) -> Value {
    let path = format!("/api/leads/{lead}");
    service.call("GET", &path, &Value::Null).1["approval_status"].clone()
}

#[test]
fn a_full_disk_is_reported_and_nothing_is_lost() {
    let Some(disk) = SmallDisk::mount() else {
        return;
    };
    let folder = &disk.folder;
    folder.fill(200);
    let service = folder.start(&[]);
    let leads = service.leads();
    set_all(&service, &leads, "approved");
    disk.fill_up();
    let (saved, code, message) = decide_until_refused(&service, &leads);
    assert_eq!(code, 507, "{message}");
    for part in [
        "disk is full",
        "not saved",
        "earlier changes are saved",
        "Free some space",
    ] {
        assert!(message.contains(part), "{message}");
    }
    assert_eq!(status_of(&service, &leads[0]), saved);
    let file = "Name,Email\nAnna,anna@a.example\n";
    let (_, events) = service.try_send("POST", "/import", file).unwrap();
    assert!(
        events.contains(r#""event":"error""#) && events.contains("disk is full"),
        "{events}"
    );
    let (code, answer) = service.call("POST", "/api/leads/score", &json!({}));
    assert_eq!(code, 507, "{answer}");
    assert_eq!(service.call("GET", "/health", &Value::Null).0, 503);

    disk.make_room();
    set_all(&service, &leads, "rejected");
    let deadline = Instant::now() + Duration::from_secs(30);
    while service.call("GET", "/health", &Value::Null).0 != 200 {
        assert!(Instant::now() < deadline, "{}", folder.log());
        thread::sleep(Duration::from_millis(50));
    }

    // Full again, and killed.
    disk.fill_up();
    let (saved, ..) = decide_until_refused(&service, &leads);
    drop(service);
    if let Err(message) = folder.try_start(&[], None) {
        let says = message.contains("disk is full") && message.contains("Free some space");
        assert!(says, "{message}");
    }
    disk.make_room();
    let service = folder.start(&[]);
    for lead in &leads {
        assert_eq!(status_of(&service, lead), saved);
    }
    set_all(&service, &leads, "approved");
    folder.wait_for_jobs();
    folder.check();
}

/// A limit of the shell or of systemd, which kills a process that does not expect it.
#[test]
fn a_limit_on_the_size_of_files_is_reported_and_nothing_is_lost() {
    let folder = Folder::demo(200);
    // In blocks of 512 or 1,024 bytes.
    let limited = limited(folder.path(), &[], "-f 8000");
    let service = folder.try_run(limited).unwrap();
    let leads = service.leads();
    set_all(&service, &leads, "approved");
    let (saved, code, message) = decide_until_refused(&service, &leads);
    assert_eq!(code, 500, "{message}");
    assert!(message.contains("the disk reported an error"), "{message}");
    let log = folder.log();
    for part in ["not saved", "earlier changes are saved", "ulimit -f"] {
        assert!(log.contains(part), "{log}");
    }
    assert_eq!(status_of(&service, &leads[0]), saved);
    drop(service);
    let service = folder.start(&[]);
    for lead in &leads {
        assert_eq!(status_of(&service, lead), saved);
    }
    folder.check();
}
