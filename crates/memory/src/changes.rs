//! The stream of changes: what led to each version of the workspace, as the service tells it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use lead_workspace_api::{Change, Changes, MAX_CHANGED_IDS};
use lead_workspace_index::ChangeKind;
use lead_workspace_logic::iso;
use serde::Serialize;
use serde_json::json;

use crate::Workspace;

/// Kinds of leads, as the stream names them. That of a decision has the status, too.
const LEAD_KINDS: [(ChangeKind, &str); 5] = [
    (ChangeKind::SCORE, "score"),
    (ChangeKind::LEAD, "fields"),
    (ChangeKind::LIST, "lists"),
    (ChangeKind::CAMPAIGN, "campaigns"),
    (ChangeKind::INTENT, "signals"),
];

/// The versions of a workspace.
#[derive(Default)]
pub(crate) struct Feed {
    /// The version that the workspace began with.
    first: i64,
    /// What led to each version after it, and when.
    versions: Vec<(Noted, Timestamp)>,
    /// What has changed since the last version.
    now: Noted,
}

/// What has changed, by the numbers of leads and accounts.
#[derive(Default)]
struct Noted {
    added: BTreeSet<i64>,
    leads: BTreeMap<i64, ChangeKind>,
    /// With their ids. A later lead may have the number again.
    deleted: Vec<(i64, String)>,
    accounts: BTreeSet<i64>,
}

impl Noted {
    fn is_empty(&self) -> bool {
        self.added.is_empty()
            && self.leads.is_empty()
            && self.deleted.is_empty()
            && self.accounts.is_empty()
    }

    fn delete(&mut self, number: i64, lead_id: String) {
        self.added.remove(&number);
        self.leads.remove(&number);
        self.deleted.push((number, lead_id));
    }

    fn change(&mut self, number: i64, kind: ChangeKind) {
        let known = self.leads.entry(number).or_insert(kind);
        *known = known.or(kind);
    }

    /// Adds what has changed later.
    fn add(&mut self, later: &Self) {
        for (number, lead_id) in &later.deleted {
            self.delete(*number, lead_id.clone());
        }
        self.added.extend(&later.added);
        for (number, kind) in &later.leads {
            self.change(*number, *kind);
        }
        self.accounts.extend(&later.accounts);
    }
}

/// A part of a stream.
#[derive(Debug, PartialEq, Eq)]
pub struct Told {
    /// Server-sent events; empty if nothing happened.
    pub text: String,
    /// The version up to which they tell.
    pub version: i64,
}

impl Workspace {
    pub(crate) fn note_lead(&mut self, number: i64, kind: ChangeKind) {
        self.feed.now.change(number, kind);
    }

    pub(crate) fn note_added(&mut self, number: i64) {
        self.feed.now.added.insert(number);
    }

    pub(crate) fn note_deleted(&mut self, number: i64, lead_id: String) {
        self.feed.now.delete(number, lead_id);
    }

    pub(crate) fn note_account(&mut self, number: i64) {
        self.feed.now.accounts.insert(number);
    }

    /// Makes a version of what was noted.
    pub(crate) fn commit(&mut self, now: Timestamp) {
        if !self.feed.now.is_empty() {
            let noted = std::mem::take(&mut self.feed.now);
            self.feed.versions.push((noted, now));
        }
    }

    /// Returns the present version.
    pub fn version(&self) -> i64 {
        self.feed.first + self.feed.versions.len() as i64
    }

    /// Gives a new workspace a version, so that those of an earlier one are not known to it.
    pub fn begin_with(&mut self, version: i64) {
        self.feed.first = version;
    }

    /// Returns the beginning of a stream: its first event, and what has happened since a version, by default the present
    /// one.
    pub(crate) fn stream_after(&self, since: Option<i64>) -> Told {
        let since = since.unwrap_or(self.version());
        let mut told = self.told_after(since);
        told.text = event("open", since, &json!({ "version": since })) + &told.text;
        told
    }

    /// Returns how a stream goes on after a version.
    pub fn told_after(&self, since: i64) -> Told {
        let version = self.version();
        let text = if since == version {
            String::new()
        } else if since < self.feed.first || since > version {
            event("reset", version, &json!({ "version": version }))
        } else {
            event("change", version, &self.changes_after(since))
        };
        Told { text, version }
    }

    fn changes_after(&self, since: i64) -> Changes {
        let skipped = usize::try_from(since - self.feed.first).unwrap_or_default();
        let mut noted = Noted::default();
        let mut at = None;
        for (entry, changed_at) in self.feed.versions.iter().skip(skipped) {
            noted.add(entry);
            at = Some(*changed_at);
        }
        Changes {
            version: Some(self.version()),
            changed_at: at.map(iso),
            changes: Some(self.changes(noted)),
        }
    }

    fn changes(&self, mut noted: Noted) -> Vec<Change> {
        noted
            .leads
            .retain(|number, _| !noted.added.contains(number));
        let id_of = |number: &i64| Some(self.lead_numbered(*number)?.row.lead_id.clone());
        let mut changes = vec![
            change("added", noted.added.iter().filter_map(id_of)),
            change("deleted", noted.deleted.into_iter().map(|(_, id)| id)),
        ];
        let mut by_status: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (number, kind) in &noted.leads {
            if let Some(lead) = self.lead_numbered(*number)
                && kind.meets(ChangeKind::STATUS)
            {
                let ids = by_status.entry(lead.status.as_str()).or_default();
                ids.push(lead.row.lead_id.clone());
            }
        }
        changes.extend(by_status.into_iter().map(|(status, ids)| Change {
            approval_status: Some(status.into()),
            ..change("status", ids.into_iter())
        }));
        for (kind, name) in LEAD_KINDS {
            let leads = noted.leads.iter().filter(|(_, of)| of.meets(kind));
            changes.push(change(name, leads.filter_map(|(number, _)| id_of(number))));
        }
        let accounts = noted.accounts.iter();
        let accounts = accounts.filter_map(|number| self.account(*number));
        let account_ids = accounts.map(|account| account.row.account_id.clone());
        changes.push(change("accounts", account_ids));
        changes.retain(|change| change.count != Some(0));
        changes
    }
}

fn change(kind: &str, ids: impl Iterator<Item = String>) -> Change {
    let ids: Vec<String> = ids.collect();
    Change {
        kind: Some(kind.to_owned()),
        approval_status: None,
        count: Some(ids.len() as u64),
        ids: Some(ids).filter(|ids| ids.len() <= MAX_CHANGED_IDS),
    }
}

fn event(name: &str, version: i64, data: &impl Serialize) -> String {
    // The values are texts and numbers. JSON has no line breaks.
    let data = serde_json::to_string(data).unwrap_or_default();
    format!("event: {name}\nid: {version}\ndata: {data}\n\n")
}

#[cfg(test)]
#[path = "changes_tests.rs"]
mod tests;
