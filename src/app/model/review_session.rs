//! A session in focus mode: how many leads were decided, and how fast.

/// A longer gap between two decisions is a break and does not count, in milliseconds.
pub const BREAK_MS: u64 = 120_000;

/// The pace is the median of this many gaps at most.
const LATEST: usize = 20;

/// The pace is not known before this many gaps.
const MIN_GAPS: usize = 3;

/// A step of the decision history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionStep {
    /// Number of the step; each later step has a larger one.
    pub number: u64,
    /// Number of leads.
    pub leads: usize,
    /// Time of the decision in milliseconds since 1970.
    pub at: u64,
}

/// The steps since focus mode was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewSession {
    /// Number of the last step before the session.
    before: u64,
    started: u64,
    steps: Vec<SessionStep>,
}

impl ReviewSession {
    /// Starts a session at a time in milliseconds since 1970. `last` is the last step until then.
    pub fn start(last: Option<SessionStep>, now: u64) -> Self {
        Self {
            before: last.map_or(0, |last| last.number),
            started: now,
            steps: Vec::new(),
        }
    }

    /// Follows the history: `last` is its last step now. Steps after it were undone.
    pub fn follow(&mut self, last: Option<SessionStep>) {
        let number = last.map_or(0, |last| last.number);
        self.steps.retain(|step| step.number <= number);
        let known = self.steps.last().map_or(self.before, |step| step.number);
        self.steps.extend(last.filter(|last| last.number > known));
    }

    /// Returns the number of leads decided.
    pub fn done(&self) -> u64 {
        self.steps.iter().map(|step| step.leads as u64).sum()
    }

    /// Returns the usual time for a lead in milliseconds; `None` until it is known.
    pub fn pace(&self) -> Option<u64> {
        let times = std::iter::once(self.started).chain(self.steps.iter().map(|step| step.at));
        let gaps = times.zip(&self.steps).map(|(from, step)| {
            let leads = step.leads.max(1) as u64;
            (step.at.saturating_sub(from), leads)
        });
        let gaps = gaps.filter(|(gap, _)| *gap <= BREAK_MS);
        let mut gaps: Vec<u64> = gaps.map(|(gap, leads)| gap / leads).collect();
        gaps.drain(..gaps.len().saturating_sub(LATEST));
        if gaps.len() < MIN_GAPS {
            return None;
        }
        gaps.sort_unstable();
        gaps.get(gaps.len() / 2).copied()
    }
}
