//! Runs long steps: one command each, with a progress line on stderr and the full output in a log.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::repo;

const POLL: Duration = Duration::from_millis(40);
const HEARTBEAT_TERMINAL: Duration = Duration::from_millis(500);
const HEARTBEAT_PLAIN: Duration = Duration::from_secs(10);
const LAST_LINES: usize = 60;

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

    /// Describes the failure: the label, the last lines of output and the path of the log.
    pub fn failure(&self) -> String {
        format!(
            "{} failed. Last lines of its output:\n\n{}\nFull output: {}",
            self.label,
            indent_last_lines(&self.output),
            repo::relative(&self.log),
        )
    }
}

/// Runs `command` to its end, with progress on stderr.
///
/// The output goes to a log under `target/xtask/logs` and is also returned in full. Returns an error only if the
/// command could not be started. A command that ran and failed is an [`Outcome`] with `ok` false.
pub fn run(label: &str, command: &mut Command) -> Result<Outcome> {
    let log = repo::logs().join(format!("{}.log", slug(label)));
    fs::create_dir_all(repo::logs()).context("the log folder cannot be created")?;
    let file = File::create(&log)
        .with_context(|| format!("the log {} cannot be written", repo::relative(&log)))?;
    let program = command.get_program().to_string_lossy().into_owned();
    let start = Instant::now();
    let mut line = Line::begin(label, start);
    let mut child = command
        .stdin(Stdio::null())
        .stderr(file.try_clone()?)
        .stdout(file)
        .spawn()
        .with_context(|| format!("`{program}` cannot be started ({label})"))?;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        thread::sleep(POLL);
        line.tick(&log);
    };
    let output = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
    line.end(status.success());
    Ok(Outcome {
        ok: status.success(),
        output,
        label: label.to_owned(),
        log,
    })
}

/// Prints a line between steps.
pub fn note(text: &str) {
    let mut out = io::stderr().lock();
    // A closed stderr must not fail the work itself.
    let _ = writeln!(out, "      {text}");
}

struct Line<'a> {
    label: &'a str,
    start: Instant,
    beaten: Instant,
    terminal: bool,
}

impl<'a> Line<'a> {
    fn begin(label: &'a str, start: Instant) -> Self {
        let line = Self {
            label,
            start,
            beaten: start,
            terminal: io::stderr().is_terminal(),
        };
        line.write(" ...", "", false);
        line
    }

    fn tick(&mut self, log: &Path) {
        let pause = if self.terminal {
            HEARTBEAT_TERMINAL
        } else {
            HEARTBEAT_PLAIN
        };
        if self.beaten.elapsed() >= pause {
            self.beaten = Instant::now();
            self.write(" ...", &last_line(log), false);
        }
    }

    fn end(&self, ok: bool) {
        self.write(if ok { "  ok" } else { "FAIL" }, "", true);
    }

    fn write(&self, mark: &str, last: &str, done: bool) {
        let seconds = self.start.elapsed().as_secs_f64();
        let clock = if done {
            format!("{seconds:>6.1} s")
        } else {
            format!("{seconds:>6.0} s")
        };
        let text = format!("{mark}  {:<44} {clock}  {last}", self.label);
        let text = text.trim_end();
        let mut out = io::stderr().lock();
        // A closed stderr must not fail the work itself.
        let _ = if self.terminal && !done {
            write!(out, "\r\x1b[K{text}").and_then(|()| out.flush())
        } else if self.terminal {
            writeln!(out, "\r\x1b[K{text}")
        } else {
            writeln!(out, "{text}")
        };
    }
}

/// Returns the last non-empty line of a log, cut to 56 characters so that it fits next to the time.
fn last_line(log: &Path) -> String {
    let bytes = fs::read(log).unwrap_or_default();
    let tail = &bytes[bytes.len().saturating_sub(4096)..];
    String::from_utf8_lossy(tail)
        .lines()
        .rev()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .map(|line| line.chars().take(56).collect())
        .unwrap_or_default()
}

fn indent_last_lines(output: &str) -> String {
    let lines: Vec<&str> = output.lines().collect();
    lines[lines.len().saturating_sub(LAST_LINES)..]
        .iter()
        .map(|line| format!("    {line}\n"))
        .collect()
}

fn slug(label: &str) -> String {
    let words: Vec<String> = label
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    words.join("-")
}

#[cfg(test)]
mod tests {
    use super::{indent_last_lines, slug};

    #[test]
    fn a_label_becomes_a_file_name() {
        assert_eq!(
            slug("clippy, wasm32 (warnings are errors)"),
            "clippy-wasm32-warnings-are-errors"
        );
    }

    #[test]
    fn only_the_last_lines_are_shown() {
        let output: String = (0..100).map(|n| format!("line {n}\n")).collect();
        let shown = indent_last_lines(&output);
        assert!(shown.starts_with("    line 40\n"));
        assert!(shown.ends_with("    line 99\n"));
    }
}
