//! `cargo xtask start`: builds what changed, then serves it.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use clap::Args;

use crate::build::{self, Flavour};
use crate::repo;

/// The number of demo leads for an empty data folder, unless `--demo` or `--import` is given.
const DEMO_LEADS: u32 = 2_000;

/// What `start` passes on to the service.
#[derive(Args)]
pub struct Options {
    /// The port on 127.0.0.1; 0 lets the system choose.
    #[arg(long, default_value_t = 8787)]
    port: u16,
    /// The folder that stores the leads.
    #[arg(long, value_name = "DIR", default_value = "data")]
    data: PathBuf,
    /// Fill an empty data folder with this many demo leads [default: 2000, none with --import].
    #[arg(long, value_name = "N")]
    demo: Option<u32>,
    /// Import the leads of a CSV, JSON, JSONL or Excel (.xlsx) file.
    #[arg(long, value_name = "FILE")]
    import: Option<PathBuf>,
    /// Do not open the browser.
    #[arg(long)]
    no_open: bool,
    /// Build with optimization, as for an installation: minutes longer.
    #[arg(long)]
    release: bool,
}

/// Sets up, builds, and runs the service in place of this process.
pub fn run(options: &Options) -> Result<ExitCode> {
    let (ui, program) = build::ui_and_service(Flavour::of(options.release))?;
    let mut service = Command::new(&program);
    // `--print-key`: the user opens the printed URL, even if stdout is a pipe.
    service
        .args(["serve", "--print-key", "--data"])
        .arg(&options.data);
    service.arg("--port").arg(options.port.to_string());
    service.arg("--ui").arg(ui);
    if let Some(leads) = demo_leads(options) {
        service.arg("--demo").arg(leads.to_string());
    }
    if let Some(file) = &options.import {
        service.arg("--import").arg(file);
    }
    if !options.no_open {
        service.arg("--open");
    }
    become_program(service).with_context(|| format!("{} cannot run", repo::relative(&program)))
}

/// `--demo 0` means an empty workspace.
fn demo_leads(options: &Options) -> Option<u32> {
    match (options.demo, &options.import) {
        (Some(leads), _) => (leads > 0).then_some(leads),
        (None, Some(_)) => None,
        (None, None) => Some(DEMO_LEADS),
    }
}

/// Replaces this process, so that signals reach the service directly.
#[cfg(unix)]
fn become_program(mut program: Command) -> Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    Err(program.exec().into())
}

#[cfg(not(unix))]
fn become_program(mut program: Command) -> Result<ExitCode> {
    let status = program.status()?;
    Ok(ExitCode::from(u8::from(!status.success())))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::{DEMO_LEADS, Options, demo_leads};
    use crate::setup::{self, TARGET};

    /// Returns the packages that cargo compiles for a choice of packages, each with its choices of features.
    fn packages(options: &str, depth: &str) -> BTreeMap<String, BTreeSet<String>> {
        let mut cargo = setup::cargo();
        cargo
            .args(["tree", "--locked", "--prefix=none", "--edges=normal,build"])
            .args(["--depth", depth, "--format={p}|{f}"])
            .args(options.split(' '));
        let output = cargo.output().unwrap();
        assert!(output.status.success(), "cargo tree {options}: {output:?}");
        let mut packages = BTreeMap::<String, BTreeSet<String>>::new();
        for line in String::from_utf8(output.stdout).unwrap().lines() {
            let (name, features) = line.trim_end_matches(" (*)").split_once('|').unwrap();
            let choices = packages.entry(name.to_owned()).or_default();
            choices.insert(features.to_owned());
        }
        packages
    }

    #[test]
    fn what_the_programs_of_a_start_share_is_compiled_once() {
        let browser = format!(" --target={TARGET}");
        let programs = [
            ("--package=xtask", ""),
            ("--package=xtask-bindgen", ""),
            (
                "--package=lead-workspace --no-default-features --features=module,ui",
                browser.as_str(),
            ),
            ("--package=lead-workspace-service", ""),
        ];
        for (program, target) in programs {
            let all = packages(&[program, target].concat(), "99");
            let shared = ["--package=lead-workspace-features", target].concat();
            for (name, chosen) in packages(&shared, "1") {
                // A procedural macro may have another choice.
                let choices = all.get(&name).unwrap_or(&chosen);
                let found = choices & &chosen;
                assert!(
                    !found.is_empty(),
                    "{program}: {name} {choices:?} {chosen:?}"
                );
            }
        }
    }

    fn options(demo: Option<u32>, import: Option<&str>) -> Options {
        Options {
            port: 0,
            data: "data".into(),
            demo,
            import: import.map(Into::into),
            no_open: true,
            release: false,
        }
    }

    #[test]
    fn demo_leads_are_added_by_default() {
        assert_eq!(demo_leads(&options(None, None)), Some(DEMO_LEADS));
        assert_eq!(demo_leads(&options(None, Some("leads.csv"))), None);
        assert_eq!(demo_leads(&options(Some(0), None)), None);
        assert_eq!(demo_leads(&options(Some(5), Some("leads.csv"))), Some(5));
    }
}
