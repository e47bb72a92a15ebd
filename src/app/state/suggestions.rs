//! Suggestions from the user's own decisions: the part that is loaded at once. The learner is loaded while they are
//! switched on.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::NewApprovalStatus;

use self::learner::Learner;
use self::slots::switch_slot;
use super::lead_list::listed_lead::ListedLead;
use super::listing::RequestPage;
use super::session::Session;
use crate::app::model::approval_model::Suggestion;
use crate::app::model::lead::LeadItem;
use crate::app::model::lead_tab::Tab;
use crate::app::model::view::LeadsView;
use crate::app::reactive::RwSignal;
use crate::client::Client;
use crate::platform::storage;

pub mod learner;
mod learning;
mod likely_order;
pub mod slots;
mod switch;

/// What the app needs of the learner. Behind a trait, so that its code is not part of the first page.
pub trait Learning {
    /// Handles a decision of the user on leads. `None` means that it was undone.
    fn decided(&self, leads: Vec<Arc<str>>, to: Option<NewApprovalStatus>);

    /// Returns how likely the user approves a lead, in percent.
    fn percent(&self, lead: &LeadItem) -> Option<u8>;

    /// Returns what the model says about a lead.
    fn suggestion(&self, lead: &LeadItem) -> Option<Suggestion>;

    /// Returns the source of the pages of a list, the most likely leads first.
    fn ordered_pages(&self, client: Client, view: &LeadsView, size: u32)
    -> RequestPage<ListedLead>;

    /// Says whether there are likelihoods, and if not, why.
    fn note(&self) -> String;

    /// Orders the pending leads by likelihood, or returns to the order of the server. Nothing without likelihoods.
    fn turn_order(&self);

    fn learner(&self) -> Learner;
}

thread_local! {
    /// The learner, while suggestions are on. One app of a page has suggestions: in a host page there are none.
    static LEARNING: RefCell<Option<Rc<dyn Learning>>> = const { RefCell::new(None) };
}

#[derive(Clone, Copy)]
pub struct Suggestions {
    /// Whether they are switched on. Also notified when there is another model.
    pub is_on: RwSignal<bool>,
    /// Whether the pending leads are ordered by likelihood. Not part of the address: the order depends on what this
    /// browser learned.
    pub is_ordered: RwSignal<bool>,
}

impl Suggestions {
    pub fn start(session: Session) -> Self {
        let is_on = || {
            let slot = switch_slot(&session.storage_scope());
            storage::local()?.get_item(&slot).ok()?
        };
        // In a host page nothing is stored, so that nothing can be learned.
        let is_on = !session.is_embedded() && is_on().is_some();
        let [is_on, is_ordered] = [is_on, false].map(RwSignal::new);
        Self { is_on, is_ordered }
    }

    /// Returns the learner, once it is loaded and while suggestions are on.
    pub fn learning(self) -> Option<Rc<dyn Learning>> {
        LEARNING.with_borrow(Clone::clone)
    }

    /// Same as [`learning`](Self::learning), tracked: also when there is another model.
    pub fn tracked(self) -> Option<Rc<dyn Learning>> {
        self.is_on.track();
        self.learning()
    }

    /// Says whether there are likelihoods, and if not, why, tracked.
    pub fn note(self) -> String {
        match self.tracked() {
            Some(learning) => learning.note(),
            None => "Suggestions are off.".to_owned(),
        }
    }

    /// Orders the pending leads by likelihood, or returns to the order of the server.
    pub fn turn_order(self) {
        if let Some(learning) = self.learning() {
            learning.turn_order();
        }
    }

    /// Returns to the order of the server. Returns whether the leads were ordered by likelihood.
    pub fn end_order(self) -> bool {
        let was_ordered = self.is_ordered.try_get_untracked() == Some(true);
        if was_ordered {
            self.is_ordered.set(false);
        }
        was_ordered
    }

    /// Passes a decision of the user on to the learner. `None` means that it was undone.
    pub fn decided(self, leads: Vec<Arc<str>>, to: Option<NewApprovalStatus>) {
        if let Some(learning) = self.learning() {
            learning.decided(leads, to);
        }
    }

    /// Returns the source of the pages of a list that is ordered by likelihood, tracked. `None` in the order of the
    /// server.
    pub fn ordered_pages(
        self,
        client: &Client,
        view: &LeadsView,
        size: u32,
    ) -> Option<RequestPage<ListedLead>> {
        let is_ordered = view.tab == Tab::Pending && self.is_ordered.get();
        let learning = self.learning().filter(|_| is_ordered)?;
        Some(learning.ordered_pages(client.clone(), view, size))
    }
}
