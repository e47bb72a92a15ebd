//! Relaxations of the query of an empty list: what to drop so that rows match.

use leptos::ev;
use leptos::prelude::*;

use super::dom::{El, button, div, p};
use super::format;
use crate::app::model::relaxations::ranked;
use crate::app::reactive::{Signal, memo};

/// Number of relaxations shown.
const MAX_RELAXATIONS: usize = 3;

/// A relaxation to drop one condition.
#[derive(Clone)]
pub struct RelaxationOffer {
    /// The condition that excludes the rows, as part of a sentence.
    pub name: String,
    pub label: String,
}

/// Renders the relaxations that help most, each with its number of rows if that is known. `noun` is what a row is
/// called. `on_accept` receives the index of a relaxation.
///
/// A count or a name that arrives changes texts, and hides buttons that do not help. It never replaces a button or moves
/// it down, because a click on a button that is gone between press and release is lost.
pub fn relaxations(
    noun: &'static str,
    offers: Signal<Vec<RelaxationOffer>>,
    counts: Signal<Vec<Option<u64>>>,
    on_accept: Callback<usize>,
) -> impl Fn() -> Option<El> + 'static {
    let counts = memo(move |_| {
        let (expected, counts) = (offers.with(Vec::len), counts.get());
        // Until counting is done, the counts may belong to the previous relaxations.
        if counts.len() == expected {
            counts
        } else {
            vec![None; expected]
        }
    });
    let order = memo(move |_| counts.with(|counts| ranked(counts)));
    let count_of = move |index: usize| counts.with(|counts| counts.get(index).copied().flatten());
    let text = move || {
        let best = order.with(|order| order.first().copied());
        let name = |index: usize| offers.with(|all| all.get(index).map(|offer| offer.name.clone()));
        best.and_then(|best| Some(explanation(&name(best)?, count_of(best), noun)))
            .unwrap_or_default()
    };
    let labels = memo(move |_| {
        let label = |offer: &RelaxationOffer| offer.label.clone();
        offers.with(|all| all.iter().map(label).collect::<Vec<_>>())
    });
    move || {
        let buttons = labels.get().into_iter().enumerate().map(|(index, label)| {
            let rank = move || order.with(|order| order.iter().position(|other| *other == index));
            let label = move || match count_of(index) {
                Some(count) => [&label, " (", &format::number(count), ")"].concat(),
                None => label.clone(),
            };
            button()
                .attr("class", move || {
                    if rank() == Some(0) { "main" } else { "" }.to_owned()
                })
                .prop("hidden", move || {
                    rank().is_none_or(|rank| rank >= MAX_RELAXATIONS).into()
                })
                .child(label)
                .on(ev::click, move |_| on_accept.run(index))
        });
        let buttons = div().class("buttons").children(buttons);
        Some(
            div()
                .class("relaxations")
                .child(buttons)
                .child(p().child(text)),
        )
    }
}

/// Says what excludes the rows. `count` is the number of rows without that condition, if it is known.
fn explanation(name: &str, count: Option<u64>, noun: &str) -> String {
    match count {
        Some(0) => "Removing one filter is not enough. Remove several, or clear all.".to_owned(),
        Some(count) => {
            let rows = format::count(count, noun);
            let verb = if count == 1 { "matches" } else { "match" };
            format!("{name} excludes all results. Without it, {rows} {verb}.")
        }
        None => format!("{name} excludes all results. Remove it."),
    }
}
