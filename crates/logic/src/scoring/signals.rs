//! Intent signals as they are stored, and for which list each counts.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::{Attributes, IntentSignal, Score, Scorer};

/// An intent signal of a lead.
pub struct StoredIntentSignal {
    pub event_type: String,
    pub age_days: i64,
    /// When it was found, UTC.
    pub day: Date,
    /// The list that it was found for; `None` counts for every list.
    pub list_id: Option<String>,
}

impl StoredIntentSignal {
    /// `created_at` is the stored time. An invalid one counts as `as_of` instead of failing the job.
    pub fn new(
        event_type: String,
        created_at: &str,
        list_id: Option<String>,
        as_of: Timestamp,
    ) -> Self {
        let found = created_at.parse().unwrap_or(as_of);
        Self {
            event_type,
            age_days: as_of.duration_since(found).as_hours() / 24,
            day: TimeZone::UTC.to_datetime(found).date(),
            list_id,
        }
    }

    pub fn as_intent_signal(&self) -> IntentSignal<'_> {
        IntentSignal {
            event_type: &self.event_type,
            age_days: self.age_days,
            day: self.day,
        }
    }
}

impl Scorer {
    /// Scores a lead for each of its lists, or outside any list (an empty id) if it is on none.
    pub fn score_lists(
        &self,
        attributes: &Attributes<'_>,
        signals: &[StoredIntentSignal],
        mut lists: Vec<String>,
    ) -> Vec<(String, Score)> {
        if lists.is_empty() {
            lists.push(String::new());
        }
        let scored = |list_id: String| {
            let counts = |signal: &&StoredIntentSignal| {
                signal.list_id.is_none() || signal.list_id.as_ref() == Some(&list_id)
            };
            let intents: Vec<_> = signals
                .iter()
                .filter(counts)
                .map(StoredIntentSignal::as_intent_signal)
                .collect();
            let score = self.score(&Attributes {
                intents: &intents,
                ..*attributes
            });
            (list_id, score)
        };
        lists.into_iter().map(scored).collect()
    }
}

impl Score {
    /// Returns the best of several scores; among equals, the first.
    pub fn best<'a>(scores: impl IntoIterator<Item = &'a Self>) -> Option<&'a Self> {
        let mut best: Option<&Self> = None;
        for score in scores {
            if best.is_none_or(|best| score.points > best.points) {
                best = Some(score);
            }
        }
        best
    }
}
