//! `cargo xtask test`: runs every check of the project in order and ends with one summary line.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args;

pub use self::step::Step;

use self::count::Count;
use crate::repo;

mod count;
mod e2e;
mod faults;
mod js;
mod native;
mod package;
mod step;
mod web;

/// Which checks to run.
#[derive(Args)]
pub struct Options {
    /// Native checks only: fmt, clippy and the native tests.
    #[arg(long, conflicts_with = "only")]
    quick: bool,
    /// Run these steps only (repeatable).
    #[arg(long, value_name = "STEP", value_enum)]
    only: Vec<Step>,
}

struct Verdict {
    step: Step,
    count: Count,
    elapsed: Duration,
}

/// Runs all steps, even after a failure, and prints the summary.
pub fn run(options: &Options) -> Result<ExitCode> {
    let mut verdicts = Vec::new();
    for step in steps(options) {
        let start = Instant::now();
        let count = step.run().unwrap_or_else(|error| {
            eprintln!("\nerror: {step}: {error:#}\n");
            Count::FAILED
        });
        verdicts.push(Verdict {
            step,
            count,
            elapsed: start.elapsed(),
        });
    }
    let (summary, ok) = summary(&verdicts);
    println!("{summary}");
    Ok(ExitCode::from(u8::from(!ok)))
}

/// Returns the files of a folder whose names end with `ending`, sorted. `folder` is relative to the checkout.
fn files(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(repo::root().join(folder))
        .with_context(|| format!("{} cannot be read", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect();
    files.sort();
    Ok(files)
}

fn steps(options: &Options) -> Vec<Step> {
    let chosen = |step: &Step| {
        if options.quick {
            step.is_quick()
        } else {
            step.is_usual() && options.only.is_empty() || options.only.contains(step)
        }
    };
    Step::ALL.into_iter().filter(chosen).collect()
}

/// Returns the table with the totals as its last line, and whether the run succeeded. A run without tests fails.
fn summary(verdicts: &[Verdict]) -> (String, bool) {
    let mut text = String::from("\n");
    let mut total = Count::default();
    for Verdict {
        step,
        count,
        elapsed,
    } in verdicts
    {
        total += *count;
        let mark = if count.failed == 0 { "  ok" } else { "FAIL" };
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            text,
            "{mark}  {:<14} {:>5} passed {:>5} failed {:>8.1} s",
            step.to_string(),
            count.passed,
            count.failed,
            elapsed.as_secs_f64(),
        );
    }
    let ok = total.failed == 0 && total.passed > 0;
    text += &format!("\n{} passed, {} failed", total.passed, total.failed);
    (text, ok)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Count, Options, Step, Verdict, steps, summary};

    fn verdict(step: Step, passed: u64, failed: u64) -> Verdict {
        Verdict {
            step,
            count: Count { passed, failed },
            elapsed: Duration::from_secs(3),
        }
    }

    #[test]
    fn the_last_line_has_the_totals() {
        let (text, ok) = summary(&[verdict(Step::Fmt, 1, 0), verdict(Step::Native, 41, 2)]);
        assert!(text.ends_with("\n42 passed, 2 failed"), "{text}");
        assert_eq!(text.matches(" passed, ").count(), 1);
        assert!(!ok);
    }

    #[test]
    fn running_no_tests_is_a_failure() {
        assert!(!summary(&[]).1);
        assert!(summary(&[verdict(Step::Fmt, 1, 0)]).1);
    }

    #[test]
    fn steps_keep_their_order() {
        let options = |quick, only: &[Step]| Options {
            quick,
            only: only.to_vec(),
        };
        let usual: Vec<Step> = Step::ALL
            .into_iter()
            .filter(|step| step.is_usual())
            .collect();
        assert_eq!(steps(&options(false, &[])), usual);
        assert_eq!(steps(&options(false, &[Step::Gateway])), [Step::Gateway]);
        assert_eq!(
            steps(&options(false, &[Step::Docs, Step::Fmt])),
            [Step::Fmt, Step::Docs]
        );
        assert_eq!(
            steps(&options(true, &[])),
            [Step::Fmt, Step::Clippy, Step::Generated, Step::Native]
        );
    }
}
