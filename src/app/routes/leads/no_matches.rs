//! Empty state of a filtered lead list: which filter to drop.

use leptos::prelude::*;

use super::filter_chips::named;
use crate::app::components::dom::{El, effect};
use crate::app::components::empty_state::{Severity, empty_state};
use crate::app::components::relaxation_list::{RelaxationOffer, relaxations as relaxation_list};
use crate::app::model::relaxations::{Relaxable, Relaxation, relaxations};
use crate::app::model::route;
use crate::app::model::view::LeadsView;
use crate::app::reactive::{Signal, memo};
use crate::app::state::AppState;

/// Suggests filters to drop, each with the number of leads without it.
pub fn no_matches(app: AppState) -> El {
    let (nav, facets) = (app.nav, app.facets);
    let view = app.leads_view;
    let all = memo(move |_| view.with(relaxations));
    effect(move || facets.count_matches(all.get()));
    let offers = Signal::derive(move || {
        let view = view.get();
        let offer = |relaxation: Relaxation| RelaxationOffer {
            name: name(app, &view, &relaxation),
            label: label(app, &view, &relaxation),
        };
        all.get().into_iter().map(offer).collect()
    });
    let counts = Signal::derive(move || facets.relaxations.counts.get());
    let accept = Callback::new(move |index: usize| {
        if let Some(relaxation) = all.get_untracked().get(index) {
            nav.navigate(route::LEADS_PATH, &relaxation.view.to_query());
        }
    });
    empty_state(Severity::Calm, "No lead matches all of these filters", "")
        .child(relaxation_list("lead", offers, counts, accept))
}

fn name(app: AppState, view: &LeadsView, relaxation: &Relaxation) -> String {
    match relaxation.condition {
        Relaxable::Filter(part) => {
            let (label, value) = named(app.facets, &view.filters, part);
            ["“", &label, " ", &value, "”"].concat()
        }
        Relaxable::Search => ["The search “", view.table.search.trim(), "”"].concat(),
        Relaxable::Tab => ["The tab “", view.tab.label(), "”"].concat(),
    }
}

fn label(app: AppState, view: &LeadsView, relaxation: &Relaxation) -> String {
    match relaxation.condition {
        Relaxable::Filter(part) => {
            let (label, _) = named(app.facets, &view.filters, part);
            ["Remove ", &label].concat()
        }
        Relaxable::Search => "Clear the search".to_owned(),
        Relaxable::Tab => "Show all leads".to_owned(),
    }
}
