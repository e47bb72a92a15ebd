//! Opens and closes focus mode, and shows it in place of the details pane.

use std::rc::Rc;

use super::details_pane::PaneContent;
use super::focus_mode::{is_open, is_open_now};
use super::focus_page::lazy_focus_page;
use super::lead_pane::lazy_lead_details;
use super::panes;
use super::review_commands::Review;
use crate::app::model::command::Command;
use crate::app::model::page_cache::PageCache;
use crate::app::model::route::{FOCUS_MODE_PARAM, with_param};
use crate::app::state::AppState;
use crate::app::state::grid_selection::Selectable;
use crate::app::state::lead_list::listed_lead::ListedLead;
use crate::review::selection::Move;

/// Returns the details pane, which focus mode replaces by a page of its own.
pub fn content(app: AppState) -> PaneContent {
    panes::of_leads(app).content(|app| match is_open(app).get() {
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
        true => panes::of_leads(app).close(),
        false => open(review),
    };
    app.commands
        .on_while(Command::FocusMode, Rc::new(has_leads), Rc::new(toggle));
}

/// Opens the lead whose details are open, or else the one under the cursor, or else the first in view.
fn open(review: Review) {
    let pane = panes::of_leads(review.app);
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
