//! A small grid of leads to decide on, with the same buttons and states as the lead list.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::NewApprovalStatus;
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, FocusEvent, FocusOptions, HtmlElement, KeyboardEvent, Node};

use super::cells::cell;
use super::decision_cells::{RowAction, decide, failure_line, state};
use super::dom::{El, div, effect, p};
use super::links::{RouteLinks, is_plain};
use super::markup::Markup;
use super::score_badge::score;
use super::status_label::ShownStatus;
use crate::app::model::account_detail::AccountMember;
use crate::app::model::route::Route;
use crate::app::reactive::{RwSignal, Signal, StoredValue};

/// A lead, with the state that changes independently of it.
pub struct LeadLine {
    pub lead: AccountMember,
    /// The status to show, and the state of the decision.
    pub shown_status: ShownStatus,
    /// Why a decision was not saved, and the status it should have set.
    pub failure: Signal<Option<(String, NewApprovalStatus)>>,
    pub on_act: Rc<dyn Fn(RowAction)>,
}

/// Inputs and callbacks of the grid.
#[derive(Clone)]
pub struct Lines {
    /// Accessible name.
    pub label: String,
    /// Id of the lead that the cursor is on.
    pub cursor: RwSignal<Option<Arc<str>>>,
    pub has_focus: RwSignal<bool>,
    /// Incremented when the grid must take the focus.
    pub focus_requests: RwSignal<u32>,
    /// Moves the cursor down by this many rows; up if negative.
    pub on_step: Callback<i64>,
    pub route_links: RouteLinks,
    /// Whether decisions wait before they are sent.
    pub is_paused: Signal<bool>,
}

pub fn lead_lines(of: &Lines, lines: Vec<LeadLine>) -> El {
    let lines = Rc::new(lines);
    let (cursor, has_focus, focus_requests) = (of.cursor, of.has_focus, of.focus_requests);
    let many = lines.len();
    let ids: Vec<Arc<str>> = lines.iter().map(|line| Arc::from(&*line.lead.id)).collect();
    let grid = div()
        .class("lead-lines")
        .attr("role", "grid")
        .attr("aria-label", &of.label)
        .attr("aria-rowcount", many.to_string())
        .attr("tabindex", "0")
        .attr("aria-activedescendant", move || {
            let at = cursor.with(|cursor| {
                let cursor = cursor.as_deref()?;
                ids.iter().position(|id| **id == *cursor)
            });
            at.map_or_else(String::new, line_id)
        })
        .recycled_rows({
            let (lines, href) = (Rc::clone(&lines), Rc::clone(&of.route_links.href));
            let is_paused = of.is_paused;
            move || {
                let here = cursor.get();
                let waits = is_paused.get();
                let row = |(at, line)| row(at, line, here.as_deref(), waits, &*href);
                (0, lines.iter().enumerate().map(row).collect())
            }
        });
    let node = grid.node();
    effect({
        let (node, lines) = (node.clone(), Rc::clone(&lines));
        move || {
            let here = cursor.get();
            let at = lines
                .iter()
                .position(|line| Some(&*line.lead.id) == here.as_deref());
            if let Some(row) = at.and_then(|at| node.children().item(at as u32)) {
                let options = web_sys::ScrollIntoViewOptions::new();
                options.set_block(web_sys::ScrollLogicalPosition::Nearest);
                row.scroll_into_view_with_scroll_into_view_options(&options);
            }
        }
    });
    let had = StoredValue::new(focus_requests.get_untracked());
    effect({
        let node = node.clone();
        move || {
            let wanted = focus_requests.get();
            if had.get_value() != wanted {
                had.set_value(wanted);
                let _ = node.unchecked_ref::<HtmlElement>().focus();
            }
        }
    });
    let around = node.clone();
    // A removed grid does not have the focus.
    on_cleanup(move || {
        has_focus.set(false);
    });
    let (step, navigate) = (of.on_step, of.route_links.navigate);
    grid.on(ev::focusin, move |_| has_focus.set(true))
        .on(ev::focusout, move |event| {
            let to = event.dyn_ref::<FocusEvent>();
            let to = to.and_then(FocusEvent::related_target);
            let to = to.and_then(|to| to.dyn_into::<Node>().ok());
            if !to.is_some_and(|to| around.contains(Some(&to))) {
                has_focus.set(false);
            }
        })
        // Pressing a button may disable it, so the grid takes the focus.
        .on(ev::mousedown, move |event| {
            if hit(&event, "button").is_some() {
                event.prevent_default();
                // Scrolling would move the button away from the pointer.
                let options = FocusOptions::new();
                options.set_prevent_scroll(true);
                let grid: &HtmlElement = node.unchecked_ref();
                let _ = grid.focus_with_options(&options);
            }
        })
        .on(ev::click, move |event| {
            let row = hit(&event, "[data-lead-id]");
            let Some(id) = row.and_then(|row| row.get_attribute("data-lead-id")) else {
                return;
            };
            if hit(&event, "a").is_some() {
                if is_plain(&event) {
                    event.prevent_default();
                    navigate.run(Route::lead(&id));
                }
                return;
            }
            let act = hit(&event, "[data-act]").and_then(|act| act.get_attribute("data-act"));
            let line = lines.iter().find(|line| line.lead.id == id);
            if let (Some(line), Some(act)) = (line, act.as_deref().and_then(RowAction::parse)) {
                (line.on_act)(act);
            }
            cursor.set(Some(id.into()));
        })
        .on(ev::keydown, move |event| {
            let Some(event) = event.dyn_ref::<KeyboardEvent>() else {
                return;
            };
            let plain = !(event.ctrl_key() || event.meta_key() || event.alt_key());
            let by = match event.key().as_str() {
                "ArrowDown" => 1,
                "ArrowUp" => -1,
                "Home" => -(many as i64),
                "End" => many as i64,
                _ => return,
            };
            if plain {
                event.prevent_default();
                step.run(by);
            }
        })
}

fn line_id(at: usize) -> String {
    format!("line-{at}")
}

fn hit(event: &Event, what: &str) -> Option<Element> {
    let at: Element = event.target()?.dyn_into().ok()?;
    at.closest(what).ok().flatten()
}

fn row(
    at: usize,
    line: &LeadLine,
    cursor: Option<&str>,
    is_paused: bool,
    href: &dyn Fn(&Route) -> String,
) -> Markup {
    let lead = &line.lead;
    let (shown, phase) = line.shown_status.get();
    let failure = line.failure.get();
    let name = Markup::new("a")
        .attr("href", href(&Route::lead(&lead.id)))
        .attr("title", lead.name.clone())
        .text(lead.name.clone());
    let who = cell("who").attr("id", line_id(at)).child(name).child(
        Markup::new("span")
            .class("sub")
            .text(lead.title.clone().unwrap_or_default()),
    );
    Markup::new("div")
        .class("lead-line")
        .attr("role", "row")
        .attr("aria-rowindex", (at + 1).to_string())
        .attr("data-lead-id", lead.id.clone())
        .attr("data-status", shown.as_str().to_owned())
        .attr("data-phase", phase.as_str())
        .flag("data-cursor", cursor == Some(&*lead.id))
        .child(who)
        .child(cell("number").child(score(lead.score)))
        .child(state(&shown, phase, is_paused))
        .child(cell("act").children(decide(&lead.name, &shown)))
        .child(
            cell("failed")
                .children(failure.map(|(reason, wanted)| failure_line(&reason, wanted, phase))),
        )
}

/// Renders the empty state.
pub fn no_leads() -> El {
    p().attr("class", "muted")
        .child("No leads in this workspace work here.")
}
