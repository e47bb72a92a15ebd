//! Filters of the account list: list, accounts without leads, custom filters. Above the list, or in a sheet on a
//! phone.

use lead_workspace_api::AccountField;
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlSelectElement};

use super::AccountsPage;
use crate::app::components::chip::{Chip, chips as chips_of};
use crate::app::components::dom::{El, action, button, classed, el, reader};
use crate::app::components::filter_dialog::filter_form;
use crate::app::components::sheet::sheet;
use crate::app::components::{format, icon};
use crate::app::model::filters::custom_filter::Field;
use crate::app::model::filters::{CustomFilter, FilterKey, filter_labels};
use crate::app::model::rejected_filter::{RejectedFilter, blamed};
use crate::app::model::view::{AccountsView, ActiveFilter};
use crate::app::signal::Memo;
use crate::app::state::facets::Editing;
use crate::client::ErrorKind;

const UNPROMOTED: &str = "Companies without any leads in this workspace yet.";

pub fn filter_panel(page: AccountsPage) -> El {
    let accounts = page.app.accounts;
    let add = button("quiet add", "")
        .el(icon::plus())
        .el(el("span").text("Add a filter"))
        .attr("aria-haspopup", "dialog")
        .on("click", move |_| accounts.editing.set(Some(Editing::New)));
    classed("div", "sieve")
        .attr("role", "group")
        .attr("aria-label", "Filters")
        .el(list(page))
        .el(unpromoted(page))
        .el(add)
}

/// The list picker.
fn list(page: AccountsPage) -> El {
    let accounts = page.app.accounts;
    let lists = accounts.lists;
    let chosen = Memo::new(move |_| page.view().list.unwrap_or_default());
    let options = move || {
        let (known, chosen) = (lists.with(|lists| lists.value().cloned()), chosen.get());
        let option = |value: &str, label: &str| el("option").attr("value", value).text(label);
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
            let again = button("", "Retry").on("click", move |_| {
                if let Some(client) = page.app.session.client_now() {
                    accounts.load_lists(client);
                }
            });
            classed("span", "wrong")
                .attr("role", "alert")
                .text("The lists could not be loaded. ")
                .el(again)
        })
    };
    let pick = classed("label", "pick")
        .el(el("span").text("List"))
        .el_of(move || {
            let select = el("select").attr("aria-label", "List").els(options());
            let node: HtmlSelectElement = select.node().unchecked_into();
            node.set_value(&chosen.get());
            let changed = node.clone();
            Some(select.on("change", move |_| {
                page.go(|view| view.of_list(&changed.value()));
            }))
        });
    classed("div", "lists").el(pick).el_of(failed)
}

/// The switch for accounts without leads.
fn unpromoted(page: AccountsPage) -> El {
    let shown = Memo::new(move |_| page.view().unpromoted);
    let input = el("input")
        .attr("type", "checkbox")
        .attr("role", "switch")
        .attr("aria-description", UNPROMOTED);
    let node: HtmlInputElement = input.node().unchecked_into();
    let input = input
        .prop_of("checked", move || shown.get().into())
        .on("change", move |_| {
            let unpromoted = node.checked();
            page.go(|view| AccountsView {
                unpromoted,
                ..view.clone()
            });
        });
    classed("label", "include")
        .attr("title", UNPROMOTED)
        .el(input)
        .el(el("span").text("Include accounts without leads"))
        .el(classed("small", "fine")
            .attr("aria-hidden", "true")
            .text(UNPROMOTED))
}

/// The active filters, a button to clear them, and the number of matching accounts.
pub fn active(page: AccountsPage) -> El {
    let listing = page.app.accounts.listing;
    let load_status = listing.load_status();
    let wanted = Memo::new(move |_| page.view().count() > 0);
    classed("div", "above").el_of(move || {
        wanted.get().then(|| {
            let clear = button("quiet", "Clear all").on("click", move |_| {
                page.go(AccountsView::bare);
                page.app.accounts.grid_selection.grab();
            });
            let sum = move || {
                if !load_status.with(|load_status| load_status.here) {
                    return String::new();
                }
                let table = page.view().table;
                let order = filter_labels::account_order(table.sort, table.dir);
                [&left(page), ", ", order].concat()
            };
            classed("div", "active")
                .el(chips(page, false))
                .el(clear)
                .el(classed("span", "sum").attr("role", "status").text_of(sum))
        })
    })
}

/// Returns the number of matching accounts as text.
fn left(page: AccountsPage) -> String {
    let load_status = page.app.accounts.listing.load_status();
    format::count(load_status.with(|load_status| load_status.total), "account")
}

/// The filter chips. In the sheet they announce their own errors; otherwise the strip above the list does.
fn chips(page: AccountsPage, in_sheet: bool) -> El {
    let accounts = page.app.accounts;
    let load_status = accounts.listing.load_status();
    let wrong = Memo::new(move |_| {
        let error = load_status.with(|load_status| load_status.error.clone());
        let filters = page.view().filters.len();
        match error.as_ref().map(|error| &error.kind) {
            Some(ErrorKind::Validation(detail)) => {
                let parts: Vec<FilterKey> = (0..filters).map(FilterKey::Free).collect();
                blamed(0, &parts, detail)
            }
            _ => Vec::new(),
        }
    });
    let message = move |at: usize| {
        wrong.with(|wrong| {
            let message = wrong
                .iter()
                .find(|(blamed, _)| *blamed == RejectedFilter::Filter(FilterKey::Free(at)));
            message.map(|(_, message)| message.clone())
        })
    };
    let remove =
        move |barrier: ActiveFilter| action(move |()| page.go(|view| view.without(barrier)));
    let chips = reader(move || {
        let view = page.view();
        let list = view.list.as_ref().map(|list| Chip {
            label: "List".to_owned(),
            value: page.list_name(list),
            wrong: None,
            on_edit: None,
            on_remove: remove(ActiveFilter::List),
        });
        let filters = view.filters.iter().enumerate().map(|(at, filter)| Chip {
            label: filter.field().label().to_owned(),
            value: filter_labels::rest(filter),
            wrong: message(at),
            on_edit: Some(action(move |()| {
                accounts.editing.set(Some(Editing::At(at)));
            })),
            on_remove: remove(ActiveFilter::Filter(at)),
        });
        list.into_iter().chain(filters).collect()
    });
    chips_of(chips, in_sheet)
}

/// The filter sheet for a phone.
pub fn over(page: AccountsPage) -> El {
    let accounts = page.app.accounts;
    sheet(
        "sheet",
        "Filters",
        reader(move || accounts.sheet.get()),
        action(move |()| {
            accounts.sheet.try_set(false);
        }),
        move || {
            let close = classed("button", "quiet")
                .attr("type", "button")
                .attr("aria-label", "Close the filters")
                .el(icon::cross())
                .on("click", move |_| accounts.sheet.set(false));
            let head = classed("div", "rail-head")
                .el(el("h2").text("Filters"))
                .el(close);
            let clear = move || {
                (page.view().count() > 0).then(|| {
                    button("", "Clear all").on("click", move |_| page.go(AccountsView::bare))
                })
            };
            let done = button("main", "")
                .text_of(move || ["Show ", &left(page)].concat())
                .on("click", move |_| accounts.sheet.set(false));
            let inside = classed("div", "rail")
                .el(head)
                .el(chips(page, true))
                .el(filter_panel(page));
            classed("div", "over")
                .el(inside)
                .el(classed("div", "rail-foot").el_of(clear).el(done))
        },
    )
}

/// The filter dialog.
pub fn dialog(page: AccountsPage) -> El {
    let editing = page.app.accounts.editing;
    let close = move || {
        editing.try_set(None);
    };
    sheet(
        "ask make",
        "Filter",
        reader(move || editing.get().is_some()),
        action(move |()| close()),
        move || {
            let at = match editing.get_untracked() {
                Some(Editing::At(index)) => Some(index),
                _ => None,
            };
            let old = at.and_then(|at| page.view_now().filters.get(at).cloned());
            filter_form(
                old.as_ref(),
                action(move |free: CustomFilter<AccountField>| {
                    close();
                    page.go(|view| view.and(at, free));
                }),
                action(move |()| close()),
            )
        },
    )
}
