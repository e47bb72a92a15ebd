//! The status of a lead and the buttons that decide on it, in rows, cards and lists of details.

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};

use super::cells::cell;
use super::markup::Markup;
use super::status_label::status_mark;
use crate::review::outbox::Phase;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowAction {
    Decide(NewApprovalStatus),
    /// Resends a decision that was not saved.
    Retry,
    /// Gives up a decision that was not saved.
    Revert,
}

impl RowAction {
    /// Returns the action of a row's button by its `data-act` attribute.
    pub fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "approve" => Self::Decide(NewApprovalStatus::Approved),
            "reject" => Self::Decide(NewApprovalStatus::Rejected),
            "retry" => Self::Retry,
            "revert" => Self::Revert,
            _ => return None,
        })
    }
}

/// Renders the status as a shape, which the style sheet draws, and words.
pub fn state(status: &ApprovalStatus, phase: Phase, is_paused: bool) -> Markup {
    let (mark, words) = status_mark(status, phase, is_paused);
    cell("state").attr("data-mark", mark).text(words)
}

/// Returns the buttons Approve and Reject. The one for the current status is disabled.
pub fn decide(name: &str, status: &ApprovalStatus) -> [Markup; 2] {
    let words = [("Approve", "Approve"), ("Reject", "Reject")];
    choices(name, status, words, &Default::default())
}

/// Same as [`decide`], with two labels for each button, for an open choice and for the current status, and with the
/// keys to show.
pub fn choices(
    name: &str,
    status: &ApprovalStatus,
    [approve, reject]: [(&'static str, &'static str); 2],
    [approve_key, reject_key]: &[Option<String>; 2],
) -> [Markup; 2] {
    use NewApprovalStatus::{Approved, Rejected};
    let choices = [
        ("yes", "approve", approve, Approved, approve_key),
        ("no", "reject", reject, Rejected, reject_key),
    ];
    choices.map(|(class, act, (verb, done), to, key)| {
        let holds = status.known() == Some(to);
        let key = key.clone().filter(|_| !holds);
        Markup::button(class, if holds { done } else { verb })
            .attr_opt("aria-keyshortcuts", key)
            .attr("data-act", act)
            .attr("aria-label", [verb, " ", name].concat())
            .attr_opt("disabled", holds.then_some(""))
    })
}

/// Renders why a decision was not saved, with the buttons Retry and Revert.
pub fn failure_line(reason: &str, wanted: NewApprovalStatus, phase: Phase) -> Markup {
    Markup::new("div")
        .class("error")
        .attr("title", reason.to_owned())
        .child(alert(reason, wanted, phase))
        .child(retry_button())
        .child(Markup::button("quiet", "Revert").attr("data-act", "revert"))
}

pub fn retry_button() -> Markup {
    Markup::button("", "Retry").attr("data-act", "retry")
}

/// Renders why a decision was not saved, as an alert.
pub fn alert(reason: &str, wanted: NewApprovalStatus, phase: Phase) -> Markup {
    let verb = match wanted {
        _ if phase == Phase::Uncertain => "Not confirmed",
        NewApprovalStatus::Approved => "Not approved",
        NewApprovalStatus::Rejected => "Not rejected",
        NewApprovalStatus::PendingApproval => "Not moved back",
        NewApprovalStatus::Filtered => "Not filtered out",
    };
    Markup::new("span")
        .attr("role", "alert")
        .child(Markup::new("b").text(verb))
        .text(". ")
        .text(reason.to_owned())
}
