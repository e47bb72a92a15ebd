//! The portfolio page: accounts side by side, with the pulse of each.

use leptos::prelude::*;

use crate::app::components::dom::{El, div, effect, h1, h2, i, main};
use crate::app::components::empty_state::{Severity, empty_state};
use crate::app::components::links::route_link;
use crate::app::components::search_box::Search;
use crate::app::list::details_pane::route_links;
use crate::app::list::pulse_section::lazy_pulse;
use crate::app::model::portfolio_view::PortfolioView;
use crate::app::model::route;
use crate::app::model::route::Route;
use crate::app::reactive::{Memo, Signal, memo};
use crate::app::shell::app_bar::bar;
use crate::app::shell::error_state::{failed_state, no_key_state};
use crate::app::shell::lazy::lazy;
use crate::app::shell::retry::Retry;
use crate::app::state::AppState;

mod head;
mod members;
mod pager;
mod sums;
mod table;

pub fn portfolio_page(app: AppState) -> El {
    let nav = app.nav;
    let query = nav.query();
    let view = memo(move |_| query.with(|query| PortfolioView::from_query(query)));
    let on_search = Callback::new(move |search: String| {
        let old = view.get_untracked();
        nav.search(
            route::PORTFOLIO_PATH,
            &old.searched(&search).to_query(),
            old.search.is_empty(),
        );
    });
    let search = Signal::derive(move || view.with(|view| view.search.clone()));
    let search = Search::new("Search accounts", "Search accounts", search, on_search);
    let bar = bar(app, Some(search));
    let one = memo(move |_| view.with(|view| view.accounts.len() == 1));
    let main = main()
        .class("list portfolio")
        .attr("id", "main")
        .child(h1().class("visually-hidden").child("Portfolio"))
        .child(move || {
            Some(match (app.session.client().is_some(), one.get()) {
                (false, _) => no_key_state(app),
                (true, true) => whole(app, view),
                (true, false) => side_by_side(app, view),
            })
        });
    div()
        .class("page")
        .child(bar)
        .child(div().class("areas").child(main))
}

/// A single account with its whole pulse.
fn whole(app: AppState, view: Memo<PortfolioView>) -> El {
    let (nav, session, pulses) = (app.nav, app.session, app.pulses);
    let id = move || view.with(|view| view.accounts.first().cloned());
    let name = move || {
        let summary = id().and_then(|id| pulses.summary(&id));
        summary.map_or_else(|| "Account".to_owned(), |summary| summary.name.clone())
    };
    effect(move || {
        if let (Some(client), Some(id)) = (session.client(), id())
            && untrack(|| pulses.summary(&id)).is_none()
        {
            pulses.resolve(client, &id);
        }
    });
    let back = || PortfolioView::default().to_query();
    let link = route_link(
        "All accounts",
        move || nav.href(route::PORTFOLIO_PATH, &back()),
        || false,
        move || nav.navigate(route::PORTFOLIO_PATH, &back()),
    );
    let title = move || {
        let account = Route::account(&id()?);
        Some(route_links(app).link("", account).child(name))
    };
    let head = div()
        .class("portfolio-head")
        .child(h2().child(title))
        .child(link);
    div().class("whole").child(head).child(lazy_pulse(app))
}

/// Several accounts as rows of a table.
fn side_by_side(app: AppState, view: Memo<PortfolioView>) -> El {
    let (session, portfolio, pulses) = (app.session, app.portfolio, app.pulses);
    // Another order or other groups of the same accounts request nothing.
    let request = memo(move |_| view.with(PortfolioView::request));
    let load = move || {
        if let Some(client) = session.client() {
            request.with(|_| portfolio.load(client, &view.get_untracked()));
        }
    };
    let retry = Retry::new(move || untrack(load));
    effect(move || {
        retry.reset();
        load();
    });
    app.live.on_reread(move || {
        if let Some(client) = session.client_now() {
            portfolio.reread(client, &view.get_untracked());
        }
    });
    effect(move || {
        if let Some(client) = session.client() {
            portfolio.page.with(|page| {
                if let Some(page) = page.value().filter(|_| !page.is_busy()) {
                    pulses.set_wanted(client, &page.ids, true);
                }
            });
        }
    });
    on_cleanup(move || portfolio.clear());
    let shown = members::shown(app, view);
    let is_empty = memo(move |_| {
        portfolio
            .page
            .with(|page| !page.is_busy() && page.value().is_some_and(|page| page.ids.is_empty()))
    });
    let place = move || {
        if let Some(error) = portfolio.page.with(|page| page.error().cloned()) {
            return Some(failed_state(app, &error, retry));
        }
        if is_empty.get() {
            return Some(no_accounts(&view.get()));
        }
        Some(match shown.with(Option::is_some) {
            true => table::table(app, view, shown),
            false => row_skeletons(),
        })
    };
    let side = div()
        .class("side")
        .child(head::head(app, view))
        .child(sums::sums(app, shown))
        .child(place);
    let scroller = div().class("scroller").child(side);
    let node = scroller.node();
    let page = memo(move |_| view.with(|view| view.page));
    effect(move || {
        page.get();
        node.set_scroll_top(0);
    });
    div()
        .class("comparison")
        .child(scroller)
        .child(pager::pager(app, view))
}

fn no_accounts(view: &PortfolioView) -> El {
    let (title, text) = match view.search.trim() {
        _ if view.page > 1 => (
            "No accounts on this page".to_owned(),
            "There are fewer accounts than when this address was made. Go back to a page before it.",
        ),
        "" => (
            "This workspace has no accounts yet".to_owned(),
            "Accounts are created from the companies of imported leads.",
        ),
        term => (
            ["No accounts match “", term, "”"].concat(),
            "The search covers account names only. Clear it to see all accounts.",
        ),
    };
    empty_state(Severity::Calm, &title, text)
}

/// Skeletons of the rows. The style sheet shows them after a delay.
fn row_skeletons() -> El {
    div()
        .class("accounts skeletons")
        .attr("aria-hidden", "true")
        .children((0..12).map(|_| i().class("account")))
}

lazy!(lazy_portfolio: pages, page, later, "Portfolio", portfolio_page);
