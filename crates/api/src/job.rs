//! Jobs: started by scoring, polled until they end.

use crate::ids::{JobId, WorkflowId};
use crate::model::model;
use crate::raw::Raw;

model! {
    /// The answer to a start of scoring (spec: Scoring start).
    ScoringStarted {
        /// The durable workflow.
        workflow_id: WorkflowId,
        /// The job to poll.
        job_id: JobId,
    }

    /// A job as it stands. The contract does not show the job endpoints; this is the shape of our
    /// service at `GET /api/jobs/{job_id}`, and [`Job::state`] and [`Job::fraction`] read others.
    Job {
        /// The job.
        job_id: JobId,
        /// The workflow it belongs to.
        workflow_id: WorkflowId,
        /// What it does, e.g. `score_leads`.
        kind: String,
        /// How it stands, in the upstream's own word.
        status: String,
        /// The same under another common name.
        state: String,
        /// How far it is: 0 to 1, 0 to 100, or `{done, total}`.
        progress: Raw,
        /// What came of it.
        result: Raw,
        /// Why it failed.
        error: Raw,
        /// When it was asked for.
        created_at: String,
        /// When it last moved.
        updated_at: String,
    }
}

/// How a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JobState {
    /// Waiting or working, or a word that nobody knows: poll again.
    Running,
    /// It ended well.
    Succeeded,
    /// It ended with an error.
    Failed,
    /// It was called off.
    Cancelled,
}

/// The words for a job that has ended, of their letters alone: `timed_out`, `timed-out` and `TimedOut` are one.
/// A job that ended with errors counts as failed, as not all of it was done.
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
    /// How the job stands, in whichever word the upstream says it.
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

    /// How far the job is, 0 to 1, where it says so. A number above 1 counts as a percentage. A bare 1 may be
    /// all of it or one percent, and says nothing unless the job has succeeded.
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
