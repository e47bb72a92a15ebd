//! Deleting a lead: confirmation, a few seconds to undo it, then the request.

use std::sync::Arc;

use gloo_timers::callback::Timeout;
use lead_workspace_api::LeadId;
use leptos::ev;
use leptos::prelude::*;

use super::decisions::Decisions;
use super::lead_list::LeadList;
use super::lead_list::listed_lead::ListedLead;
use super::notice::{Notice, UNDO_MS};
use super::session::Session;
use super::spawn;
use crate::app::model::deleted_leads::Deleted;
use crate::app::reactive::{RwSignal, StoredValue};

/// A lead that is removed from the screen, but not yet from the server.
struct HeldDeletion {
    row: ListedLead,
    _timer: Timeout,
    /// [`Deletion::send`]. A function pointer, so that its code is loaded with that of the confirmation.
    send: fn(Deletion),
}

/// The deletion of a lead. One at a time: the next deletion sends a held one at once.
#[derive(Clone, Copy)]
pub struct Deletion {
    /// The lead in the confirmation dialog.
    pub prompt: RwSignal<Option<Arc<ListedLead>>>,
    held: StoredValue<Option<HeldDeletion>>,
    session: Session,
    leads: LeadList,
    decisions: Decisions,
    notice: Notice,
}

impl Deletion {
    pub fn start(session: Session, leads: LeadList, decisions: Decisions, notice: Notice) -> Self {
        let deletion = Self {
            prompt: RwSignal::new(None),
            held: StoredValue::new(None),
            session,
            leads,
            decisions,
            notice,
        };
        // A confirmed deletion is sent even if the user leaves the page.
        let listener = window_event_listener(ev::pagehide, move |_| deletion.send_held());
        on_cleanup(move || {
            listener.remove();
            deletion.send_held();
        });
        deletion
    }

    /// Asks for confirmation before deleting a lead.
    pub fn ask_to_confirm(self, row: ListedLead) {
        self.prompt.set(Some(Arc::new(row)));
    }

    /// Removes the lead from the screen, and sends the deletion after [`UNDO_MS`] unless it is undone.
    pub fn confirm(self) {
        let Some(row) = self.prompt.try_update(Option::take).flatten() else {
            return;
        };
        self.send_held();
        let (shown, _) = untrack(|| self.decisions.shown(&row.lead.id, &row.status));
        if !self.leads.remove(&row, shown) {
            return;
        }
        self.count(&row, -1);
        let timer = Timeout::new(UNDO_MS, move || Self::send(self));
        self.notice.show_deleting(&row.lead.name);
        self.held.set_value(Some(HeldDeletion {
            row: (*row).clone(),
            _timer: timer,
            send: Self::send,
        }));
    }

    /// Undoes the held deletion.
    pub fn undo(self) {
        if let Some(Some(held)) = self.held.try_update_value(Option::take) {
            let message = format!("{} was restored", held.row.lead.name);
            self.put_back(held.row);
            self.notice.show_text(message);
        }
    }

    fn put_back(self, row: ListedLead) {
        self.count(&row, 1);
        self.leads.put_back(row);
    }

    /// Sends the held deletion, if any.
    fn send_held(self) {
        let send = self
            .held
            .try_with_value(|held| held.as_ref().map(|held| held.send));
        if let Some(send) = send.flatten() {
            send(self);
        }
    }

    /// Sends the held deletion, if any. Without a client the lead is put back.
    fn send(self) {
        let Some(Some(held)) = self.held.try_update_value(Option::take) else {
            return;
        };
        let Some(client) = self.session.client_now() else {
            self.put_back(held.row);
            return;
        };
        let row = held.row;
        let leaving = |deleted: &mut Deleted| (false, deleted.sent(&row.lead.id));
        self.decisions.deleted.try_maybe_update(leaving);
        spawn(async move {
            let id = LeadId::new(&*row.lead.id);
            let response = client.delete_lead(&id).await;
            if self.held.try_with_value(|_| ()).is_none() {
                // The app is gone.
                return;
            }
            if response.is_ok() {
                self.leads.on_deleted(&row.lead.id);
                self.decisions.forget_deleted(&row.lead.id);
            }
            if let Err(error) = response {
                self.session.check_key(&error);
                let outcome = match error.ambiguous {
                    false => "was not deleted",
                    true => "may have been deleted",
                };
                let message = format!("{} {outcome}. {}.", row.lead.name, error.summary());
                self.put_back(row);
                if error.ambiguous {
                    self.leads.refresh();
                }
                self.notice.show_failed(message, &error);
            }
        });
    }

    fn count(self, row: &ListedLead, by: i64) {
        let (shown, _) = untrack(|| self.decisions.shown(&row.lead.id, &row.status));
        self.decisions
            .counts
            .try_update(|counts| counts.changed(&shown, by));
    }
}
