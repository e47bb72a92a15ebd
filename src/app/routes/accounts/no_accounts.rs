//! Empty state of the account list: no accounts, no match for the search, or none that passes the filters.

use leptos::ev;
use leptos::prelude::*;

use super::AccountsPage;
use crate::app::components::dom::{El, button, div, effect};
use crate::app::components::empty_state::{Severity, empty_state};
use crate::app::components::relaxation_list::{RelaxationOffer, relaxations};
use crate::app::model::filters::filter_field::Field;
use crate::app::model::relaxations::{Relaxation, account_relaxations};
use crate::app::model::view::{AccountsView, ActiveFilter};
use crate::app::reactive::{Signal, memo};

pub fn empty(page: AccountsPage) -> El {
    let view = page.view_now();
    if view.count() > 0 {
        return no_matches(page);
    }
    let view_button = move |label: &str, to: AccountsView| {
        button()
            .class("")
            .child(label)
            .on(ev::click, move |_| page.change_view(|_| to.clone()))
    };
    let buttons = div().class("buttons");
    let wider = (!view.unpromoted).then(|| {
        view_button(
            "Include accounts without leads",
            view.without(ActiveFilter::Promoted),
        )
    });
    if let Some(term) = view.table.term() {
        let title = format!("No accounts match “{term}”");
        let text = "The search covers account names only. Try a shorter text.";
        let clear = view_button("Clear the search", view.without(ActiveFilter::Search));
        return empty_state(Severity::Calm, &title, text).child(buttons.child(clear).child(wider));
    }
    let text = "Accounts are created from the companies of imported leads.";
    let again = button()
        .class("")
        .child("Check again")
        .on(ev::click, move |_| page.refresh());
    empty_state(Severity::Calm, "This workspace has no accounts yet", text)
        .child(buttons.child(again).child(wider))
}

/// Suggests filters to drop, each with the number of accounts without it.
fn no_matches(page: AccountsPage) -> El {
    let accounts = page.app.accounts;
    let view = memo(move |_| page.view().list_only());
    let all = memo(move |_| view.with(account_relaxations));
    effect(move || accounts.count_matches(all.get()));
    let offers = Signal::derive(move || {
        let view = view.get();
        let offer = |relaxation: Relaxation<ActiveFilter, AccountsView>| {
            let (name, label) = named(page, &view, relaxation.condition);
            RelaxationOffer { name, label }
        };
        all.get().into_iter().map(offer).collect()
    });
    let counts = Signal::derive(move || accounts.relaxations.counts.get());
    let accept = Callback::new(move |index: usize| {
        if let Some(relaxation) = all.get_untracked().get(index) {
            page.change_view(|now| now.without(relaxation.condition));
        }
    });
    empty_state(
        Severity::Calm,
        "No account matches all of these filters",
        "",
    )
    .child(relaxations("account", offers, counts, accept))
}

/// Returns the noun phrase for a barrier and the label of the button that removes it.
fn named(page: AccountsPage, view: &AccountsView, barrier: ActiveFilter) -> (String, String) {
    match barrier {
        ActiveFilter::Filter(at) => match view.filters.get(at) {
            Some(filter) => {
                let label = filter.field().label();
                let name = ["“", label, " ", &filter.rest(), "”"].concat();
                (name, ["Remove ", label].concat())
            }
            None => Default::default(),
        },
        ActiveFilter::List => {
            let list = view.list.as_deref().unwrap_or_default();
            let name = ["The list “", &page.list_name(list), "”"].concat();
            (name, "Show all lists".to_owned())
        }
        ActiveFilter::Search => {
            let name = ["The search “", view.table.search.trim(), "”"].concat();
            (name, "Clear the search".to_owned())
        }
        ActiveFilter::Promoted => (
            "Hiding accounts without leads".to_owned(),
            "Include accounts without leads".to_owned(),
        ),
    }
}
