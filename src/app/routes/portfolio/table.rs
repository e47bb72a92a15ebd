//! The table of the portfolio: a row for each account, in groups with their sums.

use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;

use super::members::{Shown, all, member, members};
use crate::app::components::dom::{El, KeyedRow, b, caption, element, span, tbody, th, thead, tr};
use crate::app::components::format;
use crate::app::components::pulse_panel::portfolio_row::{AccountRow, COLUMNS, account_row};
use crate::app::list::details_pane::route_links;
use crate::app::list::pulse_section::lead_links;
use crate::app::model::account_pulse::pulse_queue::Id;
use crate::app::model::account_pulse::reply_rate::Rate;
use crate::app::model::portfolio_group::{PortfolioSums, scale};
use crate::app::model::portfolio_view::PortfolioView;
use crate::app::model::route;
use crate::app::model::route::Route;
use crate::app::reactive::{Memo, Signal, memo};
use crate::app::state::AppState;

pub fn table(app: AppState, view: Memo<PortfolioView>, shown: Shown) -> El {
    let scale = memo(move |_| scale(&all(app, shown)));
    let heads = COLUMNS.map(|(class, title)| {
        let title = match class {
            "open" => span().class("visually-hidden").child(title),
            _ => span().child(title),
        };
        th().class(class).attr("scope", "col").child(title)
    });
    let is_busy = app.portfolio.page;
    let groups = move || {
        let titles = shown.with(|groups| {
            let groups = groups.iter().flatten();
            groups.map(|group| Arc::clone(&group.title)).collect()
        });
        let titles: Vec<Id> = titles;
        let rows = titles.into_iter().map(|title| KeyedRow {
            key: Arc::clone(&title),
            version: 0,
            draw: Rc::new(move || group(app, view, shown, scale, Arc::clone(&title))),
        });
        rows.collect()
    };
    element("table")
        .class("accounts")
        .attr("aria-busy", move || {
            is_busy.with(|page| page.is_busy()).to_string()
        })
        .child(
            caption()
                .class("visually-hidden")
                .child("Accounts and their pulses"),
        )
        .child(thead().child(tr().children(heads)))
        .keyed_rows(groups)
}

fn group(
    app: AppState,
    view: Memo<PortfolioView>,
    shown: Shown,
    scale: Memo<u64>,
    title: Id,
) -> El {
    let of = Arc::clone(&title);
    let ids = memo(move |_| {
        shown.with(|groups| {
            let group = groups.iter().flatten().find(|group| group.title == of);
            group.map(|group| group.ids.clone()).unwrap_or_default()
        })
    });
    let head = (!title.is_empty()).then(|| {
        let sums = memo(move |_| ids.with(|ids| PortfolioSums::new(&members(app, ids))));
        let head = th()
            .attr("scope", "rowgroup")
            .attr("colspan", COLUMNS.len().to_string())
            .child(b().child(&*title))
            .child(" ")
            .child(span().child(move || sums.with(words)));
        tr().class("group").child(head)
    });
    tbody().child(head).keyed_rows(move || {
        let ids = ids.get().into_iter();
        ids.map(|id| row(app, view, scale, id)).collect()
    })
}

/// Describes the accounts of a group: `12 accounts · 66 leads · 31% in conversation`. What is not known is left out.
fn words(sums: &PortfolioSums) -> String {
    let leads = sums.funnel.leads.map(|leads| format::count(leads, "lead"));
    let talking = sums.talking_rate().map(Rate::words);
    let known = [
        Some(format::count(sums.accounts, "account")),
        leads,
        talking.map(|rate| rate + " in conversation"),
    ];
    let known: Vec<String> = known.into_iter().flatten().collect();
    known.join(" · ")
}

fn row(app: AppState, view: Memo<PortfolioView>, scale: Memo<u64>, id: Id) -> KeyedRow {
    KeyedRow {
        key: Arc::clone(&id),
        version: 0,
        draw: Rc::new(move || draw(app, view, scale, &id)),
    }
}

fn draw(app: AppState, view: Memo<PortfolioView>, scale: Memo<u64>, id: &Id) -> El {
    let pulses = app.pulses;
    let account = || Arc::clone(id);
    let (busy_id, error_id, retry_id) = (account(), account(), account());
    let (version_id, summary_id, member_id) = (account(), account(), account());
    let whole = Route {
        path: route::PORTFOLIO_PATH.to_owned(),
        query: view.get_untracked().only(id).to_query(),
    };
    let version = memo(move |_| pulses.version(&version_id));
    let summary = memo(move |_| pulses.summary(&summary_id));
    let status = move |id: &str| {
        version.get();
        untrack(|| pulses.status(id))
    };
    let row = AccountRow {
        account: Signal::derive(move || {
            version.get();
            summary.with(|_| untrack(|| member(app, &member_id)))
        }),
        scale,
        busy: Signal::derive(move || status(&busy_id).is_busy()),
        error: Signal::derive(move || Some(status(&error_id).error()?.summary())),
        on_retry: Callback::new(move |()| pulses.retry(&retry_id)),
        whole,
        route_links: route_links(app),
        lead_links: lead_links(app),
    };
    account_row(id, row)
}
