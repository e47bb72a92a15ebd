//! Account of the portfolio as a row: fit, name, leads, replies, latest conversation.

use std::rc::Rc;
use std::sync::Arc;

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::LeadsLink;
use super::best_signal::pill;
use crate::app::components::dom::{El, b, button, div, h3, li, span};
use crate::app::components::format;
use crate::app::components::lead_details::fields::ago;
use crate::app::components::lead_details::score_section::grade;
use crate::app::components::links::RouteLinks;
use crate::app::components::markup::Markup;
use crate::app::components::skeleton::skeleton;
use crate::app::model::account_pulse::{Funnel, Pulse, PulseLead};
use crate::app::model::portfolio_view::AccountSummary;
use crate::app::model::route::Route;

/// Inputs and callbacks of the row.
pub struct AccountRow {
    pub id: Rc<str>,
    /// Name, tier and score of the account, once they are loaded.
    pub summary: Signal<Option<Arc<AccountSummary>>>,
    pub pulse: Signal<Option<Arc<Pulse>>>,
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

pub fn account_row(row: AccountRow) -> El {
    let AccountRow {
        id, summary, pulse, ..
    } = row;
    let (name, of, fit) = (summary, Rc::clone(&id), summary);
    let name = Rc::new(move || {
        name.get()
            .map_or_else(|| of.to_string(), |summary| summary.name.clone())
    });
    let called = Rc::clone(&name);
    let (route_links, whole) = (row.route_links, row.whole);
    let link = route_links
        .link("", Route::account(&id))
        .child(move || called());
    // The retry button is removed with the error, so the focus moves to the name.
    let node: HtmlElement = link.node().unchecked_into();
    let on_retry = row.on_retry;
    let retry = Rc::new(move || {
        let _ = node.focus();
        on_retry.run(());
    });
    let (busy, blank) = (row.busy, row.busy);
    let (here, error, lead_links) = (pulse, row.error, row.lead_links);
    li().class("account")
        .attr("data-account-id", &*id)
        .attr("aria-busy", move || busy.get().to_string())
        .child(move || {
            let summary = fit.get();
            let tier = summary.as_ref().and_then(|summary| summary.tier.as_deref());
            let points = summary.as_ref().and_then(|summary| summary.score);
            Some(div().class("fitness").child(grade(tier, points)))
        })
        .child(h3().child(link))
        .child(move || Some(load_error(&error.get()?, &retry)))
        .child(move || {
            let name = Rc::clone(&name);
            let of = span()
                .class("visually-hidden")
                .child(move || [" of ", &*name()].concat());
            let link = route_links.link("Open pulse", whole.clone()).child(of);
            Some(outreach(&*pulse.get()?, &lead_links).child(link.class("whole-link")))
        })
        .child(move || (here.get().is_none() && blank.get()).then(|| skeleton("skeleton", &[1])))
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

fn outreach(pulse: &Pulse, lead_links: &LeadsLink) -> El {
    let funnel = &pulse.funnel;
    let replies = match (funnel.replied, funnel.leads) {
        (Some(replied), Some(leads)) => {
            let of = [&*format::number(replied), " of ", &format::number(leads)].concat();
            span().child(b().child(of)).child(" replied")
        }
        _ => span().class("muted").child("Replies unknown"),
    };
    let (latest, time) = latest(pulse, lead_links);
    div()
        .class("outreach")
        .child(bar(funnel))
        .child(replies.class("replies"))
        .child(span().class("latest-reply").children(latest))
        .child(span().class("when").child(time))
}

/// Renders one bar: all leads, of these those in conversation, of these those who replied.
fn bar(funnel: &Funnel) -> Markup {
    let (talking, replied) = funnel.percents();
    Markup::new("i")
        .class("flow")
        .attr("role", "img")
        .attr("aria-label", funnel.words(&format::number))
        .attr("--c", [&*talking.to_string(), "%"].concat())
        .attr("--r", [&*replied.to_string(), "%"].concat())
}

/// Renders the conversation most worth acting on, or else the latest one, and the time of its last message.
fn latest(pulse: &Pulse, lead_links: &LeadsLink) -> (Vec<El>, Option<El>) {
    let (class, lead, name, chat) = match &pulse.best {
        Some(best) => {
            let of_lead = |person: &PulseLead| Some(&person.id) == best.lead.as_ref();
            let mut chats = pulse.chats.iter();
            let chat = chats.find(|chat| chat.person.as_ref().is_some_and(of_lead));
            (&best.class, best.lead.as_deref(), &best.name, chat)
        }
        None => match pulse.chats.first() {
            Some(chat) => {
                let lead = chat.person.as_ref().map(|person| &*person.id);
                (&chat.class, lead, &chat.name, Some(chat))
            }
            None => return (Vec::new(), None),
        },
    };
    let class = match class {
        Some(class) => pill(class),
        None => span().class("class").child("No reply yet"),
    };
    let name = match lead {
        Some(lead) => lead_links.link(lead).child(name),
        None => span().child(name),
    };
    let last = chat.and_then(|chat| chat.last.as_deref());
    (vec![class, name], last.map(ago))
}
