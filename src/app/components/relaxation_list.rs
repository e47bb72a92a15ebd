//! Relaxations of the query of an empty list: what to drop so that rows match.

use leptos::ev;
use leptos::prelude::*;

use super::dom::{El, button, div, p};
use super::format;
use crate::app::model::relaxations::ranked;

/// Number of relaxations shown.
const MAX_RELAXATIONS: usize = 3;

/// A relaxation to drop one condition.
#[derive(Clone)]
pub struct RelaxationOffer {
    /// The condition that excludes the rows, as part of a sentence.
    pub name: String,
    pub label: String,
    pub on_accept: Callback<()>,
}

/// Renders the relaxations that help most, each with its number of rows if that is known. `noun` is what a row is
/// called.
pub fn relaxations(
    noun: &'static str,
    offers: Signal<Vec<RelaxationOffer>>,
    counts: Signal<Vec<Option<u64>>>,
) -> impl Fn() -> Option<El> + 'static {
    move || {
        let (offers, counts) = (offers.get(), counts.get());
        // Until counting is done, the counts may belong to the previous relaxations.
        let counts = if counts.len() == offers.len() {
            counts
        } else {
            vec![None; offers.len()]
        };
        let order = ranked(&counts);
        let best = order
            .first()
            .and_then(|best| Some((&offers.get(*best)?.name, counts[*best])));
        let text = match best {
            Some((name, Some(count))) if count > 0 => {
                let rows = format::count(count, noun);
                let verb = if count == 1 { "matches" } else { "match" };
                format!("{name} excludes all results. Without it, {rows} {verb}.")
            }
            Some((_, Some(_))) => {
                "Removing one filter is not enough. Remove several, or clear all.".to_owned()
            }
            Some((name, None)) => format!("{name} excludes all results. Remove it."),
            None => String::new(),
        };
        let offered = order.iter().take(MAX_RELAXATIONS).filter_map(|index| {
            let (offer, count) = (offers.get(*index)?, counts[*index]);
            let label = match count {
                Some(count) => [&offer.label, " (", &format::number(count), ")"].concat(),
                None => offer.label.clone(),
            };
            let class = if Some(index) == order.first() {
                "main"
            } else {
                ""
            };
            let on_accept = offer.on_accept;
            Some(
                button()
                    .class(class)
                    .child(&label)
                    .on(ev::click, move |_| on_accept.run(())),
            )
        });
        let buttons = div().class("buttons").children(offered);
        Some(
            div()
                .class("relaxations")
                .child(p().child(&text))
                .child(buttons),
        )
    }
}
