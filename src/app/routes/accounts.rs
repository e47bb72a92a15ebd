//! The account list: search, sort and filters.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::AccountSort;
use leptos::prelude::*;

use crate::app::components::account_row::AccountRowProps;
use crate::app::components::dom::{El, effect, section};
use crate::app::components::grid::CellPress;
use crate::app::components::grid_row::{GridRow, SamePlace};
use crate::app::components::search_box::Search;
use crate::app::list::account_pane::lazy_account;
use crate::app::list::filter_bar::filters_button;
use crate::app::list::grid_controller::GridController;
use crate::app::list::list_layout::{ListProps, list_layout};
use crate::app::list::review_commands::register_undo_commands;
use crate::app::list::row_events::{missing, press_row};
use crate::app::list::sort_menu::sort_menu;
use crate::app::list::toolbar::{register_list_commands, tools};
use crate::app::list::{panes, row_menu, status_bar};
use crate::app::model::columns::ACCOUNT_COLUMN_SET;
use crate::app::model::command::Command;
use crate::app::model::route;
use crate::app::model::view::{AccountsView, SortColumn};
use crate::app::reactive::{Memo, Signal, effect_now, memo};
use crate::app::shell::lazy::lazy;
use crate::app::state::account_list::ListedAccount;
use crate::app::state::listing::LoadStatus;
use crate::app::state::{AppState, list_view};

mod account_filters;
mod no_accounts;
mod score_commands;
mod selected_accounts;

/// What the parts of the page share.
#[derive(Clone, Copy)]
pub struct AccountsPage {
    pub app: AppState,
    seen: Memo<AccountsView>,
}

impl AccountsPage {
    /// Returns the view, tracked.
    pub fn view(self) -> AccountsView {
        self.seen.get()
    }

    /// Returns the view, untracked.
    pub fn view_now(self) -> AccountsView {
        self.seen.get_untracked()
    }

    /// Navigates to another view. Back returns to this one.
    pub fn change_view(self, change: impl FnOnce(&AccountsView) -> AccountsView) {
        let to = change(&self.view_now()).to_query();
        self.app.nav.navigate(route::ACCOUNTS_PATH, &to);
    }

    /// Reloads the list. The scroll position is kept.
    pub fn refresh(self) {
        self.app.accounts.listing.reload();
    }

    /// Returns the name of a list, or its id if the name is unknown.
    pub fn list_name(self, id: &str) -> String {
        self.app.accounts.facets.with(|facets| {
            let lists = facets.value().map(|facets| &facets.lists);
            let found = lists.and_then(|lists| lists.iter().find(|list| list.value == id));
            found.map_or_else(|| id.to_owned(), |list| list.label.clone())
        })
    }
}

pub fn accounts_page(app: AppState) -> El {
    let (nav, session, accounts) = (app.nav, app.session, app.accounts);
    let (listing, grid_selection) = (accounts.listing, accounts.grid_selection);
    let page = AccountsPage {
        app,
        seen: list_view(app.nav, route::ACCOUNTS_PATH, AccountsView::from_query),
    };
    // Reload only when the query changed, not when the layout changed or another account was opened.
    let query = memo(move |_| page.view().list_only());
    // Other pages and imports change accounts.
    effect_now(move || {
        app.imports.stage.track();
        listing.forget_recent();
    });
    effect_now(move || {
        if let Some(client) = session.client() {
            let size = app.views.rows.get();
            query.with(|view| accounts.load(client, view, size));
        }
    });
    effect(move || {
        if let Some(client) = session.client() {
            accounts.forget_counts();
            accounts.load_facets(client);
        }
    });
    app.live.on_reread(move || {
        if let Some(client) = session.client_now() {
            query.with_untracked(|view| accounts.reread_in_view(client, view));
        }
    });
    effect(move || {
        listing.pages.track();
        grid_selection.update_cursor(listing);
    });
    let load_status = listing.load_status();
    let is_current = memo(move |_| load_status.with(LoadStatus::is_current));
    effect(move || {
        if let Some(client) = session.client() {
            let is_current = is_current.get();
            query.with(|view| accounts.count_values(client, is_current.then_some(view)));
        }
    });
    effect(move || {
        let rows_only = query.with(|view| view.with(view.table.rows_only()).to_query());
        grid_selection.show_view(load_status, &rows_only);
    });
    let controller = GridController::of_accounts(app);
    controller.register_commands();
    register_commands(page);
    selected_accounts::register_commands(controller);
    score_commands::register_commands(controller);
    let on_sort = Callback::new(move |by: &'static str| {
        if let Some(sort) = <AccountSort as SortColumn>::parse(by) {
            page.change_view(|view| view.with(view.table.sorted(sort)));
        }
    });
    let sort = Signal::derive(move || {
        let table = page.view().table;
        (table.sort.as_str(), table.dir)
    });
    let row = Rc::new(move |index: u64| {
        listing.pages.with(|pages| match pages.row(index) {
            Some(row) => from_markup(app, row, index),
            None => missing(index, ACCOUNT_COLUMN_SET, pages.holds(index)),
        })
    });
    let count = memo(move |_| page.view().count());
    let narrow = app.environment.narrow;
    let under = section()
        .class("under over-accounts")
        .attr("aria-label", "View options")
        .child(account_filters::sum(page))
        .child(filters_button(accounts.sheet_open, count))
        .child(sort_menu(
            ACCOUNT_COLUMN_SET,
            memo(|_| Vec::new()),
            &sort,
            &on_sort,
        ))
        .child(tools(app));
    let list = ListProps {
        label: "Accounts",
        kind: Signal::derive(move || if narrow.get() { "tiles" } else { "accounts" }),
        search: Search::new(
            "Search accounts",
            "Search accounts",
            Signal::derive(move || page.view().table.search),
            Callback::new(move |search: String| {
                let old = page.view_now();
                let new = old.with(old.table.searched(&search)).to_query();
                nav.search(route::ACCOUNTS_PATH, &new, old.table.search.is_empty());
            }),
        ),
        sort,
        on_sort,
        note: None,
        row,
        grid_selection,
        query_id: listing.query,
        load_status,
        slow: listing.slow,
        on_rendered_range: Callback::new(move |range| listing.set_rendered(range)),
        on_press: Callback::new(move |press: CellPress| {
            press_row(grid_selection, listing, press);
            if press.opens() {
                panes::of_accounts(app).open_row(false);
            }
        }),
        on_key: Callback::new(move |event| controller.key(&event)),
        selected: controller.aria_checked(),
        on_select: Callback::new(move |()| controller.select_or_clear()),
        on_retry: Callback::new(move |()| page.refresh()),
        empty: Rc::new(move || no_accounts::empty(page)),
        under: Some(under),
        footer: status_bar::status_bar(app, None, move || page.refresh()),
        sidebar: Some(account_filters::sidebar(page)),
        above: Some(account_filters::active(page)),
        has_news: None,
        details: Some(panes::of_accounts(app).content(lazy_account)),
    };
    list_layout(app, list)
        .child(selected_accounts::bar(controller))
        .child(row_menu::while_open(app, grid_selection))
}

fn register_commands(page: AccountsPage) {
    let (app, commands) = (page.app, page.app.commands);
    register_list_commands(app, Rc::new(move || page.refresh()));
    register_undo_commands(app);
    commands.on(
        Command::Open,
        Rc::new(move || panes::of_accounts(app).open_row(true)),
    );
    panes::of_accounts(app).register_copy();
    let narrowed = Rc::new(move || page.seen.with(|view| view.bare() != *view));
    let clear = Rc::new(move || page.change_view(AccountsView::bare));
    commands.on_while(Command::ClearFilters, narrowed, clear);
}

fn from_markup(app: AppState, row: &ListedAccount, index: u64) -> GridRow {
    let grid_selection = app.accounts.grid_selection;
    let account = &row.account;
    let shown = AccountRowProps {
        account: SamePlace(Arc::clone(account)),
        selected: grid_selection
            .selection
            .with(|selection| selection.has(&account.id)),
        index,
        is_tile: app.environment.narrow.get_untracked(),
    };
    let id = Some(account.id.as_str()).filter(|id| !id.is_empty());
    GridRow {
        id: id.map(Arc::from),
        content: Box::new(shown),
    }
}

lazy!(lazy_accounts: pages, page, later, "Accounts", accounts_page);
