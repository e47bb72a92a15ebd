//! The status of a lead: a word and a shape, and how far the decision is.

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};

use crate::model::lead::words;
use crate::model::outbox::entry::Phase;
use crate::signal::Memo;

/// The word for a status.
pub fn status_word(status: &ApprovalStatus) -> String {
    match status.known() {
        Some(NewApprovalStatus::Approved) => "Approved".into(),
        Some(NewApprovalStatus::PendingApproval) => "Pending".into(),
        Some(NewApprovalStatus::Rejected) => "Rejected".into(),
        Some(NewApprovalStatus::Filtered) => "Filtered".into(),
        None => words(status.as_str()),
    }
}

/// What was done, for a sentence: "Approved Ada Novak".
pub fn deed(status: NewApprovalStatus) -> &'static str {
    match status {
        NewApprovalStatus::Approved => "Approved",
        NewApprovalStatus::PendingApproval => "Set back",
        NewApprovalStatus::Rejected => "Rejected",
        NewApprovalStatus::Filtered => "Filtered out",
    }
}

/// How a lead stands: the status to show, and how far the decision on it is.
pub type Standing = Memo<(ApprovalStatus, Phase)>;

/// The word for how far a decision is; none where there is nothing to say.
pub fn phase_word(phase: Phase) -> &'static str {
    match phase {
        Phase::Idle => "",
        Phase::Queued => "waiting",
        Phase::Sent => "saving",
        Phase::Retrying => "retrying",
        Phase::Confirmed => "saved",
        Phase::Failed => "not saved",
        Phase::Uncertain => "not sure",
    }
}
