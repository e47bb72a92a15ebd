//! Texts about jobs. Callers pass a function that formats numbers for the user's locale.

use super::{JobPhase, Scoring, ScoringJob};

/// Formats a number with its noun: `1 lead`, `2,104 leads`.
pub type FormatCount = fn(u64, &str) -> String;

/// Tolerance for a slow server clock, in milliseconds. After an uncertain start, a score that is
/// older than the start by at most this much counts as newer.
const SLOW_CLOCK: i64 = 60_000;

impl Scoring {
    /// Returns what is scored: `Ada Novak`, `212 leads`, `the 212 leads of “Q3 targets”`.
    pub fn subject(&self, count: FormatCount) -> String {
        let many = count(self.count, self.kind.one());
        match (&self.list, self.count, &*self.name) {
            (Some(_), _, name) => ["the ", &many, " of “", name, "”"].concat(),
            (None, 1, name) if !name.is_empty() => name.to_owned(),
            _ => many,
        }
    }

    /// Returns the title of the job: `Score 212 leads`.
    pub fn title(&self, count: FormatCount) -> String {
        ["Score ", &self.subject(count)].concat()
    }
}

impl ScoringJob {
    /// Describes the state of the job, what was saved, and what to do.
    pub fn description(&self, count: FormatCount) -> String {
        let state = &self.state;
        let it = if self.scoring.count == 1 {
            "it"
        } else {
            "them"
        };
        let before = [
            "Scores saved so far are kept. Score ",
            it,
            " again when the cause is resolved.",
        ];
        let reason = |what: &str| match &*state.reason {
            "" => [what, ". "].concat(),
            reason => [what, ": ", reason.trim_end_matches('.'), ". "].concat(),
        };
        match state.phase {
            JobPhase::Starting => "Starting".to_owned(),
            JobPhase::Running if state.reason.is_empty() => "Scoring in progress".to_owned(),
            JobPhase::Running => [&*reason("Still running, but its progress cannot be read"), "Retrying."].concat(),
            JobPhase::Done => self.result(count),
            JobPhase::Failed => [&*reason("The job failed"), &before.concat()].concat(),
            JobPhase::Cancelled => [&*reason("The job was cancelled on the server"), &before.concat()].concat(),
            JobPhase::Refused => reason("Not started, nothing was scored").trim_end().to_owned(),
            JobPhase::Lost => "The server no longer knows this job. It may have finished: check the scores in the list.".to_owned(),
            JobPhase::Uncertain => self.doubt(count),
        }
    }

    fn result(&self, count: FormatCount) -> String {
        let (state, one) = (&self.state, self.scoring.kind.one());
        let scored = state.scored.unwrap_or(self.scoring.count);
        let scored = ["Scored ", &count(scored, one)].concat();
        match state.missing {
            0 => scored,
            missing => [&*scored, "; ", &count(missing, one), " not found"].concat(),
        }
    }

    fn doubt(&self, count: FormatCount) -> String {
        let one = self.scoring.kind.one();
        match self.state.looked {
            None => "The response to the start was lost, so the job may or may not have started. It is not sent again automatically, so that nothing is scored twice. Check the server first.".to_owned(),
            Some((0, _)) => "The scores could not be read. Check again in a moment.".to_owned(),
            Some((looked, 0)) => [
                "None of ",
                &*count(looked, one),
                " checked has a newer score. The job has not started, or it is queued. Check again in a moment. If nothing changes, ",
                match self.whole {
                    true => "score again.",
                    false => "select them again and score them.",
                },
            ]
            .concat(),
            Some((looked, newer)) => [
                &*count(newer, one),
                " of ",
                &looked.to_string(),
                " checked have a newer score, so the job has started. Its progress is not available. Refresh the list to see the scores.",
            ]
            .concat(),
        }
    }

    /// Whether the user can start it again: it was refused, or a check found no newer score.
    /// Impossible if not all ids are stored.
    pub fn may_start_again(&self) -> bool {
        let untouched = matches!(self.state.looked, Some((looked, 0)) if looked > 0);
        let undone = self.state.phase == JobPhase::Uncertain && untouched;
        self.whole && (self.state.phase == JobPhase::Refused || undone)
    }

    /// Whether a check after an uncertain start found newer scores.
    pub fn has_begun(&self) -> bool {
        self.state.looked.is_some_and(|(_, newer)| newer > 0)
    }

    /// Whether a score of this time (milliseconds since 1970) may be from this job.
    pub fn is_newer(&self, scored: i64) -> bool {
        scored >= self.began - SLOW_CLOCK
    }
}

/// How the scores on the screen changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScoreChanges {
    /// Number of scores that were read again.
    pub read: u64,
    /// Number of scores that are higher than before.
    pub up: u64,
    /// Number of scores that are lower than before.
    pub down: u64,
}

impl ScoreChanges {
    /// Counts a score that was read again. Scores are compared in whole points, as they are shown.
    pub fn add(&mut self, before: Option<f64>, now: Option<f64>) {
        self.read += 1;
        let points = |score: Option<f64>| score.map_or(-1, |score| score.round() as i64);
        let (before, now) = (points(before), points(now));
        self.up += u64::from(now > before);
        self.down += u64::from(now < before);
    }

    /// Describes a successful job: `Scored 212 leads: 40 up, 12 down`.
    pub fn description(&self, job: &ScoringJob, count: FormatCount) -> String {
        let result = job.result(count);
        let many = |of: u64, way: &str| [&*of.to_string(), way].concat();
        let change = match (self.up, self.down) {
            _ if self.read == 0 => return result,
            (0, 0) => "no change".to_owned(),
            (up, 0) => many(up, " up"),
            (0, down) => many(down, " down"),
            (up, down) => [&*many(up, " up, "), &many(down, " down")].concat(),
        };
        let scored = job.state.scored.unwrap_or(job.scoring.count);
        if self.read >= scored {
            return [&*result, ": ", &change].concat();
        }
        let read = count(self.read, job.scoring.kind.one());
        [&*result, ". Of the ", &read, " loaded: ", &change].concat()
    }
}

/// Formats a duration: `12 s`, `3 min 4 s`, `1 h 5 min`.
pub fn elapsed(milliseconds: i64) -> String {
    let seconds = milliseconds.max(0) / 1000;
    let part = |number: i64, unit: &str| [&*number.to_string(), unit].concat();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match (hours, minutes) {
        (0, 0) => part(seconds, " s"),
        (0, minutes) => [&*part(minutes, " min "), &part(seconds % 60, " s")].concat(),
        (hours, minutes) => [&*part(hours, " h "), &part(minutes, " min")].concat(),
    }
}
