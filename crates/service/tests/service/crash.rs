//! Crashes: the process is killed, the power fails, the machine has no more of something. No
//! acknowledged write may be lost, and nothing may be damaged.
//!
//! Each test has a short form, which runs with the other tests, and a long one, which `cargo xtask
//! soak` runs. The long one prints figures.

mod clients;
mod clock;
#[cfg(target_os = "linux")]
mod descriptors;
mod failpoints;
mod folder;
#[cfg(target_os = "linux")]
mod full_disk;
mod kills;
mod power_cuts;
#[cfg(target_os = "linux")]
mod read_only;
mod server;

use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// The rounds of a test: a few, or many within the time limit of a soak.
pub struct Rounds {
    end: usize,
    next: usize,
    began: Instant,
    limit: Option<Duration>,
}

/// When the process began. All tests of a soak share its time.
static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

impl Rounds {
    pub fn new(short: usize, long: usize) -> Self {
        let limit = std::env::var("LEAD_WORKSPACE_SOAK_SECONDS").ok();
        LazyLock::force(&BEGAN);
        let limit = limit.map(|seconds| Duration::from_secs(seconds.parse().unwrap()));
        Self {
            end: if limit.is_some() { long } else { short },
            next: 0,
            began: Instant::now(),
            limit,
        }
    }

    /// Prints the figure of a soak: what was done how often, and in what time.
    pub fn report(&self, what: &str) {
        let (done, end, seconds) = (self.next, self.end, self.began.elapsed().as_secs());
        if self.limit.is_some() {
            println!("soak: {done} of {end} {what}, {seconds} s");
        }
    }
}

impl Iterator for Rounds {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let in_time = self.limit.is_none_or(|limit| BEGAN.elapsed() < limit);
        let next = (self.next < self.end && in_time).then_some(self.next)?;
        self.next += 1;
        Some(next)
    }
}
