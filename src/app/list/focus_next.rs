//! The next leads of the list, below the open one in focus mode.

use leptos::ev;

use super::panes;
use crate::app::components::dom::{El, b, button, div, h3, li, ol, p, section, span, time};
use crate::app::components::format;
use crate::app::components::lead_details::score_section::grade;
use crate::app::model::lead::LeadItem;
use crate::app::model::lead_tab::Tab;
use crate::app::reactive::memo;
use crate::app::state::AppState;
use crate::app::state::grid_selection::Selectable;
use crate::app::state::lead_list::listed_lead::ListedLead;

/// More do not fit on a screen.
const SHOWN: u64 = 8;

pub fn next_leads(app: AppState) -> El {
    let (listing, cursor) = (app.leads.listing, app.leads.grid_selection.cursor);
    let index = memo(move |_| cursor.with(|cursor| cursor.as_ref().map(|cursor| cursor.index)));
    let rows = move || {
        let Some(index) = index.get() else {
            return Vec::new();
        };
        listing.pages.with(|pages| {
            let next = index + 1..=index + SHOWN;
            let rows = next.filter_map(|index| Some((index, pages.row(index)?.clone())));
            rows.collect::<Vec<(u64, ListedLead)>>()
        })
    };
    section()
        .class("focus-next")
        .attr("aria-label", "Next leads")
        .child(move || {
            let rows = rows();
            if rows.is_empty() {
                return Some(end(app));
            }
            let lines = rows
                .into_iter()
                .map(|(index, row)| line(app, index, &row.lead));
            Some(div().child(h3().child("Next")).child(ol().children(lines)))
        })
}

fn line(app: AppState, index: u64, lead: &LeadItem) -> El {
    let age = lead.intent_at.as_deref().and_then(format::age);
    let open = button()
        .class("quiet")
        .child(
            span()
                .class("fit")
                .child(grade(lead.tier.as_deref(), lead.score)),
        )
        .child(b().attr("dir", "auto").child(&lead.name))
        .child(span().child(lead.title.as_deref().unwrap_or_default()))
        .child(span().child(lead.intent.as_deref().unwrap_or("No signal yet")))
        .child(age.map(|age| time().child(&age.text)))
        .on(ev::click, move |_| {
            let leads = app.leads;
            leads.grid_selection.place_cursor_at(leads.listing, index);
        });
    li().child(open)
}

/// Says that there is no next lead.
fn end(app: AppState) -> El {
    let leads = app.leads;
    let is_decided = memo(move |_| {
        leads.grid_selection.cursor.track();
        let row = leads.grid_selection.row(leads.listing);
        row.is_some_and(|row| {
            let (shown, _) = app.decisions.shown(row.id(), &row.status);
            !Tab::Pending.holds(&shown)
        })
    });
    let back = button()
        .class("")
        .child("Back to the list")
        .on(ev::click, move |_| panes::of_leads(app).close());
    div()
        .class("end")
        .child(p().attr("role", "status").child(move || {
            match is_decided.get() {
                true => "That was the last lead of this list.",
                false => "This is the last lead of this list.",
            }
            .to_owned()
        }))
        .child(back)
}
