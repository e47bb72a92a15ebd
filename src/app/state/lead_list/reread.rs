//! Reads rows again in place: they keep their positions until the list is read again.

use std::sync::Arc;

use futures_util::future::join_all;
use lead_workspace_api::{ApprovalStatus, LeadId};
use leptos::prelude::*;

use super::{LeadList, ListedLead};
use crate::app::model::live::DELETED;
use crate::client::{Client, ErrorKind};

/// The most leads that are requested one by one.
const MAX_SINGLE_REQUESTS: usize = 60;

/// How many of these requests are in flight at once.
const MAX_IN_FLIGHT: usize = 4;

impl LeadList {
    /// Reads leads in view again that `is_wanted` names, and updates their rows in place. Returns the leads whose status is
    /// another one now, or [`DELETED`].
    pub async fn reread_in_view(
        self,
        client: &Client,
        is_wanted: &dyn Fn(&str) -> bool,
    ) -> Vec<(Arc<str>, ApprovalStatus)> {
        let mut wanted = self.in_view(is_wanted);
        let mut moved = Vec::new();
        if wanted.is_empty() {
            return moved;
        }
        // Most rows are still where they were.
        for found in self.read_pages_in_view(client).await {
            if let Some(at) = wanted.iter().position(|id| **id == *found.lead.id) {
                let id = wanted.swap_remove(at);
                moved.extend(self.status_if_moved(id, &found.status));
                self.replace_lead(&found);
            }
        }
        for some in wanted[..wanted.len().min(MAX_SINGLE_REQUESTS)].chunks(MAX_IN_FLIGHT) {
            let calls = some.iter().map(|id| client.get_lead(&LeadId::new(&**id)));
            for (id, response) in some.iter().zip(join_all(calls).await) {
                let status = match response {
                    Ok(detail) => {
                        let status = detail.approval_status.clone();
                        if let Some((_, row)) = self.listing.position(|row| *row.lead.id == **id) {
                            let lead = Arc::new(row.lead.with_detail(detail));
                            self.replace_lead(&ListedLead { lead, ..row });
                        }
                        status
                    }
                    Err(error) if matches!(error.kind, ErrorKind::NotFound) => Some(DELETED.into()),
                    Err(_) => None,
                };
                moved.extend(
                    status.and_then(|status| self.status_if_moved(Arc::clone(id), &status)),
                );
            }
        }
        moved
    }

    /// Returns the wanted leads of the pages in view.
    fn in_view(self, is_wanted: &dyn Fn(&str) -> bool) -> Vec<Arc<str>> {
        let shown = self.listing.rendered();
        let ids = self.listing.pages.try_with_untracked(|pages| {
            let rows = pages.rows().filter(|(index, _)| shown.contains(index));
            let ids = rows.map(|(_, row)| &*row.lead.id);
            let ids = ids.filter(|id| !id.is_empty() && is_wanted(id));
            ids.map(Arc::from).collect()
        });
        ids.unwrap_or_default()
    }

    async fn read_pages_in_view(self, client: &Client) -> Vec<ListedLead> {
        let shown = self.listing.rendered();
        let Some(Some(view)) = self.shown.try_get_value() else {
            return Vec::new();
        };
        let pages = self.listing.pages.try_with_untracked(|pages| {
            let last = shown.end.saturating_sub(1).max(shown.start);
            (pages.page(shown.start)..=pages.page(last), pages.size())
        });
        let Some((pages, size)) = pages else {
            return Vec::new();
        };
        let mut rows = Vec::new();
        for page in pages {
            if let Ok(result) = self
                .request_page_once(client, &view, page, size, false)
                .await
            {
                rows.extend(result.rows);
            }
        }
        rows
    }

    /// Returns the status of a lead if the screen does not know it yet.
    fn status_if_moved(
        self,
        lead: Arc<str>,
        status: &ApprovalStatus,
    ) -> Option<(Arc<str>, ApprovalStatus)> {
        let listed = || {
            self.listing
                .find(|row| *row.lead.id == *lead)
                .map(|row| row.status)
        };
        let known = self.decisions.server_status(&lead).or_else(listed);
        (known.as_ref() != Some(status)).then(|| (lead, status.clone()))
    }

    /// Replaces the content of a row. Its status stays the one that the list was read with.
    fn replace_lead(self, new: &ListedLead) {
        let Some((index, mut row)) = self.listing.position(|row| row.lead.id == new.lead.id) else {
            return;
        };
        let lead = row.lead.followed_by((*new.lead).clone());
        if lead != *row.lead {
            row.lead = Arc::new(lead);
            #[cfg(feature = "embed")]
            {
                row.item.clone_from(&new.item);
            }
            self.listing
                .pages
                .try_update(|pages| pages.replace(index, row));
        }
    }
}
