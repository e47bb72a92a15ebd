//! The decision engine: decisions on leads are shown at once, sent in the background, undone and redone, kept over
//! reloads and told to other tabs. It has no screen: the review UI and the JavaScript API are its hosts.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};

use self::other_tabs::OtherTabs;
use self::outbox_store::OutboxStore;
use self::pause::Pause;
use self::runs::CancelledLead;
use super::bulk_run::Runs;
use super::history::History;
use super::outbox::{CHUNK, Outbox, Saved};
use crate::client::runtime::Task;
use crate::client::{Client, Error};

mod changed_by_others;
mod other_tabs;
mod outbox_store;
mod pause;
mod retry;
mod runs;
mod send;
mod undo;

pub use self::undo::Undone;

/// A lead and its status on screen.
pub type LeadStatus = (Arc<str>, ApprovalStatus);

/// What the engine needs from the code that runs it.
pub trait Host {
    /// Returns the client to send with; `None` while there is none, for example without a key.
    fn client(&self) -> Option<Client>;

    fn is_online(&self) -> bool;

    /// Returns the time in milliseconds since 1970.
    fn now(&self) -> u64;

    /// Completes when a request may be sent, for example after the screen has shown the decision.
    fn before_send(&self) -> Task;

    /// Called after a change, never during one, so that it may call the engine. Not called after
    /// [`close`](Engine::close).
    fn on_event(&self, event: Event<'_>);
}

/// What changed.
#[derive(Debug)]
pub enum Event<'a> {
    /// The status to show of these leads, or how far their decisions are. A lead may be named more than once.
    Leads(&'a [Arc<str>]),
    /// The steps that can be undone or redone.
    History,
    Runs,
    /// Sending was paused, or goes on.
    Pause,
    /// Whether unsaved decisions are stored, or those of an earlier visit restored.
    Stored,
    /// The user decided on these leads; `None` if an earlier decision was taken back.
    Decided(Vec<Arc<str>>, Option<NewApprovalStatus>),
    /// The status to show of these leads changed. With the statuses before; `None` if that was not known here.
    Moved(&'a [Arc<str>], &'a [Option<ApprovalStatus>]),
    /// The server saved these decisions of this tab.
    Saved(&'a [Saved]),
    /// Another tab decided on a lead. `true`: the server saved it.
    DecidedInOtherTab(&'a Arc<str>, NewApprovalStatus, bool),
    /// This number of decisions of an earlier visit is sent now.
    Restored(usize),
    /// A request failed.
    Failed(&'a Error),
}

/// The engine. Clones share everything.
#[derive(Clone)]
pub struct Engine(Rc<Inner>);

struct Inner {
    host: Box<dyn Host>,
    state: RefCell<State>,
    store: RefCell<Option<OutboxStore>>,
    tabs: RefCell<Option<OtherTabs>>,
    /// Set when the engine is closed.
    closed: RefCell<Option<Closed>>,
    /// Whether the decisions of an earlier visit are not restored yet.
    restoring: Cell<bool>,
}

/// What is left of a closed engine.
struct Closed {
    /// Sends what is left, if it is not stored.
    client: Option<Client>,
    /// What the names of the slots begin with that may have its decisions.
    slots: Option<String>,
}

#[derive(Default)]
struct State {
    outbox: Outbox,
    history: History,
    runs: Runs,
    /// Leads that were in flight when their runs were cancelled.
    cancelled: Vec<CancelledLead>,
    /// How often something was decided.
    made: u64,
    pause: Option<Pause>,
    storage_full: bool,
}

impl Engine {
    pub fn new(host: Box<dyn Host>) -> Self {
        Self(Rc::new(Inner {
            host,
            state: RefCell::default(),
            store: RefCell::default(),
            tabs: RefCell::default(),
            closed: RefCell::default(),
            restoring: Cell::new(false),
        }))
    }

    /// Stores unsaved decisions in the browser, restores those of an earlier visit and of closed tabs, and tells other
    /// tabs what was saved. `scope` names the workspace in storage. `slot` is the slot of an engine of this tab that
    /// stopped without closing, if there was one.
    pub fn persist(&self, scope: &str, slot: Option<String>) {
        self.join_other_tabs(scope);
        outbox_store::start(self, scope, slot);
    }

    /// Ends the engine. What is stored stays for the next one, without what is in flight and then saved. If nothing can be
    /// stored, unsaved decisions are still sent.
    pub fn close(&self) {
        if self.is_closed() {
            return;
        }
        self.leave_store();
        let is_kept = self.is_kept();
        let slots = self.0.store.take().map(OutboxStore::into_slots);
        self.0.tabs.take();
        let client = (!is_kept).then(|| self.0.host.client()).flatten();
        self.0.closed.replace(Some(Closed { client, slots }));
        self.0.restoring.set(false);
        // Nobody is left to go on after a pause by hand, or online.
        self.send_queued();
    }

    /// Whether decisions are on their way, or may still be restored. Not those that are held, or that a closed engine has left
    /// for the next one.
    pub fn is_moving(&self) -> bool {
        let closed = self.0.closed.borrow();
        let is_sent = closed.as_ref().is_none_or(|closed| closed.client.is_some());
        is_sent && (self.is_restoring() || self.with_outbox(|outbox| outbox.moving() > 0))
    }

    pub fn is_closed(&self) -> bool {
        self.0.closed.borrow().is_some()
    }

    /// Decides on leads: shows and sends the status, and adds one undo step. `name` is the name of a single lead. Leads
    /// that are shown with this status already are skipped. Returns the number of the step; `None` if all were skipped.
    pub fn decide(
        &self,
        mut leads: Vec<LeadStatus>,
        to: NewApprovalStatus,
        name: &str,
    ) -> Option<u64> {
        leads.retain(|(_, shown)| shown.known() != Some(to));
        self.add_and_send_step(leads, to, name)
    }

    /// Decides on leads whose statuses may be outdated. Leads that seem to have the status are sent, too, unless they
    /// were decided here.
    pub fn decide_with_outdated_statuses(
        &self,
        mut leads: Vec<LeadStatus>,
        to: NewApprovalStatus,
        name: &str,
    ) -> Option<u64> {
        self.with_outbox(|outbox| {
            leads.retain(|(lead, shown)| shown.known() != Some(to) || outbox.known(lead).is_none());
        });
        self.add_and_send_step(leads, to, name)
    }

    /// Adds one undo step, and sends its decision.
    fn add_and_send_step(
        &self,
        leads: Vec<LeadStatus>,
        to: NewApprovalStatus,
        name: &str,
    ) -> Option<u64> {
        if leads.is_empty() {
            return None;
        }
        let step = self.add_step(&leads, to, name);
        self.send_step(step, leads, to);
        Some(step)
    }

    /// Sends the decision of a step, as a run if it takes more than one request.
    fn send_step(&self, step: u64, leads: Vec<LeadStatus>, to: NewApprovalStatus) {
        self.emit(Event::Decided(ids(&leads), Some(to)));
        let targets = (leads.len() > CHUNK).then(|| targets(&leads, to));
        self.send_decision(leads, to);
        if let Some(targets) = targets {
            self.start_run(Some(step), targets, false);
        }
    }

    /// Shows a decision, stores it, and sends it.
    fn send_decision(&self, leads: Vec<LeadStatus>, to: NewApprovalStatus) {
        let (ids, befores) = (
            ids(&leads),
            leads.iter().map(|(_, from)| Some(from.clone())),
        );
        let befores: Vec<Option<ApprovalStatus>> = befores.collect();
        // The clock may have been set back since an earlier decision, which would then count as the later one.
        let now = self.with_outbox(|outbox| outbox.last_decided(&ids).saturating_add(1));
        let now = now.max(self.0.host.now());
        let mut leads = Some(leads);
        self.change(&mut |state| {
            state.made += 1;
            state.outbox.set_clock(now);
            state.outbox.decide(leads.take().unwrap_or_default(), to);
        });
        self.emit(Event::Moved(&ids, &befores));
        self.store_now();
        self.tell_other_tabs(&ids, to, now, false);
        self.send_queued();
    }

    /// Applies what the user chose for these leads: shows, stores and sends it.
    fn apply(&self, leads: &[Arc<str>], change: &mut dyn FnMut(&mut Outbox)) {
        self.change_shown(leads, change);
        self.store_now();
        self.send_queued();
    }

    /// Changes leads, and reports that their statuses moved. Returns whether any lead changed.
    fn change_shown(&self, leads: &[Arc<str>], change: &mut dyn FnMut(&mut Outbox)) -> bool {
        let befores: Vec<Option<ApprovalStatus>> = self.with_outbox(|outbox| {
            let befores = leads.iter().map(|lead| outbox.shown(lead));
            befores.collect()
        });
        let changed = self.change(&mut |state| change(&mut state.outbox));
        self.emit(Event::Moved(leads, &befores));
        changed
    }

    /// Changes the state, lets the runs follow, and reports the changes of leads and runs. Returns whether any lead
    /// changed. One function for all changes: each closure type would compile its own.
    fn change(&self, change: &mut dyn FnMut(&mut State)) -> bool {
        let mut state = self.0.state.borrow_mut();
        change(&mut state);
        let changes = state.outbox.changes();
        let State { outbox, runs, .. } = &mut *state;
        let runs_changed = !changes.is_empty() && runs.follow(outbox, &changes);
        drop(state);
        if !changes.is_empty() {
            self.emit(Event::Leads(&changes));
        }
        if runs_changed {
            self.emit(Event::Runs);
        }
        !changes.is_empty()
    }

    fn emit(&self, event: Event<'_>) {
        if !self.is_closed() {
            self.0.host.on_event(event);
        }
    }

    /// Reads the outbox.
    pub fn with_outbox<T>(&self, read: impl FnOnce(&Outbox) -> T) -> T {
        read(&self.0.state.borrow().outbox)
    }

    /// Reads the history.
    pub fn with_history<T>(&self, read: impl FnOnce(&History) -> T) -> T {
        read(&self.0.state.borrow().history)
    }

    /// Reads the runs.
    pub fn with_runs<T>(&self, read: impl FnOnce(&Runs) -> T) -> T {
        read(&self.0.state.borrow().runs)
    }

    /// Returns how often something was decided here. The number only grows.
    pub fn made(&self) -> u64 {
        self.0.state.borrow().made
    }

    /// Returns whether the decisions of an earlier visit may still be restored.
    pub fn is_restoring(&self) -> bool {
        self.0.restoring.get()
    }

    /// Returns whether decisions that are not saved are kept in the browser.
    pub fn is_kept(&self) -> bool {
        self.0.store.borrow().is_some() && !self.is_storage_full()
    }

    /// Returns whether nothing can be stored, because the browser's storage is full.
    pub fn is_storage_full(&self) -> bool {
        self.0.state.borrow().storage_full
    }

    /// Must be called before a read is sent. Pass the result to [`on_read`](Self::on_read).
    pub fn start_read(&self) -> u64 {
        self.0.state.borrow_mut().outbox.start_read()
    }

    /// Takes the statuses of a read that was sent at `sent`.
    pub fn on_read(&self, leads: &mut dyn Iterator<Item = (&str, &ApprovalStatus)>, sent: u64) {
        let changed = self.change(&mut |state| {
            for (lead, status) in &mut *leads {
                state.outbox.on_read(lead, status.clone(), sent);
            }
        });
        if changed {
            self.store_soon();
        }
    }

    /// Takes a decision of another tab, made at `at`.
    fn on_decided_elsewhere(&self, lead: &str, to: NewApprovalStatus, at: u64, is_saved: bool) {
        let id: Arc<str> = lead.into();
        let changed = self.change_shown(&[Arc::clone(&id)], &mut |outbox| {
            outbox.on_decided_elsewhere(lead, to, at, is_saved);
        });
        if changed {
            self.store_soon();
        }
        self.emit(Event::DecidedInOtherTab(&id, to, is_saved));
        self.send_queued();
    }

    /// Drops all decisions that the server does not have yet, also the stored ones.
    pub fn discard(&self) {
        let all = self.with_outbox(Outbox::leads);
        self.0.state.borrow_mut().outbox = Outbox::default();
        self.emit(Event::Leads(&all));
        self.store_now();
    }
}

fn ids(leads: &[LeadStatus]) -> Vec<Arc<str>> {
    leads.iter().map(|(lead, _)| Arc::clone(lead)).collect()
}

fn targets(leads: &[LeadStatus], to: NewApprovalStatus) -> Vec<(Arc<str>, NewApprovalStatus)> {
    let leads = leads.iter().map(|(lead, _)| (Arc::clone(lead), to));
    leads.collect()
}
