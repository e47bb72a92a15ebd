//! Card of an account in the portfolio: tier and score, reply rate, funnel, best signal.

use std::rc::Rc;
use std::sync::Arc;

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::LeadsLink;
use super::best_signal::signal;
use super::charts::figure;
use crate::app::components::avatar::avatar;
use crate::app::components::dom::{El, b, button, div, h2, li, p, span};
use crate::app::components::links::RouteLinks;
use crate::app::components::score_badge::score;
use crate::app::components::skeleton::skeleton;
use crate::app::model::account_pulse::{OutreachStage, Pulse};
use crate::app::model::portfolio_view::AccountSummary;
use crate::app::model::route::Route;

/// Inputs and callbacks of the card.
pub struct Card {
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

pub fn card(card: Card) -> El {
    let Card {
        id, summary, pulse, ..
    } = card;
    let (name, of, fit) = (summary, Rc::clone(&id), summary);
    let picture = summary;
    let name = Rc::new(move || {
        name.get()
            .map_or_else(|| of.to_string(), |summary| summary.name.clone())
    });
    let called = Rc::clone(&name);
    let (route_links, whole) = (card.route_links, card.whole);
    let link = route_links
        .link("", Route::account(&id))
        .child(move || called());
    // The retry button is removed with the error, so the focus moves to the name.
    let node: HtmlElement = link.node().unchecked_into();
    let on_retry = card.on_retry;
    let retry = Rc::new(move || {
        let _ = node.focus();
        on_retry.run(());
    });
    let head = div()
        .class("card-head")
        .child(move || {
            let initials = picture.get().map(|summary| summary.initials.clone());
            Some(avatar(initials.as_deref().unwrap_or_default(), None).into())
        })
        .child(h2().child(link))
        .child(move || Some(fitness(&*fit.get()?)));
    let (busy, blank) = (card.busy, card.busy);
    let (here, error, lead_links) = (pulse, card.error, card.lead_links);
    li().class("account")
        .attr("data-account-id", &*id)
        .attr("aria-busy", move || busy.get().to_string())
        .child(head)
        .child(move || Some(load_error(&error.get()?, &retry)))
        .child(move || {
            let name = Rc::clone(&name);
            let of = span()
                .class("visually-hidden")
                .child(move || [" of ", &*name()].concat());
            let link = route_links.link("Open pulse", whole.clone()).child(of);
            Some(body(&*pulse.get()?, link, &lead_links))
        })
        .child(move || (here.get().is_none() && blank.get()).then(|| skeleton("skeleton", &[3, 2])))
}

/// Renders tier and score.
fn fitness(summary: &AccountSummary) -> El {
    let tier = summary
        .tier
        .as_deref()
        .map(|tier| span().class("tier").child("Tier ").child(b().child(tier)));
    span()
        .class("fitness")
        .child(tier)
        .child(summary.score.map(|points| score(Some(points))))
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

fn body(pulse: &Pulse, whole: El, lead_links: &LeadsLink) -> El {
    let quiet = match pulse.stage() {
        OutreachStage::Going => "No reply rate",
        OutreachStage::Silent => "No conversations yet",
        OutreachStage::NoLeads => "No leads yet",
        OutreachStage::Unknown => "No data yet",
    };
    let rate = p().class("reply-rate");
    let rate = match pulse.funnel.reply_rate() {
        Some(share) => rate.child(b().child(share.words())).child(" reply rate"),
        None => rate.child(span().class("muted").child(quiet)),
    };
    div()
        .class("card-body")
        .child(rate.child(whole))
        .child(figure("funnel", &pulse.funnel))
        .child(pulse.best.as_ref().map(|best| {
            let label = span().class("visually-hidden").child("Best signal: ");
            div()
                .class("best")
                .child(label)
                .child(signal(best, lead_links))
        }))
}
