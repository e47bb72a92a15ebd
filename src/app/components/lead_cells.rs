//! What a row or card shows of a lead, and the cells of it.

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};

use super::added_cells::AddedCells;
use super::cells::cell;
use super::decision_cells::{alert, choices, retry_button, state};
use super::format;
use super::grid_row::SamePlace;
use super::markup::Markup;
use crate::app::model::lead::LeadItem;
use crate::review::outbox::Phase;

/// A lead to render, with the state that changes independently of it.
#[derive(PartialEq)]
pub struct LeadRowProps {
    pub lead: SamePlace<LeadItem>,
    pub status: ApprovalStatus,
    /// Whether it was decided since the list was read.
    pub decided: bool,
    /// When it was decided, in milliseconds since 1970, if it was decided here.
    pub decided_at: Option<u64>,
    /// How long ago someone else gave it its status; empty if that is not known. `None` if the status is not someone else's.
    pub by_others: Option<String>,
    /// Whether its status is still the one that was read.
    pub settled: bool,
    /// How likely the user approves it, in percent. `None` without suggestions.
    pub likelihood: Option<u8>,
    /// Whether the status column is shown, which has the buttons.
    pub has_status: bool,
    /// State of the decision in the outbox.
    pub phase: Phase,
    /// Why a decision was not saved, and the status it should have set.
    pub failure: Option<(String, NewApprovalStatus)>,
    pub selected: bool,
    /// Index in the whole list.
    pub index: u64,
    /// Whether it is in view, and not only rendered.
    pub in_view: bool,
    /// Whether it has the cursor or the pointer. Only an active row has buttons.
    pub active: bool,
    /// The keys of Approve and Reject, if it has the cursor: keys act on this row.
    pub keys: [Option<String>; 2],
    /// Whether the details are open, which have the buttons.
    pub beside_details: bool,
    /// Whether decisions wait before they are sent.
    pub is_paused: bool,
    /// In a list sorted by company: whether the row above has another company.
    pub starts_company: Option<bool>,
    /// Whether it is a card, as on phones.
    pub is_card: bool,
    /// The cells of added columns, if any are shown and their code is loaded.
    pub added: Option<AddedCells>,
}

/// Returns the element of a row or card, with the attributes that other code uses to find it.
pub fn frame(class: &'static str, shown: &LeadRowProps) -> Markup {
    let status = shown.status.as_str().to_owned();
    Markup::new("div")
        .class(class)
        .attr("role", "row")
        .attr("data-lead-id", shown.lead.id.clone())
        .attr("data-status", status)
        .flag("data-decided", shown.decided)
        .flag("data-by-others", shown.by_others.is_some())
        .attr("data-phase", shown.phase.as_str())
        .attr("aria-rowindex", (shown.index + 2).to_string())
        .flag("aria-selected", shown.selected)
}

/// Returns the initials of the company, if it has any.
pub fn initials(lead: &LeadItem) -> Option<String> {
    Some(lead.company_initials.clone()).filter(|text| !text.is_empty())
}

/// Renders the status, and how long ago it was decided, here or by someone else.
pub fn state_and_age(shown: &LeadRowProps) -> Markup {
    let own = || shown.decided_at.map(format::short_since);
    let age = shown.by_others.clone().or_else(own);
    let age = age.filter(|age| !age.is_empty() && !shown.beside_details);
    let age = age.map(|age| [", ", &age].concat());
    let age = age.map(|age| Markup::new("time").text(age));
    let who = shown.by_others.as_ref().map(|_| "By someone else");
    state(&shown.status, shown.phase, shown.is_paused)
        .attr_opt("title", who)
        .children(age)
}

/// Renders how likely the user approves the lead; empty if that is not known.
pub fn likely(shown: &LeadRowProps) -> Markup {
    let percent = shown
        .likelihood
        .map(|percent| [&percent.to_string(), "%"].concat());
    let class = if percent.is_some() {
        "state likely"
    } else {
        "state"
    };
    cell(class)
        .attr_opt("--v", percent.clone())
        .text(percent.unwrap_or_default())
}

/// Renders the status of a card; of a pending lead, how likely it is approved, if that is known.
pub fn state_or_likelihood(shown: &LeadRowProps) -> Markup {
    let is_pending = shown.status.known() == Some(NewApprovalStatus::PendingApproval);
    if shown.likelihood.is_none() || !is_pending {
        return state_and_age(shown);
    }
    // Screen readers read the status, too.
    let status = Markup::new("span")
        .class("visually-hidden")
        .text(", pending");
    likely(shown).text(" likely").child(status)
}

/// Adds why a decision was not saved to a cell. An active row has buttons in its place.
pub fn decision(shown: &LeadRowProps, cell_content: Markup) -> Markup {
    if let (Some((reason, wanted)), false) = (&shown.failure, shown.beside_details) {
        // The reason is for screen readers; the details show it.
        let message = alert(reason, *wanted, shown.phase).class("visually-hidden");
        return cell_content.child(message).child(retry_button());
    }
    if !shown.active || shown.beside_details {
        return cell_content;
    }
    let words = [("Approve", "Approved"), ("Reject", "Rejected")];
    cell("state").children(choices(&shown.lead.name, &shown.status, words, &shown.keys))
}
