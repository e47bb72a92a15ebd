//! Focus mode: one lead at a time, in place of the list. The address says whether it is open.

use std::rc::Rc;

use leptos::prelude::*;

use super::details_pane::PaneContent;
use super::focus_page::lazy_focus_page;
use super::lead_pane::{self, lazy_lead_details};
use super::review_commands::Review;
use crate::app::model::command::Command;
use crate::app::model::page_cache::PageCache;
use crate::app::model::route::{FOCUS_MODE_PARAM, LEAD_PARAM, param, with_param};
use crate::app::reactive::{Memo, memo};
use crate::app::state::AppState;
use crate::app::state::grid_selection::Selectable;
use crate::app::state::lead_list::ListedLead;
use crate::review::selection::Move;

/// Returns whether the open lead is shown in focus mode. A phone shows one lead at a time anyway.
pub fn is_open(app: AppState) -> Memo<bool> {
    memo(move |_| read_open(app))
}

/// Same as [`is_open`], untracked, for an event.
pub fn is_open_now(app: AppState) -> bool {
    untrack(|| read_open(app))
}

fn read_open(app: AppState) -> bool {
    let in_query = |query: &String| {
        param(query, FOCUS_MODE_PARAM).is_some() && param(query, LEAD_PARAM).is_some()
    };
    !app.environment.narrow.get() && app.nav.query().with(in_query)
}

/// Returns the details pane, which focus mode replaces by a page of its own.
pub fn content(app: AppState) -> PaneContent {
    lead_pane::pane(app).content(|app| match is_open(app).get() {
        true => lazy_focus_page(app),
        false => lazy_lead_details(app),
    })
}

/// Registers the command under the current owner.
pub fn register_command(review: Review) {
    let app = review.app;
    let narrow = app.environment.narrow;
    let pages = app.leads.listing.pages;
    let has_leads = move || !narrow.get() && pages.with(PageCache::total) > 0;
    let toggle = move || match is_open_now(app) {
        true => lead_pane::pane(app).close(),
        false => open(review),
    };
    app.commands
        .on_while(Command::FocusMode, Rc::new(has_leads), Rc::new(toggle));
}

/// Opens the lead whose details are open, or else the one under the cursor, or else the first in view.
fn open(review: Review) {
    let pane = lead_pane::pane(review.app);
    if review.controller.row().is_none() {
        review.controller.move_cursor(Move::Rows(0));
    }
    let id = pane.opened_now().or_else(|| {
        let row: ListedLead = review.controller.row()?;
        Some(row.id().to_owned())
    });
    if let Some(id) = id {
        pane.focus.next();
        pane.show(
            &id,
            &with_param(&pane.list_query(), FOCUS_MODE_PARAM, Some("1")),
        );
    }
}
