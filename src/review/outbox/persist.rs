//! Stored form of the outbox for a reload or a crash: decisions that are not confirmed.

use std::slice::from_ref;
use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};
use serde_json::Value;

use super::lead_state::LeadState;
use super::{Outbox, Saved};
use crate::client::response::parse;

/// Leads whose stored data only differs in the id.
type Group<'a> = (NewApprovalStatus, &'a str, bool, u64, Vec<&'a str>);

impl Outbox {
    /// Returns everything that is not settled as JSON text; `None` if there is nothing. Leads that
    /// were decided together share all data except their ids.
    pub fn to_stored(&self) -> Option<String> {
        let mut groups: Vec<Group> = Vec::new();
        for (lead, state) in &self.leads {
            let Some(wanted) = state.wanted() else {
                continue;
            };
            let (known, held, at) = (state.known().as_str(), state.is_held(), state.at());
            // Neighbors are likely to be in the same group.
            let alike = groups.iter_mut().rev().find(|group| {
                (group.3, group.0, group.2) == (at, wanted, held) && group.1 == known
            });
            match alike {
                Some(group) => group.4.push(lead),
                None => groups.push((wanted, known, held, at, vec![lead])),
            }
        }
        if groups.is_empty() {
            return None;
        }
        let groups = groups.into_iter().map(|(wanted, known, held, at, leads)| {
            let leads: Vec<Value> = leads.into_iter().map(Value::from).collect();
            // The macro `json!` would bring serde_json's errors along, 20 kB of Wasm.
            let group: [Value; 5] = [
                wanted.as_str().into(),
                known.into(),
                held.into(),
                at.into(),
                leads.into(),
            ];
            Value::from(group.to_vec())
        });
        let groups = Value::Array(groups.collect());
        Some(lead_workspace_api::json::text(&groups))
    }

    /// Returns the stored text of another tab after a decision was made here at `at`; `None` if it has none of the leads
    /// open.
    pub fn replaced(
        text: &str,
        leads: &mut dyn Iterator<Item = &str>,
        to: NewApprovalStatus,
        at: u64,
    ) -> Option<String> {
        let mut outbox = Self::default();
        outbox.restore(text);
        outbox.changes();
        for lead in leads {
            outbox.on_decided_elsewhere(lead, to, at, false);
        }
        outbox.has_changes().then(|| outbox.to_stored())?
    }

    /// Returns a stored text without decisions that the server has saved, and without those on whose leads it has saved later
    /// ones: `Some(None)` if no other is left, `None` if it has none of them.
    pub fn without(text: &str, saved: &[Saved]) -> Option<Option<String>> {
        let mut outbox = Self::default();
        outbox.restore(text);
        let now = outbox.next_number();
        outbox.changes();
        for one in saved {
            let at = outbox.leads.get(&one.lead).map(LeadState::at);
            // An earlier one is still stored if the storage was full.
            let is_replaced = at.is_some_and(|at| at < one.at);
            let is_saved = at == Some(one.at) && outbox.wanted(&one.lead) == Some(one.to);
            outbox.change(&one.lead, &mut |state| {
                if is_replaced {
                    state.decide(one.to, now, one.at);
                }
                if is_replaced || is_saved {
                    state.saved(one.to, now);
                }
            });
        }
        outbox.has_changes().then(|| outbox.to_stored())
    }

    /// Restores what an earlier session stored, and queues all of it, also if others changed the lead since. Writing a
    /// status twice is harmless. Held leads remain held. Of two decisions on a lead the later one wins. A later one that
    /// was made here is sent once more, because the stored one may have reached the server after it. Returns the
    /// restored leads; none if the text is invalid.
    pub fn restore(&mut self, text: &str) -> Vec<Arc<str>> {
        let Some(Value::Array(groups)) = parse(text) else {
            return Vec::new();
        };
        let now = self.next_number();
        let mut taken = Vec::new();
        for group in &groups {
            // Older versions stored each lead separately, with its id first.
            let (leads, from) = match (group.get(4), group.get(0)) {
                (Some(Value::Array(leads)), _) => (&**leads, 0),
                (_, Some(lead)) => (from_ref(lead), 1),
                _ => continue,
            };
            let word = |at: usize| group.get(from + at).and_then(Value::as_str);
            let (Some(wanted), Some(known)) = (word(0), word(1)) else {
                continue;
            };
            let Ok(wanted) = wanted.parse::<NewApprovalStatus>() else {
                continue;
            };
            let held = group.get(from + 2).and_then(Value::as_bool) == Some(true);
            let at = group.get(from + 3).and_then(Value::as_u64);
            let at = at.unwrap_or_default();
            for lead in leads.iter().filter_map(Value::as_str) {
                if lead.is_empty() {
                    continue;
                }
                let state = self.leads.get(lead);
                let here = state.filter(|state| state.is_decided());
                if here.map(LeadState::at) >= Some(at) {
                    self.change(lead, &mut |state| state.send_again(now));
                    continue;
                }
                let lead: Arc<str> = Arc::from(lead);
                self.ensure(&lead, ApprovalStatus::from(known));
                self.change(&lead, &mut |state| {
                    // A request of that page may have been in flight when it was closed.
                    state.may_be_sent(wanted);
                    state.decide(wanted, now, at);
                    state.hold(held);
                });
                taken.push(lead);
            }
        }
        taken
    }
}
