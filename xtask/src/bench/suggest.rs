//! `cargo xtask bench suggest`: the approval model with simulated reviewers.

use std::process::Command;

use anyhow::Result;

use crate::{progress, repo, setup};

const PACKAGE: &str = "bench-suggest";

pub fn run(options: &[String]) -> Result<()> {
    let mut build = setup::cargo();
    build.args(["build", "--release", "--locked", "--package", PACKAGE]);
    progress::run("simulated reviewers, build", &mut build)?
        .or_fail("The benchmark does not build; see the message above.")?;
    let program = format!("{PACKAGE}{}", std::env::consts::EXE_SUFFIX);
    let mut measure = Command::new(repo::target().join("release").join(program));
    let measured = progress::run("simulated reviewers", measure.args(options))?
        .or_fail("There are no results. Fix the error above, then try again.")?;
    print!("{}", measured.output);
    Ok(())
}
