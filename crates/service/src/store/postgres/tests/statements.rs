//! Which statements of the store PostgreSQL accepts.

use std::process::Command;

use lead_workspace_test_postgres::Server;
use postgres::NoTls;
use postgres::types::Type;

use super::prepare;
use crate::store::db::{dialect, recorded};

/// Runs the tests of the store, and prepares the statements that they run on SQLite.
#[test]
#[ignore = "runs most of the other tests; until `serve --database` comes, its list says which statements to change"]
fn statements_of_the_store_can_be_prepared() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("statements");
    let mut tests = Command::new(std::env::current_exe().unwrap());
    tests.args(["--skip", "postgres", "--quiet"]);
    let status = tests.env(recorded::FILE, &file).status().unwrap();
    assert!(status.success());

    let database = Server::shared().database(prepare);
    let mut client = postgres::Client::connect(&database.url(), NoTls).unwrap();
    let recorded = std::fs::read_to_string(&file).unwrap();
    let mut refused = Vec::new();
    for line in recorded.lines() {
        let (is_cached, text, kinds): (bool, String, Vec<String>) =
            serde_json::from_str(line).unwrap();
        let kinds: Vec<Type> = kinds.iter().map(|kind| of_name(kind)).collect();
        if let Err(error) = client.prepare_typed(&dialect::translate(&text), &kinds) {
            let reason = error.as_db_error().map_or("", |error| error.message());
            let kind = if is_cached { "fixed" } else { "built" };
            let text: Vec<&str> = text.split_whitespace().collect();
            refused.push(format!("{reason}\t{kind}\t{}\t{kinds:?}", text.join(" ")));
        }
    }
    refused.sort();
    refused.dedup();
    let all = recorded.lines().count();
    assert!(
        refused.is_empty(),
        "{} of {all} statements are refused:\n{}",
        refused.len(),
        refused.join("\n")
    );
}

fn of_name(name: &str) -> Type {
    let all = [
        Type::UNKNOWN,
        Type::INT8,
        Type::FLOAT8,
        Type::TEXT,
        Type::BYTEA,
        Type::INT8_ARRAY,
        Type::FLOAT8_ARRAY,
        Type::TEXT_ARRAY,
    ];
    all.into_iter().find(|kind| kind.name() == name).unwrap()
}
