//! Processor time and memory of processes, as Linux tells them.

use std::fs;

/// Clock ticks per second in /proc: a constant of Linux.
const TICKS: f64 = 100.0;

pub struct Processes(Vec<String>);

impl Processes {
    pub fn of(ids: &[u32]) -> Self {
        Self(ids.iter().map(|id| format!("/proc/{id}")).collect())
    }

    /// Those of a program that run now.
    pub fn named(name: &str) -> Self {
        let all = fs::read_dir("/proc").into_iter().flatten().flatten();
        let paths = all.map(|process| process.path().display().to_string());
        let is_named = |path: &String| {
            let found = fs::read_to_string(format!("{path}/comm"));
            found.is_ok_and(|found| found.trim_end() == name)
        };
        Self(paths.filter(is_named).collect())
    }

    pub fn own() -> Self {
        Self(vec!["/proc/self".into()])
    }

    /// Returns the processor time used so far, in seconds, with that of processes which they started and which have
    /// ended, such as those of PostgreSQL for a part of a statement; 0 where the system does not say.
    pub fn seconds(&self) -> f64 {
        self.0.iter().map(|process| seconds(process)).sum()
    }

    /// Returns the resident memory of all in bytes; 0 where the system does not say.
    pub fn memory(&self) -> u64 {
        self.0.iter().map(|process| memory(process)).sum()
    }
}

fn seconds(process: &str) -> f64 {
    let stat = fs::read_to_string(format!("{process}/stat")).unwrap_or_default();
    // The name before may contain spaces. utime, stime, cutime and cstime are the fields 14 to 17, and the first one after
    // it is 3.
    let fields = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace();
    let ticks: u64 = fields
        .skip(11)
        .take(4)
        .filter_map(|field| field.parse::<u64>().ok())
        .sum();
    ticks as f64 / TICKS
}

fn memory(process: &str) -> u64 {
    let status = fs::read_to_string(format!("{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or_default() * 1024
}
