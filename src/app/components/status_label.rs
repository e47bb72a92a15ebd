//! Labels for the status of a lead and the state of its decision.

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};
use leptos::prelude::*;

use crate::app::model::humanize::humanize;
use crate::review::outbox::Phase;

pub fn status_word(status: &ApprovalStatus) -> String {
    match status.known() {
        Some(NewApprovalStatus::Approved) => "Approved".into(),
        Some(NewApprovalStatus::PendingApproval) => "Pending".into(),
        Some(NewApprovalStatus::Rejected) => "Rejected".into(),
        Some(NewApprovalStatus::Filtered) => "Filtered".into(),
        None => humanize(status.as_str()),
    }
}

/// Returns the verb for a decision in a sentence: "Approved Ada Novak".
pub fn decision_label(status: NewApprovalStatus) -> &'static str {
    match status {
        NewApprovalStatus::Approved => "Approved",
        NewApprovalStatus::PendingApproval => "Moved back",
        NewApprovalStatus::Rejected => "Rejected",
        NewApprovalStatus::Filtered => "Filtered out",
    }
}

/// The status of a lead to show, and the state of the decision on it.
pub type ShownStatus = Memo<(ApprovalStatus, Phase)>;

/// Returns the label of a phase; empty if there is nothing to show.
pub fn phase_word(phase: Phase) -> &'static str {
    match phase {
        Phase::Idle => "",
        Phase::Queued => "waiting",
        Phase::Sent => "saving",
        Phase::Retrying => "retrying",
        Phase::Confirmed => "saved",
        Phase::Failed => "not saved",
        Phase::Uncertain => "uncertain",
    }
}
