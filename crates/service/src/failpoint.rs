//! Named points where a test can end the process, as a crash would.
//!
//! Only a build with debug assertions has them: the profiles `dev` and `soak`. A release build has not.

/// A point. Each says what has happened before it, and what has not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failpoint {
    /// A transaction of the writer has begun; no change has run.
    Begin,
    /// A change has run; others may follow in the same transaction.
    Change,
    /// All changes of a transaction have run; it is not committed.
    BeforeCommit,
    /// A transaction is committed; no caller knows.
    AfterCommit,
    /// The write-ahead log is about to be copied into the database, or has just been.
    Checkpoint,
    /// The jobs of an earlier process are back in the queue; that is not committed.
    Requeue,
    /// A job is taken and marked as running; no step has begun.
    Lease,
    /// The scores of a step are computed; nothing is written.
    Step,
    /// The cursor of a job has moved; the scores of the step are not written.
    Cursor,
    /// The scores of a step are written; the transaction is not committed.
    Scores,
    /// A job is marked as succeeded; the transaction is not committed.
    Finish,
    /// The leads of a batch of an import are written; the import does not know.
    ImportLeads,
    /// A batch of an import is committed; its client does not know.
    ImportBatch,
    /// An import is marked as ended; its scoring is not queued, and the transaction is not committed.
    ImportEnd,
    /// A step of a migration has run; the version of the schema is the old one.
    Migration,
    /// Some missing indexes are built, others are not.
    Index,
    /// A backup is complete under its temporary name; the file still has the earlier backup.
    Backup,
    /// A table of a move is copied, others are not; nothing of it is in the destination.
    Move,
    /// The columns are written under a temporary name; the database does not have their token.
    ColumnsWritten,
    /// The database has the token of the columns; the file with them is still the earlier one.
    ColumnsToken,
}

impl Failpoint {
    /// All points.
    #[cfg(debug_assertions)]
    pub const ALL: &[Self] = &[
        Self::Begin,
        Self::Change,
        Self::BeforeCommit,
        Self::AfterCommit,
        Self::Checkpoint,
        Self::Requeue,
        Self::Lease,
        Self::Step,
        Self::Cursor,
        Self::Scores,
        Self::Finish,
        Self::ImportLeads,
        Self::ImportBatch,
        Self::ImportEnd,
        Self::Migration,
        Self::Index,
        Self::Backup,
        Self::Move,
        Self::ColumnsWritten,
        Self::ColumnsToken,
    ];

    /// Marks the point in the code. It does nothing, unless a test asked for it.
    #[cfg(not(debug_assertions))]
    #[inline]
    pub(crate) const fn reach(self) {}

    /// Marks the point in the code. Ends the process without any clean-up if the environment asks
    /// for it: `LEAD_WORKSPACE_FAILPOINT=AfterCommit:3` at the third time.
    #[cfg(debug_assertions)]
    pub(crate) fn reach(self) {
        use std::sync::LazyLock;
        use std::sync::atomic::{AtomicU64, Ordering};

        static CHOSEN: LazyLock<Option<(String, u64)>> = LazyLock::new(|| {
            let chosen = std::env::var("LEAD_WORKSPACE_FAILPOINT").ok()?;
            let (name, times) = chosen.split_once(':')?;
            Some((name.to_owned(), times.parse().ok()?))
        });
        static REACHED: AtomicU64 = AtomicU64::new(0);

        if let Some((name, times)) = &*CHOSEN
            && *name == format!("{self:?}")
            && REACHED.fetch_add(1, Ordering::Relaxed) + 1 == *times
        {
            std::process::abort();
        }
    }
}
