//! Leads that are being deleted: removed from the list, and put back.

use std::sync::Arc;

use gloo_timers::future::TimeoutFuture;
use lead_workspace_api::ApprovalStatus;

use super::LeadList;
use super::listed_lead::ListedLead;
use crate::app::model::deleted_leads::{Deleted, DeletedPosition, unlocated};
use crate::review::selection::Cursor;

impl LeadList {
    /// Removes a lead from the list before it is deleted. Returns whether it was loaded.
    pub fn remove(self, row: &ListedLead, shown: ApprovalStatus) -> bool {
        let id = &row.lead.id;
        let Some((index, _)) = self.listing.position(|row| row.lead.id == *id) else {
            return false;
        };
        let position = match self.shown.get_value() {
            Some(view) if !self.listing.is_current(index) => unlocated(&shown, &view),
            _ => DeletedPosition::At(index),
        };
        self.listing.forget_recent();
        self.decisions
            .deleted
            .update(|deleted| deleted.hold(id.as_str().into(), shown, position));
        self.listing.pages.update(|pages| {
            pages.remove(index);
        });
        self.shift(index, -1);
        self.grid_selection
            .selection
            .update(|selection| selection.drop_all([&Arc::from(id.as_str())]));
        self.grid_selection.on_row_removed(self.listing, index);
        self.listing.request_missing();
        true
    }

    /// Handles a lead that the server deleted.
    pub fn on_deleted(self, id: &str) {
        let now = self.decisions.start_read();
        let position = self
            .decisions
            .deleted
            .try_update(|deleted| deleted.done(id, now));
        self.decisions.changed.set(());
        self.read_again(position);
    }

    /// Puts a lead back where it was, and moves the cursor there.
    pub fn put_back(self, row: ListedLead) {
        self.listing.forget_recent();
        let id: Arc<str> = row.lead.id.as_str().into();
        let position = self
            .decisions
            .deleted
            .try_update(|deleted| deleted.remove(&id));
        let Some(DeletedPosition::At(index)) = position else {
            self.read_again(position);
            return;
        };
        self.listing
            .pages
            .try_update(|pages| pages.insert(index, row));
        self.shift(index, 1);
        if let Some(cursor) = self.grid_selection.cursor.try_get_untracked().flatten() {
            let cursor = Cursor {
                id: Some(id),
                index,
                ..cursor
            };
            self.grid_selection.place_cursor(self.listing, cursor);
        }
        self.listing.request_missing();
    }

    /// Reloads the list if a lead was deleted or put back whose position in it is unknown.
    fn read_again(self, position: Option<DeletedPosition>) {
        if matches!(
            position,
            Some(DeletedPosition::Listed | DeletedPosition::Perhaps)
        ) {
            self.refresh();
        }
    }

    /// Waits until no deletion is in flight, at most two seconds: a read may or may not contain the lead.
    pub(super) async fn wait_for_deletions(self) {
        for _ in 0..50 {
            let deleted = self.decisions.deleted;
            if deleted.try_with_untracked(Deleted::is_in_flight) != Some(true) {
                return;
            }
            TimeoutFuture::new(40).await;
        }
    }
}
