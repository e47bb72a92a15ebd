//! No rows, since something stands in the way: which of it to give up.

use super::dom::{Action, El, Reader, button, classed, el};
use super::format;
use crate::model::relax::ranked;

/// How many ways are offered.
const OFFERED: usize = 3;

/// A way to more rows.
pub struct Offer {
    /// What stands in the way, within a sentence.
    pub name: String,
    /// What the button says.
    pub label: String,
    /// It is wanted.
    pub on_go: Action<()>,
}

/// The ways that help most, each with how many rows (of this noun) it leads to as far as that is
/// known.
pub fn ways(
    noun: &'static str,
    offers: Reader<Vec<Offer>>,
    counts: Reader<Vec<Option<u64>>>,
) -> impl Fn() -> Option<El> + 'static {
    move || {
        let (offers, counts) = (offers(), counts());
        // The counts are those of the ways before until they are weighed.
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
                format!("{name} leaves nothing: without it, {rows} {verb}.")
            }
            Some((_, Some(_))) => {
                "No single one of them is to blame. Relax the latest, or clear all.".to_owned()
            }
            Some((name, None)) => format!("{name} leaves nothing. Relax it."),
            None => String::new(),
        };
        let offered = order.iter().take(OFFERED).filter_map(|index| {
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
            let go = Action::clone(&offer.on_go);
            Some(button(class, &label).on("click", move |_| go(())))
        });
        let buttons = classed("div", "buttons").els(offered);
        Some(classed("div", "ways").el(el("p").text(&text)).el(buttons))
    }
}
