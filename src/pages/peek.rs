//! The details of a lead, beside the list or over it.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use lead_workspace_api::{ApprovalStatus, NewApprovalStatus};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::late;
use super::leads::PATH;
use super::trouble::{failed_plate, failed_strip};
use crate::client::ErrorKind;
use crate::components::dom::{Action, El, Reader, action, button, classed, effect, reader};
use crate::components::format;
use crate::components::lead_row::Act;
use crate::components::peek::{Decided, Peek, Place, peek};
use crate::components::plate::{Mood, plate};
use crate::model::command::Command;
use crate::model::detail::Detail;
use crate::model::outbox::entry::Phase;
use crate::model::pages::Pages;
use crate::model::selection::Cursor;
use crate::model::view::LeadsView;
use crate::signal::{Memo, RwSignal};
use crate::state::{Workspace, clipboard, spawn};

/// How long it is said that the link was copied.
const SAID: Duration = Duration::from_secs(4);

/// Opens the details of a lead, or shows them in place of those of another one.
pub fn open(workspace: Workspace, lead_id: &str, takes_focus: bool) {
    if lead_id.is_empty() {
        return;
    }
    if takes_focus {
        workspace.details.focus_next();
    }
    let nav = workspace.nav;
    let view = view_now(workspace);
    let to = view.opened(Some(lead_id)).to_query();
    match view.open {
        None => nav.open(PATH, &to),
        Some(_) => nav.turn(PATH, &to),
    }
}

/// Opens the details of the lead that the cursor is on.
pub fn open_row(workspace: Workspace, takes_focus: bool) {
    let leads = workspace.leads;
    if let Some(row) = leads.choice.row(leads.listing) {
        open(workspace, &row.lead.id, takes_focus);
    }
}

/// Closes the details.
pub fn close(workspace: Workspace) {
    let view = view_now(workspace);
    if view.open.is_some() {
        workspace.nav.close(PATH, &view.opened(None).to_query());
    }
}

/// What stands after the list: the details while some are open.
pub fn place(workspace: Workspace) -> Reader<Option<El>> {
    let open = opened(workspace);
    let is_open = Memo::new(move |_| open.with(Option::is_some));
    // Here, and not with the details: their code may be on its way still.
    let enabled: Rc<dyn Fn() -> bool> = Rc::new(move || is_open.get());
    let leave = Rc::new(move || close(workspace));
    workspace.commands.on_while(Command::Close, enabled, leave);
    reader(move || is_open.get().then(|| late::peek(workspace)))
}

fn view_now(workspace: Workspace) -> LeadsView {
    let here = untrack(|| workspace.nav.place());
    LeadsView::from_query(&here.query)
}

/// The lead that the address names.
fn opened(workspace: Workspace) -> Memo<Option<String>> {
    let query = workspace.nav.query();
    Memo::new(move |_| query.with(|query| LeadsView::from_query(query).open))
}

/// The details, joined to the state.
pub fn peek_page(workspace: Workspace) -> El {
    let (details, session) = (workspace.details, workspace.session);
    let open = opened(workspace);
    let load = move || {
        if let (Some(client), Some(id)) = (session.client(), open.get()) {
            details.load(client, &id);
        }
    };
    effect(load);
    on_cleanup(move || details.clear());
    // What is loaded again and says the same is not drawn again.
    let lead = Memo::new(move |_| details.shown());
    let copied = RwSignal::new("");
    let step = move |by| action(move |()| step(workspace, open.get_untracked(), by));
    let on_act = action(move |act| {
        // What is shown is what the person decides on, and nothing that comes meanwhile.
        if !untrack(|| details.is_other())
            && let Some(lead) = lead.get_untracked()
        {
            act_on(workspace, &lead, act);
        }
    });
    let panel = peek(&Peek {
        lead: reader(move || lead.get()),
        busy: reader(move || details.is_busy()),
        locked: reader(move || details.is_other()),
        trouble: trouble(workspace, lead, action(move |()| untrack(load))),
        decided: reader(move || decided(workspace, lead.get().as_deref())),
        on_act,
        on_delete: action(move |()| {
            let id = open.get_untracked();
            let listing = workspace.leads.listing;
            if let Some(row) = listing.find(|row| Some(&row.lead.id) == id.as_ref()) {
                workspace.deletion.ask(row);
            }
        }),
        place: reader(move || standing(workspace, open.get().as_deref())),
        on_previous: step(-1),
        on_next: step(1),
        on_close: action(move |()| close(workspace)),
        on_copy: (!session.is_hosted()).then(|| copy(workspace, open, copied)),
        said: reader(move || copied.get().to_owned()),
        takes_focus: reader(move || details.takes_focus()),
    });
    follow(workspace, open);
    give_back_focus(panel.node());
    panel
}

/// What is to be done with a lead, in the list or not.
fn act_on(workspace: Workspace, lead: &Detail, act: Act) {
    let (leads, decisions) = (workspace.leads, workspace.decisions);
    let id: Arc<str> = lead.id.as_str().into();
    match act {
        Act::Decide(to) => match leads.listing.find(|row| row.lead.id == lead.id) {
            Some(row) => leads.decide(&row, to),
            None => {
                let shown = untrack(|| decisions.shown(&id, &status(lead)).0);
                decisions.decide(vec![(id, shown)], to, &lead.name);
            }
        },
        Act::Retry => decisions.retry(Some(&[id])),
        Act::Revert => decisions.revert(Some(&[id])),
    }
}

/// The status that the server gave.
fn status(lead: &Detail) -> ApprovalStatus {
    lead.status.clone().unwrap_or_else(|| "unknown".into())
}

/// The decision on a lead.
fn decided(workspace: Workspace, lead: Option<&Detail>) -> Decided {
    let decisions = workspace.decisions;
    let Some(lead) = lead else {
        return Decided {
            status: "unknown".into(),
            phase: Phase::Idle,
            failed: None,
        };
    };
    let (status, phase) = decisions.shown(&lead.id, &status(lead));
    Decided {
        status,
        phase,
        failed: decisions.failure(&lead.id).map(|(reason, _)| reason),
    }
}

/// Where a lead stands in the list.
fn standing(workspace: Workspace, id: Option<&str>) -> Place {
    let listing = workspace.leads.listing;
    listing.pages.track();
    let Some((at, _)) = listing.position(|row| Some(row.lead.id.as_str()) == id) else {
        return Place::default();
    };
    let total = listing.pages.with(Pages::total);
    Place {
        words: format!("{} of {}", format::number(at + 1), format::number(total)),
        previous: at > 0,
        next: at + 1 < total,
        here: true,
    }
}

/// Moves the cursor from the lead that is open; the details follow it.
fn step(workspace: Workspace, id: Option<String>, by: i64) {
    let leads = workspace.leads;
    let Some(id) = id else { return };
    let here = leads.listing.position(|row| row.lead.id == id);
    let total = leads.listing.pages.with_untracked(Pages::total);
    let Some(index) = here.and_then(|(index, _)| index.checked_add_signed(by)) else {
        return;
    };
    if index < total {
        let cursor = leads.choice.cursor.get_untracked().unwrap_or_default();
        let cursor = Cursor {
            id: None,
            index,
            head: false,
            ..cursor
        };
        leads.choice.put(leads.listing, cursor);
    }
}

/// The details follow the cursor, wherever it goes while they are open.
fn follow(workspace: Workspace, open: Memo<Option<String>>) {
    let choice = workspace.leads.choice;
    let id = Memo::new(move |_| choice.cursor.with(|cursor| cursor.as_ref()?.id.clone()));
    let before = StoredValue::new(id.get_untracked());
    effect(move || {
        let id = id.get();
        if before.get_value() == id {
            return;
        }
        before.set_value(id.clone());
        if let Some(id) = id
            && open.with_untracked(Option::is_some)
        {
            self::open(workspace, &id, false);
        }
    });
}

/// What is said where a lead cannot be had.
fn trouble(
    workspace: Workspace,
    lead: Memo<Option<Arc<Detail>>>,
    on_retry: Action<()>,
) -> Reader<Option<El>> {
    reader(move || {
        let error = workspace.details.error()?;
        let gone = matches!(error.kind, ErrorKind::NotFound);
        let is_here = lead.with(Option::is_some);
        Some(match (gone, is_here) {
            (true, true) => super::trouble::strip(
                "This lead is gone.",
                " What you see is what was loaded before.",
            ),
            (true, false) => {
                let text = "The workspace has no lead with this id any more. It may have been \
                            deleted, or the link belongs to another workspace.";
                let back = button("", "Back to the list").on("click", move |_| close(workspace));
                plate(Mood::Calm, "This lead is gone", text).el(classed("div", "buttons").el(back))
            }
            (false, true) => failed_strip(workspace, &error, &on_retry),
            (false, false) => failed_plate(workspace, &error, &on_retry),
        })
    })
}

/// Copies the address of the lead alone, whatever list it was found in.
fn copy(
    workspace: Workspace,
    open: Memo<Option<String>>,
    said: RwSignal<&'static str>,
) -> Action<()> {
    action(move |()| {
        let view = LeadsView::default().opened(open.get_untracked().as_deref());
        let href = workspace.nav.href(PATH, &view.to_query());
        let link = window().location().origin().unwrap_or_default() + &href;
        spawn(async move {
            let word = match clipboard::copy(&link).await {
                true => "Link copied",
                false => "Not allowed to copy: take the address of this page",
            };
            said.try_set(word);
            set_timeout(
                move || {
                    said.try_set("");
                },
                SAID,
            );
        });
    })
}

/// Decides on the lead whose details are open, where that is not the one that the cursor is on: no other
/// may be decided in its place. Whether it is so.
pub fn decide(workspace: Workspace, to: NewApprovalStatus) -> bool {
    let Some(open) = view_now(workspace).open else {
        return false;
    };
    let leads = workspace.leads;
    let row = leads.choice.row(leads.listing);
    if row.is_some_and(|row| row.lead.id == open) {
        return false;
    }
    let shown = untrack(|| workspace.details.shown());
    if let Some(lead) = shown.filter(|lead| lead.id == open) {
        act_on(workspace, &lead, Act::Decide(to));
    }
    true
}

/// When the details go while they have the focus, it goes back to the list.
fn give_back_focus(panel: Element) {
    let panel = StoredValue::new_local(panel);
    on_cleanup(move || {
        let grid = panel.try_with_value(|panel| {
            let has_focus = panel.query_selector(":focus").ok().flatten();
            let areas = has_focus.and_then(|_| panel.closest(".areas").ok().flatten())?;
            areas.query_selector(".grid").ok().flatten()
        });
        if let Some(Some(grid)) = grid {
            let _ = grid.unchecked_into::<HtmlElement>().focus();
        }
    });
}
