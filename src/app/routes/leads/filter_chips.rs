//! Active filters as chips that can be edited or removed.

use std::rc::Rc;

use lead_workspace_api::first_messages::FirstMessages;
use lead_workspace_api::shapes::FacetOption;
use lead_workspace_api::{FacetItem, FacetSearch};
use leptos::ev;
use leptos::prelude::*;

use super::view_filters::{change_filters, filters};
use crate::app::components::chip::{Chip, chips as chips_of};
use crate::app::components::dom::{El, button, div, span};
use crate::app::components::filter_editor::{KnownFields, ValuesOf, filter_editor, focus_first};
use crate::app::list::filter_bar::{add_another_button, matching_of_all};
use crate::app::model::custom_fields::queried;
use crate::app::model::filters::filter_field::Field;
use crate::app::model::filters::{FilterKey, Filters, LeadFilterField, filter_labels};
use crate::app::model::rejected_filter::{RejectedFilter, blamed};
use crate::app::model::route;
use crate::app::model::view::LeadsView;
use crate::app::reactive::{Signal, memo};
use crate::app::shell::lazy::lazy;
use crate::app::state::AppState;
use crate::app::state::facets::{Coverage, Editing, Facets};
use crate::client::ErrorKind;

/// How many values the editor suggests.
const SUGGESTED: u32 = 8;

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
    let add = add_another_button(facets.editing, facets.sheet_open);
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
        .child(move || editor(app, false))
        .child(add)
        .child(clear)
        .child(tabs)
        .child(span().class("sum").attr("role", "status").child(sum))
}

/// The editor of a custom filter, in the row of chips or in the sheet.
pub fn editor(app: AppState, in_sheet: bool) -> Option<El> {
    let facets = app.facets;
    let editing = facets.editing.get()?;
    if facets.sheet_open.get() != in_sheet {
        return None;
    }
    let at = match editing {
        Editing::New => None,
        Editing::At(at) => Some(at),
    };
    let old = untrack(|| filters(app).with(|filters| filters.custom(at?).cloned()));
    let close = move || {
        facets.editing.set(None);
        match in_sheet {
            true => focus_first(".sheet .add"),
            false => app.leads.grid_selection.focus_list(),
        }
    };
    let values_of: ValuesOf<LeadFilterField> = Rc::new(move |field, q| {
        let client = app.session.client_now();
        Box::pin(async move {
            let search = FacetSearch {
                field: field.into(),
                q,
                limit: SUGGESTED,
                selected: None,
                signal_run_id: None,
                signal_id: None,
                campaign_id: None,
            };
            // A server that cannot be asked suggests nothing.
            let found = match client {
                Some(client) => client.search_lead_facet(&search).await.ok(),
                None => None,
            };
            let items = found.and_then(|found| found.items).unwrap_or_default();
            let option = |item: FacetItem| {
                let value = item.value?;
                Some(FacetOption {
                    label: item.label.unwrap_or_else(|| value.clone()),
                    value,
                    count: item.count,
                })
            };
            items.into_iter().filter_map(option).collect()
        })
    });
    app.custom_fields.load();
    let named = app.custom_fields.named;
    let own = memo(move |_| {
        let fields = named.with(|named| named.as_ref().map_or_else(Vec::new, queried));
        fields
            .into_iter()
            .map(|field| LeadFilterField::Custom(field.name))
            .collect()
    });
    let known = old.clone();
    let kind_of = move |field: LeadFilterField| {
        let fields = named.with(|named| named.as_ref().map_or_else(Vec::new, queried));
        let found = fields
            .into_iter()
            .find(|own| LeadFilterField::Custom(own.name) == field);
        found.map_or_else(
            || match known.as_ref().filter(|known| known.field() == field) {
                Some(known) => field.kind(known.values()),
                None => field.kind(&[]),
            },
            |own| own.kind,
        )
    };
    Some(filter_editor(
        old.as_ref(),
        KnownFields {
            own: own.into(),
            kind_of: Rc::new(kind_of),
            values_of: Some(values_of),
        },
        Callback::new(move |custom| {
            close();
            change_filters(app, |filters| filters.and(at, custom));
        }),
        Callback::new(move |()| close()),
    ))
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
            let messages = wrong.iter().filter(|(blamed, _)| *blamed == of);
            let messages = messages.map(|(_, message)| message.clone());
            let message = messages.collect::<FirstMessages>().join("; ");
            (!message.is_empty()).then_some(message)
        })
    };
    let chips = Signal::derive(move || {
        let filters = filters.get();
        // A filter that is being changed is in the editor.
        let edited = match facets.editing.get() {
            Some(Editing::At(at)) => Some(FilterKey::Custom(at)),
            _ => None,
        };
        let parts = filters
            .parts()
            .into_iter()
            .filter(|part| Some(*part) != edited);
        let parts = parts.map(|part| {
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
            (custom.field().label().to_owned(), custom.rest())
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

lazy!(lazy_chips: list, small, first, "Filters", chip_row);
