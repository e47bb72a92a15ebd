//! The status of a lead: a word and a shape, and how far the decision is.

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};
use leptos::prelude::*;

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

/// The pill, and behind it what becomes of the decision.
#[component]
pub fn Status(
    /// The decision on the lead.
    decision: ArcRwSignal<Decision>,
) -> impl IntoView {
    let (tone, word, phase, phase_text) = (
        decision.clone(),
        decision.clone(),
        decision.clone(),
        decision,
    );
    view! {
        <span class="pill" data-tone=move || tone.with(Decision::shown).as_str().to_owned()>
            {move || status_word(&word.with(Decision::shown))}
        </span>
        <span class="phase" data-phase=move || phase_word(phase.with(Decision::phase))>
            {move || phase_word(phase_text.with(Decision::phase))}
        </span>
    }
}

fn phase_word(phase: Phase) -> &'static str {
    match phase {
        Phase::Idle => "",
        Phase::Saving => "saving",
        Phase::Saved => "saved",
        Phase::Failed => "failed",
    }
}
