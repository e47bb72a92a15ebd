//! Counts of the tabs from the server, with what it does not know yet laid over them: unsaved decisions and deletions.

use lead_workspace_api::ApprovalStatus;

use super::Decisions;
use crate::app::model::lead_tab::{StatusCounts, Tab};

impl Decisions {
    /// Shows the counts of a view; `None` if they could not be read. The read was sent at `sent`.
    pub fn show_counts(self, counts: Option<StatusCounts>, is_whole: bool, sent: u64) {
        if is_whole {
            self.set_whole_counts(counts, sent);
            self.counts.try_update(|shown| shown.show_whole());
        } else {
            let counts = counts.map(|counts| counts.with(&self.changes(true, sent)));
            self.counts
                .try_update(|shown| shown.show_view(counts.as_ref()));
        }
    }

    /// Sets the counts of the whole workspace, if they could be read.
    pub fn set_whole_counts(self, counts: Option<StatusCounts>, sent: u64) {
        if let Some(counts) = counts {
            let counts = counts.with(&self.changes(false, sent));
            self.counts.try_update(|shown| shown.set_all_whole(&counts));
            self.has_tab_counts.set_value(true);
        }
    }

    /// Sets the count of one tab in the whole workspace.
    pub fn set_whole_count(self, tab: Tab, count: u64, sent: u64) {
        let changes = self.changes(false, sent);
        let changes = changes.iter().filter(|(status, _)| tab.holds(status));
        let count = count.saturating_add_signed(changes.map(|(_, by)| by).sum());
        self.counts.try_update(|shown| shown.set_whole(tab, count));
    }

    /// Returns what a read that was sent at `sent` does not count yet, by status. `only_listed`: of deletions, only
    /// those in the shown list.
    fn changes(self, only_listed: bool, sent: u64) -> Vec<(ApprovalStatus, i64)> {
        let deleted = self.deleted.try_with_untracked(|deleted| {
            let deleted = deleted.counted(sent, only_listed);
            deleted.map(|status| (status.clone(), -1)).collect()
        });
        let mut changes: Vec<_> = deleted.unwrap_or_default();
        self.read(|engine| {
            engine.with_outbox(|outbox| {
                for (known, shown) in outbox.unsaved() {
                    changes.extend([(known, -1), (shown, 1)]);
                }
            });
        });
        changes
    }
}
