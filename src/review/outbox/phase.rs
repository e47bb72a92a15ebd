//! How far a decision is.

/// How far a decision is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Nothing was decided here, or the decision is settled.
    Idle,
    /// Waits to be sent.
    Queued,
    /// In flight.
    Sent,
    /// Sent without a response, so it may have been applied. It is retried automatically.
    Retrying,
    /// Saved by the server.
    Confirmed,
    /// Definitely not applied.
    Failed,
    /// Perhaps applied.
    Uncertain,
}

impl Phase {
    /// Number of phases.
    pub(super) const COUNT: usize = 7;

    /// Returns the name for the style sheet and for tests.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Queued => "queued",
            Self::Sent => "sent",
            Self::Retrying => "retrying",
            Self::Confirmed => "confirmed",
            Self::Failed => "failed",
            Self::Uncertain => "uncertain",
        }
    }
}
