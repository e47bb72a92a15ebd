//! What the footer says about whether the decisions are saved.

/// The decisions since the app was opened, counted in leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DecisionCounts {
    /// Queued, in flight, or to be sent again.
    pub open: usize,
    /// The part of `open` that was sent without a response and waits to be sent again.
    pub retrying: usize,
    /// The part of `open` that the user holds back.
    pub held: usize,
    /// Saved by the server.
    pub saved: usize,
    /// Rejected by the server.
    pub failed: usize,
    /// With an unknown outcome, and not sent again automatically.
    pub uncertain: usize,
}

/// What the footer says, with the number of decisions that it is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SaveState {
    #[default]
    Saved,
    /// In flight.
    Saving(usize),
    /// Sent when the user resumes them.
    Paused(usize),
    /// Sent later, because the server is unavailable or limits the rate.
    Waiting(usize),
    /// Sent when the connection is back. May be none.
    Offline(usize),
    /// Not saved unless the user sends them again.
    Uncertain(usize),
    Rejected(usize),
}

impl SaveState {
    /// `is_paused` is whether nothing is sent for now.
    pub fn new(counts: &DecisionCounts, is_online: bool, is_paused: bool) -> Self {
        let DecisionCounts {
            open,
            retrying,
            held,
            failed,
            uncertain,
            ..
        } = *counts;
        if !is_online {
            Self::Offline(open)
        } else if failed > 0 {
            Self::Rejected(failed)
        } else if uncertain > 0 {
            Self::Uncertain(uncertain)
        } else if open == 0 {
            Self::Saved
        } else if held == open {
            Self::Paused(open)
        } else if is_paused || retrying > 0 {
            Self::Waiting(open)
        } else {
            Self::Saving(open)
        }
    }

    /// Name in the style sheet.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Saved => "saved",
            Self::Saving(_) => "saving",
            // Both look the same.
            Self::Paused(_) | Self::Waiting(_) => "waiting",
            Self::Offline(_) => "offline",
            Self::Uncertain(_) => "uncertain",
            Self::Rejected(_) => "rejected",
        }
    }
}
