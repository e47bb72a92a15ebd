//! Counts passed and failed tests from the output of the test programs.

use std::ops::AddAssign;

use crate::progress::Outcome;

/// Passed and failed tests. A check without tests of its own counts as one.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Count {
    pub passed: u64,
    pub failed: u64,
}

impl Count {
    pub fn of_check(ok: bool) -> Self {
        Self {
            passed: u64::from(ok),
            failed: u64::from(!ok),
        }
    }

    /// Returns the counts of test programs, read from their output. A run that failed, or that ran no test, counts at
    /// least one failure: it may have stopped before its first test.
    pub fn of_tests(outcome: &Outcome) -> Self {
        if !outcome.ok {
            eprintln!("\n{}", outcome.failure());
        }
        Self::read(&outcome.output).reconciled_with(outcome.ok)
    }

    fn reconciled_with(mut self, ok: bool) -> Self {
        if self.failed == 0 && (!ok || self.passed == 0) {
            eprintln!("\nthe run ended early or ran no tests; this counts as a failure\n");
            self.failed = 1;
        }
        self
    }

    /// Reads the totals of cargo, wasm-bindgen (`test result: ok. 12 passed; 0 failed; …`) and Node (`ℹ pass 12`).
    fn read(output: &str) -> Self {
        let mut count = Self::default();
        for line in output.lines() {
            let words: Vec<&str> = line.split([' ', ';']).collect();
            let number = |word: &str| word.parse().unwrap_or(0);
            if line.contains("test result: ") {
                for pair in words.windows(2) {
                    match pair[1] {
                        "passed" => count.passed += number(pair[0]),
                        "failed" => count.failed += number(pair[0]),
                        _ => {}
                    }
                }
            } else if let ["ℹ", what, value] = words[..] {
                match what {
                    "pass" => count.passed += number(value),
                    "fail" | "cancelled" => count.failed += number(value),
                    _ => {}
                }
            }
        }
        count
    }
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

#[cfg(test)]
mod tests {
    use super::Count;

    fn count(passed: u64, failed: u64) -> Count {
        Count { passed, failed }
    }

    #[test]
    fn the_totals_of_all_programs_are_added() {
        let cargo = "running 2 tests\n\
            test a ... ok\n\
            test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\
            test result: FAILED. 3 passed; 2 failed; 0 ignored\n";
        assert_eq!(Count::read(cargo), count(15, 2));
        let node = "✔ imports (3 ms)\nℹ tests 9\nℹ pass 7\nℹ fail 1\nℹ cancelled 1\nℹ skipped 0\n";
        assert_eq!(Count::read(node), count(7, 2));
        assert_eq!(Count::read("error: could not compile"), count(0, 0));
    }

    #[test]
    fn a_crash_or_no_tests_is_a_failure() {
        assert_eq!(count(0, 0).reconciled_with(false), count(0, 1));
        assert_eq!(count(4, 0).reconciled_with(false), count(4, 1));
        assert_eq!(count(4, 2).reconciled_with(false), count(4, 2));
        assert_eq!(count(0, 0).reconciled_with(true), count(0, 1));
        assert_eq!(count(4, 0).reconciled_with(true), count(4, 0));
    }
}
