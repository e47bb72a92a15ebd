//! Decisions on screen: a thin layer of signals over the decision engine.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};
use leptos::prelude::*;

use self::actions::{Action, Perform};
use super::live::own_decision::OnOwnEvent;
use super::notice::Notice;
use super::session::Session;
use super::suggestions::Suggestions;
use crate::app::model::deleted_leads::Deleted;
use crate::app::model::lead_tab::TabCounts;
use crate::app::model::recent_decisions::{RecentDecision, lines};
use crate::app::model::save_state::{DecisionCounts, SaveState};
use crate::app::reactive::{RwSignal, StoredValue};
use crate::review::bulk_run::{LeadOutcome, Run, RunProgress};
use crate::review::engine::Engine;
pub use crate::review::engine::LeadStatus;
use crate::review::history::Step;
use crate::review::outbox::Phase;

mod actions;
#[cfg(feature = "embed")]
pub mod events;
mod of_others;
mod open_decisions;
mod screen;
mod tab_counts;

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
    /// Whether the browser's storage is full, so that unsaved decisions are not stored.
    pub storage_full: RwSignal<bool>,
    /// The length of the pause in milliseconds, while sending is paused.
    pub pause: RwSignal<Option<u32>>,
    /// `None` until its code is loaded.
    engine: StoredValue<Option<(Engine, Perform)>>,
    /// What was done before that.
    waiting: StoredValue<Vec<Action>>,
    /// Notify of changes in the engine.
    leads_changed: RwSignal<()>,
    history_changed: RwSignal<()>,
    runs_changed: RwSignal<()>,
    session: Session,
    notice: Notice,
    /// Learn from the decisions.
    suggestions: Suggestions,
    online: RwSignal<bool>,
    status_lookups: StoredValue<Vec<StatusLookup>>,
    /// Called before leads are decided here, for decisions that were saved, and for those of other tabs.
    on_own: StoredValue<Option<OnOwnEvent>>,
    /// Called for every decision that the server saved.
    #[cfg(feature = "embed")]
    pub on_saved: StoredValue<Option<events::OnSaved>>,
}

impl Decisions {
    /// Without the engine: see [`start_engine`](Self::start_engine).
    pub fn start(
        session: Session,
        notice: Notice,
        suggestions: Suggestions,
        online: RwSignal<bool>,
    ) -> Self {
        Self {
            counts: RwSignal::new(TabCounts::default()),
            has_tab_counts: StoredValue::new(false),
            changed: RwSignal::new(()),
            deleted: RwSignal::new(Deleted::default()),
            storage_full: RwSignal::new(false),
            pause: RwSignal::new(None),
            engine: StoredValue::new(None),
            waiting: StoredValue::new(Vec::new()),
            leads_changed: RwSignal::new(()),
            history_changed: RwSignal::new(()),
            runs_changed: RwSignal::new(()),
            session,
            notice,
            suggestions,
            online,
            status_lookups: StoredValue::new(Vec::new()),
            on_own: StoredValue::new(None),
            #[cfg(feature = "embed")]
            on_saved: StoredValue::new(None),
        }
    }

    /// Reads the engine. Returns the default until it is loaded, and once the app is gone. The first page calls nothing
    /// but reads in this way; see [`Action`].
    fn read<T: Default>(self, read: impl FnOnce(&Engine) -> T) -> T {
        let engine = self.engine.try_get_value().flatten();
        engine.map(|(engine, _)| read(&engine)).unwrap_or_default()
    }

    /// Registers a list that can look up statuses of leads.
    pub fn register_status_lookup(self, lookup: StatusLookup) {
        self.status_lookups.update_value(|all| all.push(lookup));
    }

    /// Returns the status to show for a lead, and how far its decision is. `status` is what the server reported.
    pub fn shown(self, lead: &str, status: &ApprovalStatus) -> (ApprovalStatus, Phase) {
        self.leads_changed.track();
        let found = self.read(|engine| {
            engine.with_outbox(|outbox| Some((outbox.shown(lead), outbox.phase(lead))))
        });
        let (shown, phase) = found.unwrap_or((None, Phase::Idle));
        (shown.unwrap_or_else(|| status.clone()), phase)
    }

    /// Returns whether decisions wait before they are sent: offline, or during a pause.
    pub fn is_paused(self) -> bool {
        !self.online.get() || self.pause.get().is_some()
    }

    /// Returns why the decision on a lead was not saved, and the status that was wanted.
    pub fn failure(self, lead: &str) -> Option<(String, NewApprovalStatus)> {
        self.leads_changed.track();
        self.read(|engine| {
            engine.with_outbox(|outbox| {
                let (failure, wanted) = outbox.failure(lead)?;
                Some((failure.reason.clone(), wanted))
            })
        })
    }

    /// Returns the server's status of a lead that was decided here, or by others since its list was read.
    pub fn server_status(self, lead: &str) -> Option<ApprovalStatus> {
        self.read(|engine| engine.with_outbox(|outbox| outbox.known(lead).cloned()))
    }

    /// Whether the server's status of a lead is newer than a read that was sent at `sent`.
    pub fn is_known_after(self, lead: &str, sent: u64) -> bool {
        self.read(|engine| engine.with_outbox(|outbox| outbox.is_known_after(lead, sent)))
    }

    /// Must be called before a read is sent. Pass the result to [`on_read`](Self::on_read).
    pub fn start_read(self) -> u64 {
        self.read(Engine::start_read)
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
        // Only those that were decided here are kept, and those that others changed lately.
        let known: Vec<_> = self.read(|engine| {
            engine.with_outbox(|outbox| {
                let known = leads.filter(|(lead, _)| outbox.concerns(lead));
                known
                    .map(|(lead, status)| (lead.into(), status.clone()))
                    .collect()
            })
        });
        if !known.is_empty() {
            self.act(Action::OnRead(known, sent));
        }
    }

    /// Handles a deleted lead: suggestions forget it.
    pub fn forget_deleted(self, lead: &str) {
        self.suggestions.decided(vec![lead.into()], None);
    }

    /// Decides on leads: shows and sends the status, and adds one undo step. `name` is the name of a single lead.
    /// Leads that are shown with this status already are skipped.
    pub fn decide(self, leads: Vec<LeadStatus>, to: NewApprovalStatus, name: &str) {
        self.act(Action::Decide(leads, to, name.to_owned()));
    }

    /// Decides on leads whose statuses may be outdated. Leads that seem to have the status are sent, too, unless
    /// they were decided here.
    pub fn decide_with_outdated_statuses(
        self,
        leads: Vec<LeadStatus>,
        to: NewApprovalStatus,
        name: &str,
    ) {
        self.act(Action::DecideWithOutdatedStatuses(
            leads,
            to,
            name.to_owned(),
        ));
    }

    /// Undoes the latest step, or the one with this number. Leads that were decided again since stay as they are.
    pub fn undo(self, number: Option<u64>) {
        self.act(Action::Undo(number));
    }

    /// Redoes the step that was undone last.
    pub fn redo(self) {
        self.act(Action::Redo);
    }

    /// Sends unsaved decisions again, of these leads or of all. Also ends a pause.
    pub fn retry(self, leads: Option<&[Arc<str>]>) {
        self.act(Action::Retry(leads.map(<[_]>::to_vec)));
    }

    /// Reverts decisions that were not saved, or perhaps not, of these leads or of all.
    pub fn revert(self, leads: Option<&[Arc<str>]>) {
        self.act(Action::Revert(leads.map(<[_]>::to_vec)));
    }

    /// Sends decisions again that failed because of the key.
    pub fn retry_refused(self) {
        self.act(Action::RetryRefused);
    }

    /// Drops all decisions that the server does not have yet, also from the browser's storage.
    pub fn discard(self) {
        self.read(Engine::discard);
    }

    /// Returns whether a step can be undone.
    pub fn has_step(self, number: u64) -> bool {
        self.history_changed.track();
        self.read(|engine| {
            engine.with_history(|history| history.recent().any(|step| step.number == number))
        })
    }

    /// Reads the latest step that can be undone.
    pub fn last_step<T>(self, read: impl FnOnce(&Step) -> T) -> Option<T> {
        self.history_changed.track();
        self.read(|engine| engine.with_history(|history| history.last().map(read)))
    }

    /// Returns when a lead was decided here last, in milliseconds since 1970, if that can be undone.
    pub fn decided_at(self, lead: &str) -> Option<u64> {
        self.read(|engine| engine.with_history(|history| history.decided_at(lead)))
    }

    /// Returns all steps that can be undone, the latest first.
    pub fn recent(self) -> Vec<Step> {
        self.history_changed.track();
        self.read(|engine| engine.with_history(|history| history.recent().cloned().collect()))
    }

    /// Returns the recent decisions, the latest first.
    pub fn recent_decisions(self) -> Vec<RecentDecision> {
        self.history_changed.track();
        self.leads_changed.track();
        self.read(|engine| {
            engine.with_history(|history| engine.with_outbox(|outbox| lines(history, outbox)))
        })
    }

    pub fn can_redo(self) -> bool {
        self.history_changed.track();
        self.read(|engine| engine.with_history(|history| history.can_redo()))
    }

    /// Returns the leads of a step whose decisions were not saved.
    pub fn unsaved_leads(self, number: u64) -> Vec<Arc<str>> {
        self.read(|engine| {
            engine.with_history(|history| {
                let lost = history.lost().filter(|step| step.number == number);
                lost.flat_map(|step| step.changes.iter().map(|one| Arc::clone(&one.lead)))
                    .collect()
            })
        })
    }

    /// Returns the numbers of all runs, the oldest first.
    pub fn runs(self) -> Vec<u64> {
        self.runs_changed.track();
        self.read(|engine| engine.with_runs(|runs| runs.numbers()))
    }

    /// Reads a run. `None` once it was closed.
    pub fn run<T>(self, number: u64, read: impl FnOnce(&Run) -> T) -> Option<T> {
        self.runs_changed.track();
        self.read(|engine| engine.with_runs(|runs| runs.get(number).map(read)))
    }

    /// Returns the progress of a run. `None` once it was closed.
    pub fn progress(self, number: u64) -> Option<RunProgress> {
        self.run(number, Run::progress)
    }

    /// Returns the leads of a run with this outcome.
    pub fn leads_of(self, number: u64, outcome: LeadOutcome) -> Vec<Arc<str>> {
        let leads = untrack(|| self.run(number, |run| run.leads_of(outcome)));
        leads.unwrap_or_default()
    }

    /// Pauses or resumes sending a run.
    pub fn set_run_paused(self, number: u64, paused: bool) {
        self.read(|engine| engine.set_run_paused(number, paused));
    }

    /// Cancels what is queued or not confirmed. Where the server may have saved it, the previous status is sent.
    pub fn cancel_run(self, number: u64) {
        self.read(|engine| engine.cancel_run(number));
    }

    /// Sends again what was not saved, or perhaps not.
    pub fn retry_run(self, number: u64) {
        self.read(|engine| engine.retry_run(number));
    }

    /// Removes a run. Its decisions go on.
    pub fn close_run(self, number: u64) {
        self.read(|engine| engine.close_run(number));
    }

    pub fn decision_counts(self) -> DecisionCounts {
        self.leads_changed.track();
        self.read(|engine| {
            engine.with_outbox(|outbox| DecisionCounts {
                open: outbox.open(),
                retrying: outbox.count(Phase::Retrying),
                held: outbox.open() - outbox.moving(),
                saved: outbox.count(Phase::Confirmed),
                failed: outbox.count(Phase::Failed),
                uncertain: outbox.count(Phase::Uncertain),
            })
        })
    }

    /// Returns whether the decisions are saved.
    pub fn save_state(self) -> SaveState {
        let is_paused = self.pause.get().is_some();
        SaveState::new(&self.decision_counts(), self.online.get(), is_paused)
    }
}
