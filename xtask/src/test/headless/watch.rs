//! Follows the progress of a run in the browser by its output, and limits the time for each stage.

use std::time::Duration;

#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// The page is being prepared, and the server is starting.
    #[default]
    Preparing,
    /// The browser starts and loads the page.
    Loading,
    Testing,
    Ended,
}

impl Stage {
    pub fn of(output: &str) -> Self {
        let any = |start: &str| output.lines().any(|line| line.starts_with(start));
        if any("test result: ") {
            Self::Ended
        } else if any("running ") || any("test ") {
            Self::Testing
        } else if any("Running headless tests") {
            Self::Loading
        } else {
            Self::Preparing
        }
    }

    /// Returns the time limit for the stage: many times what it takes on a slow machine.
    fn patience(self) -> Duration {
        Duration::from_secs(match self {
            Self::Preparing => 90,
            Self::Loading => 60,
            Self::Testing => 180,
            Self::Ended => 20,
        })
    }
}

#[derive(Default)]
pub struct Watch {
    stage: Stage,
    since: Duration,
}

impl Watch {
    /// Returns whether to keep waiting, given all output and the time since the start.
    pub fn goes_on(&mut self, output: &str, now: Duration) -> bool {
        let stage = Stage::of(output);
        if stage != self.stage {
            self.stage = stage;
            self.since = now;
        }
        now.saturating_sub(self.since) < stage.patience()
    }
}

/// Returns whether a run says nothing about the tests because none started. Any other run counts, however it ended.
pub fn says_nothing(ok: bool, output: &str) -> bool {
    !ok && Stage::of(output) < Stage::Testing
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Stage, Watch, says_nothing};

    const SERVED: &str = "Set WASM_BINDGEN_TEST_TIMEOUT to 180 seconds...\n\
        Running headless tests in Chrome on `http://127.0.0.1:40001/`\n\
        Try find `webdriver.json` for configure browser's capabilities:\nOk\n";

    fn and(more: &str) -> String {
        format!("{SERVED}{more}")
    }

    #[test]
    fn the_output_shows_the_stage() {
        assert_eq!(Stage::of(""), Stage::Preparing);
        assert_eq!(Stage::of(SERVED), Stage::Loading);
        assert_eq!(Stage::of(&and("Loading Wasm module...\n")), Stage::Loading);
        assert_eq!(Stage::of(&and("\nrunning 66 tests\n")), Stage::Testing);
        assert_eq!(Stage::of(&and("test grid::a ... ok\n")), Stage::Testing);
        assert_eq!(
            Stage::of(&and("running 1 test\n\ntest result: FAILED. 0 passed")),
            Stage::Ended
        );
    }

    #[test]
    fn a_page_that_never_loads_times_out() {
        let mut watch = Watch::default();
        let mut at = |output: &str, second| watch.goes_on(output, Duration::from_secs(second));
        assert!(at("", 0));
        assert!(at("", 80));
        // The limit of 60 seconds for loading starts here.
        assert!(at(SERVED, 85));
        assert!(at(SERVED, 144));
        assert!(!at(SERVED, 145));
    }

    #[test]
    fn started_tests_have_their_own_timeout() {
        let mut watch = Watch::default();
        let mut at = |output: &str, second| watch.goes_on(output, Duration::from_secs(second));
        assert!(at(SERVED, 5));
        assert!(at(&and("running 2 tests\n"), 60));
        let half = and("running 2 tests\ntest a ... ok\n");
        assert!(at(&half, 239));
        assert!(!at(&half, 240));
    }

    #[test]
    fn a_run_with_a_result_ends_soon() {
        let mut watch = Watch::default();
        let done = and("running 1 test\ntest result: ok. 1 passed; 0 failed\n");
        assert!(watch.goes_on(&done, Duration::from_secs(9)));
        assert!(!watch.goes_on(&done, Duration::from_secs(29)));
    }

    #[test]
    fn only_a_run_without_tests_is_inconclusive() {
        assert!(says_nothing(false, ""));
        assert!(says_nothing(false, SERVED));
        assert!(!says_nothing(false, &and("running 2 tests\n")));
        assert!(!says_nothing(
            false,
            &and("running 1 test\ntest a ... FAIL\ntest result: FAILED. 0 passed; 1 failed\n")
        ));
        assert!(!says_nothing(true, "no tests to run!\n"));
    }
}
