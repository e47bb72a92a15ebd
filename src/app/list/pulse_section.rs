//! The pulse of the account in the address.

use std::rc::Rc;

use leptos::prelude::*;

use super::similar_accounts::lazy_similar_accounts;
use crate::app::components::dom::{El, effect};
use crate::app::components::empty_state::{Severity, empty_state};
use crate::app::components::pulse_panel::{LeadsLink, PulsePanel, pulse_panel};
use crate::app::model::account_pulse::pulse_queue::Id;
use crate::app::model::route::{ACCOUNT_PARAM, Route, param};
use crate::app::reactive::{Signal, memo};
use crate::app::shell::error_state::{failed_banner, failed_state, no_key_state};
use crate::app::shell::lazy::lazy;
use crate::app::shell::retry::Retry;
use crate::app::state::AppState;

/// The panel. It follows the address, and cancels its requests when it is removed.
pub fn pulse_part(app: AppState) -> El {
    let (query, session, pulses) = (app.nav.query(), app.session, app.pulses);
    let account = memo(move |_| query.with(|query| param(query, ACCOUNT_PARAM).map(Id::from)));
    let retry = Retry::new(move || {
        if let Some(id) = account.get_untracked() {
            pulses.retry(&id);
        }
    });
    effect(move || {
        let (client, account) = (session.client(), account.get());
        retry.reset();
        match (client, account) {
            (Some(client), Some(account)) => {
                // With another client, what failed is requested again.
                pulses.set_wanted(client.clone(), &[], false);
                pulses.set_wanted(client, &[account], false);
            }
            _ => pulses.clear(),
        }
    });
    app.live.on_reread(move || pulses.reread());
    on_cleanup(move || pulses.clear());
    let shown = memo(move |_| {
        let status = account.with(|id| id.as_deref().map(|id| pulses.status(id)));
        status?.value().cloned()
    });
    let status = move || account.with(|id| id.as_deref().map(|id| pulses.status(id)));
    let panel = pulse_panel(&PulsePanel {
        pulse: Signal::derive(move || shown.get()),
        busy: Signal::derive(move || status().is_some_and(|status| status.is_busy())),
        error_state: Rc::new(move || {
            if let Some(problem) = session.problem.get() {
                return Some(empty_state(Severity::Trouble, &problem.to_string(), ""));
            }
            if session.client().is_none() {
                return Some(no_key_state(app));
            }
            let Some(status) = status() else {
                let text = "The page that embeds this pulse must set an account ID.";
                return Some(empty_state(Severity::Calm, "No account chosen", text));
            };
            let error = status.error()?;
            Some(match status.value() {
                Some(_) => failed_banner(app, error, retry),
                None => failed_state(app, error, retry),
            })
        }),
        as_table: pulses.as_table,
        lead_links: LeadsLink {
            on_unknown: Callback::new(move |()| {
                if let (Some(client), Some(id)) = (session.client_now(), account.get_untracked()) {
                    pulses.resolve(client, &id);
                }
            }),
            ..lead_links(app)
        },
    });
    // A host page that shows the pulse alone has no other accounts.
    #[cfg(feature = "embed")]
    if pulses.on_lead.with_value(Option::is_some) {
        return panel;
    }
    panel.child(lazy_similar_accounts(app))
}

/// Links from a pulse to its leads: to their details in this app, or to the host page's handler.
pub fn lead_links(app: AppState) -> LeadsLink {
    let (nav, pulses) = (app.nav, app.pulses);
    LeadsLink {
        href: Rc::new(move |id| {
            let route = Route::lead(id);
            nav.href(&route.path, &route.query)
        }),
        on_open: Callback::new(move |id: String| {
            #[cfg(feature = "embed")]
            if let Some(tell) = pulses.on_lead.get_value() {
                return tell(&id);
            }
            let route = Route::lead(&id);
            nav.navigate(&route.path, &route.query);
        }),
        name: Rc::new(move |id| pulses.person(id)),
        on_unknown: Callback::new(|()| ()),
    }
}

lazy!(lazy_pulse: details, part, later, "Pulse", pulse_part);
