//! The accounts: a table to search and to sort.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::AccountSort;
use leptos::prelude::*;
use web_sys::KeyboardEvent;

use super::board::{List, board};
use super::rows::{missing, movement, press_row};
use crate::components::avatar::avatar;
use crate::components::dom::{El, KeyedRow, action, button, classed, effect, el, reader};
use crate::components::format;
use crate::components::grid::{Column, Press};
use crate::components::lead_row::{cell, text};
use crate::components::link::away_link;
use crate::components::plate::{Mood, plate};
use crate::components::score::rescored;
use crate::model::account::Account;
use crate::model::columns::ACCOUNTS;
use crate::model::command::Command;
use crate::model::jobs::{Kind, Scoring};
use crate::model::pages::SIZE;
use crate::model::view::{AccountsView, SortColumn, Table};
use crate::signal::{Memo, RwSignal};
use crate::state::Workspace;
use crate::state::accounts::Row;
use crate::state::jobs::Asking;

/// The columns, in the order of a row's cells.
const COLUMNS: &[Column] = &[
    Column::text("Name", AccountSort::Name.as_str()),
    Column::text("Industry", AccountSort::Industry.as_str()),
    Column::text("Size", AccountSort::StaffCountRange.as_str()),
    Column::text("Location", AccountSort::Location.as_str()),
    Column::number("Leads", AccountSort::LeadCount.as_str()),
    Column::number("ICP score", AccountSort::IcpScore.as_str()),
    Column::text("Created", AccountSort::CreatedAt.as_str()),
];

pub use crate::model::place::ACCOUNTS as PATH;

/// The page.
pub fn accounts_page(workspace: Workspace) -> El {
    let (nav, session, accounts) = (workspace.nav, workspace.session, workspace.accounts);
    let listing = accounts.listing;
    let query = nav.query();
    let view = move || query.with(|query| AccountsView::from_query(query));
    let view_now = move || query.with_untracked(|query| AccountsView::from_query(query));
    let go = move |view: AccountsView| nav.go(PATH, &view.to_query());
    // The list is another one only where its question is: not in another layout.
    let question = Memo::new(move |_| view().listed());
    let place = Memo::new(move |_| question.with(Table::to_query));
    let load = move || {
        if let Some(client) = session.client() {
            question.with(|view| accounts.load(client, view));
        }
    };
    effect(load);
    let cells = COLUMNS.len();
    let row = Rc::new(move |index: u64| {
        listing.pages.with(|pages| match pages.row(index) {
            Some(row) => keyed(row, index),
            None => missing(index, cells, pages.has(index / SIZE)),
        })
    });
    let choice = accounts.choice;
    effect(move || {
        listing.pages.track();
        choice.follow(listing);
    });
    score_commands(workspace);
    let seen = RwSignal::new(0..0);
    let list = List {
        label: "Accounts",
        kind: reader(|| "accounts"),
        columns: COLUMNS,
        search_label: "Search accounts",
        search_hint: "Search accounts",
        search: reader(move || view().search),
        on_search: action(move |search: String| {
            let old = view_now();
            let new = old.searched(&search).to_query();
            nav.search(PATH, &new, old.search.is_empty());
        }),
        sort: reader(move || {
            let view = view();
            (view.sort.as_str(), view.dir)
        }),
        on_sort: action(move |by: &'static str| {
            if let Some(sort) = <AccountSort as SortColumn>::of(by) {
                go(view_now().sorted(sort));
            }
        }),
        row,
        choice,
        place,
        standing: listing.standing(),
        slow: listing.slow,
        on_look: action(move |range| listing.look(range)),
        on_press: action(move |press: Press| press_row(choice, listing, press)),
        on_key: action(move |event: KeyboardEvent| {
            let from = seen.get_untracked().start;
            let fit = seen.with_untracked(|seen| seen.end - seen.start);
            if let Some(by) = movement(&event, fit) {
                event.prevent_default();
                let cells = untrack(|| workspace.views.cells(ACCOUNTS));
                choice.step(listing, by, from, cells);
            }
        }),
        seen,
        on_retry: action(move |()| listing.reload()),
        empty: Rc::new(move || empty(&view_now(), go)),
        under: None,
        foot: Vec::new(),
        rail: None,
        above: None,
        peek: None,
    };
    board(workspace, list)
}

/// Scoring of the account that the cursor is on, and of a list's accounts.
fn score_commands(workspace: Workspace) {
    let (commands, jobs, accounts) = (workspace.commands, workspace.jobs, workspace.accounts);
    let row = move || accounts.choice.row(accounts.listing);
    let score = move || {
        if let Some(Row { account, .. }) = row() {
            let ids = vec![account.id.as_str().into()];
            jobs.ask(Scoring::of_ids(Kind::Accounts, ids, &account.name));
        }
    };
    let here = Rc::new(move || row().is_some());
    commands.on_while(Command::ScoreAccount, here, Rc::new(score));
    let list = Rc::new(move || jobs.asking.set(Some(Asking::List(Kind::Accounts))));
    commands.on(Command::ScoreList, list);
}

fn keyed(row: &Row, index: u64) -> KeyedRow {
    let account = Arc::clone(&row.account);
    KeyedRow {
        key: account.id.as_str().into(),
        version: row.version,
        index,
        draw: Rc::new(move |index| draw(&account, index)),
    }
}

fn draw(account: &Account, index: ArcReadSignal<u64>) -> El {
    let away = account.page.as_deref();
    let away = away.map(|href| away_link(href, &format!("Page of {}", account.name)));
    let who = cell("who")
        .el(avatar(&account.initials, None))
        .el(el("b").attr("title", &account.name).text(&account.name))
        .el_opt(away);
    let leads = account.leads.map(format::number).unwrap_or_default();
    let created = account.created.as_deref().map(format::date);
    classed("div", "row")
        .attr("role", "row")
        .attr("data-account-id", &account.id)
        .attr_of("aria-rowindex", move || (index.get() + 2).to_string())
        .el(who)
        .el(text(account.industry.as_deref()))
        .el(text(account.size.as_deref()))
        .el(text(account.location.as_deref()))
        .el(cell("number").text(&leads))
        .el(cell("number").el(rescored(account.score, account.was)))
        .el(cell("sub date").text(created.as_deref().unwrap_or_default()))
}

/// No rows.
fn empty(view: &AccountsView, on_go: impl Fn(AccountsView) + 'static) -> El {
    let (title, text, label, to) = if let Some(term) = view.term() {
        let title = format!("No accounts match “{term}”");
        let text = "The search looks for this text in the accounts' names. Relax it.";
        (title, text, "Clear the search", view.searched(""))
    } else {
        let text = "An account appears for each company that an imported lead works for.";
        (
            "This workspace has no accounts yet".to_owned(),
            text,
            "Look again",
            Table::default(),
        )
    };
    let go = button("", label).on("click", move |_| on_go(to.clone()));
    plate(Mood::Calm, &title, text).el(classed("div", "buttons").el(go))
}
