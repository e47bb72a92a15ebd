//! The tests of the service that run on PostgreSQL, too.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use super::count::Count;
use super::steps::count;
use crate::setup::{self, postgres};
use crate::{progress, repo};

/// Tests that are about a data folder, by a part of their names. All others run on both engines.
pub(super) const OF_DATA_FOLDERS: &[(&str, &str)] = &[
    ("backup::", "backups are of data folders"),
    ("canary::", "searches the files of a data folder"),
    ("crash::", "kills services with data folders"),
    ("database_tls::", "starts PostgreSQL on its own"),
    ("doctor::", "examines data folders"),
    ("environment::", PROGRAM),
    ("gateway_program::", PROGRAM),
    ("health::a_service_that_cannot_write_is_not_ready", FILES),
    (
        "health::a_service_with_a_damaged_database_is_not_ready",
        FILES,
    ),
    ("health::a_service_without_its_database_is_not_ready", FILES),
    (
        "health::a_working_service_is_ready",
        "one of the checks is of the disk",
    ),
    ("hostile::", PROGRAM),
    (
        "import_interrupted::",
        "opens data folders; store::postgres::tests::leases has its counterpart",
    ),
    ("import_program::", PROGRAM),
    ("isolation::cost::", STEPS),
    ("lead_cache::", STEPS),
    ("metrics::the_data_folder_is_measured", FILES),
    (
        "overload::a_slow_read_times_out_with_retry_after",
        "reads have one connection each, so none waits for another",
    ),
    (
        "overload::a_timed_out_read_also_stops_between_statements",
        "interrupts SQLite",
    ),
    ("moves::", "moves between both engines on its own"),
    ("packaging::", "needs no database"),
    ("processes::", "starts the program on PostgreSQL on its own"),
    ("program::", PROGRAM),
    ("start_key::", PROGRAM),
    ("statements::", "starts PostgreSQL on its own"),
    ("store::", "opens and locks data folders"),
    ("tls::", PROGRAM),
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
const PROGRAM: &str = "starts the program with a data folder";
const STEPS: &str = "counts the steps of SQLite";

pub fn all() -> Result<Count> {
    postgres::ensure()?;
    let mut tests = tests_on("postgres", &Programs::build()?.service);
    for (name, _) in OF_DATA_FOLDERS {
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
