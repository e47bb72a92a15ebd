//! The stream of changes: what led to each version of the workspace, as in the service.

use jiff::Timestamp;
use lead_workspace_api::{Change, Changes, change_event, version_event};
use lead_workspace_index::{ChangeKind, ChangedRows};
use lead_workspace_logic::iso;

use crate::Workspace;

/// The versions of a workspace.
#[derive(Default)]
pub(crate) struct Feed {
    /// The version that the workspace began with.
    first: i64,
    /// What led to each version after it, and when.
    versions: Vec<(ChangedRows<i64>, Timestamp)>,
    /// What has changed since the last version.
    now: ChangedRows<i64>,
}

/// A part of a stream.
#[derive(Debug, PartialEq, Eq)]
pub struct StreamPart {
    /// Events as sent; empty if nothing happened.
    pub text: String,
    /// The version up to which they report.
    pub version: i64,
}

impl Workspace {
    pub(crate) fn note_lead(&mut self, number: i64, kind: ChangeKind) {
        self.feed.now.change_lead(number, kind);
    }

    pub(crate) fn note_added(&mut self, number: i64) {
        self.feed.now.add_lead(number);
    }

    pub(crate) fn note_deleted(&mut self, number: i64, lead_id: String) {
        self.feed.now.delete_lead(number, lead_id);
    }

    pub(crate) fn note_account(&mut self, number: i64) {
        self.feed.now.change_account(number);
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
    pub(crate) fn stream_after(&self, since: Option<i64>) -> StreamPart {
        let since = since.unwrap_or(self.version());
        let mut part = self.part_after(since);
        part.text.insert_str(0, &version_event("open", since));
        part
    }

    /// Returns how a stream goes on after a version.
    pub fn part_after(&self, since: i64) -> StreamPart {
        let version = self.version();
        let text = if since == version {
            String::new()
        } else if since < self.feed.first || since > version {
            version_event("reset", version)
        } else {
            change_event(version, &self.changes_after(since))
        };
        StreamPart { text, version }
    }

    fn changes_after(&self, since: i64) -> Changes {
        let skipped = usize::try_from(since - self.feed.first).unwrap_or_default();
        let mut changed = ChangedRows::default();
        let mut at = None;
        for (entry, changed_at) in self.feed.versions.iter().skip(skipped) {
            changed.extend(entry);
            at = Some(*changed_at);
        }
        Changes {
            version: Some(self.version()),
            changed_at: at.map(iso),
            changes: Some(self.changes(&changed)),
        }
    }

    fn changes(&self, changed: &ChangedRows<i64>) -> Vec<Change> {
        let lead = |number| {
            let lead = self.lead_numbered(number)?;
            Some((&*lead.row.lead_id, lead.status.as_str()))
        };
        let accounts = changed.accounts();
        let accounts = accounts.filter_map(|number| self.account(number));
        let account_ids = accounts.map(|account| account.row.account_id.clone());
        changed.by_kind(lead, account_ids.collect())
    }
}

#[cfg(test)]
#[path = "changes_tests.rs"]
mod tests;
