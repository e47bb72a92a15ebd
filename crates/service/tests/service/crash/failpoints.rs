//! The service ends itself at each of its named points.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::Duration;

use fastrand::Rng;
use lead_workspace_service::failpoint::Failpoint;

use super::Rounds;
use super::clients::Clients;
use super::folder::{Folder, count};
use crate::program::program;

const LEADS: u64 = 300;

/// Kills at each point, in the long form.
const KILLS: usize = 50;

/// How often the point is reached at least while the clients write one thing of each kind, or while
/// the program starts.
const fn times(failpoint: Failpoint) -> u64 {
    match failpoint {
        Failpoint::Begin
        | Failpoint::Change
        | Failpoint::BeforeCommit
        | Failpoint::AfterCommit
        | Failpoint::Index => 10,
        Failpoint::Lease
        | Failpoint::Step
        | Failpoint::Cursor
        | Failpoint::Scores
        | Failpoint::Finish
        | Failpoint::ImportLeads
        | Failpoint::ImportBatch
        | Failpoint::Checkpoint
        | Failpoint::Migration => 2,
        Failpoint::Requeue
        | Failpoint::ImportEnd
        | Failpoint::Backup
        | Failpoint::Move
        | Failpoint::ColumnsWritten
        | Failpoint::ColumnsToken => 1,
    }
}

#[test]
fn a_crash_while_writing_loses_nothing() {
    let in_a_write = |failpoint: &&Failpoint| {
        !is_at_the_start(**failpoint) && !matches!(failpoint, Failpoint::Backup | Failpoint::Move)
    };
    let folder = Folder::demo(LEADS);
    let mut clients = Clients::new(&folder, 1, 7);
    let mut random = Rng::with_seed(7);
    for failpoint in Failpoint::ALL.iter().filter(in_a_write) {
        let mut rounds = Rounds::new(2, KILLS);
        for _ in rounds.by_ref() {
            let at = format!("{failpoint:?}:{}", random.u64(1..=times(*failpoint)));
            let mut service = folder.try_start(&[], Some(&at));
            if let Ok(service) = &mut service {
                clients.do_everything(service);
                // The jobs end, or the process.
                while folder.open_jobs() > 0 && service.child.try_wait().unwrap().is_none() {
                    thread::sleep(Duration::from_millis(2));
                }
                stop(service);
                ended_itself(&service.child.wait().unwrap(), &at);
            }
            drop(service);
            let service = folder.start(&[]);
            folder.check_after_restart(&mut clients, &service);
        }
        rounds.report(&format!("kills at {failpoint:?}"));
    }
}

/// Points that are reached when the program starts on a folder that needs something.
const fn is_at_the_start(failpoint: Failpoint) -> bool {
    matches!(
        failpoint,
        Failpoint::Requeue | Failpoint::Migration | Failpoint::Index
    )
}

/// Asks the service to stop, which it does if it still runs: it copies the log into the database.
fn stop(service: &crate::program::Running) {
    let pid = service.child.id().to_string();
    let kill = Command::new("kill").args(["-TERM", &pid]).output();
    kill.unwrap();
}

/// The test is void if the point was not reached.
fn ended_itself(status: &std::process::ExitStatus, at: &str) {
    use std::os::unix::process::ExitStatusExt;
    const SIGABRT: i32 = 6;
    assert_eq!(status.signal(), Some(SIGABRT), "{at} was not reached");
}

/// A new folder, one of version 1, and one whose large load was killed between its indexes.
#[test]
fn a_crash_during_a_migration_is_made_good_by_the_next_start() {
    let version_1 = include_str!("../../../src/store/sqlite/schema/1.sql");
    let mut random = Rng::with_seed(11);
    for failpoint in [Failpoint::Migration, Failpoint::Index] {
        let mut rounds = Rounds::new(3, KILLS);
        for round in rounds.by_ref() {
            let folder = Folder::empty();
            let mut most = times(failpoint);
            if round % 3 == 1 {
                let connection = rusqlite::Connection::open(folder.path().join("workspace.db"));
                connection
                    .unwrap()
                    .execute_batch(&format!(
                        "{version_1} PRAGMA journal_mode = WAL; PRAGMA user_version = 1;
                         PRAGMA application_id = 0x4C645773;
                         INSERT INTO tenants VALUES (1, 'default', 'default', NULL, '');
                         INSERT INTO leads (tenant, lead_id, name, created_at)
                           VALUES (1, 'anna', 'Anna', '');"
                    ))
                    .unwrap();
                most -= 1;
            } else if round % 3 == 2 && failpoint == Failpoint::Index {
                drop(folder.start(&[]));
                let dropped = "DROP INDEX leads_by_email; DROP INDEX accounts_by_name;";
                folder.connection().execute_batch(dropped).unwrap();
            }
            let at = format!("{failpoint:?}:{}", random.u64(1..=most));
            let started = folder.try_start(&[], Some(&at));
            assert!(started.is_err(), "{at} was not reached");
            drop(folder.start(&["--demo", "20"]));
            let connection = folder.connection();
            super::folder::is_sound(&connection);
            let indexes = "SELECT count(*) FROM sqlite_schema
                           WHERE name IN ('leads_by_email', 'accounts_by_name')";
            assert_eq!(count(&connection, indexes), 2);
        }
        rounds.report(&format!("kills at {failpoint:?}"));
    }
}

#[test]
fn a_crash_during_a_backup_leaves_the_earlier_one() {
    let folder = Folder::demo(20);
    let target = tempfile::tempdir().unwrap();
    let file = target.path().join("backup.db");
    let backup = |failpoint: &str| {
        program(&["backup", "--overwrite", "--data"])
            .args([folder.path(), &file])
            .env("LEAD_WORKSPACE_FAILPOINT", failpoint)
            .output()
            .unwrap()
            .status
    };
    assert!(backup("").success());
    let mut rounds = Rounds::new(2, KILLS);
    for _ in rounds.by_ref() {
        let earlier = fs::read(&file).unwrap();
        ended_itself(&backup("Backup:1"), "Backup:1");
        assert!(fs::read(&file).unwrap() == earlier, "the file has changed");
        assert!(backup("").success());
    }
    rounds.report("kills at Backup");
}

/// A service that dies while it takes over the jobs or the import of one that died, too.
#[test]
fn a_crash_while_work_is_resumed_loses_none() {
    for (first, second) in [("Step:1", "Requeue:1"), ("ImportBatch:2", "ImportEnd:1")] {
        let folder = Folder::demo(LEADS);
        let mut clients = Clients::new(&folder, 1, 3);
        let mut rounds = Rounds::new(2, KILLS);
        for _ in rounds.by_ref() {
            let mut service = folder.try_start(&[], Some(first)).unwrap();
            clients.do_everything(&service);
            ended_itself(&service.child.wait().unwrap(), first);
            // An import is ended before the service is ready, jobs are resumed after it.
            if let Ok(mut service) = folder.try_start(&[], Some(second)) {
                ended_itself(&service.child.wait().unwrap(), second);
            }
            let service = folder.start(&[]);
            folder.check_after_restart(&mut clients, &service);
        }
        rounds.report(&format!("kills at {first}, then at {second}"));
    }
}
