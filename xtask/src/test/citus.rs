//! The step `citus`: the tests of the service on PostgreSQL with its rows on several servers.

use anyhow::Result;

use super::count::Count;
use super::postgres::{ON_SQLITE_ALONE, Programs, tests_on};
use super::steps::count;
use crate::setup::{citus, nginx};

/// Tests that need the extension, or nginx, so other steps leave them out.
const ONLY_HERE: [&str; 3] = ["citus::", "balancer::", "statements::"];

pub fn all() -> Result<Count> {
    citus::ensure()?;
    nginx::ensure()?;
    let programs = Programs::build()?;
    let mut tests = tests_on("citus", &programs.service);
    for (name, _) in ON_SQLITE_ALONE {
        tests.args(["--skip", name]);
    }
    let mut passed = count("tests of the service on Citus", &mut tests)?;
    for program in [&programs.service, &programs.library] {
        let mut tests = tests_on("citus", program);
        tests.arg("--ignored").args(ONLY_HERE);
        passed += count("tests of Citus", &mut tests)?;
    }
    Ok(passed)
}
