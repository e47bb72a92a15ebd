//! Stored form of a job: read by other tabs, and by the same tab after a reload.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{JobPhase, JobSnapshot, RecordKind, Scoring, ScoringJob};

/// Maximum number of ids to store in full.
const MAX_IDS: usize = 2_000;

/// If there are more, the maximum size of the stored sample, spread over all ids. It is used to
/// check scores.
const SAMPLE_SIZE: usize = 20;

impl ScoringJob {
    /// Returns the job as JSON text.
    pub fn stored(&self) -> String {
        let (scoring, state) = (&self.scoring, &self.state);
        let step = match scoring.ids.len() {
            ids if ids > MAX_IDS => ids.div_ceil(SAMPLE_SIZE),
            _ => 1,
        };
        let ids: Vec<&str> = scoring.ids.iter().step_by(step).map(|id| &**id).collect();
        let (of, newer) = state.looked.unzip();
        let stored = json!([
            matches!(scoring.kind, RecordKind::Accounts),
            ids,
            scoring.list,
            scoring.count,
            scoring.name,
            self.began,
            self.id,
            state.phase as u64,
            state.percent,
            state.at,
            state.reason,
            state.scored,
            state.missing,
            of,
            newer,
        ]);
        lead_workspace_api::json::text(&stored)
    }

    /// Reads a stored job; `None` if the text is invalid.
    pub fn from_stored(number: u64, text: &str) -> Option<Self> {
        let Ok(Value::Array(parts)) = serde_json::from_str(text) else {
            return None;
        };
        let part = |at: usize| parts.get(at);
        let word = |at: usize| part(at).and_then(Value::as_str);
        let count = |at: usize| part(at).and_then(Value::as_u64);
        let time = |at: usize| part(at).and_then(Value::as_i64);
        let kind = match part(0)?.as_bool()? {
            true => RecordKind::Accounts,
            false => RecordKind::Leads,
        };
        let ids = part(1)?.as_array()?.iter().filter_map(Value::as_str);
        let mut ids: Vec<Arc<str>> = ids.map(Arc::from).collect();
        ids.sort_unstable();
        let (list, all) = (word(2).map(Arc::from), count(3)?);
        let whole = list.is_some() || ids.len() as u64 == all;
        Some(Self {
            number,
            whole,
            scoring: Scoring {
                kind,
                ids,
                list,
                count: all,
                name: word(4)?.to_owned(),
            },
            began: time(5)?,
            id: word(6).map(str::to_owned),
            state: JobSnapshot {
                phase: *JobPhase::ALL.get(usize::try_from(count(7)?).ok()?)?,
                percent: count(8)?,
                at: time(9)?,
                reason: word(10)?.to_owned(),
                scored: count(11),
                missing: count(12)?,
                looked: count(13).zip(count(14)),
            },
        })
    }
}
