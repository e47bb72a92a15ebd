//! Reads rows again in place: they keep their positions until the list is read again.

use std::sync::Arc;

use futures_util::future::join_all;
use lead_workspace_api::{ApprovalStatus, LeadDetail, LeadId};

use super::LeadList;
use super::listed_lead::ListedLead;
#[cfg(feature = "embed")]
use crate::app::model::kept::Kept;
#[cfg(feature = "embed")]
use crate::app::model::lead::with_detail;
use crate::client::{Client, ErrorKind};
use crate::review::outbox::DELETED;

/// The most leads that are requested one by one.
pub const MAX_SINGLE_REQUESTS: usize = 60;

/// How many of these requests are in flight at once.
pub const MAX_IN_FLIGHT: usize = 4;

/// A row that was read again.
pub struct Reread {
    pub lead: Arc<str>,
    /// The status, or [`DELETED`], if the screen did not know it.
    pub moved_to: Option<ApprovalStatus>,
    /// The score before and now.
    pub scores: (Option<f64>, Option<f64>),
}

impl LeadList {
    /// Reads leads in view again that `is_wanted` names, and updates their rows in place.
    pub async fn reread_in_view(
        self,
        client: &Client,
        is_wanted: &dyn Fn(&str) -> bool,
    ) -> Vec<Reread> {
        let mut wanted = self.listing.ids_in_view(is_wanted);
        let mut read = Vec::new();
        if wanted.is_empty() {
            return read;
        }
        // Of a lead that was decided meanwhile, the status is outdated.
        let sent = self.decisions.start_read();
        // Most rows are still where they were.
        for found in self.read_pages_in_view(client).await {
            if let Some(at) = wanted.iter().position(|id| **id == *found.lead.id) {
                read.extend(self.replace_lead(wanted.swap_remove(at), &found, sent));
            }
        }
        for some in wanted[..wanted.len().min(MAX_SINGLE_REQUESTS)].chunks(MAX_IN_FLIGHT) {
            let sent = self.decisions.start_read();
            let calls = some.iter().map(|id| client.get_lead(&LeadId::new(&**id)));
            for (id, response) in some.iter().zip(join_all(calls).await) {
                let Some(row) = self.listing.find(|row| *row.lead.id == **id) else {
                    continue;
                };
                let row = match response {
                    Ok(detail) => row.with_detail(detail),
                    Err(error) if matches!(error.kind, ErrorKind::NotFound) => ListedLead {
                        status: DELETED.into(),
                        ..row
                    },
                    Err(_) => continue,
                };
                read.extend(self.replace_lead(Arc::clone(id), &row, sent));
            }
        }
        read
    }

    async fn read_pages_in_view(self, client: &Client) -> Vec<ListedLead> {
        let view = self.shown.try_get_value().flatten();
        let (Some(view), Some((pages, size))) = (view, self.listing.pages_in_view()) else {
            return Vec::new();
        };
        let mut rows = Vec::new();
        for page in pages {
            if let Ok(read) = self.read_page(client, &view, page, size, false).await {
                rows.extend(read.rows);
            }
        }
        rows
    }

    /// Replaces the content of a row by a read that was sent at `sent`. Its status stays the one that the list was read
    /// with.
    fn replace_lead(self, id: Arc<str>, new: &ListedLead, sent: u64) -> Option<Reread> {
        let (index, row) = self.listing.position(|row| *row.lead.id == *id)?;
        let known = self.decisions.server_status(&id);
        let is_known = known.as_ref().unwrap_or(&row.status) == &new.status
            || self.decisions.is_known_after(&id, sent);
        let scores = (row.lead.score, new.lead.score);
        let now = ListedLead {
            lead: Arc::new(row.lead.followed_by((*new.lead).clone())),
            status: row.status.clone(),
            #[cfg(feature = "embed")]
            item: new.item.clone(),
        };
        if now != row {
            self.listing
                .pages
                .try_update(|pages| pages.replace(index, now));
        }
        Some(Reread {
            lead: id,
            moved_to: (!is_known).then(|| new.status.clone()),
            scores,
        })
    }
}

impl ListedLead {
    /// Returns the row with what the details of its lead say.
    fn with_detail(mut self, detail: LeadDetail) -> Self {
        if let Some(status) = &detail.approval_status {
            self.status = status.clone();
        }
        #[cfg(feature = "embed")]
        if let Some(item) = &self.item {
            let item = with_detail((**item).clone(), detail.clone());
            self.item = Some(Kept(Arc::new(item)));
        }
        self.lead = Arc::new(self.lead.with_detail(detail));
        self
    }
}
