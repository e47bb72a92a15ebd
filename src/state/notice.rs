//! The last decision, in words, for as long as it is likely to be undone.

use std::sync::Arc;

use gloo_timers::callback::Timeout;
use lead_workspace_api::NewApprovalStatus;
use leptos::prelude::*;

use crate::model::decision::Decision;

/// How long a decision can be undone from the notice, in milliseconds.
const SHOWN: u32 = 8_000;

/// A decision that can be undone.
#[derive(Clone)]
pub struct Undoable {
    /// The lead.
    pub lead_id: Arc<str>,
    /// The lead's name.
    pub name: Arc<str>,
    /// What was decided.
    pub to: NewApprovalStatus,
    /// The status before.
    pub from: NewApprovalStatus,
    /// The decision itself, which may outlive its row.
    pub decision: ArcRwSignal<Decision>,
}

/// The notice of the last decision.
#[derive(Clone, Copy)]
pub struct Notice {
    shown: RwSignal<Option<Undoable>>,
    timer: StoredValue<Option<Timeout>, LocalStorage>,
}

impl Notice {
    /// Nothing to undo.
    pub fn start() -> Self {
        Self {
            shown: RwSignal::new(None),
            timer: StoredValue::new_local(None),
        }
    }

    /// What can be undone now.
    pub fn get(self) -> Option<Undoable> {
        self.shown.get()
    }

    /// Shows a decision, in place of an older one.
    pub fn show(self, decision: Undoable) {
        self.shown.set(Some(decision));
        let timer = Timeout::new(SHOWN, move || {
            self.shown.try_set(None);
        });
        self.timer.set_value(Some(timer));
    }

    /// Takes it away if it is about this lead.
    pub fn forget(self, lead_id: &str) {
        let about = self.shown.try_with_untracked(|shown| {
            shown.as_ref().is_some_and(|last| *last.lead_id == *lead_id)
        });
        if about == Some(true) {
            self.take();
        }
    }

    /// Takes it away, and hands it over.
    pub fn take(self) -> Option<Undoable> {
        self.timer.set_value(None);
        let shown = self.shown.get_untracked();
        self.shown.set(None);
        shown
    }
}
