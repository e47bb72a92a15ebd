//! Names of the slots in the browser's storage.

/// Prefix of the names of all slots, of every workspace.
pub const SLOTS: &str = "lead-workspace.suggestions ";

/// Returns the name of the slot that exists while suggestions are on.
pub(super) fn switch_slot(scope: &str) -> String {
    [SLOTS, "on ", scope].concat()
}

/// Returns the name of the slot of the decisions.
pub(super) fn decisions_slot(scope: &str) -> String {
    [SLOTS, "decisions ", scope].concat()
}
