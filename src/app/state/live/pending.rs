//! What is to be read again, and how often.

use std::sync::Arc;

use crate::app::state::abort_on_drop::AbortOnDrop;

/// Rows and details are not read again more often than after this many milliseconds.
pub(super) const ROWS_MS: u32 = 1_000;

/// Counts and accounts are not requested more often than after this many milliseconds.
pub(super) const COUNTS_MS: u32 = 4_000;

/// Pages other than the lists are not read again more often than after this many milliseconds.
pub(super) const PAGES_MS: u32 = 15_000;

/// What is to be read again.
#[derive(Default)]
pub struct Pending {
    /// Leads whose rows are.
    pub(super) rows: Vec<Arc<str>>,
    /// Leads whose details are.
    pub(super) details: Vec<Arc<str>>,
    /// Whether everything in view is.
    pub(super) all: bool,
    /// Whether open accounts are.
    pub(super) accounts: bool,
    /// Reads rows.
    pub(super) task: Option<AbortOnDrop>,
}
