//! `cargo xtask soak`: the long forms of tests. Their short forms run in `cargo xtask test`.

use std::fmt::Write;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::{Args, ValueEnum};

use crate::progress::Outcome;
use crate::{progress, setup};

/// A test reports a figure by a line with this at its beginning.
const FIGURE: &str = "soak: ";

/// How long a part may take beyond its limit to finish its current round.
const LAST_ROUND: Duration = Duration::from_secs(180);

/// Which parts to run, and for how long.
#[derive(Args)]
pub struct Options {
    /// The parts to run [default: all].
    #[arg(value_name = "PART", value_enum)]
    parts: Vec<Part>,
    /// Time limit of each part, in minutes. A part that is done ends earlier; one that reaches the limit reports how far it got.
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    minutes: u64,
}

/// The parts in the order they run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Part {
    /// The service killed 50 times at each named point of a write, a job, an import, a migration.
    Failpoints,
    /// 1,000 kills of the service at random moments, with decisions, deletions, imports and scoring in progress.
    Kills,
    /// 5,000 simulated power cuts, each of which loses a random part of what was not synced.
    PowerCuts,
}

impl Part {
    /// Runs the part for at most `limit`. It installs what it needs before the time starts.
    fn run(self, limit: Duration) -> Result<Outcome> {
        match self {
            Self::Failpoints => service_test("crash::failpoints::", limit),
            Self::Kills => service_test("crash::kills::", limit),
            Self::PowerCuts => service_test("crash::power_cuts::", limit),
        }
    }

    /// The name on the command line.
    fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// Runs the parts, even after a failure, and prints their figures.
pub fn run(options: &Options) -> Result<ExitCode> {
    let parts = match options.parts.as_slice() {
        [] => Part::value_variants(),
        parts => parts,
    };
    let limit = Duration::from_secs(60 * options.minutes);
    let mut table = String::from("\n");
    let mut failed = 0;
    for part in parts {
        let name = part.name();
        let start = Instant::now();
        let ended = part.run(limit);
        let seconds = start.elapsed().as_secs_f64();
        let figures = match &ended {
            Ok(outcome) => figures(&outcome.output),
            Err(_) => Vec::new(),
        };
        let problem = match &ended {
            Ok(outcome) if !outcome.ok => Some(outcome.failure()),
            Ok(_) if figures.is_empty() => Some("It reported no figure.".into()),
            Ok(_) => None,
            Err(error) => Some(format!("{error:#}")),
        };
        let mark = if problem.is_none() { "  ok" } else { "FAIL" };
        writeln!(table, "{mark}  {name:<14} {seconds:>8.1} s")?;
        for figure in figures {
            writeln!(table, "        {figure}")?;
        }
        if let Some(problem) = problem {
            failed += 1;
            eprintln!("\nerror: {name}: {problem}\n");
        }
    }
    println!("{table}\n{} passed, {failed} failed", parts.len() - failed);
    Ok(ExitCode::from(u8::from(failed > 0)))
}

fn figures(output: &str) -> Vec<&str> {
    let figures = output.lines().filter_map(|line| line.split_once(FIGURE));
    figures.map(|(_, figure)| figure).collect()
}

/// Runs tests of the service in their long form.
fn service_test(name: &str, limit: Duration) -> Result<Outcome> {
    let tests = || {
        let mut tests = setup::cargo();
        tests.args(["test", "--locked", "--package", "lead-workspace-service"]);
        tests.args(["--test", "it"]);
        tests
    };
    progress::run("tests of the service, build", tests().arg("--no-run"))?
        .or_fail("The tests do not build; see the message above.")?;
    let mut long: Command = tests();
    long.args([name, "--", "--nocapture", "--test-threads", "1"])
        .env("LEAD_WORKSPACE_SOAK_SECONDS", limit.as_secs().to_string());
    progress::run_within(limit + LAST_ROUND, name.trim_end_matches(':'), &mut long)
}

#[cfg(test)]
mod tests {
    use super::figures;

    #[test]
    fn figures_are_found_after_the_name_of_their_test() {
        let output = "running 1 test\ntest kills ... soak: 12 kills\nsoak: 3 lost\nok\n";
        assert_eq!(figures(output), ["12 kills", "3 lost"]);
    }
}
