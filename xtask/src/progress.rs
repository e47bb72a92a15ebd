//! Runs long steps: one command each, with one line on stderr and the full output in a log.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::repo;

const POLL: Duration = Duration::from_millis(40);
const REDRAW: Duration = Duration::from_millis(500);
const SHOWN_LINES: usize = 60;

/// The lines after which the test programs of cargo, wasm-bindgen and Node describe the failures.
const FAILURES: [&str; 2] = ["failures:", "✖ failing tests:"];

pub struct Outcome {
    pub ok: bool,
    /// Standard output and standard error, in the order written.
    pub output: String,
    label: String,
    log: PathBuf,
}

impl Outcome {
    /// Turns a failed step into an error that holds the failure and `advice`.
    pub fn or_fail(self, advice: &str) -> Result<Self> {
        if self.ok {
            return Ok(self);
        }
        bail!("{}\n{advice}", self.failure());
    }

    /// Describes the failure: the label, the part of the output that explains it, and the path of the log.
    pub fn failure(&self) -> String {
        format!(
            "{} failed:\n\n    {}\n\nFull output: {}",
            self.label,
            explanation(&self.output).join("\n    "),
            repo::relative(&self.log),
        )
    }
}

/// Lets cargo print how many crates are built, if the terminal will show it.
pub fn count_crates(cargo: &mut Command) {
    if io::stderr().is_terminal() {
        cargo
            .env("CARGO_TERM_PROGRESS_WHEN", "always")
            .env("CARGO_TERM_PROGRESS_WIDTH", "80");
    }
}

/// Returns how many crates are built, and of how many, from a line of cargo such as `Building [==>  ] 12/260: serde`.
fn crates_built(line: &str) -> Option<(u32, u32)> {
    let (built, rest) = line.split_once("] ")?.1.split_once('/')?;
    let all = rest.split(|c: char| !c.is_ascii_digit()).next()?;
    Some((built.parse().ok()?, all.parse().ok()?))
}

/// Describes a step that is under way: the crates that cargo has built and about how long the others take, or the last
/// line of the output.
fn state(line: &str, elapsed: Duration) -> String {
    let Some((built, all)) = crates_built(line) else {
        return line.trim().chars().take(56).collect();
    };
    let left = match built * 10 > all {
        true => elapsed.as_secs_f64() * f64::from(all.saturating_sub(built)) / f64::from(built),
        false => f64::INFINITY,
    };
    let left = match (left / 60.0).round() {
        minutes if minutes.is_infinite() => String::new(),
        minutes if minutes < 1.0 => ", less than a minute left".to_owned(),
        minutes => format!(", about {minutes} min left"),
    };
    format!("{built} of {all} crates{left}")
}

/// Returns the output without the lines that a later one replaced on the terminal.
fn printed(output: &str) -> String {
    let last = |line: &str| {
        let shown = line.trim_end_matches('\r').rsplit('\r').next();
        shown.unwrap_or_default().replace("\x1b[K", "")
    };
    output.lines().map(|line| last(line) + "\n").collect()
}

/// Returns the lines that explain a failure: the first failed tests, or the end of the output if no test failed.
fn explanation(output: &str) -> Vec<&str> {
    let lines: Vec<&str> = output.lines().collect();
    let failures = lines
        .iter()
        .position(|line| FAILURES.contains(&line.trim()));
    let start = failures.unwrap_or(lines.len().saturating_sub(SHOWN_LINES));
    lines.into_iter().skip(start).take(SHOWN_LINES).collect()
}

/// Runs `command` to its end. A terminal shows the last line of its output meanwhile.
///
/// The output goes to a log under `target/xtask/logs` and is also returned in full. Returns an error only if the
/// command could not be started. A command that ran and failed is an [`Outcome`] with `ok` false.
pub fn run(label: &str, command: &mut Command) -> Result<Outcome> {
    run_within(Duration::MAX, label, command)
}

/// Like [`run`], but ends a command that exceeds a time limit, with the processes it started. It then counts as failed.
pub fn run_within(limit: Duration, label: &str, command: &mut Command) -> Result<Outcome> {
    let name: String = label
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let log = repo::logs().join(format!("{name}.log"));
    fs::create_dir_all(repo::logs()).context("the log folder cannot be created")?;
    let mut file = File::create(&log)
        .with_context(|| format!("the log {} cannot be written", repo::relative(&log)))?;
    let program = command.get_program().to_string_lossy().into_owned();
    if limit < Duration::MAX {
        own_group(command);
    }
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stderr(file.try_clone()?)
        .stdout(file.try_clone()?)
        .spawn()
        .with_context(|| format!("`{program}` cannot be started ({label})"))?;
    let mut out = io::stderr();
    let line = |mark: &str, rest: &str| {
        let seconds = start.elapsed().as_secs_f64();
        format!("{mark}  {label:<44} {seconds:>6.1} s  {rest}")
    };
    if !out.is_terminal() {
        let _ = writeln!(out, " ...  {label}");
    }
    let mut drawn = start;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > limit {
            let seconds = limit.as_secs();
            let _ = writeln!(file, "ended: it took longer than its limit of {seconds} s");
            end_group(&mut child);
        }
        thread::sleep(POLL);
        if out.is_terminal() && drawn.elapsed() >= REDRAW {
            drawn = Instant::now();
            // A closed stderr must not fail the work itself.
            let state = state(&last_line(&log), start.elapsed());
            let _ = write!(out, "\r\x1b[K{}", line(" ...", &state));
        }
    };
    let mark = if status.success() { "  ok" } else { "FAIL" };
    let clear = if out.is_terminal() { "\r\x1b[K" } else { "" };
    let _ = writeln!(out, "{clear}{}", line(mark, "").trim_end());
    Ok(Outcome {
        ok: status.success(),
        output: printed(&String::from_utf8_lossy(&fs::read(&log)?)),
        label: label.to_owned(),
        log,
    })
}

/// Starts a command in a process group of its own.
fn own_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Ends a command that [`own_group`] has prepared, and on Unix the processes it started.
fn end_group(child: &mut Child) {
    #[cfg(unix)]
    let _ = Command::new("kill")
        .args(["-KILL", "--", &format!("-{}", child.id())])
        .status();
    let _ = child.kill();
}

/// Returns the last line of a log.
fn last_line(log: &Path) -> String {
    let bytes = fs::read(log).unwrap_or_default();
    let tail = &bytes[bytes.len().saturating_sub(4096)..];
    let tail = String::from_utf8_lossy(tail);
    let last = tail
        .rsplit(['\n', '\r'])
        .find(|line| !line.trim().is_empty());
    last.unwrap_or_default().to_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Command;
    use std::time::Duration;

    use super::{SHOWN_LINES, explanation, printed, run_within, state};

    #[test]
    fn a_command_that_exceeds_its_limit_fails_with_the_reason() {
        let mut endless = Command::new("sh");
        endless.args(["-c", "sleep 86400 & wait"]);
        let limit = Duration::from_millis(50);
        let outcome = run_within(limit, "endless command", &mut endless).unwrap();
        assert!(!outcome.ok);
        assert!(
            outcome.failure().contains("its limit"),
            "{}",
            outcome.failure()
        );
    }

    #[test]
    fn a_failure_is_explained_by_the_first_failed_tests() {
        let passed = "test a ... ok\n".repeat(SHOWN_LINES);
        let failed = "failures:\n\n---- b stdout ----\nassertion failed";
        let output = format!("{passed}{failed}\n{passed}");
        assert!(explanation(&output).join("\n").starts_with(failed));
    }

    #[test]
    fn the_crates_that_are_built_are_counted() {
        let at = |line: &str, seconds| state(line, Duration::from_secs(seconds));
        let early = "    Building [>        ] 3/260: serde, syn";
        assert_eq!(at(early, 20), "3 of 260 crates");
        let half = "    Building [===>     ] 130/260: leptos, tachys(build)";
        assert_eq!(at(half, 125), "130 of 260 crates, about 2 min left");
        assert_eq!(at(half, 20), "130 of 260 crates, less than a minute left");
        assert_eq!(at("  error: no disk space  ", 20), "error: no disk space");
    }

    #[test]
    fn the_progress_of_cargo_is_not_part_of_the_output() {
        let output =
            "  Building [=> ] 1/2: a\r  Building [==>] 2/2: b\r\x1b[Kerror: no\nfailed\r\n";
        assert_eq!(printed(output), "error: no\nfailed\n");
    }

    #[test]
    fn without_failed_tests_it_is_explained_by_the_end_of_the_output() {
        let output = format!("{}error: no", "Compiling\n".repeat(SHOWN_LINES));
        let lines = explanation(&output);
        assert_eq!(lines.len(), SHOWN_LINES);
        assert_eq!(lines.last(), Some(&"error: no"));
    }
}
