//! The learner: records the user's decisions in the browser's storage, and trains the model while the browser is idle.

use std::rc::Rc;
use std::sync::Arc;

use leptos::ev;
use leptos::prelude::*;

use super::likely_order::LikelyOrder;
use super::slots::{decisions_slot, switch_slot};
use crate::app::model::approval_model::{
    ApprovalModel, DecisionLog, LeadFacts, Progress, Training, next_training,
};
use crate::app::model::lead::LeadItem;
use crate::app::reactive::{RwSignal, StoredValue};
use crate::app::state::{AppState, spawn};
use crate::platform::idle::idle;
use crate::platform::storage;
use crate::review::sorted_ids::SortedIds;

/// What was learned.
#[derive(Clone, Default)]
pub struct Learned {
    /// Stored decisions, and how many of them are approvals.
    pub decisions: usize,
    pub approved: usize,
    /// `None` while there are too few decisions.
    pub model: Option<Rc<ApprovalModel>>,
    /// Whether the browser's storage is full, so that the latest decisions are only in this tab.
    pub is_storage_full: bool,
}

/// A change of the stored decisions.
pub(super) enum Change {
    Record(Arc<LeadItem>, bool),
    Forget(Vec<Arc<str>>),
    /// The user confirms an unusual decision.
    Confirm(Arc<str>),
}

/// The stored text, and the decisions read from it.
#[derive(Default)]
struct StoredLog {
    text: String,
    log: DecisionLog,
}

#[derive(Clone, Copy)]
pub struct Learner {
    pub(super) app: AppState,
    pub learned: RwSignal<Learned>,
    /// The list that is ordered by likelihood.
    pub order: RwSignal<Option<Rc<LikelyOrder>>>,
    log: StoredValue<StoredLog>,
    /// The changes to store. `None` if there is nothing to do.
    changes: StoredValue<Option<Vec<Change>>>,
    /// Changes until the model is trained again.
    pub(super) until_training: StoredValue<usize>,
    is_working: StoredValue<bool>,
}

impl Learner {
    /// Starts learning under the current owner, and stops with it.
    pub fn start(app: AppState) {
        let learner = Self {
            app,
            learned: RwSignal::new(Learned::default()),
            order: RwSignal::new(None),
            log: StoredValue::new(StoredLog::default()),
            changes: StoredValue::new(None),
            until_training: StoredValue::new(0),
            is_working: StoredValue::new(false),
        };
        app.suggestions.connect(Rc::new(learner));
        // Other tabs write the same slots.
        let switch = switch_slot(&app.session.storage_scope());
        let listener = window_event_listener(ev::storage, move |event| {
            let key = event.key();
            if key.as_ref() == Some(&switch) && event.new_value().is_none() {
                app.suggestions.is_on.set(false);
            } else if key.as_ref() == Some(&learner.slot()) {
                if event.new_value().is_none() {
                    learner.drop_model();
                }
                learner.count_down();
                learner.work_later(None);
            }
        });
        on_cleanup(move || {
            listener.remove();
            app.suggestions.disconnect();
        });
        learner.work_later(None);
    }

    pub fn progress(self) -> Progress {
        self.learned.with(|learned| {
            Progress::new(
                learned.decisions,
                learned.approved,
                learned.model.as_deref(),
            )
        })
    }

    /// Drops all decisions. The slot must be removed already.
    pub(super) fn forget_all(self) {
        self.log.set_value(StoredLog::default());
        self.changes.set_value(None);
        self.drop_model();
        self.work_later(None);
    }

    /// Keeps an unusual decision as it is.
    pub fn confirm(self, lead: Arc<str>) {
        self.until_training.set_value(0);
        self.work_later(Some(Change::Confirm(lead)));
    }

    fn slot(self) -> String {
        decisions_slot(&self.app.session.storage_scope())
    }

    fn drop_model(self) {
        self.learned.set(Learned::default());
        self.until_training.set_value(0);
        self.app.suggestions.show_new_model();
    }

    fn count_down(self) {
        self.until_training
            .update_value(|left| *left = left.saturating_sub(1));
    }

    /// Stores a change soon, or reads what another tab stored, and trains the model if it is time.
    pub(super) fn work_later(self, change: Option<Change>) {
        self.changes
            .update_value(|changes| changes.get_or_insert_default().extend(change));
        if self.is_working.get_value() {
            return;
        }
        self.is_working.set_value(true);
        spawn(async move {
            // `None` once suggestions are switched off.
            let _ = self.work().await;
        });
    }

    async fn work(self) -> Option<()> {
        loop {
            idle().await;
            if let Some(changes) = self.changes.try_update_value(Option::take)? {
                self.store(changes)?;
            } else if self.until_training.try_get_value()? == 0 {
                self.train().await?;
            } else {
                break;
            }
        }
        self.is_working.set_value(false);
        Some(())
    }

    /// Changes the stored decisions. They are read again before, because another tab may have written them.
    fn store(self, changes: Vec<Change>) -> Option<()> {
        let (storage, slot) = (storage::local(), self.slot());
        let stored = storage.as_ref().map(|storage| storage.get_item(&slot));
        let stored = stored.and_then(Result::ok).flatten().unwrap_or_default();
        self.log.try_update_value(|log| {
            if log.text != stored {
                log.log = DecisionLog::from_stored(&stored).unwrap_or_default();
                log.text = stored;
            }
            let mut is_full = self
                .learned
                .with_untracked(|learned| learned.is_storage_full);
            if !changes.is_empty() {
                for change in changes {
                    self.count_down();
                    log.apply(change);
                }
                let text = log.log.to_stored();
                let written = storage.map(|storage| storage.set_item(&slot, &text));
                is_full = written.is_none_or(|written| written.is_err());
                if !is_full {
                    log.text = text;
                }
            }
            self.learned.update(|learned| {
                learned.decisions = log.log.len();
                learned.approved = log.log.approved();
                learned.is_storage_full = is_full;
            });
        })
    }

    async fn train(self) -> Option<()> {
        let log = self.log.try_with_value(|log| log.log.clone())?;
        let next = next_training(log.len());
        let training = Training::new(log);
        // Set first: what happens meanwhile may require another training at once.
        let next = if training.is_some() { next } else { 1 };
        self.until_training.set_value(next);
        let mut model = None;
        if let Some(mut training) = training {
            loop {
                idle().await;
                if !training.step() {
                    break;
                }
            }
            idle().await;
            model = Some(Rc::new(training.finish()));
        }
        // Everything may have been forgotten meanwhile.
        let is_empty = self.log.try_with_value(|log| log.log.is_empty())?;
        self.learned
            .try_update(|learned| learned.model = model.filter(|_| !is_empty));
        self.app.suggestions.show_new_model();
        Some(())
    }
}

impl StoredLog {
    fn apply(&mut self, change: Change) {
        match change {
            Change::Record(lead, approved) => {
                self.log.record(&lead.id, &LeadFacts::new(&lead), approved);
            }
            Change::Forget(leads) => {
                let leads = SortedIds::new(leads);
                self.log.forget_where(|lead| leads.has(lead));
            }
            Change::Confirm(lead) => self.log.confirm(&lead),
        }
    }
}
