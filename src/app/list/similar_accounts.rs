//! Links to the accounts most like the one whose pulse is shown.

use std::sync::Arc;

use leptos::prelude::*;

use super::details_pane::route_links;
use crate::app::components::dom::{El, effect, h3, li, p, section, ul};
use crate::app::components::lead_details::score_section::grade;
use crate::app::components::skeleton::skeleton;
use crate::app::model::account_pulse::pulse_queue::Id;
use crate::app::model::portfolio_account::AccountSummary;
use crate::app::model::route::{ACCOUNT_PARAM, Route, param, with_param};
use crate::app::model::similar_accounts::Likeness;
use crate::app::reactive::memo;
use crate::app::shell::lazy::lazy;
use crate::app::state::AppState;
use crate::app::state::similar_accounts::SimilarAccounts;

/// Renders the section, which is optional: nothing while too little is known of the account, or if the server cannot find
/// similar ones.
pub fn similar_accounts(app: AppState) -> El {
    let (session, similar, query) = (app.session, SimilarAccounts::start(), app.nav.query());
    let account = memo(move |_| query.with(|query| param(query, ACCOUNT_PARAM).map(Id::from)));
    let likeness = memo(move |_| account.get().and_then(|id| Some((likeness(app, &id)?, id))));
    effect(move || match (session.client(), likeness.get()) {
        (Some(client), Some((likeness, id))) => similar.load(client, id, likeness),
        _ => similar.clear(),
    });
    on_cleanup(move || similar.clear());
    let found = move || {
        let accounts = similar.accounts.get();
        if accounts.is_busy() {
            return Some(skeleton("skeleton", &[3]));
        }
        Some(match accounts.value()?.as_slice() {
            [] => p().class("fine").child("No other account is like it."),
            some => ul().children(some.iter().map(|(id, summary)| line(app, id, summary))),
        })
    };
    section().class("similar").child(move || {
        let is_shown = similar
            .accounts
            .with(|accounts| accounts.is_busy() || accounts.value().is_some());
        is_shown.then(|| {
            section()
                .child(h3().child("Accounts most like it"))
                .child(
                    p().class("fine")
                        .child("The same industry and size, and the nearest scores."),
                )
                .child(found)
        })
    })
}

/// Returns what is known of the account: by its open details, or by the portfolio.
fn likeness(app: AppState, id: &Id) -> Option<Likeness> {
    let shown = app.account.details.shown();
    if let Some(shown) = shown.filter(|shown| *shown.id == **id) {
        let score = shown.scores.first().and_then(|score| score.points);
        return Likeness::new(shown.industry.as_deref(), shown.size.as_deref(), score);
    }
    let summary = app.pulses.summary(id)?;
    let (industry, size) = (summary.industry.as_deref(), summary.size.as_deref());
    Likeness::new(industry, size, summary.score)
}

fn line(app: AppState, id: &Id, summary: &Arc<AccountSummary>) -> El {
    let Route { path, query } = untrack(|| app.nav.route());
    let route = Route {
        path,
        query: with_param(&query, ACCOUNT_PARAM, Some(id)),
    };
    li().child(route_links(app).link(&summary.name, route))
        .child(grade(summary.tier.as_deref(), summary.score))
}

// With the pages, which have the other accounts: a host page that shows one pulse needs none of it.
lazy!(lazy_similar_accounts: pages, part, later, "Similar accounts", similar_accounts);
