//! The page of focus mode: the session, the lead, the next ones, and its colleagues.

use std::sync::Arc;

use leptos::ev;
use leptos::prelude::*;
use web_sys::KeyboardEvent;

use super::lead_pane::{LeadPanel, lead_panel};
use super::{colleagues, focus_next, focus_session, panes};
use crate::app::components::dom::{El, aside, div, effect};
use crate::app::key_handler::press;
use crate::app::model::lead_detail::LeadProfile;
use crate::app::reactive::Memo;
use crate::app::shell::lazy::lazy;
use crate::app::state::AppState;
use crate::app::state::grid_selection::Selectable;
use crate::app::state::spawn;
use crate::platform::idle::idle;

/// How many leads are loaded ahead.
const LEADS_AHEAD: u64 = 2;

fn focus_page(app: AppState) -> El {
    let LeadPanel { lead, panel } = lead_panel(app, ("region", "Lead"), false);
    load_ahead(app, lead);
    let account = colleagues::load(app, lead);
    colleagues::register_commands(app, account);
    let side = aside()
        .class("focus-side")
        .attr("aria-label", "Company")
        .child(move || Some(colleagues::side(app, &account.get()?, lead)));
    on_cleanup(move || app.leads.grid_selection.focus_list());
    div()
        .class("focus-mode")
        .child(focus_session::session_bar(app))
        .child(
            div()
                .class("focus-lead")
                .child(panel)
                .child(focus_next::next_leads(app)),
        )
        .child(side)
        .on(ev::keydown, move |event| {
            open_colleague(app, account, &event)
        })
}

/// Opens the colleague with the number of the pressed key.
fn open_colleague(app: AppState, account: colleagues::Colleagues, event: &KeyboardEvent) {
    let is_on = app.keys.now(|map| map.single) == Some(true);
    let press = press(event);
    let is_plain = !(press.ctrl || press.alt || press.meta || press.shift);
    if !is_on || !is_plain || press.in_input || press.repeat {
        return;
    }
    let number = press.key.parse::<usize>().ok().filter(|number| *number > 0);
    let shown = account.get_untracked();
    if let (Some(number), Some(account)) = (number, shown)
        && number <= colleagues::WITH_KEYS
        && let Some(lead) = account.leads.get(number - 1)
    {
        event.prevent_default();
        panes::of_leads(app).open(&lead.id, true);
    }
}

/// Loads the leads after the open one once it is shown.
fn load_ahead(app: AppState, lead: Memo<Option<Arc<LeadProfile>>>) {
    let (listing, session) = (app.leads.listing, app.session);
    effect(move || {
        let Some(lead) = lead.get() else { return };
        spawn(async move {
            idle().await;
            let next = listing.position(|row| row.id() == lead.id);
            let (Some((index, _)), Some(client)) = (next, session.client_now()) else {
                return;
            };
            let next = listing.pages.try_with_untracked(|pages| {
                let next = index + 1..=index + LEADS_AHEAD;
                let ids = next.filter_map(|index| Some(Arc::from(pages.row(index)?.id())));
                ids.collect::<Vec<_>>()
            });
            app.details.load_ahead(&client, &next.unwrap_or_default());
        });
    });
}

lazy!(lazy_focus_page: details, page, later, "Focus mode", focus_page);
