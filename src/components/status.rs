//! The status of a lead: a word and a shape, and how far the decision is.

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};
use leptos::prelude::*;

use super::dom::{El, classed};
use crate::model::decision::{Decision, Phase};
use crate::model::lead::words;

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

/// The pill, and behind it what becomes of the decision, whose colour comes from the row's phase.
pub fn status(decision: &ArcRwSignal<Decision>) -> [El; 2] {
    let (tone, word, phase) = (decision.clone(), decision.clone(), decision.clone());
    let pill = classed("span", "pill")
        .attr_of("data-tone", move || {
            tone.with(Decision::shown).as_str().to_owned()
        })
        .text_of(move || status_word(&word.with(Decision::shown)));
    let phase = classed("span", "phase").text_of(move || {
        let phase = phase.with(Decision::phase);
        if phase == Phase::Idle {
            ""
        } else {
            phase.as_str()
        }
        .to_owned()
    });
    [pill, phase]
}
