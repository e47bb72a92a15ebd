//! The portfolio page: accounts side by side, with the pulse of each.

use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;

use crate::app::components::dom::{
    El, KeyedRow, details, div, effect, element, h1, h2, i, main, section, span, summary, ul,
};
use crate::app::components::empty_state::{Severity, empty_state};
use crate::app::components::format;
use crate::app::components::links::route_link;
use crate::app::components::pulse_panel::portfolio_row::{AccountRow, account_row};
use crate::app::components::search_box::Search;
use crate::app::list::details_pane::route_links;
use crate::app::list::pulse_section::lazy_pulse;
use crate::app::list::pulse_section::lead_links;
use crate::app::model::account_pulse::Funnel;
use crate::app::model::account_pulse::pulse_queue::Id;
use crate::app::model::portfolio_group::{PortfolioGroup, total};
use crate::app::model::portfolio_view::{PortfolioAccount, PortfolioOrder, PortfolioView, arrange};
use crate::app::model::route;
use crate::app::model::route::Route;
use crate::app::reactive::memo;
use crate::app::shell::app_bar::bar;
use crate::app::shell::error_state::{failed_state, no_key_state};
use crate::app::shell::lazy::lazy;
use crate::app::shell::retry::Retry;
use crate::app::state::AppState;

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
        "Best accounts",
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

/// Several accounts as rows, in groups.
fn side_by_side(app: AppState, view: Memo<PortfolioView>) -> El {
    let (session, portfolio, pulses) = (app.session, app.portfolio, app.pulses);
    let query = memo(move |_| view.with(PortfolioView::in_default_order));
    let load = move || {
        if let Some(client) = session.client() {
            query.with(|view| portfolio.load(client, view));
        }
    };
    let retry = Retry::new(move || untrack(load));
    effect(move || {
        retry.reset();
        load();
    });
    effect(move || {
        if let Some(client) = session.client() {
            portfolio.accounts.with(|accounts| {
                if let Some(ids) = accounts.value().filter(|_| !accounts.is_busy()) {
                    pulses.set_wanted(client, ids, true);
                }
            });
        }
    });
    on_cleanup(move || portfolio.clear());
    let place = move || {
        portfolio.accounts.with(|accounts| match accounts.error() {
            Some(error) => Some(failed_state(app, error, retry)),
            None => accounts.value().is_none().then(row_skeletons),
        })
    };
    let empty = memo(move |_| {
        let none = |ids: &Arc<Vec<Id>>| ids.is_empty();
        portfolio
            .accounts
            .with(|accounts| !accounts.is_busy() && accounts.value().is_some_and(none))
    });
    let members = members(app, view);
    let groups = PortfolioGroup::ALL.map(|of| group(app, view, members, of));
    div()
        .class("side")
        .child(head(app, view, members))
        .child(place)
        .child(move || empty.get().then(|| no_accounts(&view.get())))
        .children(groups)
}

/// Renders the accounts of a group below its heading. Those without a conversation are one line, until it is opened.
fn group(
    app: AppState,
    view: Memo<PortfolioView>,
    members: Memo<Members>,
    of: PortfolioGroup,
) -> El {
    let ids = memo(move |_| members.with(|members| members.of(of).to_vec()));
    let (title_ids, name_ids, hidden_ids) = (ids, ids, ids);
    let title = move || {
        let count = title_ids.with(Vec::len) as u64;
        match of {
            PortfolioGroup::WorthActing => of.title(&format::count(count, "conversation")),
            _ => of.title(&format::count(count, "account")),
        }
    };
    let title = h2().child(title).prop("hidden", move || {
        members.with(|members| members.total.is_none()).into()
    });
    let rows = ul().class("accounts").keyed_rows(move || {
        let rows = (0..).zip(ids.get());
        rows.map(|(index, id)| row(app, view, id, index)).collect()
    });
    let group = match of {
        PortfolioGroup::Quiet => {
            let names = move || {
                let summaries =
                    name_ids.with(|ids| ids.iter().map(|id| app.pulses.summary(id)).collect());
                let summaries: Vec<_> = summaries;
                let names: Vec<_> = summaries
                    .iter()
                    .flatten()
                    .map(|summary| &*summary.name)
                    .collect();
                names.join(", ")
            };
            let names = span().class("names").child(names);
            details()
                .child(summary().child(title).child(names))
                .child(rows)
        }
        _ => section().child(title).child(rows),
    };
    group
        .class("portfolio-group")
        .prop("hidden", move || hidden_ids.with(Vec::is_empty).into())
}

/// Title, load progress or totals, and sort order.
fn head(app: AppState, view: Memo<PortfolioView>, members: Memo<Members>) -> El {
    let (nav, pulses) = (app.nav, app.pulses);
    let title = move || {
        let (chosen, search) = view.with(|view| (view.accounts.len(), view.search.clone()));
        match (chosen, search.trim()) {
            (0, "") => "Top accounts by ICP score".to_owned(),
            (0, term) => ["Top accounts for “", term, "”"].concat(),
            (chosen, _) => [&*format::count(chosen as u64, "account"), " side by side"].concat(),
        }
    };
    let progress = move || match pulses.progress() {
        (done, all) if done < all => {
            let (done, all) = (format::number(done as u64), format::number(all as u64));
            [&*done, " of ", &all, " pulses loaded"].concat()
        }
        _ => members.with(totals),
    };
    let orders = PortfolioOrder::ALL.map(|order| {
        route_link(
            order.label(),
            move || nav.href(route::PORTFOLIO_PATH, &view.get().sorted(order).to_query()),
            move || view.with(|view| view.order) == order,
            move || {
                nav.navigate(
                    route::PORTFOLIO_PATH,
                    &view.get_untracked().sorted(order).to_query(),
                )
            },
        )
    });
    let sort = element("nav")
        .class("orders")
        .attr("aria-label", "Sort by")
        .child(
            span()
                .class("fine")
                .attr("aria-hidden", "true")
                .child("Sort by"),
        )
        .children(orders);
    div()
        .class("portfolio-head")
        .child(h2().child(title))
        .child(
            span()
                .class("progress-text")
                .attr("role", "status")
                .child(progress),
        )
        .child(sort)
}

/// The accounts of the page in their order.
#[derive(Clone, Default, PartialEq)]
struct Members {
    /// By group, in the order of [`PortfolioGroup::ALL`].
    groups: [Vec<Id>; 3],
    /// The numbers of all accounts together; `None` while pulses are loading.
    total: Option<Funnel>,
}

impl Members {
    fn of(&self, group: PortfolioGroup) -> &[Id] {
        &self.groups[group as usize]
    }
}

/// Returns the accounts in groups. While pulses are loading they are in a single group and, if the order needs data that
/// is still loading, in the order of the response, so that no row moves under the pointer.
fn members(app: AppState, view: Memo<PortfolioView>) -> Memo<Members> {
    let (portfolio, pulses) = (app.portfolio, app.pulses);
    let ids = memo(move |_| {
        let ids = portfolio
            .accounts
            .with(|accounts| accounts.value().cloned());
        ids.map(|ids| ids.to_vec()).unwrap_or_default()
    });
    // Stays true after the first complete load: retrying a single account must not reorder the rows.
    let settled = memo(move |before: Option<&(Vec<Id>, bool)>| {
        let ids = ids.get();
        let before = before.is_some_and(|(of, settled)| *settled && *of == ids);
        let (done, all) = pulses.progress();
        let now = all == ids.len() && done == all;
        (ids, before || now)
    });
    memo(move |_| {
        let (ids, settled) = settled.get();
        let order = view.with(|view| view.order);
        let met = ids.iter().all(|id| pulses.summary(id).is_some());
        let mut groups = <[Vec<Id>; 3]>::default();
        if !settled && (order.needs_pulses() || !met) {
            groups[PortfolioGroup::default() as usize] = ids;
            return Members {
                groups,
                total: None,
            };
        }
        let mut members: Vec<PortfolioAccount> = untrack(|| {
            let members = ids.into_iter().map(|id| PortfolioAccount {
                summary: pulses.summary(&id),
                pulse: pulses.status(&id).value().cloned(),
                id,
            });
            members.collect()
        });
        arrange(&mut members, order);
        let funnels = members.iter().filter_map(|member| member.pulse.as_deref());
        let total = settled.then(|| total(funnels.map(|pulse| &pulse.funnel)));
        for member in members {
            let group = match settled {
                true => PortfolioGroup::of(member.pulse.as_deref()),
                false => PortfolioGroup::default(),
            };
            groups[group as usize].push(member.id);
        }
        Members { groups, total }
    })
}

/// Describes all accounts together: `12 accounts · 66 leads · 20 in conversation · 7 of 66 replied`.
fn totals(members: &Members) -> String {
    let Some(total) = &members.total else {
        return String::new();
    };
    let accounts: usize = members.groups.iter().map(Vec::len).sum();
    let replied = total.replied.zip(total.leads).map(|(replied, leads)| {
        let (replied, leads) = (format::number(replied), format::number(leads));
        [&*replied, " of ", &leads, " replied"].concat()
    });
    let known = [
        Some(format::count(accounts as u64, "account")),
        total.leads.map(|leads| format::count(leads, "lead")),
        total
            .talking
            .map(|talking| format::number(talking) + " in conversation"),
        replied,
    ];
    let known: Vec<String> = known.into_iter().flatten().collect();
    known.join(" · ")
}

fn row(app: AppState, view: Memo<PortfolioView>, id: Id, index: u64) -> KeyedRow {
    KeyedRow {
        key: Arc::clone(&id),
        version: 0,
        index,
        draw: Rc::new(move |_| draw(app, view, &id)),
    }
}

fn draw(app: AppState, view: Memo<PortfolioView>, id: &Id) -> El {
    let pulses = app.pulses;
    let account = || Arc::clone(id);
    let (busy_id, error_id, retry_id) = (account(), account(), account());
    let (summary_id, version_id, pulse_id) = (account(), account(), account());
    let whole = Route {
        path: route::PORTFOLIO_PATH.to_owned(),
        query: view.get_untracked().only(id).to_query(),
    };
    let version = memo(move |_| pulses.version(&version_id));
    let status = move |id: &str| {
        version.get();
        untrack(|| pulses.status(id))
    };
    let summary = memo(move |_| pulses.summary(&summary_id));
    let pulse = memo(move |_| status(&pulse_id).value().cloned());
    account_row(AccountRow {
        id: id.as_ref().into(),
        summary: Signal::derive(move || summary.get()),
        pulse: Signal::derive(move || pulse.get()),
        busy: Signal::derive(move || status(&busy_id).is_busy()),
        error: Signal::derive(move || Some(status(&error_id).error()?.summary())),
        on_retry: Callback::new(move |()| pulses.retry(&retry_id)),
        whole,
        route_links: route_links(app),
        lead_links: lead_links(app),
    })
}

fn no_accounts(view: &PortfolioView) -> El {
    let (title, text) = match view.search.trim() {
        "" => (
            "This workspace has no accounts yet".to_owned(),
            "Accounts are created from the companies of imported leads.",
        ),
        term => (
            ["No accounts match “", term, "”"].concat(),
            "The search covers account names only. Clear it to see the best accounts.",
        ),
    };
    empty_state(Severity::Calm, &title, text)
}

/// Skeletons of the first rows. The style sheet shows them after a delay.
fn row_skeletons() -> El {
    div()
        .class("accounts skeletons")
        .attr("aria-hidden", "true")
        .children((0..5).map(|_| i().class("account")))
}

lazy!(lazy_portfolio: pages, page, later, "Portfolio", portfolio_page);
