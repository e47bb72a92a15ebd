//! Active filters as chips that can be edited or removed.

use leptos::ev;
use leptos::prelude::*;

use super::view_filters::{change_filters, filters};
use crate::app::components::chip::{Chip, chips as chips_of};
use crate::app::components::dom::{El, button, div, span};
use crate::app::list::filter_bar::matching_of_all;
use crate::app::model::filters::{FilterKey, Filters, filter_labels};
use crate::app::model::rejected_filter::{RejectedFilter, blamed};
use crate::app::model::route;
use crate::app::model::view::LeadsView;
use crate::app::reactive::memo;
use crate::app::shell::lazy::lazy;
use crate::app::state::AppState;
use crate::app::state::facets::{Coverage, Editing, Facets};
use crate::client::ErrorKind;

/// The row above the grid: chips, a button to clear the filters, and the number of matching leads.
pub fn chip_row(app: AppState) -> El {
    let (facets, filtered) = (app.facets, filters(app));
    let clear = button()
        .class("quiet")
        .child("Clear all")
        // The sheet has the same button at its end. A rejected sort has a button in its chip.
        .prop("hidden", move || {
            (facets.sheet_open.get() || filtered.with(Filters::is_empty)).into()
        })
        .on(ev::click, move |_| {
            change_filters(app, |_| Filters::default())
        });
    let load_status = app.leads.listing.load_status();
    let sum = move || {
        // An order by likelihood has its own line.
        let is_ordered = app.suggestions.is_ordered.get();
        if is_ordered || !load_status.with(|load_status| load_status.is_loaded) {
            return String::new();
        }
        let table = app.leads_view.with(|view| view.table.clone());
        let matching = matching_of_all(app);
        if load_status.with(|load_status| load_status.total) == 0 {
            return matching;
        }
        [matching, filter_labels::order(table.sort, table.dir)].join(", ")
    };
    let tabs = move || match facets.coverage.get() {
        Coverage::View => None,
        Coverage::Workspace => Some(
            span()
                .class("coverage")
                .child("Tab counts are of the whole workspace"),
        ),
    };
    div()
        .class("active")
        .child(chips(app, false))
        .child(clear)
        .child(tabs)
        .child(span().class("sum").attr("role", "status").child(sum))
}

/// The filter chips. In the sheet they announce their own errors; otherwise the banner above the list does.
pub fn chips(app: AppState, in_sheet: bool) -> El {
    let facets = app.facets;
    let filters = filters(app);
    let load_status = app.leads.listing.load_status();
    let wrong = memo(move |_| {
        let error = load_status.with(|load_status| load_status.error.clone());
        match error.as_ref().map(|error| &error.kind) {
            Some(ErrorKind::Validation(detail)) => {
                let view = app.leads_view.get();
                blamed(view.tab.filters().len(), &view.filters.parts(), detail)
            }
            _ => Vec::new(),
        }
    });
    let message = move |of: RejectedFilter| {
        wrong.with(|wrong| {
            let message = wrong.iter().filter(|(blamed, _)| *blamed == of);
            let message: Vec<&str> = message.map(|(_, message)| message.as_str()).collect();
            (!message.is_empty()).then(|| message.join("; "))
        })
    };
    let chips = Signal::derive(move || {
        let filters = filters.get();
        let parts = filters.parts().into_iter().map(|part| {
            let (label, value) = named(facets, &filters, part);
            let on_edit = match part {
                FilterKey::Facet(_) => None,
                FilterKey::Custom(at) => Some(Callback::new(move |()| {
                    facets.editing.set(Some(Editing::At(at)));
                })),
            };
            Chip {
                label,
                value,
                wrong: message(RejectedFilter::Filter(part)),
                on_edit,
                on_remove: Callback::new(move |()| {
                    change_filters(app, |filters| filters.without(part))
                }),
            }
        });
        let sort = message(RejectedFilter::Sort).map(|message| sort_chip(app, message));
        parts.chain(sort).collect()
    });
    chips_of(chips, in_sheet)
}

/// Returns a filter as label and value.
pub fn named(facets: Facets, filters: &Filters, part: FilterKey) -> (String, String) {
    match part {
        FilterKey::Facet(facet) => {
            let values = filters.values(facet).iter();
            let values: Vec<String> = values.map(|value| facets.name(facet, value)).collect();
            (facet.label().to_owned(), values.join(", "))
        }
        FilterKey::Custom(at) => filters.custom(at).map_or_else(Default::default, |custom| {
            (
                filter_labels::field(custom.field()).to_owned(),
                filter_labels::rest(custom),
            )
        }),
    }
}

/// The chip of the sort. Shown only while the server rejects the sort.
fn sort_chip(app: AppState, wrong: String) -> Chip {
    let (nav, view) = (app.nav, app.leads_view);
    let table = view.get_untracked().table;
    Chip {
        label: "Sort".to_owned(),
        value: filter_labels::order(table.sort, table.dir),
        wrong: Some(wrong),
        on_edit: None,
        on_remove: Callback::new(move |()| {
            let (view, usual) = (view.get_untracked(), LeadsView::default().table);
            let mut table = view.table.clone();
            (table.sort, table.dir) = (usual.sort, usual.dir);
            nav.navigate(route::LEADS_PATH, &view.with(table).to_query());
        }),
    }
}

lazy!(lazy_chips: list, part, first, "Filters", chip_row);
