//! Account of the portfolio as a row: who, fit, leads, conversations, replies, best signal, last activity.

use std::rc::Rc;

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::LeadsLink;
use super::best_signal::pill;
use super::sparkline::sparkline;
use crate::app::components::dom::{El, b, button, div, i, small, span, td, th, time, tr};
use crate::app::components::format;
use crate::app::components::icon;
use crate::app::components::lead_details::score_section::grade;
use crate::app::components::links::RouteLinks;
use crate::app::model::account_pulse::reply_rate::Rate;
use crate::app::model::account_pulse::{Funnel, OutreachStage, Pulse, PulseLead};
use crate::app::model::portfolio_account::{AccountSummary, PortfolioAccount};
use crate::app::model::portfolio_group::percent;
use crate::app::model::route::Route;
use crate::app::reactive::{Memo, Signal};

/// Titles of the columns. The last one has the link to the whole pulse.
pub const COLUMNS: [(&str, &str); 9] = [
    ("who", "Account"),
    ("fit", "Fit"),
    ("leads", "Leads"),
    ("talking", "In conversation"),
    ("replied", "Replied"),
    ("best", "Best signal"),
    ("weeks", "Last 12 weeks"),
    ("last", "Last"),
    ("open", "Pulse"),
];

/// Inputs and callbacks of the row.
pub struct AccountRow {
    pub account: Signal<PortfolioAccount>,
    /// The number whose bar has the full width.
    pub scale: Memo<u64>,
    /// Whether a response is pending.
    pub busy: Signal<bool>,
    /// Error message without the final period.
    pub error: Signal<Option<String>>,
    pub on_retry: Callback<()>,
    /// The page with the whole pulse of the account.
    pub whole: Route,
    pub route_links: RouteLinks,
    pub lead_links: LeadsLink,
}

pub fn account_row(id: &str, row: AccountRow) -> El {
    let (account, scale, busy, error) = (row.account, row.scale, row.busy, row.error);
    let pulse = move || account.with(|account| account.pulse.clone());
    let link = row.route_links.link("", Route::account(id));
    let link = link.child(move || account.with(name));
    // The retry button is removed with the error, so the focus moves to the name.
    let node: HtmlElement = link.node().unchecked_into();
    let on_retry = row.on_retry;
    let retry = Rc::new(move || {
        let _ = node.focus();
        on_retry.run(());
    });
    let who = th()
        .class("who")
        .attr("scope", "row")
        .child(i().class("avatar").attr("data-initials", move || {
            let initials = account.with(|of| Some(of.summary.as_ref()?.initials.clone()));
            initials.unwrap_or_default()
        }))
        .child(link)
        .child(small().child(move || account.with(facts)));
    let fit = td().class("fit").child(move || {
        let summary = account.with(|account| account.summary.clone())?;
        grade(summary.tier.as_deref(), summary.score)
    });
    let lead_links = row.lead_links;
    let best = td().class("best").child(move || {
        if let Some(error) = error.get() {
            return Some(load_error(&error, &retry));
        }
        Some(signal(&*pulse()?, &lead_links))
    });
    let weeks = td().class("weeks").child(move || {
        let pulse = pulse().filter(|_| error.with(Option::is_none))?;
        sparkline(&pulse.chats)
    });
    let last = td().class("last").child(move || {
        let pulse = pulse().filter(|_| error.with(Option::is_none))?;
        let last = pulse.chats.first()?.last.clone()?;
        let age = format::age(&last)?;
        let title = format::moment(&last);
        Some(
            time()
                .attr("datetime", &last)
                .attr("title", &title)
                .child(age.text),
        )
    });
    let of = move || [" of ", &*account.with(name)].concat();
    let open = row
        .route_links
        .link("", row.whole)
        .class("whole-link")
        .child(icon::right())
        .child(
            span()
                .class("visually-hidden")
                .child("Open pulse")
                .child(of),
        );
    tr().class("account")
        .attr("data-account-id", id)
        .attr("aria-busy", move || busy.get().to_string())
        .child(who)
        .child(fit)
        .child(leads(account, scale))
        .child(outreach("talking", account, scale, |funnel| {
            (funnel.talking, Rate::new(funnel.talking, funnel.leads))
        }))
        .child(outreach("replied", account, scale, |funnel| {
            (funnel.replied, funnel.reply_rate())
        }))
        .child(best)
        .child(weeks)
        .child(last)
        .child(td().class("open").child(open))
}

/// Returns the name; while it is not known, the id.
fn name(account: &PortfolioAccount) -> String {
    let summary = account.summary.as_ref();
    summary.map_or_else(|| account.id.to_string(), |summary| summary.name.clone())
}

fn facts(account: &PortfolioAccount) -> String {
    let Some(summary) = &account.summary else {
        return String::new();
    };
    let AccountSummary {
        industry,
        size,
        location,
        ..
    } = &**summary;
    let facts: Vec<&str> = [industry, size, location]
        .into_iter()
        .flatten()
        .map(String::as_str)
        .collect();
    facts.join(" · ")
}

/// Renders the leads. A part of the bar is as long as the approved ones.
fn leads(account: Signal<PortfolioAccount>, scale: Memo<u64>) -> El {
    let approved = move || account.with(|of| of.summary.as_ref()?.approved);
    let cell = count_cell("leads", scale, move || account.with(|of| of.funnel().leads));
    let cell = cell.style("--part", move || length(approved(), scale.get()));
    cell.child(move || {
        let leads = account.with(|of| of.funnel().leads);
        let approved = approved().map(|approved| {
            let approved = format::number(approved) + " approved";
            small().child(approved)
        });
        let noun = if leads == Some(1) { "lead" } else { "leads" };
        // Shown on phones, where the column has no header.
        let leads = b().attr("data-noun", noun).child(number(leads));
        Some(div().child(leads).child(approved))
    })
}

/// Renders a number of the pulse, and its share of the number before it.
fn outreach(
    kind: &str,
    account: Signal<PortfolioAccount>,
    scale: Memo<u64>,
    read: fn(&Funnel) -> (Option<u64>, Option<Rate>),
) -> El {
    let figures = move || account.with(|account| read(&account.funnel()));
    count_cell(kind, scale, move || figures().0).child(move || {
        let known = account.with(|account| account.pulse.is_some());
        known.then(|| {
            let (count, rate) = figures();
            // A share of nothing says no more than the 0.
            let rate = rate.filter(|_| count != Some(0));
            let rate = rate.map(|rate| small().child(rate.words()));
            div().child(b().child(number(count))).child(rate)
        })
    })
}

fn number(count: Option<u64>) -> String {
    count.map_or_else(|| "–".to_owned(), format::number)
}

/// Renders a cell with a bar as its background.
fn count_cell(kind: &str, scale: Memo<u64>, count: impl Fn() -> Option<u64> + 'static) -> El {
    td().class(["count ", kind].concat())
        .style("--long", move || length(count(), scale.get()))
}

fn length(count: Option<u64>, scale: u64) -> String {
    [&*percent(count.unwrap_or_default(), scale).to_string(), "%"].concat()
}

fn load_error(error: &str, retry: &Rc<impl Fn() + 'static>) -> El {
    let retry = Rc::clone(retry);
    div()
        .class("error")
        .attr("role", "alert")
        .child(span().child(error).child("."))
        .child(
            button()
                .class("")
                .child("Retry")
                .on(ev::click, move |_| retry()),
        )
}

/// Renders the conversation most worth acting on, or else the latest one.
fn signal(pulse: &Pulse, lead_links: &LeadsLink) -> El {
    let found = match (&pulse.best, pulse.chats.first()) {
        (Some(best), _) => Some((&best.class, best.lead.as_deref(), &best.name)),
        (None, Some(chat)) => {
            let lead = chat.person.as_ref().map(|person: &PulseLead| &*person.id);
            Some((&chat.class, lead, &chat.name))
        }
        (None, None) => None,
    };
    let Some((class, lead, name)) = found else {
        let text = match pulse.stage() {
            OutreachStage::Going => "Replies unknown",
            OutreachStage::Silent => "No conversation yet",
            OutreachStage::NoLeads => "No leads yet",
            OutreachStage::Unknown => "No data yet",
        };
        return span().class("muted").child(text);
    };
    let class = match class {
        Some(class) => pill(class),
        None => span().class("class").child("No reply yet"),
    };
    let name = match lead {
        Some(lead) => lead_links.link(lead).child(name),
        None => span().child(name),
    };
    div().child(class).child(name)
}
