//! `cargo xtask test`: runs every check of the project in order and ends with one summary line.

use std::collections::VecDeque;
use std::fmt::Write;
use std::iter;
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::{Args, ValueEnum};

use self::count::Count;
use self::passed::Passed;
use self::step::Step;
use crate::build::module;
use crate::setup::{chromium, postgres as server};
use crate::{generate, package};

mod browsers;
mod check;
mod citus;
mod count;
mod dependencies;
mod generated_client;
mod inputs;
mod passed;
mod postgres;
#[cfg(test)]
mod shared_libraries;
mod step;
mod steps;
mod web;

/// Which checks to run.
#[derive(Args)]
pub struct Options {
    /// The checks that take seconds after an edit: fmt, clippy, the generated files and the step `unit`.
    #[arg(long, conflicts_with = "only")]
    quick: bool,
    /// Run these steps only (repeatable), also if they passed before.
    #[arg(long, value_name = "STEP", value_enum)]
    only: Vec<Step>,
    /// Run all steps, also those that passed before.
    ///
    /// Without it, a step that passed is not run again, and counts as passed, until something changes that it depends
    /// on: the files that git tracks or would track, the versions of the compiler, Node, the browser and other
    /// programs, and the environment variables that change builds or tests.
    #[arg(long)]
    again: bool,
}

impl Step {
    /// Runs the step. The caller counts an error as one failure.
    fn run(self) -> Result<Count> {
        match self {
            Self::Fmt => steps::fmt(),
            Self::Clippy => steps::clippy(),
            Self::Generated => Ok(Count::of_check(generate::outdated()?.is_empty())),
            Self::Dependencies => dependencies::all(),
            Self::Unit => steps::unit(),
            Self::Native => steps::native(),
            Self::Postgres => postgres::all(),
            Self::Citus => citus::all(),
            Self::Js => steps::js(),
            Self::Types => steps::types(),
            Self::Web => web::all(),
            Self::E2e => steps::e2e(),
            Self::Gateway => steps::gateway(),
            Self::Size => steps::size(),
            Self::Package => steps::package(),
            Self::Platforms => steps::platforms(),
            Self::Browsers => browsers::all(),
            Self::Deb => steps::deb(),
            Self::Bindings => steps::bindings(),
            Self::Api => steps::api(),
            Self::Advisories => dependencies::advisories(),
            Self::Faults => steps::faults(),
            Self::Docs => steps::docs(),
        }
    }
}

/// Runs all steps, even after a failure, and prints the summary.
pub fn run(options: &Options) -> Result<ExitCode> {
    let mut steps = steps_of(options);
    module::deny_warnings();
    install(&steps);
    let passed = Passed::of_checkout();
    let mut results = Vec::new();
    if options.only.is_empty() && !options.again {
        for (step, before) in passed.before(&steps) {
            steps.retain(|other| *other != step);
            results.push(Ended {
                step,
                count: before.count,
                time: Time::Ago(before.ago),
            });
        }
    }
    if steps.iter().any(|step| step.uses_browser()) {
        // The steps report a browser that is missing.
        eprintln!("{}", chromium::version().unwrap_or_default());
    }
    let is_whole = !options.quick && options.only.is_empty();
    let parallel = is_whole.then(|| Parallel::start(&mut steps, &passed));
    for step in steps {
        if let Some(parallel) = &parallel {
            parallel.wait_for_builds_of(step);
        }
        results.push(timed(step, &passed));
    }
    if let Some(parallel) = parallel {
        results.extend(parallel.results(&passed));
    }
    results.sort_by_key(|result| result.step);
    let mut table = String::from("\n");
    let mut total = Count::default();
    let mut known = 0;
    for Ended { step, count, time } in results {
        total += count;
        let name = step.name();
        let Count { passed, failed } = count;
        let mark = if failed == 0 { "  ok" } else { "FAIL" };
        let time = match time {
            Time::Took(time) => format!("{:>8.1} s", time.as_secs_f64()),
            Time::Ago(time) => {
                known += 1;
                format!("nothing changed since it passed {} ago", rough(time))
            }
        };
        writeln!(
            table,
            "{mark}  {name:<14} {passed:>5} passed {failed:>5} failed {time}"
        )?;
    }
    if known > 0 {
        writeln!(
            table,
            "\n{known} steps were not run, as nothing changed for them. `cargo xtask test --again` runs all."
        )?;
    }
    println!("{table}\n{} passed, {} failed", total.passed, total.failed);
    // A run without tests fails.
    let ok = total.failed == 0 && total.passed > 0;
    Ok(ExitCode::from(u8::from(!ok)))
}

/// Installs the programs whose versions are part of what is remembered. The steps report one that is missing.
fn install(steps: &[Step]) {
    if steps.iter().any(|step| step.uses_browser()) {
        drop(chromium::ensure());
    }
    if steps.iter().any(|step| step.uses_postgres()) {
        drop(server::ensure());
    }
}

/// The result of a step.
struct Ended {
    step: Step,
    count: Count,
    time: Time,
}

enum Time {
    Took(Duration),
    /// It was not run, because it passed this long ago.
    Ago(Duration),
}

/// Returns a duration in its largest unit.
fn rough(time: Duration) -> String {
    let minutes = time.as_secs() / 60;
    match minutes {
        0 => format!("{} s", time.as_secs()),
        1..120 => format!("{minutes} min"),
        120..2880 => format!("{} hours", minutes / 60),
        _ => format!("{} days", minutes / 1440),
    }
}

fn timed(step: Step, passed: &Passed) -> Ended {
    let start = Instant::now();
    let count = passed.run(step, || {
        step.run().unwrap_or_else(|error| {
            eprintln!("\nerror: {}: {error:#}\n", step.name());
            Count::of_check(false)
        })
    });
    Ended {
        step,
        count,
        time: Time::Took(start.elapsed()),
    }
}

/// What runs in parallel with the other steps: first the UI and the package, because the compiler optimizes Wasm on a single
/// core, then [`Parallel::STEPS`], which both threads take from one queue.
struct Parallel {
    /// Receives when the UI is built, and is closed when the package is.
    builds: Receiver<()>,
    queue: Arc<Mutex<VecDeque<Step>>>,
    steps: JoinHandle<Vec<Ended>>,
}

impl Parallel {
    /// Steps that wait more than others, for the disk and for timeouts, and those that use no browser.
    const STEPS: [Step; 4] = [Step::Postgres, Step::Faults, Step::Docs, Step::Api];

    /// Takes its steps out of `steps`.
    fn start(steps: &mut Vec<Step>, passed: &Passed) -> Self {
        let uses_builds = steps.iter().any(|step| *step >= Step::E2e);
        let own = steps.extract_if(.., |step| Self::STEPS.contains(step));
        let queue = Arc::new(Mutex::new(own.collect()));
        let (built, builds) = mpsc::channel();
        let steps = thread::spawn({
            let (queue, passed) = (Arc::clone(&queue), passed.clone());
            move || {
                if uses_builds {
                    // The first step that needs a build reports its failure.
                    drop(steps::build_uis());
                    let _ = built.send(());
                    drop(package::build());
                }
                drop(built);
                run_all(&queue, &passed)
            }
        });
        Self {
            builds,
            queue,
            steps,
        }
    }

    fn wait_for_builds_of(&self, step: Step) {
        if step == Step::E2e {
            // An error if the thread panicked.
            let _ = self.builds.recv();
        }
        if step > Step::E2e {
            self.builds.iter().for_each(drop);
        }
    }

    /// Runs its steps that have not begun, waits for the others, and returns the results of all. If the thread panicked,
    /// its steps count as failed.
    fn results(self, passed: &Passed) -> Vec<Ended> {
        let mut results = run_all(&self.queue, passed);
        let failed = |step| Ended {
            step,
            count: Count::of_check(false),
            time: Time::Took(Duration::ZERO),
        };
        let others = self.steps.join();
        results.extend(others.unwrap_or_else(|_| Self::STEPS.map(failed).into()));
        results
    }
}

/// Runs the steps that are in a queue, while it has one.
fn run_all(queue: &Mutex<VecDeque<Step>>, passed: &Passed) -> Vec<Ended> {
    let next = || {
        let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.pop_front()
    };
    iter::from_fn(next)
        .map(|step| timed(step, passed))
        .collect()
}

fn steps_of(options: &Options) -> Vec<Step> {
    let mut steps = Step::value_variants().to_vec();
    steps.retain(|step| match (options.quick, options.only.as_slice()) {
        (true, _) => matches!(
            step,
            Step::Fmt | Step::Clippy | Step::Generated | Step::Unit
        ),
        (false, []) => !matches!(
            step,
            Step::Unit
                | Step::Citus
                | Step::Gateway
                | Step::Platforms
                | Step::Browsers
                | Step::Deb
                | Step::Advisories
        ),
        (false, only) => only.contains(step),
    });
    steps
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use clap::ValueEnum;

    use super::{Options, Step, rough, steps_of};

    #[test]
    fn durations_are_rounded_down() {
        let text = |seconds| rough(Duration::from_secs(seconds));
        assert_eq!(text(59), "59 s");
        assert_eq!(text(60), "1 min");
        assert_eq!(text(7199), "119 min");
        assert_eq!(text(7200), "2 hours");
        assert_eq!(text(200_000), "2 days");
    }

    #[test]
    fn steps_keep_their_order() {
        let steps = |quick, only: &[Step]| {
            steps_of(&Options {
                quick,
                only: only.to_vec(),
                again: false,
            })
        };
        let named = [
            Step::Unit,
            Step::Citus,
            Step::Gateway,
            Step::Platforms,
            Step::Browsers,
            Step::Deb,
            Step::Advisories,
        ];
        assert_eq!(steps(false, &named), named);
        let whole = steps(false, &[]);
        assert!(whole.is_sorted());
        assert!(named.iter().all(|step| !whole.contains(step)));
        assert_eq!(whole.len() + named.len(), Step::value_variants().len());
        assert_eq!(
            steps(false, &[Step::Docs, Step::Fmt]),
            [Step::Fmt, Step::Docs]
        );
        let quick = [Step::Fmt, Step::Clippy, Step::Generated, Step::Unit];
        assert_eq!(steps(true, &[]), quick);
    }
}
