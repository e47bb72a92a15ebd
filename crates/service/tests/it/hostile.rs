//! Clients that mean harm, against the program itself with little memory, while a good client reads and
//! decides. Every attack is refused, the good client notices little, and nothing that it was told is
//! saved gets lost.

mod attacks;
mod files;
mod good;
mod wire;

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use good::Good;
use wire::Target;

use crate::program::{self, Running};

/// What the program may have in all, in kB: one GiB. Of memory that it may write to (`ulimit -d`), not
/// of addresses (`ulimit -v`): allocator and threads set many of these aside that they never touch.
const MEMORY: &str = "-d 1048576";

/// What the attacks may make it take for a while.
const GROWTH_KB: u64 = 200 << 10;

/// What may be left of that: allocators keep some.
const LEFT_KB: u64 = 100 << 10;

/// How long the good client may wait in 99 of 100 cases. Without the limits it waits for many seconds,
/// or for ever; a machine that is busy with other tests takes its part.
const SLOW: Duration = Duration::from_secs(3);

/// Between two looks at what is waited for.
const POLL: Duration = Duration::from_millis(20);

/// A key for a workspace of its own.
fn key_of(dir: &Path, tenant: &str) -> String {
    let made = Command::new(env!("CARGO_BIN_EXE_lead-workspace"))
        .args(["keys", "create", "--name", tenant, "--make-tenant"])
        .args(["--tenant", tenant, "--data"])
        .arg(dir)
        .output()
        .unwrap();
    assert!(made.status.success());
    String::from_utf8(made.stdout).unwrap().trim().to_owned()
}

/// A line of what the system tells of the process, in kB.
fn memory(running: &Running, line: &str) -> u64 {
    let path = format!("/proc/{}/status", running.child.id());
    let status = std::fs::read_to_string(path).unwrap();
    let found = status.lines().find_map(|text| text.strip_prefix(line));
    let words = found.unwrap().trim_start_matches(':').trim();
    words.trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn attacks_are_refused_while_others_work_and_nothing_is_lost() {
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
    // Everything has been done once: what comes after is what the attacks cost.
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
            "the memory stays"
        );
        std::thread::sleep(POLL);
    }
}
