//! The bar of focus mode: how to leave it, how many leads are done and left, how fast, and whether they are saved.

use js_sys::Date;
use leptos::ev;
use leptos::prelude::*;

use super::panes;
use super::save_line::{save_line, shown_state};
use crate::app::components::dom::{El, b, button, div, header, kbd, span};
use crate::app::components::{format, icon};
use crate::app::model::lead_tab::Tab;
use crate::app::model::review_session::{ReviewSession, SessionStep};
use crate::app::reactive::{RwSignal, effect_now};
use crate::app::state::grid_selection::Selectable;
use crate::app::state::lead_list::listed_lead::ListedLead;
use crate::app::state::{AppState, decision_pace};

pub fn session_bar(app: AppState) -> El {
    let save_state = shown_state(app);
    let leave = button()
        .class("quiet")
        .child(icon::cross())
        .child("Leave focus mode")
        .attr("aria-keyshortcuts", "Escape")
        .child(kbd().attr("aria-hidden", "true").child("Esc"))
        .on(ev::click, move |_| panes::of_leads(app).close());
    let view = app.leads_view;
    let words = span().class("words").child(move || {
        view.with(|view| match view.filters.count() {
            0 => view.words(),
            filters => [
                &view.words(),
                ", ",
                &format::count(filters as u64, "filter"),
            ]
            .concat(),
        })
    });
    header()
        .class("session-bar")
        .attr("data-save", move || save_state.get().as_str().to_owned())
        .child(div().class("start").child(leave).child(words))
        .child(pace(app))
        .child(save_line(app, save_state))
}

/// Renders the numbers of the session.
fn pace(app: AppState) -> El {
    let decisions = app.decisions;
    let last_step = move || {
        decisions.last_step(|step| SessionStep {
            number: step.number,
            leads: step.changes.len(),
            at: step.at,
        })
    };
    let now = Date::now() as u64;
    let session = RwSignal::new(ReviewSession::start(untrack(last_step), now));
    effect_now(move || {
        let last = last_step();
        session.update(|session| session.follow(last));
    });
    let left = move || left(app);
    let each = move || session.with(ReviewSession::pace);
    let number = |of: String, what: &str| span().child(b().child(of)).child(what);
    let before = decision_pace::today(app.session);
    div()
        .class("pace")
        .child(move || {
            let done = session.with(ReviewSession::done);
            Some(number(format::number(done), " done"))
        })
        .child(move || Some(number(format::number(left()), " left")))
        .child(move || {
            let today = before? + session.with(ReviewSession::done);
            Some(number(format::number(today), " today").class("more"))
        })
        .child(move || {
            let seconds = each()?.div_ceil(1000).max(1);
            Some(number(format!("{} s", format::number(seconds)), " each").class("more"))
        })
        .child(move || {
            let minutes = (each()? * left()).div_ceil(60_000);
            let text = match minutes {
                0 => return None,
                1..=90 => format!("{minutes} min"),
                _ => format!("{} h", format::number(minutes.div_ceil(60))),
            };
            Some(
                span()
                    .class("more")
                    .child("about ")
                    .child(b().child(text))
                    .child(" to go"),
            )
        })
}

/// Returns the number of leads after the one under the cursor, which is counted, too, while it is pending. In the list of
/// pending leads, loaded ones that were decided are not counted.
fn left(app: AppState) -> u64 {
    let (leads, decisions) = (app.leads, app.decisions);
    let only_pending = app.leads_view.with(|view| view.tab == Tab::Pending);
    leads.grid_selection.cursor.with(|cursor| {
        let Some(cursor) = cursor else { return 0 };
        leads.listing.pages.with(|pages| {
            let is_left = |index: u64, row: &ListedLead| {
                let is_after = index > cursor.index && !only_pending;
                is_after || Tab::Pending.holds(&decisions.shown(row.id(), &row.status).0)
            };
            let rows = pages.rows().rev();
            let rows = rows.take_while(|(index, _)| *index >= cursor.index);
            let gone = rows.filter(|(index, row)| !is_left(*index, row)).count() as u64;
            pages.total().saturating_sub(cursor.index + gone)
        })
    })
}
