//! Changes of a workspace, as its stream tells them.

use crate::choice::ApprovalStatus;
use crate::model::model;

/// Path of the stream of changes. Not in the contract; our service offers it.
pub const CHANGES_PATH: &str = "/api/leads/changes";

/// Most ids that a [`Change`] lists.
pub const MAX_CHANGED_IDS: usize = 1000;

model! {
    /// An event of the stream: what changed since the event before.
    Changes {
        /// The version of the workspace that the changes led to. It is also the id of the event, from which a stream can
        /// go on.
        version: i64,
        /// When the last of the changes was saved.
        changed_at: String,
        /// The changes, by kind. The same lead can be in several.
        changes: Vec<Change>,
    }

    /// Changes of one kind.
    Change {
        /// What happened: `added`, `deleted`, `status`, `score`, `fields`, `lists`, `campaigns`, `signals` for leads, and
        /// `accounts` for accounts that were added, changed or deleted. Later versions can have more.
        kind: String,
        /// The new approval status of the leads, of the kind `status`.
        approval_status: ApprovalStatus,
        /// How many leads, or accounts, changed.
        count: u64,
        /// Their ids; none if there are more than 1,000.
        ids: Vec<String>,
    }
}
