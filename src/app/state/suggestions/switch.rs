//! Switching suggestions on and off in this browser.

use std::hint::black_box;
use std::rc::Rc;

use super::slots::{decisions_slot, switch_slot};
use super::{LEARNING, Learning, Suggestions};
use crate::platform::storage;

impl Suggestions {
    /// Switches suggestions of a workspace on or off. Returns `false` if the browser does not store that, and they stay
    /// as they are.
    pub fn switch(self, scope: &str, on: bool) -> bool {
        let slot = switch_slot(scope);
        let stored = storage::local().is_some_and(|storage| match on {
            true => storage.set_item(&slot, "1").is_ok(),
            false => storage.remove_item(&slot).is_ok(),
        });
        if stored {
            self.is_on.set(on);
        }
        stored
    }

    /// Returns whether decisions of a workspace are stored, also while suggestions are off.
    pub fn has_decisions(self, scope: &str) -> bool {
        let stored = || storage::local()?.get_item(&decisions_slot(scope)).ok()?;
        stored().is_some()
    }

    /// Forgets the stored decisions of a workspace.
    pub fn forget(self, scope: &str) {
        if let Some(storage) = storage::local() {
            // Removing a slot cannot fail.
            let _ = storage.remove_item(&decisions_slot(scope));
        }
        if let Some(learning) = self.learning() {
            learning.learner().forget_all();
        }
    }

    /// Connects the learner.
    pub(super) fn connect(self, learning: Rc<dyn Learning>) {
        // The compiler must not see that there is one implementation: it would call it directly, and the learner would
        // become part of the first page.
        LEARNING.set(Some(black_box(learning)));
        self.show_new_model();
    }

    /// Disconnects the learner when suggestions are switched off.
    pub(super) fn disconnect(self) {
        LEARNING.set(None);
        self.end_order();
        self.show_new_model();
    }

    /// Updates what shows suggestions.
    pub(super) fn show_new_model(self) {
        self.is_on.try_update(|_| ());
    }
}
