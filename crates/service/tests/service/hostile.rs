//! Hostile clients against the program with little memory, while a good client reads and decides.
//!
//! Every attack is refused, the good client is barely slowed down, and no confirmed decision is
//! lost.

mod attacks;
mod files;
mod good;
mod wire;

use std::path::Path;
use std::time::{Duration, Instant};

use good::Good;
use wire::Target;

use crate::common::done;
use crate::program::{self, Running};

/// Memory limit of the program in kB: one GiB. It limits writable memory (`ulimit -d`), not address
/// space (`ulimit -v`): allocator and threads reserve many addresses that they never use.
const MEMORY: &str = "-d 1048576";

/// Maximum temporary memory growth caused by the attacks.
const GROWTH_KB: u64 = 200 << 10;

/// Maximum memory growth that may remain afterwards: allocators keep some memory.
const LEFT_KB: u64 = 100 << 10;

/// Maximum 99th percentile of the good client's waiting time. Without the limits it would wait for
/// many seconds or forever; other tests on the machine add to it.
const SLOW: Duration = Duration::from_secs(3);

/// Polling interval.
const POLL: Duration = Duration::from_millis(20);

/// Creates a key for a new workspace.
fn key_of(dir: &Path, tenant: &str) -> String {
    let create = ["keys", "create", "--name", tenant, "--make-tenant"];
    let made = program::run(&[&create[..], &["--tenant", tenant]].concat(), dir);
    done(&made).trim().to_owned()
}

/// Reads a line of `/proc/<pid>/status`, in kB.
fn memory(running: &Running, line: &str) -> u64 {
    let path = format!("/proc/{}/status", running.child.id());
    let status = std::fs::read_to_string(path).unwrap();
    let found = status.lines().find_map(|text| text.strip_prefix(line));
    let words = found.unwrap().trim_start_matches(':').trim();
    words.trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn attacks_are_rejected_without_affecting_other_clients() {
    let dir = tempfile::tempdir().unwrap();
    let running = program::start_limited(dir.path(), &["--demo", "1000"], MEMORY);
    let hostile = Target {
        address: running.address.clone(),
        key: key_of(dir.path(), "hostile"),
    };
    files::fill(&hostile);
    let target = Target {
        address: running.address.clone(),
        key: running.key.clone(),
    };
    let mut good = Good::start(&target);
    // Warms up first, so that the later growth is caused by the attacks.
    good.work_for(Duration::from_secs(2));
    let base = good.take_times();
    let before = memory(&running, "VmHWM");
    for (name, attack) in attacks::ALL.iter().chain(&files::ALL) {
        let began = Instant::now();
        attack(&hostile);
        let took = began.elapsed();
        println!(
            "{name}: {took:.1?}, peak {} MB",
            memory(&running, "VmHWM") >> 10
        );
    }
    let times = good.take_times();
    let (usual, attacked) = (wire::p99(&base), wire::p99(&times));
    println!(
        "p99 of the good client: {usual:.1?}, under attack {attacked:.1?} ({} calls)",
        times.len()
    );
    assert!(attacked < SLOW, "the good client waited for {attacked:?}");
    let grown = memory(&running, "VmHWM") - before;
    println!("grown by {} MB", grown >> 10);
    assert!(grown < GROWTH_KB, "the memory grew by {grown} kB");
    good.stop_and_check();
    let ended = Instant::now();
    while memory(&running, "VmRSS") > before + LEFT_KB {
        assert!(
            ended.elapsed() < Duration::from_secs(20),
            "the memory was not released"
        );
        std::thread::sleep(POLL);
    }
}
