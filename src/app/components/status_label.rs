//! Labels for the status of a lead and the state of its decision.

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};

use super::markup::Text;
use crate::app::model::humanize::humanize;
use crate::app::reactive::Memo;
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

/// Returns a status as shown in a list: the name of its shape in the style sheet, and its words. A queued decision
/// waits if `is_paused`; otherwise it is sent at once.
pub fn status_mark(status: &ApprovalStatus, phase: Phase, is_paused: bool) -> (Text, Text) {
    let word = status_word(status);
    match phase {
        Phase::Failed => ("failed".into(), "Not saved".into()),
        Phase::Uncertain => ("uncertain".into(), "Not confirmed".into()),
        Phase::Retrying => ("waiting".into(), (word + ", waiting").into()),
        Phase::Queued if is_paused => ("waiting".into(), (word + ", waiting").into()),
        _ => (status.as_str().to_owned().into(), word.into()),
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
