//! Filters of the account list: list, accounts without leads, tiers, sizes, custom filters.

use std::rc::Rc;

use lead_workspace_api::first_messages::shorten;
use lead_workspace_api::shapes::FacetOption;
use lead_workspace_api::{AccountFacetField, AccountField};
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlSelectElement};

use super::AccountsPage;
use crate::app::components::chip::{Chip, chips as chips_of};
use crate::app::components::dom::{El, button, div, input, label, option, p, select, small, span};
use crate::app::components::facet_section::{FacetSection, facet};
use crate::app::components::filter_editor::{KnownFields, filter_editor, focus_first};
use crate::app::components::format;
use crate::app::list::filter_bar::add_another_button;
use crate::app::list::filter_sidebar::{FilterSidebar, filter_sidebar};
use crate::app::model::facet_options::{AccountFacets, arrange_options, search_results};
use crate::app::model::filters::filter_field::Field;
use crate::app::model::filters::{CustomFilter, Facet, FilterKey, filter_labels};
use crate::app::model::rejected_filter::{RejectedFilter, blamed};
use crate::app::model::view::{AccountsView, ActiveFilter};
use crate::app::model::view_counts::with_counts;
use crate::app::reactive::{RwSignal, Signal, memo};
use crate::app::state::facets::Editing;
use crate::client::ErrorKind;

const UNPROMOTED: &str = "Companies without any leads in this workspace yet.";

/// The sidebar, and the sheet in its place where there is no room.
pub fn sidebar(page: AccountsPage) -> El {
    let accounts = page.app.accounts;
    filter_sidebar(FilterSidebar {
        sheet_open: accounts.sheet_open,
        editing: accounts.editing,
        is_filtered: Signal::derive(move || page.view().count() > 0),
        on_clear: Callback::new(move |()| page.change_view(AccountsView::bare)),
        matching: Signal::derive(move || matching(page)),
        chips: Rc::new(move || chips(page, true)),
        editor: Rc::new(move || editor(page, true)),
        sections: Rc::new(move || {
            div()
                .class("sections account-filters")
                .child(list(page))
                .child(unpromoted(page))
                .child(facet_of(page, AccountFacetField::IcpTier, |facets| {
                    &facets.tiers
                }))
                .child(facet_of(
                    page,
                    AccountFacetField::StaffCountRange,
                    |facets| &facets.sizes,
                ))
        }),
    })
}

/// The list picker, and a message if the values to filter by could not be loaded.
fn list(page: AccountsPage) -> El {
    let facets = page.app.accounts.facets;
    let chosen = memo(move |_| page.view().list.unwrap_or_default());
    let options = move || {
        let (known, chosen) = (facets.with(|facets| facets.value().cloned()), chosen.get());
        let option = |value: &str, label: &str| option().attr("value", value).child(label);
        let all = known.iter().flat_map(|facets| facets.lists.iter());
        let is_known = all.clone().any(|list| list.value == chosen);
        let unknown = (!is_known && !chosen.is_empty()).then(|| option(&chosen, &chosen));
        let all = all.map(|list| option(&list.value, &list.label));
        // Replaced together, so that the selected value is set after all options exist.
        vec![option("", "All lists")]
            .into_iter()
            .chain(unknown)
            .chain(all)
            .collect::<Vec<El>>()
    };
    let failed = move || {
        let failed = facets.with(|facets| facets.error().is_some());
        failed.then(|| {
            let again = button().child("Retry").on(ev::click, move |_| {
                if let Some(client) = page.app.session.client_now() {
                    page.app.accounts.load_facets(client);
                }
            });
            p().class("wrong")
                .attr("role", "alert")
                .child("The lists, tiers and sizes could not be loaded. ")
                .child(again)
        })
    };
    let pick = label()
        .class("pick")
        .child(span().child("List"))
        .child(move || {
            let select = select().attr("aria-label", "List").children(options());
            let node: HtmlSelectElement = select.node().unchecked_into();
            node.set_value(&chosen.get());
            let changed = node.clone();
            Some(select.on(ev::change, move |_| {
                page.change_view(|view| view.with_list(&changed.value()));
            }))
        });
    div().class("lists").child(pick).child(failed)
}

/// The switch for accounts without leads.
fn unpromoted(page: AccountsPage) -> El {
    let shown = memo(move |_| page.view().unpromoted);
    let input = input()
        .attr("type", "checkbox")
        .attr("role", "switch")
        .attr("aria-description", UNPROMOTED);
    let node: HtmlInputElement = input.node().unchecked_into();
    let input = input
        .prop("checked", move || shown.get().into())
        .on(ev::change, move |_| {
            let unpromoted = node.checked();
            page.change_view(|view| AccountsView {
                unpromoted,
                ..view.clone()
            });
        });
    label()
        .class("include")
        .attr("title", UNPROMOTED)
        .child(input)
        .child(span().child("Include accounts without leads"))
        .child(
            small()
                .class("fine")
                .attr("aria-hidden", "true")
                .child(UNPROMOTED),
        )
}

/// A field whose values can be selected. Nothing until they are known.
fn facet_of(
    page: AccountsPage,
    of: AccountFacetField,
    read: fn(&AccountFacets) -> &Vec<FacetOption>,
) -> El {
    let (facets, counts) = (page.app.accounts.facets, page.app.accounts.counts);
    let field = AccountField::from(of);
    let chosen = memo(move |_| page.view().values(field).to_vec());
    let options = memo(move |_| {
        let known = facets.with(|facets| facets.value().map(|facets| read(facets).clone()));
        let options = known.unwrap_or_default();
        let options = arrange_options(&options, &[], &chosen.get(), str::to_owned);
        counts.with(|counts| {
            let found = counts.iter();
            let mut found = found.filter(|found| found.field.as_deref() == Some(of.as_str()));
            match found.next() {
                Some(found) => {
                    let counted = search_results(Facet::IcpTier, found.items.clone());
                    with_counts(&options, &counted, found.has_more == Some(true))
                }
                None => options,
            }
        })
    });
    let any = memo(move |_| options.with(|options| !options.is_empty()));
    // Filters are numbered: the one in the editor could become another one.
    let select = move |values: Vec<String>| {
        page.app.accounts.editing.set(None);
        page.change_view(|view| view.with_values(field, values.iter().map(String::as_str)));
    };
    let open = RwSignal::new(true);
    let section = move || {
        facet(FacetSection {
            label: field.label(),
            hint: "",
            open: open.into(),
            on_open: Callback::new(move |is_open| open.set(is_open)),
            options,
            is_none: Signal::stored(false),
            chosen: chosen.into(),
            of_workspace: Signal::stored(false),
            total: Signal::stored(0),
            text: Signal::stored(String::new()),
            on_text: Callback::new(|_| ()),
            is_long: Signal::stored(false),
            busy: Signal::stored(false),
            error: Signal::stored(None),
            on_choose: Callback::new(move |(value, is_chosen): (String, bool)| {
                let mut values = chosen.get_untracked();
                values.retain(|known| *known != value);
                if is_chosen {
                    values.push(value);
                }
                select(values);
            }),
            on_only: Callback::new(move |value| select(vec![value])),
        })
    };
    div().class("one").child(move || any.get().then(section))
}

/// The number of matching accounts and their order.
pub fn sum(page: AccountsPage) -> El {
    let load_status = page.app.accounts.listing.load_status();
    let sum = move || {
        if !load_status.with(|load_status| load_status.is_loaded) {
            return String::new();
        }
        let table = page.view().table;
        let order = filter_labels::account_order(table.sort, table.dir);
        [&matching(page), ", ", order].concat()
    };
    span().class("sum").attr("role", "status").child(sum)
}

/// The active filters, while there are any, or a filter that is edited.
pub fn active(page: AccountsPage) -> El {
    let accounts = page.app.accounts;
    let is_filtered = memo(move |_| page.view().count() > 0);
    let wanted = memo(move |_| is_filtered.get() || accounts.editing.get().is_some());
    div().class("above").child(move || {
        wanted.get().then(|| {
            let clear = button()
                .class("quiet")
                .child("Clear all")
                .prop("hidden", move || (!is_filtered.get()).into())
                .on(ev::click, move |_| {
                    page.change_view(AccountsView::bare);
                    accounts.grid_selection.focus_list();
                });
            div()
                .class("active")
                .child(chips(page, false))
                .child(move || editor(page, false))
                .child(add_another_button(accounts.editing, accounts.sheet_open))
                .child(clear)
        })
    })
}

/// Returns the number of matching accounts as text.
fn matching(page: AccountsPage) -> String {
    let load_status = page.app.accounts.listing.load_status();
    format::count(load_status.with(|load_status| load_status.total), "account")
}

/// The filter chips. In the sheet they announce their own errors; otherwise the banner above the list does.
fn chips(page: AccountsPage, in_sheet: bool) -> El {
    let accounts = page.app.accounts;
    let load_status = accounts.listing.load_status();
    let wrong = memo(move |_| {
        let error = load_status.with(|load_status| load_status.error.clone());
        let filters = page.view().filters.len();
        match error.as_ref().map(|error| &error.kind) {
            Some(ErrorKind::Validation(detail)) => {
                let parts: Vec<FilterKey> = (0..filters).map(FilterKey::Custom).collect();
                blamed(0, &parts, detail)
            }
            _ => Vec::new(),
        }
    });
    let message = move |at: usize| {
        wrong.with(|wrong| {
            let message = wrong
                .iter()
                .find(|(blamed, _)| *blamed == RejectedFilter::Filter(FilterKey::Custom(at)));
            message.map(|(_, message)| shorten(message.clone()))
        })
    };
    let remove = move |barrier: ActiveFilter| {
        Callback::new(move |()| page.change_view(|view| view.without(barrier)))
    };
    let chips = Signal::derive(move || {
        let view = page.view();
        let list = view.list.as_ref().map(|list| Chip {
            label: "List".to_owned(),
            value: page.list_name(list),
            wrong: None,
            on_edit: None,
            on_remove: remove(ActiveFilter::List),
        });
        // A filter that is being changed is in the editor.
        let edited = match accounts.editing.get() {
            Some(Editing::At(at)) => Some(at),
            _ => None,
        };
        let filters = view.filters.iter().enumerate();
        let filters = filters.filter(|(at, _)| Some(*at) != edited);
        let filters = filters.map(|(at, filter)| Chip {
            label: filter.field().label().to_owned(),
            value: filter.rest(),
            wrong: message(at),
            on_edit: Some(Callback::new(move |()| {
                accounts.editing.set(Some(Editing::At(at)));
            })),
            on_remove: remove(ActiveFilter::Filter(at)),
        });
        list.into_iter().chain(filters).collect()
    });
    chips_of(chips, in_sheet)
}

/// The editor of a custom filter, in the row of chips or in the sheet.
fn editor(page: AccountsPage, in_sheet: bool) -> Option<El> {
    let accounts = page.app.accounts;
    let editing = accounts.editing.get()?;
    if accounts.sheet_open.get() != in_sheet {
        return None;
    }
    let at = match editing {
        Editing::New => None,
        Editing::At(at) => Some(at),
    };
    let old = at.and_then(|at| page.view_now().filters.get(at).cloned());
    let close = move || {
        accounts.editing.set(None);
        match in_sheet {
            true => focus_first(".sheet .add"),
            false => accounts.grid_selection.focus_list(),
        }
    };
    Some(filter_editor(
        old.as_ref(),
        KnownFields {
            own: Signal::derive(Vec::new),
            kind_of: Rc::new(|field: AccountField| Field::kind(field, &[])),
            values_of: None,
        },
        Callback::new(move |custom: CustomFilter<AccountField>| {
            close();
            page.change_view(|view| view.and(at, custom));
        }),
        Callback::new(move |()| close()),
    ))
}
