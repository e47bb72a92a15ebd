//! Filters of the account list: list, accounts without leads, custom filters. Above the list, or in a sheet on a
//! phone.

use lead_workspace_api::AccountField;
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlSelectElement};

use super::AccountsPage;
use crate::app::components::chip::{Chip, chips as chips_of};
use crate::app::components::dialog::sheet;
use crate::app::components::dom::{El, button, div, h2, input, label, option, select, small, span};
use crate::app::components::filter_editor::{filter_editor, focus_first};
use crate::app::components::{format, icon};
use crate::app::model::filters::custom_filter::Field;
use crate::app::model::filters::{CustomFilter, FilterKey, filter_labels};
use crate::app::model::rejected_filter::{RejectedFilter, blamed};
use crate::app::model::view::{AccountsView, ActiveFilter};
use crate::app::reactive::memo;
use crate::app::state::facets::Editing;
use crate::client::ErrorKind;

const UNPROMOTED: &str = "Companies without any leads in this workspace yet.";

pub fn filter_panel(page: AccountsPage) -> El {
    let accounts = page.app.accounts;
    let add = button()
        .class("quiet add")
        .child(icon::plus())
        .child(span().child("Add a filter"))
        .on(ev::click, move |_| accounts.editing.set(Some(Editing::New)));
    div()
        .class("account-filters")
        .attr("role", "group")
        .attr("aria-label", "Filters")
        .child(list(page))
        .child(unpromoted(page))
        .child(add)
}

/// The list picker.
fn list(page: AccountsPage) -> El {
    let accounts = page.app.accounts;
    let lists = accounts.lists;
    let chosen = memo(move |_| page.view().list.unwrap_or_default());
    let options = move || {
        let (known, chosen) = (lists.with(|lists| lists.value().cloned()), chosen.get());
        let option = |value: &str, label: &str| option().attr("value", value).child(label);
        let all = known.iter().flat_map(|lists| lists.iter());
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
        let failed = lists.with(|lists| lists.error().is_some());
        failed.then(|| {
            let again = button().child("Retry").on(ev::click, move |_| {
                if let Some(client) = page.app.session.client_now() {
                    accounts.load_lists(client);
                }
            });
            span()
                .class("wrong")
                .attr("role", "alert")
                .child("The lists could not be loaded. ")
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

/// The active filters, a button to clear them, and the number of matching accounts.
pub fn active(page: AccountsPage) -> El {
    let listing = page.app.accounts.listing;
    let load_status = listing.load_status();
    let wanted =
        memo(move |_| page.view().count() > 0 || page.app.accounts.editing.get().is_some());
    div().class("above").child(move || {
        wanted.get().then(|| {
            let clear = button()
                .class("quiet")
                .child("Clear all")
                .on(ev::click, move |_| {
                    page.change_view(AccountsView::bare);
                    page.app.accounts.grid_selection.focus_list();
                });
            let sum = move || {
                if !load_status.with(|load_status| load_status.is_loaded) {
                    return String::new();
                }
                let table = page.view().table;
                let order = filter_labels::account_order(table.sort, table.dir);
                [&matching(page), ", ", order].concat()
            };
            div()
                .class("active")
                .child(chips(page, false))
                .child(move || editor(page, false))
                .child(clear)
                .child(span().class("sum").attr("role", "status").child(sum))
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
            message.map(|(_, message)| message.clone())
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
            value: filter_labels::rest(filter),
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

/// The filter sheet for a phone.
pub fn filter_sheet(page: AccountsPage) -> El {
    let accounts = page.app.accounts;
    sheet(
        "sheet",
        "Filters",
        Signal::derive(move || accounts.sheet_open.get()),
        Callback::new(move |()| {
            accounts.sheet_open.try_set(false);
            accounts.editing.try_set(None);
        }),
        move || {
            let close = button()
                .class("quiet")
                .attr("aria-label", "Close the filters")
                .child(icon::cross())
                .on(ev::click, move |_| accounts.sheet_open.set(false));
            let head = div()
                .class("sidebar-head")
                .child(h2().child("Filters"))
                .child(close);
            let clear = move || {
                (page.view().count() > 0).then(|| {
                    button()
                        .child("Clear all")
                        .on(ev::click, move |_| page.change_view(AccountsView::bare))
                })
            };
            let done = button()
                .class("main")
                .child(move || ["Show ", &matching(page)].concat())
                .on(ev::click, move |_| accounts.sheet_open.set(false));
            let inside = div()
                .class("sidebar")
                .child(head)
                .child(chips(page, true))
                .child(move || editor(page, true))
                .child(filter_panel(page));
            div()
                .class("over")
                .child(inside)
                .child(div().class("sidebar-foot").child(clear).child(done))
        },
    )
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
        None,
        Callback::new(move |custom: CustomFilter<AccountField>| {
            close();
            page.change_view(|view| view.and(at, custom));
        }),
        Callback::new(move |()| close()),
    ))
}
