//! Decisions: shown at once, sent by the outbox, undone and redone, restored after a reload, and synced to other
//! tabs.

use std::rc::Rc;
use std::sync::Arc;

use gloo_timers::callback::Timeout;
use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};
use leptos::prelude::*;

use super::notice::Notice;
use super::session::Session;
use super::suggestions::Suggestions;
use crate::app::model::deleted_leads::Deleted;
use crate::app::model::lead_tab::TabCounts;
use crate::app::model::save_state::{DecisionCounts, SaveState};
use crate::review::bulk_run::Runs;
use crate::review::history::History;
use crate::review::outbox::{CHUNK, Outbox, Phase};

mod bulk_runs;
#[cfg(feature = "embed")]
mod detached_sender;
#[cfg(feature = "embed")]
pub mod events;
mod open_decisions;
mod other_tabs;
mod outbox_store;
mod pause;
mod retry_failed;
mod send;
mod tab_counts;
mod undo;

/// A lead and its status on screen.
pub type LeadStatus = (Arc<str>, ApprovalStatus);

/// Returns the status that a list has of a lead.
pub type StatusLookup = Rc<dyn Fn(&str) -> Option<ApprovalStatus>>;

#[derive(Clone, Copy)]
pub struct Decisions {
    /// The number of leads per tab.
    pub counts: RwSignal<TabCounts>,
    /// Whether the counts of the whole workspace are loaded and current.
    pub has_tab_counts: StoredValue<bool>,
    /// Notifies that leads changed on the server other than by a decision here.
    pub changed: RwSignal<()>,
    /// Leads that were deleted here.
    pub deleted: RwSignal<Deleted>,
    /// Bulk decisions.
    pub runs: RwSignal<Runs>,
    outbox: RwSignal<Outbox>,
    made: StoredValue<u64>,
    history: RwSignal<History>,
    session: Session,
    notice: Notice,
    /// Learn from the decisions.
    suggestions: Suggestions,
    online: RwSignal<bool>,
    store: StoredValue<Option<outbox_store::OutboxStore>, LocalStorage>,
    /// Whether the browser's storage is full, so that unsaved decisions are not stored.
    pub storage_full: RwSignal<bool>,
    /// The timer that resumes sending, while paused by the rate limit or an unavailable server.
    pause_timer: StoredValue<Option<Timeout>, LocalStorage>,
    /// The length of the pause in milliseconds, while paused.
    pub pause: RwSignal<Option<u32>>,
    tabs: StoredValue<Option<other_tabs::OtherTabs>, LocalStorage>,
    status_lookups: StoredValue<Vec<StatusLookup>, LocalStorage>,
    /// Sends what is left when the app is removed from a host page.
    #[cfg(feature = "embed")]
    sender: StoredValue<detached_sender::DetachedSender, LocalStorage>,
    /// Called for every decision that the server saved.
    #[cfg(feature = "embed")]
    pub on_saved: StoredValue<Option<events::OnSaved>, LocalStorage>,
}

impl Decisions {
    /// Starts with the unsaved decisions of an earlier visit, if any.
    pub fn start(
        session: Session,
        notice: Notice,
        suggestions: Suggestions,
        online: RwSignal<bool>,
    ) -> Self {
        let decisions = Self {
            counts: RwSignal::new(TabCounts::default()),
            has_tab_counts: StoredValue::new(false),
            changed: RwSignal::new(()),
            deleted: RwSignal::new(Deleted::default()),
            runs: RwSignal::new(Runs::default()),
            outbox: RwSignal::new(Outbox::default()),
            made: StoredValue::new(0),
            history: RwSignal::new(History::default()),
            session,
            notice,
            suggestions,
            online,
            store: StoredValue::new_local(None),
            storage_full: RwSignal::new(false),
            pause_timer: StoredValue::new_local(None),
            pause: RwSignal::new(None),
            tabs: StoredValue::new_local(None),
            status_lookups: StoredValue::new_local(Vec::new()),
            #[cfg(feature = "embed")]
            sender: StoredValue::new_local(detached_sender::DetachedSender::default()),
            #[cfg(feature = "embed")]
            on_saved: StoredValue::new_local(None),
        };
        // In a host page, decisions are neither stored in the browser nor synced to other tabs.
        if !session.is_embedded() {
            let base = session.storage_scope();
            decisions
                .tabs
                .set_value(other_tabs::OtherTabs::join(&base, move |lead, status| {
                    decisions.on_saved_elsewhere(lead, status);
                }));
            outbox_store::start(&base, decisions);
        }
        #[cfg(feature = "embed")]
        if session.is_embedded() {
            on_cleanup(move || decisions.hand_over());
        }
        decisions.resume_automatically(online);
        decisions
    }

    /// Hands unsent decisions to the detached sender when the app is removed. Nothing is stored in a host page.
    #[cfg(feature = "embed")]
    fn hand_over(self) {
        let left = self
            .outbox
            .try_maybe_update(|outbox| (false, std::mem::take(outbox)));
        if let (Some(left), Some(sender), Some(client)) =
            (left, self.sender.try_get_value(), self.session.client_now())
        {
            sender.take_over(left, &client);
        }
    }

    /// Registers a list that can look up statuses of leads.
    pub fn register_status_lookup(self, lookup: StatusLookup) {
        self.status_lookups.update_value(|all| all.push(lookup));
    }

    /// Returns the status to show for a lead, and how far its decision is. `status` is what the server reported.
    pub fn shown(self, lead: &str, status: &ApprovalStatus) -> (ApprovalStatus, Phase) {
        self.outbox.with(|outbox| {
            let shown = outbox.shown(lead).unwrap_or_else(|| status.clone());
            (shown, outbox.phase(lead))
        })
    }

    /// Returns whether decisions wait before they are sent: offline, or during a pause.
    pub fn is_paused(self) -> bool {
        !self.online.get() || self.pause.get().is_some()
    }

    /// Returns why the decision on a lead was not saved, and the status that was wanted.
    pub fn failure(self, lead: &str) -> Option<(String, NewApprovalStatus)> {
        self.outbox.with(|outbox| {
            let (failure, wanted) = outbox.failure(lead)?;
            Some((failure.reason.clone(), wanted))
        })
    }

    /// Returns the server's status of a lead that was decided here.
    pub fn server_status(self, lead: &str) -> Option<ApprovalStatus> {
        self.outbox
            .with_untracked(|outbox| outbox.known(lead).cloned())
    }

    /// Must be called before a read is sent. Pass the result to [`on_read`](Self::on_read).
    pub fn start_read(self) -> u64 {
        // Does not notify: nothing on screen depends on the number.
        self.outbox
            .try_maybe_update(|outbox| (false, outbox.start_read()))
            .unwrap_or_default()
    }

    /// Returns whether a read that was sent at `sent` may contain a lead that was deleted here.
    pub fn is_deleted(self, lead: &str, sent: u64) -> bool {
        let hides = |deleted: &Deleted| deleted.hides(lead, sent);
        self.deleted.try_with_untracked(hides) == Some(true)
    }

    /// Stores the statuses of a read that was sent at `sent`.
    pub fn on_read<'a>(
        self,
        leads: impl Iterator<Item = (&'a str, &'a ApprovalStatus)>,
        sent: u64,
    ) {
        self.update(|outbox| {
            for (lead, status) in leads {
                outbox.on_read(lead, status.clone(), sent);
            }
        });
    }

    /// Changes the outbox, if it still exists, and updates what depends on it: the screen, the runs, the stored
    /// copy.
    fn update<U>(self, change: impl FnOnce(&mut Outbox) -> U) -> Option<U> {
        let (changed, result) = self.update_screen(change)?;
        if changed {
            self.store_soon();
        }
        Some(result)
    }

    /// Changes the outbox, if it still exists, and updates the screen and the runs. Also returns whether any lead
    /// changed.
    fn update_screen<U>(self, change: impl FnOnce(&mut Outbox) -> U) -> Option<(bool, U)> {
        let (changes, result) = self.outbox.try_maybe_update(|outbox| {
            let result = change(outbox);
            let changes = outbox.changes();
            (!changes.is_empty(), (changes, result))
        })?;
        if !changes.is_empty() {
            self.outbox.try_with_untracked(|outbox| {
                self.runs
                    .try_maybe_update(|runs| (runs.follow(outbox, &changes), ()));
            });
        }
        Some((!changes.is_empty(), result))
    }

    /// Applies what the user chose for these leads: updates screen and tab counts, stores at once, and sends.
    fn apply(self, leads: &[Arc<str>], change: impl FnOnce(&mut Outbox)) {
        let befores = self.statuses(leads);
        self.update_screen(change);
        self.update_tab_counts(&befores, &self.statuses(leads));
        self.store_now();
        self.flush();
    }

    /// Handles a deleted lead: suggestions forget it.
    pub fn forget_deleted(self, lead: &str) {
        self.suggestions.decided(vec![lead.into()], None);
    }

    /// Decides on leads: shows and sends the status, and adds one undo step. `name` is the name of a single lead.
    /// Leads that are shown with this status already are skipped.
    pub fn decide(self, mut leads: Vec<LeadStatus>, to: NewApprovalStatus, name: &str) {
        leads.retain(|(_, shown)| shown.known() != Some(to));
        self.add_and_send_step(leads, to, name);
    }

    /// Decides on leads whose statuses may be outdated. Leads that seem to have the status are sent, too, unless
    /// they were decided here.
    pub fn decide_with_outdated_statuses(
        self,
        mut leads: Vec<LeadStatus>,
        to: NewApprovalStatus,
        name: &str,
    ) {
        self.outbox.with_untracked(|outbox| {
            leads.retain(|(lead, shown)| shown.known() != Some(to) || outbox.known(lead).is_none());
        });
        self.add_and_send_step(leads, to, name);
    }

    /// Adds one undo step, and sends its decision.
    fn add_and_send_step(self, leads: Vec<LeadStatus>, to: NewApprovalStatus, name: &str) {
        if leads.is_empty() {
            return;
        }
        let step = self.add_step(&leads, to, name);
        self.send_step(step, leads, to);
    }

    /// Sends the decision of a step, as a bulk run if it takes more than one request.
    fn send_step(self, step: u64, leads: Vec<LeadStatus>, to: NewApprovalStatus) {
        self.suggestions.decided(ids(&leads), Some(to));
        let targets = (leads.len() > CHUNK).then(|| targets(&leads, to));
        self.send_decision(leads, to);
        match targets {
            Some(targets) => self.start_run(Some(step), targets, false),
            None => self.notice.clear(),
        }
    }

    /// Shows a decision, stores it, and sends it.
    fn send_decision(self, leads: Vec<LeadStatus>, to: NewApprovalStatus) {
        self.made.update_value(|made| *made += 1);
        let befores: Vec<ApprovalStatus> = leads.iter().map(|(_, from)| from.clone()).collect();
        self.update_screen(|outbox| {
            outbox.set_clock(js_sys::Date::now() as u64);
            outbox.decide(leads, to);
        });
        self.update_tab_counts(&befores, &vec![to.into(); befores.len()]);
        self.store_now();
        self.flush();
    }

    pub fn decision_counts(self) -> DecisionCounts {
        self.outbox.with(|outbox| DecisionCounts {
            open: outbox.open(),
            retrying: outbox.count(Phase::Retrying),
            saved: outbox.count(Phase::Confirmed),
            failed: outbox.count(Phase::Failed),
            uncertain: outbox.count(Phase::Uncertain),
        })
    }

    /// Returns whether the decisions are saved.
    pub fn save_state(self) -> SaveState {
        let is_paused = self.pause.get().is_some();
        SaveState::new(&self.decision_counts(), self.online.get(), is_paused)
    }

    fn statuses(self, leads: &[Arc<str>]) -> Vec<ApprovalStatus> {
        let lookups = self.status_lookups.try_get_value().unwrap_or_default();
        let status = |outbox: &Outbox, lead: &str| {
            let shown = outbox.shown(lead);
            shown.or_else(|| lookups.iter().find_map(|lookup| lookup(lead)))
        };
        self.outbox.with_untracked(|outbox| {
            let shown = leads.iter().map(|lead| status(outbox, lead));
            let unknown = || ApprovalStatus::from("unknown");
            shown.map(|shown| shown.unwrap_or_else(unknown)).collect()
        })
    }

    /// Updates the tab counts after statuses changed.
    fn update_tab_counts(self, befores: &[ApprovalStatus], afters: &[ApprovalStatus]) {
        if befores != afters {
            self.counts.try_update(|counts| {
                for (before, after) in befores.iter().zip(afters) {
                    counts.moved(before, after);
                }
            });
        }
    }

    /// Handles a status that another tab reports as saved.
    fn on_saved_elsewhere(self, lead: &str, status: NewApprovalStatus) {
        let leads = [lead.into()];
        let befores = self.statuses(&leads);
        self.update(|outbox| outbox.on_saved_elsewhere(lead, status.into()));
        if befores[0].known().is_some() {
            self.update_tab_counts(&befores, &self.statuses(&leads));
        }
        self.changed.try_set(());
    }

    /// Restores the stored decisions of an earlier visit.
    fn restore(self, text: &str) {
        let taken = self.update(|outbox| outbox.restore(text));
        let Some(taken) = taken.filter(|taken| !taken.is_empty()) else {
            return;
        };
        self.restore_runs(&taken);
        let sent = self.outbox.with_untracked(|outbox| {
            let sent = |lead: &&Arc<str>| !outbox.is_held(lead);
            taken.iter().filter(sent).count()
        });
        if sent > 0 {
            self.notice.show_restored(sent);
        }
    }

    /// Stores what is not saved yet. Does nothing once the app is gone.
    fn store_now(self) {
        let Some(text) = self.outbox.try_with_untracked(Outbox::to_stored) else {
            return;
        };
        let written = self
            .store
            .try_with_value(|store| store.as_ref().map(|store| store.write(text.as_deref())));
        if let Some(Some(written)) = written {
            self.storage_full.try_maybe_update(|full| {
                let changed = *full == written;
                *full = !written;
                (changed, ())
            });
        }
    }

    /// Stores later. Losing this write is harmless: a decision is sent once more at worst.
    fn store_soon(self) {
        let open = self.outbox.try_with_untracked(Outbox::open);
        self.store.try_with_value(|store| {
            if let (Some(store), Some(open)) = (store, open) {
                store.write_later(open, move || self.store_now());
            }
        });
    }
}

fn ids(leads: &[LeadStatus]) -> Vec<Arc<str>> {
    leads.iter().map(|(lead, _)| Arc::clone(lead)).collect()
}

fn targets(leads: &[LeadStatus], to: NewApprovalStatus) -> Vec<(Arc<str>, NewApprovalStatus)> {
    let leads = leads.iter().map(|(lead, _)| (Arc::clone(lead), to));
    leads.collect()
}
