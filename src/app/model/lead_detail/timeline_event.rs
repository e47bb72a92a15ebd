//! Intent events of a lead as a timeline.

use lead_workspace_api::{Intent, Raw};

use super::ListMembership;
use crate::app::model::humanize::humanize;
use crate::app::model::json_tree::{TreeValue, level};
use crate::app::model::lead::filled;
use crate::app::model::time::instant;

/// Member of `event_data` that describes what happened, if there is one.
// spec: the content of event_data is not shown; our service puts a sentence there.
pub const SUMMARY: &str = "summary";

/// An event of the timeline.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimelineEvent {
    /// What happened, as a sentence or in words.
    pub what: String,
    /// Type of the event in words, unless `what` is the type.
    pub kind: Option<String>,
    /// When it was found, ISO 8601.
    pub when: Option<String>,
    /// Name of the list that it was found for.
    pub list: Option<String>,
    /// Id of the signal that found it.
    pub signal: Option<String>,
    /// Id of the signal run that found it.
    pub run: Option<String>,
    /// Event data, if it has more than `what`.
    pub more: Option<Raw>,
    /// Labels and ids of the event, signal, run and list.
    pub ids: Vec<(&'static str, String)>,
}

/// Reads the events, newest first; events without a valid time are last. Elements of unknown shape
/// are shown, too. Empty ones are skipped.
pub fn timeline(raw: &[Raw], lists: &[ListMembership]) -> Vec<TimelineEvent> {
    let mut dated: Vec<(Option<i64>, TimelineEvent)> = raw
        .iter()
        .filter_map(|raw| TimelineEvent::from_raw(raw, lists))
        .map(|event| (event.when.as_deref().and_then(instant), event))
        .collect();
    dated.sort_by_key(|(when, _)| std::cmp::Reverse(*when));
    dated.into_iter().map(|(_, event)| event).collect()
}

impl TimelineEvent {
    fn from_raw(raw: &Raw, lists: &[ListMembership]) -> Option<Self> {
        match TreeValue::from_raw(raw) {
            TreeValue::Nothing => None,
            TreeValue::Branch(..) => Some(match raw.read::<Intent>() {
                Some(intent) => Self::from_intent(intent, lists),
                None => Self {
                    what: "Unknown event".into(),
                    more: Some(raw.clone()),
                    ..Self::default()
                },
            }),
            TreeValue::Text(text) | TreeValue::Time(text) | TreeValue::Link(text) => Some(Self {
                what: humanize(&text),
                ..Self::default()
            }),
        }
    }

    fn from_intent(intent: Intent, lists: &[ListMembership]) -> Self {
        let kind = filled(intent.event_type).map(|kind| humanize(&kind));
        let data = intent.event_data.unwrap_or_default();
        let summary = summary(&data);
        let hidden: &[&str] = if summary.is_some() { &[SUMMARY] } else { &[] };
        let is_branch = matches!(TreeValue::from_raw(&data), TreeValue::Branch(..));
        let rest = is_branch && level(&data, 0, 1, hidden).total > 0;
        // Event data that is plain text describes what happened.
        let bare = match TreeValue::from_raw(&data) {
            TreeValue::Text(text) if !data.text().trim_start().starts_with('[') => Some(text),
            _ => None,
        };
        let text = summary.or(bare);
        let list = intent.lead_list_id.map(String::from);
        let name = |id: &str| {
            let list = lists.iter().find(|list| list.id.as_deref() == Some(id));
            list.map(|list| list.name.clone())
        };
        let signal = filled(intent.signal_id.map(String::from));
        let run = filled(intent.signal_run_id.map(String::from));
        let ids = [
            ("Event", intent.id),
            ("Signal", signal.clone()),
            ("Run", run.clone()),
            ("List", list.clone()),
        ];
        let ids = ids.into_iter();
        Self {
            kind: kind.clone().filter(|_| text.is_some()),
            what: text.or(kind).unwrap_or_else(|| "Unknown event".into()),
            when: intent.created_at.map(|created| created.0),
            list: list.as_deref().and_then(name),
            more: rest.then_some(data),
            signal,
            run,
            ids: ids
                .filter_map(|(what, id)| Some((what, filled(id)?)))
                .collect(),
        }
    }
}

fn summary(data: &Raw) -> Option<String> {
    match data.value().get(SUMMARY)? {
        serde_json::Value::String(text) => filled(Some(text.clone())),
        _ => None,
    }
}
