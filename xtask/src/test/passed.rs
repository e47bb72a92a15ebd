//! The steps that passed, so that `cargo xtask test` runs only those for which something changed since.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::count::Count;
use super::inputs::{self, Files};
use super::step::Step;
use crate::repo;

/// What is known of the steps that passed: a file for each.
#[derive(Clone)]
pub struct Passed {
    root: PathBuf,
    folder: PathBuf,
    machine: String,
}

#[derive(Serialize, Deserialize)]
struct Record {
    fingerprint: String,
    tests: u64,
    at: SystemTime,
}

/// A step that passed before.
pub struct Before {
    pub count: Count,
    pub ago: Duration,
}

impl Passed {
    pub fn of_checkout() -> Self {
        Self {
            root: repo::root(),
            folder: repo::target().join("xtask/passed"),
            machine: inputs::machine(),
        }
    }

    /// Returns those of the steps that passed, if nothing that they depend on changed since.
    pub fn before(&self, steps: &[Step]) -> Vec<(Step, Before)> {
        let Some(files) = Files::below(&self.root) else {
            return Vec::new();
        };
        let known = steps.iter().filter_map(|step| {
            let record: Record =
                serde_json::from_str(&fs::read_to_string(self.file(*step)).ok()?).ok()?;
            let is_same = record.fingerprint == files.fingerprint(*step, &self.machine);
            let before = Before {
                count: Count {
                    passed: record.tests,
                    failed: 0,
                },
                ago: record.at.elapsed().unwrap_or_default(),
            };
            is_same.then_some((*step, before))
        });
        known.collect()
    }

    /// Runs a step, and remembers it if it passes and no file that it reads has changed meanwhile.
    pub fn run(&self, step: Step, work: impl FnOnce() -> Count) -> Count {
        // First, as the step may be interrupted.
        let _ = fs::remove_file(self.file(step));
        let fingerprint = || Some(Files::below(&self.root)?.fingerprint(step, &self.machine));
        let before = fingerprint();
        let count = work();
        if let Some(before) = before
            && count.failed == 0
            && count.passed > 0
            && fingerprint().is_some_and(|after| after == before)
        {
            self.remember(step, before, count);
        }
        count
    }

    /// If this fails, the step only runs again the next time.
    fn remember(&self, step: Step, fingerprint: String, count: Count) {
        let record = Record {
            fingerprint,
            tests: count.passed,
            at: SystemTime::now(),
        };
        if let Ok(text) = serde_json::to_string(&record) {
            let _ = fs::create_dir_all(&self.folder);
            let _ = fs::write(self.file(step), text);
        }
    }

    fn file(&self, step: Step) -> PathBuf {
        self.folder.join(format!("{}.json", step.name()))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::inputs::git;
    use super::{Count, Passed, Step};
    use crate::repo;

    const STEPS: [Step; 2] = [Step::Native, Step::E2e];

    fn passed(name: &str) -> Passed {
        let root = repo::target().join("xtask").join(name);
        repo::clear(&root).unwrap();
        let mut init = git(&root);
        assert!(init.args(["init", "--quiet"]).status().unwrap().success());
        fs::write(root.join(".gitignore"), "/passed\n").unwrap();
        Passed {
            folder: root.join("passed"),
            root,
            machine: "rustc 1".to_owned(),
        }
    }

    fn known(passed: &Passed) -> Vec<Step> {
        let before = passed.before(&STEPS).into_iter();
        before.map(|(step, _)| step).collect()
    }

    const THREE: Count = Count {
        passed: 3,
        failed: 0,
    };

    #[test]
    fn a_step_that_passed_is_known_until_something_changes() {
        let passed = passed("test-passed");
        assert!(known(&passed).is_empty());
        assert_eq!(passed.run(Step::Native, || THREE), THREE);
        assert_eq!(passed.before(&STEPS)[0].1.count, THREE);
        assert_eq!(known(&passed), [Step::Native]);
        passed.run(Step::E2e, || THREE);
        assert_eq!(known(&passed), STEPS);

        let other = Passed {
            machine: "rustc 2".to_owned(),
            ..passed.clone()
        };
        assert!(known(&other).is_empty());
        // Only the native tests read it.
        let docs = passed.root.join("docs");
        fs::create_dir(&docs).unwrap();
        fs::write(docs.join("a.md"), "").unwrap();
        assert_eq!(known(&passed), [Step::E2e]);
        fs::write(passed.root.join("a.rs"), "").unwrap();
        assert!(known(&passed).is_empty());
        fs::remove_dir_all(&passed.root).unwrap();
    }

    #[test]
    fn a_step_that_failed_or_was_interrupted_is_not_known() {
        let passed = passed("test-failed");
        for count in [Count::of_check(false), Count::default()] {
            passed.run(Step::Native, || THREE);
            passed.run(Step::Native, || count);
            assert!(known(&passed).is_empty(), "{count:?}");
        }
        passed.run(Step::Native, || THREE);
        passed.run(Step::Native, || {
            assert!(known(&passed).is_empty());
            THREE
        });
        assert_eq!(known(&passed), [Step::Native]);
        fs::remove_dir_all(&passed.root).unwrap();
    }

    #[test]
    fn a_step_during_which_a_file_changed_is_not_known() {
        let passed = passed("test-changed");
        let file = passed.root.join("a.rs");
        passed.run(Step::Native, || {
            fs::write(&file, "").unwrap();
            THREE
        });
        assert!(known(&passed).is_empty());
        fs::remove_file(&file).unwrap();
        assert!(known(&passed).is_empty());
        fs::remove_dir_all(&passed.root).unwrap();
    }
}
