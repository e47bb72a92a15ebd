//! What the app asks of the learner.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::NewApprovalStatus;
use leptos::prelude::*;

use super::Learning;
use super::learner::{Change, Learner};
use super::likely_order;
use crate::app::model::approval_model::{ApprovalModel, LeadFacts, Suggestion};
use crate::app::model::lead::LeadItem;
use crate::app::model::lead_tab::Tab;
use crate::app::model::view::LeadsView;
use crate::app::state::lead_list::listed_lead::ListedLead;
use crate::app::state::listing::RequestPage;
use crate::client::Client;

impl Learning for Learner {
    /// Records a decision on a single lead. Many leads at once are decided by a filter, or by an offer of the model,
    /// which must not learn from itself: then only what was recorded about them is forgotten.
    fn decided(&self, leads: Vec<Arc<str>>, to: Option<NewApprovalStatus>) {
        let approved = match to {
            Some(NewApprovalStatus::Approved) => Some(true),
            Some(NewApprovalStatus::Rejected | NewApprovalStatus::Filtered) => Some(false),
            Some(NewApprovalStatus::PendingApproval) | None => None,
        };
        let change = match (&*leads, approved) {
            ([lead], Some(approved)) => {
                let row = self.app.leads.listing.find(|row| *row.lead.id == **lead);
                row.map(|row| Change::Record(row.lead, approved))
            }
            _ => None,
        };
        let is_unusual = |model: &Rc<ApprovalModel>| {
            let unusual = model.unusual_decisions().iter();
            let mut unusual = unusual.map(|decision| &*decision.lead);
            unusual.any(|lead| leads.iter().any(|decided| **decided == *lead))
        };
        // An unusual decision was checked.
        if self
            .learned
            .with_untracked(|learned| learned.model.as_ref().is_some_and(is_unusual))
        {
            self.until_training.set_value(0);
        }
        self.work_later(Some(change.unwrap_or(Change::Forget(leads))));
    }

    fn percent(&self, lead: &LeadItem) -> Option<u8> {
        self.learned.with_untracked(|learned| {
            let model = learned.model.as_ref()?;
            model.percent(&LeadFacts::new(lead))
        })
    }

    fn suggestion(&self, lead: &LeadItem) -> Option<Suggestion> {
        self.learned.with_untracked(|learned| {
            let model = learned.model.as_ref()?;
            model.suggestion(&LeadFacts::new(lead))
        })
    }

    fn ordered_pages(
        &self,
        client: Client,
        view: &LeadsView,
        size: u32,
    ) -> RequestPage<ListedLead> {
        let learned = self.learned;
        let model = move || {
            learned
                .try_with_untracked(|learned| learned.model.clone())
                .flatten()
        };
        likely_order::pages(self.app, self.order, Rc::new(model), client, view, size)
    }

    fn note(&self) -> String {
        self.progress().sentence()
    }

    fn turn_order(&self) {
        let tab = self.app.leads_view.with_untracked(|view| view.tab);
        if tab == Tab::Pending && untrack(|| self.progress()).is_ready() {
            self.app.suggestions.is_ordered.update(|is| *is = !*is);
        }
    }

    fn learner(&self) -> Learner {
        *self
    }
}
