//! Jobs: started by scoring, polled until they end.

use crate::ids::{JobId, WorkflowId};
use crate::model::model;
use crate::raw::Raw;

model! {
    /// Response to the start of scoring (spec: Scoring start).
    ScoringStarted {
        /// Id of the durable workflow.
        workflow_id: WorkflowId,
        /// Id of the job to poll.
        job_id: JobId,
    }

    /// The status of a job. The contract does not show the job endpoints: this is the shape of our service at
    /// `GET /api/jobs/{job_id}`. [`Job::state`] and [`Job::fraction`] also read the shapes of other services.
    Job {
        /// Id of the job.
        job_id: JobId,
        /// Id of the workflow that it belongs to.
        workflow_id: WorkflowId,
        /// What it does, e.g. `score_leads`.
        kind: String,
        /// Status, in the upstream's own wording.
        status: String,
        /// The status under another common name.
        state: String,
        /// Progress: 0 to 1, 0 to 100, or `{done, total}`.
        progress: Raw,
        /// Result of the job.
        result: Raw,
        /// Reason for the failure.
        error: Raw,
        /// When the job was requested.
        created_at: String,
        /// When the job last changed.
        updated_at: String,
    }
}

/// The state of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JobState {
    /// Waiting or running, or an unknown status: poll again.
    Running,
    /// Ended successfully.
    Succeeded,
    /// Ended with an error.
    Failed,
    /// Cancelled.
    Cancelled,
}

/// The words for a job that has ended, reduced to lowercase letters.
///
/// `timed_out`, `timed-out` and `TimedOut` are the same word. A job that completed with errors counts as
/// failed, because not all of it was done.
pub const ENDED: [(JobState, &[&str]); 3] = [
    (
        JobState::Succeeded,
        &[
            "succeeded",
            "success",
            "successful",
            "completed",
            "complete",
            "done",
            "finished",
            "ok",
        ],
    ),
    (
        JobState::Failed,
        &[
            "failed",
            "failure",
            "error",
            "errored",
            "timedout",
            "timeout",
            "expired",
            "rejected",
            "completedwitherrors",
        ],
    ),
    (
        JobState::Cancelled,
        &["cancelled", "canceled", "aborted", "terminated", "stopped"],
    ),
];

impl Job {
    /// Returns the state of the job; an unknown status counts as running.
    pub fn state(&self) -> JobState {
        let word = self.status.as_deref().or(self.state.as_deref());
        let letters = word.unwrap_or_default().chars();
        let word: String = letters
            .filter(char::is_ascii_alphabetic)
            .map(|letter| letter.to_ascii_lowercase())
            .collect();
        let ended = ENDED.iter().find(|(_, words)| words.contains(&&*word));
        ended.map_or(JobState::Running, |(state, _)| *state)
    }

    /// Returns the progress from 0 to 1, if known.
    ///
    /// A number above 1 is a percentage. A bare 1 is ambiguous (all of it, or one percent) and returns `None`
    /// unless the job has succeeded.
    pub fn fraction(&self) -> Option<f64> {
        let progress = self.progress.as_ref()?.value();
        let fraction = match &progress {
            serde_json::Value::Object(parts) => {
                let done = parts.get("done")?.as_f64()?;
                let total = parts.get("total")?.as_f64()?;
                if total <= 0.0 { 1.0 } else { done / total }
            }
            number => match number.as_f64()? {
                percent if percent > 1.0 => percent / 100.0,
                1.0 if self.state() != JobState::Succeeded => return None,
                fraction => fraction,
            },
        };
        Some(fraction.clamp(0.0, 1.0))
    }
}
