//! A lead as a row of the grid.

use std::rc::Rc;

use lead_workspace_api::NewApprovalStatus;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use super::avatar::avatar;
use super::dom::{El, Reader, button, classed, el};
use super::format;
use super::link::away_link;
use super::score::score;
use super::status::status;
use crate::model::decision::Decision;
use crate::model::lead::Lead;

/// What can be done to a lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Decide on it.
    Decide(NewApprovalStatus),
    /// Send a decision that was not saved again.
    Retry,
    /// Give up a decision that was not saved.
    Revert,
}

/// A lead to be drawn, with what changes without the lead.
#[derive(Clone)]
pub struct Shown<'a> {
    /// The lead.
    pub lead: &'a Lead,
    /// The decision on it.
    pub decision: ArcRwSignal<Decision>,
    /// Whether the row is ticked.
    pub selected: ArcRwSignal<bool>,
    /// Its number in the whole list.
    pub index: Reader<u64>,
    /// What the person wants.
    pub on_act: Rc<dyn Fn(Act)>,
}

/// A row. Only its status, its buttons and its tick change by themselves.
pub fn lead_row(shown: &Shown<'_>) -> El {
    let Shown {
        lead,
        decision,
        on_act,
        ..
    } = shown;
    let score = cell("number")
        .attr_opt("title", lead.reasoning.as_deref())
        .el(score(lead.score));
    let created = lead.created.as_deref().map(format::date);
    let act = cell("act")
        .el_of(trouble(decision, on_act))
        .els(decide(&lead.name, decision, on_act));
    frame("row", shown)
        .el(cell("").el(tick(shown)))
        .el(who(lead, None))
        .el(text(lead.title.as_deref()))
        .el(text(lead.company.as_deref()))
        .el(text(lead.industry.as_deref()))
        .el(text(lead.location.as_deref()))
        .el(score)
        .el(text(lead.tier.as_deref()))
        .el(cell("state").els(status(decision)))
        .el(cell("sub date").text(created.as_deref().unwrap_or_default()))
        .el(act)
}

/// A cell.
pub fn cell(class: &str) -> El {
    el("div")
        .attr("role", "gridcell")
        .attr_opt("class", Some(class).filter(|class| !class.is_empty()))
}

/// A cell of plain text, with all of it at hand where it is cut off.
pub fn text(text: Option<&str>) -> El {
    cell("sub")
        .attr_opt("title", text)
        .text(text.unwrap_or_default())
}

/// What row and card have in common: the names that others find them by.
pub(super) fn frame(class: &str, shown: &Shown<'_>) -> El {
    let (status, phase) = (shown.decision.clone(), shown.decision.clone());
    let (selected, index) = (shown.selected.clone(), Rc::clone(&shown.index));
    classed("div", class)
        .attr("role", "row")
        .attr("data-lead-id", &shown.lead.id)
        .attr_of("data-status", move || {
            status.with(Decision::shown).as_str().to_owned()
        })
        .attr_of("data-phase", move || {
            phase.with(Decision::phase).as_str().to_owned()
        })
        .attr_of("aria-rowindex", move || index().to_string())
        .attr_of("aria-selected", move || selected.get().to_string())
}

/// Ticks the row.
pub(super) fn tick(shown: &Shown<'_>) -> El {
    let (selected, set) = (shown.selected.clone(), shown.selected.clone());
    let tick = el("input")
        .attr("type", "checkbox")
        .attr("aria-label", &format!("Select {}", shown.lead.name));
    let node: HtmlInputElement = tick.node().unchecked_into();
    tick.prop_of("checked", move || selected.get().into())
        .on("change", move |_| set.set(node.checked()))
}

/// Face, name and profile.
pub(super) fn who(lead: &Lead, picture: Option<&str>) -> El {
    let away = lead.profile.as_deref();
    let away = away.map(|href| away_link(href, &format!("Profile of {}", lead.name)));
    cell("who")
        .el(avatar(&lead.initials, picture))
        .el(el("b").attr("title", &lead.name).text(&lead.name))
        .el_opt(away)
}

/// Approve and Reject. The one that holds already cannot be pressed.
pub(super) fn decide(
    name: &str,
    decision: &ArcRwSignal<Decision>,
    on_act: &Rc<dyn Fn(Act)>,
) -> [El; 2] {
    let choices = [
        ("yes", "Approve", NewApprovalStatus::Approved),
        ("no", "Reject", NewApprovalStatus::Rejected),
    ];
    choices.map(|(class, verb, to)| {
        let (decision, on_act) = (decision.clone(), Rc::clone(on_act));
        button(class, verb)
            .attr("aria-label", &format!("{verb} {name}"))
            .prop_of("disabled", move || {
                (decision.with(Decision::shown).known() == Some(to)).into()
            })
            .on("click", move |_| on_act(Act::Decide(to)))
    })
}

/// Why a decision was not saved, with what can be done about it. Nothing while all is well.
pub(super) fn trouble(
    decision: &ArcRwSignal<Decision>,
    on_act: &Rc<dyn Fn(Act)>,
) -> impl FnMut() -> Option<El> + 'static {
    let (decision, on_act) = (decision.clone(), Rc::clone(on_act));
    move || {
        let (reason, wanted) = decision.with(|decision| {
            let (failure, wanted) = decision.failure()?;
            Some((failure.reason.clone(), wanted))
        })?;
        let verb = match wanted {
            NewApprovalStatus::Approved => "Not approved",
            NewApprovalStatus::Rejected => "Not rejected",
            NewApprovalStatus::PendingApproval => "Not set back",
            NewApprovalStatus::Filtered => "Not filtered out",
        };
        let (retry, revert) = (Rc::clone(&on_act), Rc::clone(&on_act));
        let said = el("span").el(el("b").text(verb)).text(". ").text(&reason);
        let trouble = classed("div", "trouble")
            .attr("role", "alert")
            .attr("title", &reason)
            .el(said)
            .el(button("", "Retry").on("click", move |_| retry(Act::Retry)))
            .el(button("quiet", "Revert").on("click", move |_| revert(Act::Revert)));
        Some(trouble)
    }
}
