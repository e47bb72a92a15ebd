//! The tests of the service that run on PostgreSQL, too.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use super::count::Count;
use super::steps::count;
use crate::setup::{self, postgres};
use crate::{progress, repo};

/// Tests that run on SQLite alone, by a part of their names, and why. All others run on both engines.
pub(super) const ON_SQLITE_ALONE: &[(&str, &str)] = &[
    ("assets::", NO_STORE),
    ("backup::", "backups are of data folders"),
    ("canary::", "searches the files of a data folder"),
    ("crash::", "kills services with data folders"),
    ("demo::fixtures_match", NO_STORE),
    ("demo::the_program_writes", PROGRAM),
    ("docs_page::", NO_STORE),
    ("doctor::", "examines data folders"),
    ("environment::", PROGRAM),
    (
        "export_round_trip::an_import_of_an_export",
        "is about what the importer reads, in 120 databases",
    ),
    ("gateway_messages::", NO_STORE),
    ("gateway_secret::", NO_STORE),
    ("gateway_stream::", NO_STORE),
    ("gateway_wire::", NO_STORE),
    ("health::a_service_that_cannot_write_is_not_ready", FILES),
    (
        "health::a_service_with_a_damaged_database_is_not_ready",
        FILES,
    ),
    ("health::a_service_without_its_database_is_not_ready", FILES),
    ("health::a_stopping_service", PROGRAM),
    (
        "health::a_working_service_is_ready",
        "one of the checks is of the disk",
    ),
    ("health::probes_do_not_wait", "runs a statement of SQLite"),
    ("hostile::", PROGRAM),
    (
        "import_interrupted::",
        "opens data folders; store::postgres::tests::leases has its counterpart",
    ),
    ("import_limits::", NO_STORE),
    ("import_memory::", NO_STORE),
    ("import_workbook::the_program_imports", PROGRAM),
    ("isolation::cost::", STEPS),
    ("keys::only_key_creation", FILES),
    ("lead_cache::", STEPS),
    ("malformed::", NO_STORE),
    ("memory::a_malformed_request", NO_STORE),
    ("memory::every_filter", "query:: tries each on PostgreSQL"),
    ("memory::too_many_jobs", NO_STORE),
    ("metrics::metrics_have_an_address", PROGRAM),
    ("metrics::the_data_folder_is_measured", FILES),
    ("moves::", "moves between both engines on its own"),
    ("openapi::", NO_STORE),
    ("origins::", NO_STORE),
    (
        "overload::a_slow_read_times_out_with_retry_after",
        "reads have one connection each, so none waits for another",
    ),
    (
        "overload::a_timed_out_read_also_stops_between_statements",
        "interrupts SQLite",
    ),
    ("packaging::", NO_STORE),
    ("processes::", POSTGRES),
    // Also the tests of the gateway's program, and of others.
    ("program::", PROGRAM),
    ("request_limits::", NO_STORE),
    ("request_log::", PROGRAM),
    ("scoring_rules::", PROGRAM),
    ("security_headers::", NO_STORE),
    ("start_key::", PROGRAM),
    ("statements::", POSTGRES),
    ("store::", "opens and locks data folders"),
    // Also of connections to PostgreSQL, which it starts on its own.
    ("tls::", PROGRAM),
    ("validation::", NO_STORE),
    ("walk::every_invalid_parameter", NO_STORE),
    (
        "workspace_deletion::no_file_of_the_service_has_the_names_of_a_deleted_workspace",
        FILES,
    ),
    (
        "workspace_deletion::numbers_are_never_used_again",
        "restores a backup",
    ),
];

const FILES: &str = "is about the files of a data folder";
const NO_STORE: &str = "is not about what a store does";
const POSTGRES: &str = "starts PostgreSQL on its own";
const PROGRAM: &str = "starts the program with a data folder";
const STEPS: &str = "counts the steps of SQLite";

pub fn all() -> Result<Count> {
    postgres::ensure()?;
    let mut tests = tests_on("postgres", &Programs::build()?.service);
    for (name, _) in ON_SQLITE_ALONE {
        tests.args(["--skip", name]);
    }
    setup::test_threads(&mut tests);
    count("tests of the service on PostgreSQL", &mut tests)
}

/// Returns a program with tests of the service, on an engine.
pub(super) fn tests_on(engine: &str, program: &Path) -> Command {
    let mut tests = Command::new(program);
    tests
        .current_dir(repo::root().join("crates/service"))
        .env("LEAD_WORKSPACE_TEST_ENGINE", engine);
    tests
}

/// The programs with the tests of the service, as `native` runs them. For these tests alone cargo would compile
/// their packages again, with fewer features.
pub(super) struct Programs {
    /// Those in `tests/service`.
    pub service: PathBuf,
    /// Those in the library.
    pub library: PathBuf,
}

impl Programs {
    pub fn build() -> Result<Self> {
        let mut cargo = setup::cargo_of_tests("test")?;
        cargo.args(["--no-run", "--message-format", "json"]);
        let built = progress::run("tests of the service", &mut cargo)?
            .or_fail("Fix the compiler errors above, then try again.")?;
        let program = |name: &str| {
            built
                .output
                .lines()
                .filter_map(|line| serde_json::from_str(line).ok())
                .find_map(|message: Value| {
                    let is_it =
                        message["target"]["name"] == name && message["profile"]["test"] == true;
                    is_it.then(|| message["executable"].as_str().map(PathBuf::from))?
                })
                .with_context(|| format!("cargo did not name the program with the tests {name}"))
        };
        Ok(Self {
            service: program("service")?,
            library: program("lead_workspace_service")?,
        })
    }
}
