//! The server ends with its program, and each test has a database of its own.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::env;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use lead_workspace_test_postgres::Server;

/// Set in the program that is killed.
const IS_KILLED: &str = "TEST_POSTGRES_IS_KILLED";

fn wait_until_gone(dir: &Path) {
    let began = Instant::now();
    while dir.exists() {
        let is_late = began.elapsed() > Duration::from_secs(30);
        assert!(!is_late, "{} is still there", dir.display());
        std::thread::yield_now();
    }
}

fn is_running(postmaster: &str) -> bool {
    let signalled = Command::new("kill").args(["-0", postmaster]).output();
    signalled.unwrap().status.success()
}

/// The number of the server's process.
fn postmaster(dir: &Path) -> String {
    let text = std::fs::read_to_string(dir.join("data/postmaster.pid")).unwrap();
    text.lines().next().unwrap().to_owned()
}

#[test]
fn the_server_ends_when_its_program_is_killed() {
    if env::var_os(IS_KILLED).is_some() {
        println!("dir={}", Server::shared().dir().display());
        // Until it is killed.
        loop {
            std::thread::park();
        }
    }
    let mut program = Command::new(env::current_exe().unwrap())
        .args(["the_server_ends_when_its_program_is_killed", "--exact"])
        .args(["--nocapture", "--test-threads", "1"])
        .env(IS_KILLED, "1")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(program.stdout.take().unwrap()).lines();
    let dir: PathBuf = lines
        .map(Result::unwrap)
        .find_map(|line| Some(line.split_once("dir=")?.1.into()))
        .unwrap();
    let postmaster = postmaster(&dir);
    assert!(is_running(&postmaster));
    program.kill().unwrap();
    program.wait().unwrap();
    wait_until_gone(&dir);
    assert!(!is_running(&postmaster));
}

#[test]
fn a_server_ends_when_it_is_dropped() {
    let server = Server::start().unwrap();
    let dir = server.dir().to_owned();
    let postmaster = postmaster(&dir);
    assert!(is_running(&postmaster));
    drop(server);
    assert!(!dir.exists());
    assert!(!is_running(&postmaster));
}

fn prepare(url: &str) {
    let tables = "CREATE TABLE numbers (number bigint); INSERT INTO numbers VALUES (1)";
    let psql = lead_workspace_test_postgres::programs()
        .unwrap()
        .join("psql");
    let status = Command::new(psql).args([url, "--command", tables]).status();
    assert!(status.unwrap().success());
}

#[test]
fn each_test_has_its_own_copy_of_the_template() {
    let server = Server::shared();
    let (one, other) = (server.database(prepare), server.database(prepare));
    assert_ne!(one.url(), other.url());
    one.sql("INSERT INTO numbers VALUES (2)");
    let sum = "SELECT sum(number), count(*) FROM numbers";
    assert_eq!(one.sql(sum), "3|2");
    assert_eq!(other.sql(sum), "1|1");
    let third = server.database(prepare);
    assert_eq!(third.sql(sum), "1|1");
    let empty = server.empty_database();
    assert_eq!(empty.sql("SELECT to_regclass('numbers') IS NULL"), "t");
}

#[test]
fn databases_are_made_and_deleted_at_the_same_time() {
    let server = Server::shared();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let database = server.database(prepare);
                assert_eq!(database.sql("SELECT count(*) FROM numbers"), "1");
            });
        }
    });
}

#[test]
fn text_is_in_unicode_and_in_the_order_of_its_bytes() {
    let database = Server::shared().empty_database();
    let sorted = "SELECT string_agg(text, '' ORDER BY text) FROM (VALUES ('b'), ('Z'), ('ä'), ('a')) t (text)";
    assert_eq!(database.sql(sorted), "Zabä");
    assert_eq!(database.sql("SELECT lower('ÄÉ')"), "äé");
}

#[test]
fn a_restarted_server_has_the_same_databases() {
    let server: &'static Server = Box::leak(Box::new(Server::start().unwrap()));
    let database = server.database(prepare);
    let before = postmaster(server.dir());
    server.restart();
    assert_ne!(postmaster(server.dir()), before);
    assert_eq!(database.sql("SELECT number FROM numbers"), "1");
}
