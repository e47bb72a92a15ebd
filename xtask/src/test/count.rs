//! Counts passed and failed tests from the output of the test programs.

use std::ops::AddAssign;

use crate::progress::Outcome;

/// Passed and failed tests. A step without tests of its own counts as one.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Count {
    pub passed: u64,
    pub failed: u64,
}

impl Count {
    pub const PASSED: Self = Self {
        passed: 1,
        failed: 0,
    };
    pub const FAILED: Self = Self {
        passed: 0,
        failed: 1,
    };

    /// Returns the count of a check that is a single test.
    pub fn of_check(outcome: &Outcome) -> Self {
        report(outcome);
        if outcome.ok {
            Self::PASSED
        } else {
            Self::FAILED
        }
    }

    /// Returns the counts of a test program, read from its output.
    pub fn of_tests(outcome: &Outcome, read: impl Fn(&str) -> Self) -> Self {
        let count = read(&outcome.output).reconciled_with(outcome.ok);
        report(outcome);
        if outcome.ok && count.failed > 0 {
            eprintln!("\nno tests ran; this counts as a failure\n");
        }
        count
    }

    /// Adds a failure if the program failed or ran no test, so that it never counts as a success: it may have stopped
    /// before its first test.
    fn reconciled_with(mut self, ok: bool) -> Self {
        if self.failed == 0 && (!ok || self.passed == 0) {
            self.failed = 1;
        }
        self
    }
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

fn report(outcome: &Outcome) {
    if !outcome.ok {
        eprintln!("\n{}", outcome.failure());
    }
}

/// Reads the counts of cargo's test programs and of wasm-bindgen's runner:
/// `test result: ok. 12 passed; 0 failed; 0 ignored; ...`.
pub fn of_cargo(output: &str) -> Count {
    let mut count = Count::default();
    for line in output.lines() {
        let Some((_, result)) = line.split_once("test result: ") else {
            continue;
        };
        count.passed += number_before(result, " passed");
        count.failed += number_before(result, " failed");
    }
    count
}

/// Reads the counts of Node's runner: `# pass 12`, `# fail 0`, `# cancelled 0`. Some reporters write another symbol
/// than `#`.
pub fn of_node(output: &str) -> Count {
    let value = |name: &str| {
        output
            .lines()
            .rev()
            .find_map(|line| {
                let mut words = line.split_whitespace();
                let _sign = words.next()?;
                (words.next()? == name).then(|| words.next()?.parse().ok())?
            })
            .unwrap_or(0)
    };
    Count {
        passed: value("pass"),
        failed: value("fail") + value("cancelled"),
    }
}

fn number_before(text: &str, word: &str) -> u64 {
    text.split_once(word)
        .and_then(|(before, _)| before.rsplit(' ').next()?.parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{Count, of_cargo, of_node};

    fn count(passed: u64, failed: u64) -> Count {
        Count { passed, failed }
    }

    #[test]
    fn cargo_prints_one_result_per_program() {
        let output = "running 2 tests\n\
            test a ... ok\n\
            test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\
            test result: FAILED. 3 passed; 2 failed; 0 ignored\n";
        assert_eq!(of_cargo(output), count(15, 2));
    }

    #[test]
    fn node_prints_its_totals_last() {
        let spec = "✔ imports (3 ms)\nℹ tests 9\nℹ suites 0\nℹ pass 7\nℹ fail 1\nℹ cancelled 1\nℹ skipped 0\n";
        let tap = "TAP version 13\n# pass 1\nok 1 - x\n# pass 7\n# fail 1\n# cancelled 1\n";
        assert_eq!(of_node(spec), count(7, 2));
        assert_eq!(of_node(tap), count(7, 2));
    }

    #[test]
    fn a_crash_before_or_between_tests_is_a_failure() {
        assert_eq!(of_cargo("error: could not compile"), count(0, 0));
        assert_eq!(count(0, 0).reconciled_with(false), count(0, 1));
        assert_eq!(count(4, 0).reconciled_with(false), count(4, 1));
        assert_eq!(count(4, 2).reconciled_with(false), count(4, 2));
    }

    #[test]
    fn no_tests_is_a_failure() {
        assert_eq!(count(0, 0).reconciled_with(true), count(0, 1));
        assert_eq!(count(4, 0).reconciled_with(true), count(4, 0));
    }
}
