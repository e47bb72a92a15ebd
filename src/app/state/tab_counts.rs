//! The number of leads per tab. The API has no counts: each one is the total of a query for a single row.

use leptos::prelude::*;

use super::abort_on_drop::AbortOnDrop;
use super::decisions::Decisions;
use super::idle::idle;
use crate::app::model::lead_tab::Tab;
use crate::app::model::view::LeadsView;
use crate::client::Client;

/// Loads the counts of all tabs but `known`, one after the other. Starts after the rows are painted, to not delay
/// them.
pub(super) fn load(client: Client, decisions: Decisions, known: Option<Tab>) -> AbortOnDrop {
    AbortOnDrop::start(async move {
        idle().await;
        for tab in Tab::ALL.into_iter().filter(|tab| Some(*tab) != known) {
            let query = LeadsView::default().on(tab).query(1, 1);
            let sent = decisions.start_read();
            let response = client.query_leads(&query).await;
            // A tab without a count shows none.
            if let Some(total) = response.ok().and_then(|page| page.total) {
                let gone = decisions
                    .deleted
                    .try_with_untracked(|deleted| deleted.count_in_tab(tab, sent));
                let total = total.saturating_sub(gone.unwrap_or_default());
                decisions.counts.try_update(|counts| counts.set(tab, total));
            }
        }
    })
}
