//! Stops a command and all its descendants.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use crate::setup::system;

/// The time between SIGTERM and SIGKILL.
const FAREWELL: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(40);

/// Sends SIGTERM to the command, then kills it and its descendants.
pub fn all(child: &mut Child) -> io::Result<ExitStatus> {
    // Read before anything ends: orphans cannot be found by their parent's id later.
    let mut rest = descendants(&processes(), child.id());
    signal("-TERM", &[child.id()]);
    let asked = Instant::now();
    while child.try_wait()?.is_none() && asked.elapsed() < FAREWELL {
        thread::sleep(POLL);
    }
    rest.extend(descendants(&processes(), child.id()));
    // The parent first: a shell would otherwise continue with its next command.
    child.kill()?;
    signal("-KILL", &rest);
    child.wait()
}

/// Returns the processes of this machine: one line each, with the id and the parent's id.
fn processes() -> String {
    system::output(Command::new("ps").args(["-e", "-o", "pid=", "-o", "ppid="])).unwrap_or_default()
}

fn signal(name: &str, processes: &[u32]) {
    if processes.is_empty() {
        return;
    }
    let mut kill = Command::new("kill");
    kill.arg(name).args(processes.iter().map(u32::to_string));
    // Some of them may have ended already, which is fine.
    system::output(&mut kill);
}

/// Returns the ids of a process's direct and indirect children.
fn descendants(processes: &str, of: u32) -> Vec<u32> {
    let pairs: Vec<(u32, u32)> = processes
        .lines()
        .filter_map(|line| {
            let mut ids = line.split_whitespace().map(str::parse);
            Some((ids.next()?.ok()?, ids.next()?.ok()?))
        })
        .collect();
    let mut found = vec![of];
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        let children = pairs.iter().filter(|(_, of)| *of == parent);
        found.extend(children.map(|(id, _)| id));
        next += 1;
    }
    found.split_off(1)
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::{all, descendants, processes};

    #[test]
    fn descendants_are_found() {
        let table = "    1     0\n  10     1\n  11    10\n  12    11\n  13    10\n  20     1\n";
        assert_eq!(descendants(table, 10), [11, 13, 12]);
        assert!(descendants(table, 20).is_empty());
        assert!(descendants("", 20).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn an_unresponsive_command_is_killed_completely() {
        let mut shell = Command::new("sh")
            .args(["-c", "trap '' TERM; sleep 60 & sleep 60; sleep 60"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("sh");
        let mut started = Vec::new();
        while started.len() < 2 {
            started = descendants(&processes(), shell.id());
        }
        assert!(!all(&mut shell).expect("stopped").success());
        let alive = processes();
        for id in started {
            let left = alive.lines().any(|line| {
                // A process that has ended may stay listed until its parent waits for it.
                line.split_whitespace().next() == Some(&id.to_string()) && !ended(id)
            });
            assert!(!left, "{id} is alive");
        }
    }

    #[cfg(unix)]
    fn ended(id: u32) -> bool {
        let state = Command::new("ps")
            .args(["-o", "stat=", "-p", &id.to_string()])
            .output()
            .expect("ps");
        let state = String::from_utf8_lossy(&state.stdout).into_owned();
        state.trim().is_empty() || state.starts_with('Z')
    }
}
