//! Decisions on rows of the list.

use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};
use leptos::prelude::*;

use super::LeadList;
use crate::app::state::decisions::LeadStatus;
use crate::review::selection::SelectedValue;

impl LeadList {
    /// Decides on one lead, which need not be in the loaded list. `status` is its status on the server.
    pub fn decide(self, id: &str, status: &ApprovalStatus, name: &str, to: NewApprovalStatus) {
        self.record_decided(id);
        let shown = untrack(|| self.decisions.shown(id, status).0);
        self.decisions.decide(vec![(id.into(), shown)], to, name);
    }

    /// Decides on leads as one step. They need not be in the loaded list. The statuses are those on the server.
    pub fn decide_together(self, mut leads: Vec<LeadStatus>, to: NewApprovalStatus) {
        for (id, status) in &mut leads {
            self.record_decided(id);
            *status = untrack(|| self.decisions.shown(id, status).0);
        }
        self.decisions.decide(leads, to, "");
    }

    /// Decides on all selected leads, on any page, and clears the selection. The statuses in the selection may be
    /// outdated, so a loaded row's status replaces them.
    pub fn decide_selected(self, to: NewApprovalStatus) {
        let selected = |(id, value): (&Arc<str>, &SelectedValue)| match value {
            SelectedValue::Status(status) => Some((Arc::clone(id), status.clone())),
            SelectedValue::Points(_) => None,
        };
        let selection = self.grid_selection.selection;
        let mut selected: Vec<LeadStatus> =
            selection.with_untracked(|selection| selection.ids().filter_map(selected).collect());
        self.listing.pages.with_untracked(|pages| {
            for (_, row) in pages.rows() {
                let place = selected.binary_search_by(|(id, _)| (**id).cmp(&row.lead.id));
                if let Ok(at) = place {
                    selected[at].1 = row.status.clone();
                }
            }
        });
        let name = match &*selected {
            [(id, _)] => self.listing.find(|row| *row.lead.id == **id),
            _ => None,
        };
        let name = name.map(|row| row.lead.name.clone()).unwrap_or_default();
        self.update_selected_marks();
        for (id, status) in &mut selected {
            *status = untrack(|| self.decisions.shown(id, status).0);
        }
        self.decisions
            .decide_with_outdated_statuses(selected, to, &name);
        self.grid_selection
            .selection
            .update(|selection| selection.clear());
    }

    /// Stores the indexes of all selected rows that are loaded.
    fn update_selected_marks(self) {
        self.grid_selection
            .selection
            .with_untracked(|selection| self.record_rows(&|id| selection.has(id)));
    }

    /// Stores the index of a decided row.
    fn record_decided(self, id: &str) {
        self.record_rows(&|lead| lead == id);
    }

    /// Stores the indexes of the loaded rows that are decided.
    pub(in crate::app::state) fn record_rows(self, is_decided: &dyn Fn(&str) -> bool) {
        self.listing.pages.with_untracked(|pages| {
            let rows = pages.rows().filter(|(_, row)| is_decided(&row.lead.id));
            let rows = rows.map(|(index, row)| (index, Arc::from(&*row.lead.id)));
            self.decided.try_update_value(|decided| decided.add(rows));
        });
    }
}
