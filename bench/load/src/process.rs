//! Processor time and memory of a process, as Linux tells them.

use std::fs;

/// Clock ticks per second in /proc: a constant of Linux.
const TICKS: f64 = 100.0;

pub struct Process(String);

impl Process {
    pub fn of(id: u32) -> Self {
        Self(format!("/proc/{id}"))
    }

    pub fn own() -> Self {
        Self("/proc/self".into())
    }

    /// Returns the processor time used so far, in seconds; 0 where the system does not say.
    pub fn seconds(&self) -> f64 {
        let stat = fs::read_to_string(format!("{}/stat", self.0)).unwrap_or_default();
        // The name before may contain spaces. utime and stime are the fields 14 and 15, and the first one after it is 3.
        let fields = stat
            .rsplit(')')
            .next()
            .unwrap_or_default()
            .split_whitespace();
        let ticks: u64 = fields
            .skip(11)
            .take(2)
            .filter_map(|field| field.parse::<u64>().ok())
            .sum();
        ticks as f64 / TICKS
    }

    /// Returns the resident memory in bytes; 0 where the system does not say.
    pub fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("{}/status", self.0)).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        kilobytes.unwrap_or_default() * 1024
    }
}
