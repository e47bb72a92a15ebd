//! The accounts: a table to search and to sort.

use std::sync::Arc;

use lead_workspace_api::AccountSort;
use leptos::prelude::*;

use super::frame::{Bar, Connection, SlowStrip};
use super::leads::range;
use super::trouble::{FailedPlate, FailedStrip, NoKeyPlate, UnreadableStrip};
use crate::components::avatar::Avatar;
use crate::components::format;
use crate::components::grid::{Column, Grid};
use crate::components::link::AwayLink;
use crate::components::pager::{Pager, Position};
use crate::components::plate::{Mood, Plate};
use crate::components::score::Score;
use crate::model::account::Account;
use crate::model::view::{AccountsView, Table};
use crate::state::Workspace;
use crate::state::listing::Shown;
use crate::state::remote::Remote;

/// The columns, in the order of a row's cells.
const COLUMNS: &[Column<AccountSort>] = &[
    Column::text("Name", AccountSort::Name),
    Column::text("Industry", AccountSort::Industry),
    Column::text("Size", AccountSort::StaffCountRange),
    Column::text("Location", AccountSort::Location),
    Column::number("Leads", AccountSort::LeadCount),
    Column::number("ICP score", AccountSort::IcpScore),
    Column::text("Created", AccountSort::CreatedAt),
];

/// The path of this page.
pub const PATH: &str = "/accounts";

/// The page.
#[component]
pub fn AccountsPage() -> impl IntoView {
    let workspace = expect_context::<Workspace>();
    let (nav, session, accounts) = (workspace.nav, workspace.session, workspace.accounts);
    let (listing, remote) = (accounts.listing, accounts.listing.remote);
    let query = nav.query();
    let view = Memo::new(move |_| query.with(|query| AccountsView::from_query(query)));
    let go = move |view: AccountsView| nav.go(PATH, &view.to_query());
    let load = move || {
        if let Some(client) = session.client() {
            accounts.load(client, &view.get());
        }
    };
    Effect::new(move |_| load());
    let reload = move || untrack(load);
    let on_search = move |search: String| {
        let old = view.get_untracked();
        let new = old.searched(&search).to_query();
        if old.search.is_empty() {
            nav.go(PATH, &new);
        } else {
            nav.correct(PATH, &new);
        }
    };
    let shown = listing.shown();
    let total =
        Signal::derive(move || shown.with(|sheet| sheet.get().map_or(0, |sheet| sheet.total)));
    let position = Signal::derive(move || {
        shown.with(|sheet| match sheet.get() {
            Some(sheet) => Position {
                page: sheet.page,
                pages: sheet.pages(),
                size: sheet.size,
            },
            None => view.with(|view| Position {
                page: view.page,
                pages: 1,
                size: view.size,
            }),
        })
    });
    let plate = move || {
        if session.client().is_none() {
            return Some(view! { <NoKeyPlate /> }.into_any());
        }
        remote.with(|remote| match remote {
            Remote::Failed(error, None) => {
                Some(view! { <FailedPlate error=Arc::clone(error) on_retry=reload /> }.into_any())
            }
            Remote::Loaded(sheet) if sheet.rows.is_empty() && sheet.unreadable == 0 => {
                Some(view! { <Empty view=view.get() on_go=go /> }.into_any())
            }
            _ => None,
        })
    };
    let strip = move || {
        remote.with(|remote| match remote {
            Remote::Failed(error, Some(_)) => {
                Some(view! { <FailedStrip error=Arc::clone(error) on_retry=reload /> })
            }
            _ => None,
        })
    };
    let unreadable = move || shown.with(|sheet| sheet.get().map_or(0, |sheet| sheet.unreadable));
    view! {
        <Bar label="Search accounts" hint="Search accounts"
            search=Signal::derive(move || view.with(|view| view.search.clone())) on_search=on_search />
        <main class="list" id="main">
            <div class="strips">
                <Connection />
                {strip}
                <UnreadableStrip rows=Signal::derive(unreadable) />
                <SlowStrip slow=listing.slow />
            </div>
            <div class="board">
                <Grid label="Accounts" kind="accounts" columns=COLUMNS
                    sort=Signal::derive(move || view.with(|view| (view.sort, view.dir)))
                    on_sort=move |sort| go(view.get_untracked().sorted(sort))
                    rows=Signal::derive(move || shown.with(Shown::rows)) key=key row=draw
                    first=Signal::derive(move || shown.with(|sheet| sheet.get().map_or(0, |sheet| sheet.first())))
                    total=total busy=Signal::derive(move || remote.with(Remote::is_busy))
                    blank=Signal::derive(move || remote.with(|remote| matches!(remote, Remote::Idle | Remote::Loading)))
                    place=query />
                {plate}
            </div>
            <footer class="foot">
                <span class="range">{move || range(total.get(), position.get())}</span>
                <Pager position=position
                    on_page=move |page| go(view.get_untracked().at_page(page))
                    on_size=move |size| go(view.get_untracked().in_pages_of(size)) />
            </footer>
        </main>
    }
}

/// Rows are drawn anew whenever the server says something else of them.
fn key(account: &Arc<Account>) -> String {
    format!("{account:?}")
}

fn draw(account: Arc<Account>, index: Signal<u64>) -> AnyView {
    let text = |text: &Option<String>| {
        view! { <div role="gridcell" class="sub" title=text.clone()>{text.clone().unwrap_or_default()}</div> }
    };
    let away = account.page.clone().map(|href| {
        let label = format!("Page of {}", account.name);
        view! { <AwayLink href=href label=label /> }
    });
    let tier = account
        .tier
        .clone()
        .map(|tier| view! { <span class="tier">{tier}</span> });
    view! {
        <div role="row" class="row" data-account-id=account.id.clone()
            aria-rowindex=move || index.get().to_string()>
            <div role="gridcell" class="who">
                <Avatar initials=account.initials.clone() picture=None />
                <b title=account.name.clone()>{account.name.clone()}</b>
                {away}
            </div>
            {text(&account.industry)}
            {text(&account.size)}
            {text(&account.location)}
            <div role="gridcell" class="number">{account.leads.map(format::number)}</div>
            <div role="gridcell" class="number"><Score score=account.score />{tier}</div>
            <div role="gridcell" class="sub date">{account.created.as_deref().map(format::date)}</div>
        </div>
    }
    .into_any()
}

/// No rows.
#[component]
fn Empty(
    view: AccountsView,
    on_go: impl Fn(AccountsView) + Copy + Send + 'static,
) -> impl IntoView {
    let (title, text, label, to) = if let Some(term) = view.term() {
        let title = format!("No accounts match “{term}”");
        let text = "The search looks for this text in the accounts' names. Relax it.";
        (title, text, "Clear the search", view.searched(""))
    } else if view.page > 1 {
        let title = format!("There is no page {}", format::number(view.page.into()));
        (
            title,
            "The list ends before.",
            "Go to the first page",
            view.at_page(1),
        )
    } else {
        let text = "An account appears for each company that an imported lead works for.";
        (
            "This workspace has no accounts yet".to_owned(),
            text,
            "Look again",
            Table::default(),
        )
    };
    view! {
        <Plate mood=Mood::Calm title=title>
            <p>{text}</p>
            <div class="buttons"><button type="button" on:click=move |_| on_go(to.clone())>{label}</button></div>
        </Plate>
    }
}
