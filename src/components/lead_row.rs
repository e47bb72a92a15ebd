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
use super::score::rescored;
use super::status::{Standing, status};
use crate::model::lead::Lead;
use crate::model::outbox::entry::Phase;
use crate::signal::Memo;

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
    /// The status to show, and how far the decision is.
    pub standing: Standing,
    /// Why a decision was not kept, and what was wanted.
    pub failure: Reader<Option<(String, NewApprovalStatus)>>,
    /// Whether the row is ticked.
    pub selected: Memo<bool>,
    /// Its index in the whole list.
    pub index: ArcReadSignal<u64>,
    /// Whether it is in view, and not only drawn.
    pub in_view: Reader<bool>,
    /// What the person wants.
    pub on_act: Rc<dyn Fn(Act)>,
}

/// A row. Only its status, its buttons and its tick change by themselves.
pub fn lead_row(shown: &Shown<'_>) -> El {
    let Shown {
        lead,
        standing,
        on_act,
        ..
    } = shown;
    let score = cell("number")
        .attr_opt("title", lead.reasoning.as_deref())
        .el(rescored(lead.score, lead.was));
    let created = lead.created.as_deref().map(format::date);
    let act = cell("act")
        .el_of(trouble(*standing, &shown.failure, on_act))
        .els(decide(&lead.name, *standing, on_act));
    frame("row", shown)
        .el(cell("").el(tick(&lead.name, shown.selected)))
        .el(who(lead, None))
        .el(text(lead.title.as_deref()))
        .el(text(lead.company.as_deref()))
        .el(text(lead.industry.as_deref()))
        .el(text(lead.location.as_deref()))
        .el(score)
        .el(text(lead.tier.as_deref()))
        .el(cell("state").els(status(*standing)))
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
    let (standing, selected, index) = (shown.standing, shown.selected, shown.index.clone());
    classed("div", class)
        .attr("role", "row")
        .attr("data-lead-id", &shown.lead.id)
        .attr_of("data-status", move || {
            standing.with(|(shown, _)| shown.as_str().to_owned())
        })
        .attr_of("data-phase", move || {
            standing.with(|(_, phase)| phase.as_str().to_owned())
        })
        .attr_of("aria-rowindex", move || (index.get() + 2).to_string())
        .attr_of("aria-selected", move || selected.get().to_string())
}

/// Ticks the row. The grid hears of the click, with the keys that were held.
pub fn tick(name: &str, selected: Memo<bool>) -> El {
    let tick = el("input")
        .attr("type", "checkbox")
        .attr("tabindex", "-1")
        .attr("data-tick", "")
        .attr("aria-label", &format!("Select {name}"));
    let node: HtmlInputElement = tick.node().unchecked_into();
    tick.prop_of("checked", move || selected.get().into())
        // A range may leave it as it was, whatever the browser did.
        .on("change", move |_| {
            node.set_checked(selected.get_untracked())
        })
}

/// Face, name and profile.
pub(super) fn who(lead: &Lead, picture: Option<&str>) -> El {
    let away = lead.profile.as_deref();
    let away = away.map(|href| away_link(href, &format!("Profile of {}", lead.name)));
    named(avatar(&lead.initials, picture), &lead.name).el_opt(away)
}

/// The cell of a name, beside a picture.
pub fn named(picture: El, name: &str) -> El {
    cell("who")
        .el(picture)
        // A name that is written from the right is cut off at its own end, too.
        .el(el("b").attr("title", name).attr("dir", "auto").text(name))
}

/// Approve and Reject. The one that holds already cannot be pressed.
pub(super) fn decide(name: &str, standing: Standing, on_act: &Rc<dyn Fn(Act)>) -> [El; 2] {
    let choices = [
        ("yes", "Approve", NewApprovalStatus::Approved),
        ("no", "Reject", NewApprovalStatus::Rejected),
    ];
    choices.map(|(class, verb, to)| {
        let on_act = Rc::clone(on_act);
        button(class, verb)
            .attr("tabindex", "-1")
            .attr("aria-label", &format!("{verb} {name}"))
            .prop_of("disabled", move || {
                standing.with(|(shown, _)| shown.known() == Some(to)).into()
            })
            .on("click", move |_| on_act(Act::Decide(to)))
    })
}

/// Why a decision was not kept, with what can be done about it. Nothing while all is well.
pub(super) fn trouble(
    standing: Standing,
    failure: &Reader<Option<(String, NewApprovalStatus)>>,
    on_act: &Rc<dyn Fn(Act)>,
) -> impl FnMut() -> Option<El> + 'static {
    let (failure, on_act) = (Rc::clone(failure), Rc::clone(on_act));
    move || {
        let (reason, wanted) = failure()?;
        let sure = standing.with(|(_, phase)| *phase != Phase::Uncertain);
        let verb = match (wanted, sure) {
            (NewApprovalStatus::Approved, true) => "Not approved",
            (NewApprovalStatus::Rejected, true) => "Not rejected",
            (NewApprovalStatus::PendingApproval, true) => "Not set back",
            (NewApprovalStatus::Filtered, true) => "Not filtered out",
            (NewApprovalStatus::Approved, false) => "Perhaps approved",
            (NewApprovalStatus::Rejected, false) => "Perhaps rejected",
            (NewApprovalStatus::PendingApproval, false) => "Perhaps set back",
            (NewApprovalStatus::Filtered, false) => "Perhaps filtered out",
        };
        let (retry, revert) = (Rc::clone(&on_act), Rc::clone(&on_act));
        let said = el("span").el(el("b").text(verb)).text(". ").text(&reason);
        let act = |class, label| button(class, label).attr("tabindex", "-1");
        let trouble = classed("div", "trouble")
            .attr("role", "alert")
            .attr("title", &reason)
            .el(said)
            .el(act("", "Retry").on("click", move |_| retry(Act::Retry)))
            .el(act("quiet", "Revert").on("click", move |_| revert(Act::Revert)));
        Some(trouble)
    }
}
