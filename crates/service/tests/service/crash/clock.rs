//! The clock of the machine is set, while jobs run and between two starts.

use std::fs;

use super::clients::Clients;
use super::folder::Folder;
use crate::program::{Running, command};

/// Ten years back, a year on, a day back.
const MOVES: [i64; 3] = [-315_360_000, 31_536_000, -86_400];

#[test]
fn a_clock_that_is_set_stops_no_job_and_loses_nothing() {
    let folder = Folder::demo(300);
    let mut clients = Clients::new(&folder, 1, 5);
    let clock = tempfile::NamedTempFile::new().unwrap();
    let set = |seconds: i64| fs::write(clock.path(), seconds.to_string()).unwrap();
    let start = || -> Running {
        let mut command = command(folder.path(), &[]);
        command.env("LEAD_WORKSPACE_CLOCK", clock.path());
        folder.try_run(command).unwrap()
    };
    for moved in MOVES {
        set(0);
        let service = start();
        clients.do_everything(&service);
        // Jobs are queued and leased now.
        set(moved);
        clients.do_everything(&service);
        drop(service);
        let service = start();
        clients.do_everything(&service);
        let times = "SELECT count(DISTINCT substr(created_at, 1, 4)) FROM jobs";
        if moved.abs() > 31_000_000 {
            let years = super::folder::count(&folder.connection(), times);
            assert!(years > 1, "the clock was not set");
        }
        folder.check_after_restart(&mut clients, &service);
    }
}
