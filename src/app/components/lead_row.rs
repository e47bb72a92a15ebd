//! A lead as a row of the grid.

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};

use super::added_cells::AddedCells;
use super::format;
use super::grid_row::{Rendered, SamePlace};
use super::lead_card::lead_card;
use super::markup::Markup;
use super::score_badge::{rescored, text as score_text};
use super::status_label::status_mark;
use crate::app::model::columns::{LEAD_COLUMNS, LeadCell};
use crate::app::model::lead::LeadItem;
use crate::app::model::time::Freshness;
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

impl Rendered for LeadRowProps {
    fn markup(&self) -> Markup {
        match self.is_card {
            true => lead_card(self),
            false => lead_row(self),
        }
    }
}

/// Renders a row: the checkbox, a cell for each column in the default order, and those of the added columns.
fn lead_row(shown: &LeadRowProps) -> Markup {
    frame("row", shown)
        .attr_opt("data-company", group(shown.starts_company))
        .child(
            cell("")
                .child(checkbox(&shown.lead.name, shown.selected))
                .attr("data-column", "select"),
        )
        .children(LEAD_COLUMNS.iter().map(|column| {
            let name = match column.cell {
                LeadCell::Status => "status",
                _ => column.spec.id,
            };
            lead_cell(column.cell, shown).attr("data-column", name)
        }))
        .children(shown.added.iter().flat_map(AddedCells::markup))
}

/// Renders the row's place in its group, in a list sorted by company.
fn group(starts_company: Option<bool>) -> Option<&'static str> {
    starts_company.map(|starts| if starts { "first" } else { "same" })
}

fn lead_cell(cell: LeadCell, shown: &LeadRowProps) -> Markup {
    let lead = &*shown.lead;
    match cell {
        LeadCell::Fit => {
            let score = points(lead.score, lead.previous_score, why(lead));
            fit(score, lead.tier.as_deref())
        }
        LeadCell::Company => {
            text(lead.company.as_deref()).attr_opt("data-initials", initials(lead))
        }
        LeadCell::Name => named(&lead.name),
        LeadCell::Signal => signal(lead),
        LeadCell::Text(get) => text(get(lead)),
        LeadCell::Date(get) => date(get(lead)),
        LeadCell::Score => points(lead.score, lead.previous_score, why(lead)).class("number"),
        LeadCell::Status => decision(shown, state_and_age(shown)),
        LeadCell::Likely if shown.has_status => likely(shown),
        LeadCell::Likely if shown.settled => decision(shown, likely(shown)),
        LeadCell::Likely => decision(shown, state_and_age(shown)),
    }
}

/// Returns the initials of the company, if it has any.
pub(super) fn initials(lead: &LeadItem) -> Option<String> {
    Some(lead.company_initials.clone()).filter(|text| !text.is_empty())
}

fn why(lead: &LeadItem) -> Option<String> {
    let scored = lead.scored.as_deref();
    Some(format::reason(lead.reasoning.as_deref()?, scored))
}

/// Renders the score; the style sheet adds the tier before it.
pub fn fit(score: Markup, tier: Option<&str>) -> Markup {
    score.attr_opt("data-tier", tier.map(str::to_owned))
}

/// Renders the age of the last signal, and what happened.
fn signal(lead: &LeadItem) -> Markup {
    let Some(intent) = lead.intent.clone() else {
        return cell("last-signal none").text("No signal yet");
    };
    let age = lead.intent_at.as_deref().and_then(format::age);
    let class = match age.as_ref().map(|age| age.freshness) {
        Some(Freshness::Fresh) => "last-signal fresh",
        Some(Freshness::Recent) => "last-signal",
        Some(Freshness::Old) | None => "last-signal sub",
    };
    let age = age.map(|age| Markup::new("time").text(age.text));
    // The space is invisible, but screen readers need it.
    cell(class).children(age).text([" ", &intent].concat())
}

pub fn cell(class: &'static str) -> Markup {
    let class = Some(class).filter(|class| !class.is_empty());
    Markup::new("div")
        .attr("role", "gridcell")
        .attr_opt("class", class)
}

pub fn text(text: Option<&str>) -> Markup {
    cell("sub").text(text.unwrap_or_default().to_owned())
}

pub fn date(date: Option<&str>) -> Markup {
    cell("sub date").text(date.map(format::date).unwrap_or_default())
}

/// Renders a score cell with the reasoning as its tooltip. The style sheet draws a bar of the length `--v`, unless the
/// previous score is in its place.
pub fn points(now: Option<f64>, was: Option<f64>, why: Option<String>) -> Markup {
    let cell = cell("points").attr_opt("title", why);
    if was.is_some() {
        return cell.child(rescored(now, was));
    }
    let score = score_text(now);
    let length = now.map(|_| [&*score, "%"].concat());
    cell.attr_opt("--v", length).text(score)
}

/// Returns the element of a row or card, with the attributes that other code uses to find it.
pub(super) fn frame(class: &'static str, shown: &LeadRowProps) -> Markup {
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

/// Renders the checkbox that selects the row. The grid handles its clicks, including modifier keys.
pub fn checkbox(name: &str, selected: bool) -> Markup {
    Markup::new("input")
        .attr("type", "checkbox")
        .attr("tabindex", "-1")
        .attr("data-checkbox", "")
        .attr("aria-label", ["Select ", name].concat())
        .flag("checked", selected)
}

pub fn named(name: &str) -> Markup {
    cell("who").child(bold(name))
}

/// Renders a name in bold. With `dir="auto"`, a right-to-left name is truncated at its own end.
pub fn bold(name: &str) -> Markup {
    Markup::new("b").attr("dir", "auto").text(name.to_owned())
}

/// Renders the status as a shape, which the style sheet draws, and words.
pub fn state(status: &ApprovalStatus, phase: Phase, is_paused: bool) -> Markup {
    let (mark, words) = status_mark(status, phase, is_paused);
    cell("state").attr("data-mark", mark).text(words)
}

/// Renders the status, and how long ago it was decided, here or by someone else.
pub(super) fn state_and_age(shown: &LeadRowProps) -> Markup {
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
fn likely(shown: &LeadRowProps) -> Markup {
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
pub(super) fn state_or_likelihood(shown: &LeadRowProps) -> Markup {
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
fn decision(shown: &LeadRowProps, cell_content: Markup) -> Markup {
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

/// Returns the buttons Approve and Reject. The one for the current status is disabled.
pub fn decide(name: &str, status: &ApprovalStatus) -> [Markup; 2] {
    let words = [("Approve", "Approve"), ("Reject", "Reject")];
    choices(name, status, words, &Default::default())
}

/// Same as [`decide`], with two labels for each button, for an open choice and for the current status, and with the
/// keys to show.
fn choices(
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

fn retry_button() -> Markup {
    Markup::button("", "Retry").attr("data-act", "retry")
}

/// Renders why a decision was not saved, as an alert.
fn alert(reason: &str, wanted: NewApprovalStatus, phase: Phase) -> Markup {
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
