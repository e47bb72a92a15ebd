//! Processes of the program on one PostgreSQL database.

use std::fs;
use std::path::Path;

use lead_workspace_test_postgres::Server;
use serde_json::json;

use crate::program::{Running, on_database, start_by, terminate};

fn start(dir: &Path, url: &str) -> Running {
    let mut command = on_database(url);
    command.current_dir(dir);
    start_by(command)
}

fn status(process: &Running) -> u16 {
    process.call("POST", "/api/leads/query", &json!({})).0
}

#[test]
fn processes_started_in_one_folder_use_no_folder() {
    let database = Server::shared().empty_database();
    let dir = tempfile::tempdir().unwrap();
    let mut one = start(dir.path(), &database.url());
    let mut other = start(dir.path(), &database.url());
    assert_eq!([status(&one), status(&other)], [200, 200]);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);

    // A process revokes its start key when it stops.
    terminate(&one.child);
    assert!(one.child.wait().unwrap().success());
    assert_eq!(status(&other), 200);
    other.key.clone_from(&one.key);
    assert_eq!(status(&other), 401);
}
