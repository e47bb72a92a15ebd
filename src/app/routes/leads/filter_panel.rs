//! The filter sidebar of the leads: facets.

use std::rc::Rc;
use std::sync::Arc;

use leptos::ev;
use leptos::prelude::*;

use super::filter_chips::{chips, editor};
use super::view_filters::{change_filters, filters};
use crate::app::components::dom::{
    El, KeyedRow, b, button, details, div, effect, h3, p, span, summary,
};
use crate::app::components::facet_section::{FacetSection, MAX_WITHOUT_BUTTON, facet, folded};
use crate::app::list::filter_bar::matching;
use crate::app::list::filter_sidebar::{FilterSidebar, filter_sidebar as frame};
use crate::app::model::custom_fields::{QueriedField, queried};
use crate::app::model::facet_options::{arrange_options, fill_counts, retain_matching};
use crate::app::model::filters::{Facet, Filters};
use crate::app::model::view::LeadsView;
use crate::app::model::view_counts::with_counts;
use crate::app::reactive::{Memo, RwSignal, Signal, StoredValue, memo};
use crate::app::shell::lazy::lazy;
use crate::app::state::AppState;
use crate::app::state::facets::{Coverage, FacetValues, FacetsStatus, expanded_facets};

/// The sidebar, its sheet, and the dialog for custom filters.
pub fn filter_sidebar(app: AppState) -> El {
    let (session, facets) = (app.session, app.facets);
    if facets
        .status
        .with_untracked(|status| *status == FacetsStatus::NotLoaded)
    {
        let begins_open = || {
            Facet::ALL
                .iter()
                .copied()
                .filter(|facet| facet.begins_open())
        };
        facets.expanded.set(match session.is_embedded() {
            true => begins_open().collect(),
            false => expanded_facets::read(),
        });
    }
    let filters = filters(app);
    let narrow = app.environment.narrow;
    // On a phone the sidebar is hidden until it is opened. But chips need the names that the facets load.
    let wanted = memo(move |was: Option<&bool>| {
        was == Some(&true)
            || !narrow.get()
            || facets.sheet_open.get()
            || filters.with(|filters| !filters.is_empty())
    });
    count_leads(app, wanted);
    frame(FilterSidebar {
        sheet_open: facets.sheet_open,
        editing: facets.editing,
        is_filtered: Signal::derive(move || filters.with(|filters| !filters.is_empty())),
        on_clear: Callback::new(move |()| change_filters(app, |_| Filters::default())),
        matching: Signal::derive(move || matching(app)),
        chips: Rc::new(move || chips(app, true)),
        editor: Rc::new(move || editor(app, true)),
        sections: Rc::new(move || sections(app, filters)),
    })
}

/// Keeps the counts of the tabs and the facets up to date. `wanted`: whether the facets are wanted, too.
fn count_leads(app: AppState, wanted: Memo<bool>) {
    let (session, facets, decisions) = (app.session, app.facets, app.decisions);
    effect(move || {
        if session.client().is_some() {
            facets.forget();
        }
    });
    let load_status = app.leads.listing.load_status();
    let loading = memo(move |_| load_status.with(|load| load.busy || load.blank));
    // Opening another lead changes nothing.
    let listed = memo(move |_| app.leads_view.with(LeadsView::list_only));
    effect(move || {
        let (has_client, is_loading) = (session.client().is_some(), loading.get());
        let (view, wanted) = (listed.get(), wanted.get());
        if is_loading {
            facets.pause();
        } else if has_client {
            let accepted = load_status.with_untracked(|load| load.error.is_none());
            facets.show(&view, wanted, accepted);
        }
    });
    // Decisions change the counts, and so do other tabs and deletions. Those that the user holds back may take hours.
    let saved = memo(move |_| {
        let counts = decisions.decision_counts();
        (counts.open - counts.held, counts.saved)
    });
    let has_run = StoredValue::new(false);
    effect(move || {
        decisions.changed.track();
        let (open, _) = saved.get();
        let is_first = !has_run.get_value();
        has_run.set_value(true);
        match open {
            _ if is_first => {}
            0 => facets.count_again(),
            _ => facets.hold_counts(),
        }
    });
}

/// The facets that have values, a skeleton until they are loaded, and error messages.
fn sections(app: AppState, filters: Memo<Filters>) -> El {
    let facets = app.facets;
    let options_by_facet = facets.options_by_facet;
    let rows = move || {
        let row = |facet: Facet| KeyedRow {
            key: Arc::from(facet.key()),
            version: 0,
            draw: Rc::new(move || facet_of(app, filters, facet)),
        };
        options_by_facet.with(|all| all.iter().map(|(facet, _)| row(*facet)).collect())
    };
    let skeletons = move || {
        let is_loading = facets
            .status
            .with(|status| *status == FacetsStatus::NotLoaded);
        is_loading.then(|| {
            div()
                .class("sidebar-skeleton")
                .attr("role", "status")
                .child(span().class("visually-hidden").child("Loading the filters"))
        })
    };
    let list = app.leads.listing.load_status();
    let list_failed = memo(move |_| list.with(|list| list.error.is_some()));
    // The list says what is wrong, and retries. The filters follow it.
    effect(move || {
        let is_failed = matches!(facets.status.get_untracked(), FacetsStatus::Failed(_));
        if !list_failed.get() && is_failed {
            facets.retry();
        }
    });
    let failed = move || {
        let FacetsStatus::Failed(what) = facets.status.get() else {
            return None;
        };
        if list_failed.get() {
            return None;
        }
        let retry = button()
            .child("Retry")
            .on(ev::click, move |_| facets.retry());
        let title = match options_by_facet.with(Vec::is_empty) {
            true => "The filters could not be loaded. ",
            false => "The filters may be out of date. ",
        };
        let message = span()
            .child(b().child(title))
            .child(span().class("fine").child(&what));
        Some(
            p().class("wrong")
                .attr("role", "alert")
                .child(message)
                .child(retry),
        )
    };
    let unreadable = move || {
        let odd = facets.unreadable.get();
        let names: Vec<&str> = odd.iter().map(|facet| facet.label()).collect();
        let verb = if names.len() == 1 { " was" } else { " were" };
        (!names.is_empty()).then(|| {
            let message = [
                &*names.join(", "),
                verb,
                " not fully read: the server sent unexpected data. Other filters work.",
            ];
            p().class("fine")
                .attr("role", "status")
                .child(message.concat())
        })
    };
    let fine = move || {
        let of_workspace = facets.coverage.get() == Coverage::Workspace;
        (of_workspace && options_by_facet.with(|all| !all.is_empty())).then(|| {
            p().class("fine")
                .child("Counts are of the whole workspace, with any status.")
        })
    };
    div()
        .class("sections")
        .child(failed)
        .child(skeletons)
        .keyed_rows(rows)
        .child(own_columns(app, filters))
        .child(unreadable)
        .child(fine)
}

/// The facets of custom fields. Only a server that counts within the view has them.
fn own_columns(app: AppState, filters: Memo<Filters>) -> El {
    let (named, pages) = (app.custom_fields.named, app.leads.listing.pages);
    let open = RwSignal::new(false);
    let is_shown = memo(move |was: Option<&bool>| {
        let is_loaded = app
            .facets
            .status
            .with(|status| *status == FacetsStatus::Loaded);
        let has_data =
            || pages.with(|pages| pages.rows().any(|(_, row)| row.lead.custom_data.is_some()));
        is_loaded
            && app.facets.coverage.get() == Coverage::View
            && (was == Some(&true) || has_data())
    });
    let rows = move || {
        let fields = named.with(|named| named.as_ref().map_or_else(Vec::new, queried));
        let fields = fields.into_iter().filter(|field| field.has_facet);
        let row = |field: QueriedField| KeyedRow {
            key: Arc::from(field.name.as_str()),
            version: 0,
            draw: Rc::new(move || facet_of(app, filters, Facet::Custom(field.name))),
        };
        match open.get() {
            true => fields.map(row).collect(),
            false => Vec::new(),
        }
    };
    let group = details().class("facet");
    let node = group.node();
    let group = group
        .prop("hidden", move || (!is_shown.get()).into())
        .on(ev::toggle, move |_| {
            open.set(node.has_attribute("open"));
            match open.get_untracked() {
                true => app.custom_fields.load(),
                false => {
                    app.facets.collapse_custom();
                }
            }
        })
        .child(summary().child(h3().child("Your columns")));
    group.child(div().keyed_rows(rows))
}

fn facet_of(app: AppState, filters: Memo<Filters>, of: Facet) -> El {
    let facets = app.facets;
    let chosen = memo(move |_| filters.with(|filters| filters.values(of).to_vec()));
    let found = memo(move |_| {
        facets.searches.with(|searches| {
            let found = searches.iter().find(|found| found.facet == of);
            found.cloned()
        })
    });
    let listed = memo(move |_| {
        facets.options_by_facet.with(|all| {
            let listed = all.iter().find(|(facet, _)| *facet == of);
            let listed = listed.map_or(&[][..], |(_, options)| options);
            found.with(|found| match (facets.coverage.get(), found) {
                (Coverage::View, found) => {
                    let (counted, has_more) = match found {
                        Some(found) => (&found.options[..], found.has_more),
                        None => (&[][..], true),
                    };
                    with_counts(listed, counted, has_more)
                }
                (Coverage::Workspace, Some(found)) => fill_counts(listed, &found.options),
                (Coverage::Workspace, None) => listed.to_vec(),
            })
        })
    });
    // The search text of a facet whose values are all loaded: it is searched locally.
    let here = RwSignal::new(String::new());
    let text = move || match of.is_searched() {
        true => found.with(|found| {
            found
                .as_ref()
                .map(|found| found.text.clone())
                .unwrap_or_default()
        }),
        false => here.get(),
    };
    // Chosen values are pinned to the top. The pins change only with the next search or visit, so that no option
    // moves while the user selects.
    let pinned = memo(move |_| {
        text();
        chosen.get_untracked()
    });
    let all = move || match of.is_searched() {
        true => found.with(|found| {
            found
                .as_ref()
                .map(|found| found.options.clone())
                .unwrap_or_default()
        }),
        false => listed.get(),
    };
    let matching = move |also: &[String]| match of.is_searched() {
        true => all(),
        false => {
            let wanted = folded(text().trim());
            retain_matching(all(), also, |label| folded(label).contains(&wanted))
        }
    };
    // Chosen values are always shown, even if they do not match the search text.
    let options = memo(move |_| {
        let chosen = chosen.get();
        let matching = matching(&chosen);
        arrange_options(&matching, &pinned.get(), &chosen, |value| {
            facets.name(of, value)
        })
    });
    let is_long =
        move || of.is_searched() || listed.with(|listed| listed.len() > MAX_WITHOUT_BUTTON);
    let about =
        move |read: fn(&FacetValues) -> bool| found.with(|found| found.as_ref().is_some_and(read));
    facet(FacetSection {
        label: of.label(),
        hint: of.hint(),
        open: Signal::derive(move || facets.expanded.with(|expanded| expanded.contains(&of))),
        on_open: Callback::new(move |open| facets.expand(of, open)),
        options,
        is_none: Signal::derive(move || match of.is_searched() {
            // Chosen values may be listed although they do not match.
            true => about(|found| found.total == 0),
            false => matching(&[]).is_empty(),
        }),
        chosen: Signal::derive(move || chosen.get()),
        of_workspace: Signal::derive(move || facets.coverage.get() == Coverage::Workspace),
        total: Signal::derive(move || match of.is_searched() {
            true => found.with(|found| found.as_ref().map_or(0, |found| found.total)),
            false => 0,
        }),
        text: Signal::derive(text),
        on_text: Callback::new(move |text: String| match of.is_searched() {
            true => facets.search(of, &text),
            false => here.set(text),
        }),
        is_long: Signal::derive(is_long),
        // Values stay as they are while their counts are loaded.
        busy: Signal::derive(move || of.is_searched() && about(|found| found.busy)),
        error: Signal::derive(move || found.with(|found| found.as_ref()?.error.clone())),
        on_choose: Callback::new(move |(value, chosen): (String, bool)| {
            change_filters(app, |filters| filters.with(of, &value, chosen));
        }),
        on_only: Callback::new(move |value: String| {
            change_filters(app, |filters| filters.only(of, &value))
        }),
    })
}

lazy!(lazy_filter_sidebar: list, small, first, "Filters", filter_sidebar);
