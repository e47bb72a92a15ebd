//! The outbox as it is kept across a reload or a crash: what was wanted and not confirmed.

use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};
use serde_json::{Value, json};

use super::Outbox;
use super::entry::Entry;

impl Outbox {
    /// Everything that is not settled, as JSON text; nothing when there is nothing.
    pub fn kept(&self) -> Option<String> {
        let open: Vec<Value> = self
            .entries
            .iter()
            .filter_map(|(lead, entry)| {
                let wanted = entry.wanted()?;
                let known = entry.known().as_str();
                let held = entry.is_held();
                Some(json!([&**lead, wanted.as_str(), known, held]))
            })
            .collect();
        (!open.is_empty()).then(|| lead_workspace_api::json::text(&Value::Array(open)))
    }

    /// Takes up what an earlier visit kept. All of it waits to be sent again: writing a status twice
    /// is writing it once. What was held stays held. What was decided here meanwhile is newer and stays.
    /// Gives the leads that were taken up; a text that makes no sense gives none.
    pub fn restore(&mut self, text: &str) -> Vec<Arc<str>> {
        let Ok(Value::Array(open)) = serde_json::from_str(text) else {
            return Vec::new();
        };
        let now = self.tick();
        let mut taken = Vec::new();
        for item in &open {
            let part = |at: usize| item.get(at).and_then(Value::as_str);
            let (Some(lead), Some(wanted), Some(known)) = (part(0), part(1), part(2)) else {
                continue;
            };
            let Ok(wanted) = wanted.parse::<NewApprovalStatus>() else {
                continue;
            };
            if lead.is_empty() || self.entries.contains_key(lead) {
                continue;
            }
            let mut entry = Entry::new(ApprovalStatus::from(known));
            // The request may have been on its way when the page went.
            entry.lost();
            entry.decide(wanted, now);
            entry.hold(item.get(3).and_then(Value::as_bool) == Some(true));
            let lead: Arc<str> = Arc::from(lead);
            taken.push(Arc::clone(&lead));
            self.entries.insert(lead, entry);
        }
        taken
    }
}
