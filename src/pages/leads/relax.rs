//! No rows, since filters stand in the way: which of them to relax.

use super::PATH;
use super::chips::named;
use crate::components::dom::{El, button, classed, effect, el};
use crate::components::format;
use crate::components::plate::{Mood, plate};
use crate::model::relax::{Culprit, Way, ranked, ways};
use crate::model::view::LeadsView;
use crate::signal::Memo;
use crate::state::Workspace;

/// How many ways are offered.
const OFFERED: usize = 3;

/// In place of the rows. Each filter is taken away in thought, and its leads are counted.
pub fn relax(workspace: Workspace) -> El {
    let (nav, facets) = (workspace.nav, workspace.facets);
    let query = nav.query();
    let view = Memo::new(move |_| query.with(|query| LeadsView::from_query(query)));
    let all = Memo::new(move |_| view.with(ways));
    effect(move || facets.weigh(all.get()));
    let said = move || {
        let counts = facets.ways.get();
        let (view, all) = (view.get(), all.get());
        // The counts are those of the ways before until they are weighed.
        let counts = if counts.len() == all.len() {
            counts
        } else {
            vec![None; all.len()]
        };
        let order = ranked(&counts);
        let best = order
            .first()
            .and_then(|best| Some((all.get(*best)?, counts[*best])));
        let text = match best {
            Some((way, Some(count))) if count > 0 => {
                let name = name(workspace, &view, way);
                let leads = format::count(count, "lead");
                let verb = if count == 1 { "matches" } else { "match" };
                format!("{name} leaves nothing: without it, {leads} {verb}.")
            }
            Some((_, Some(_))) => {
                "No single one of them is to blame. Relax the latest, or clear all.".to_owned()
            }
            Some((way, None)) => {
                format!("{} leaves nothing. Relax it.", name(workspace, &view, way))
            }
            None => String::new(),
        };
        let offered = order.iter().take(OFFERED).filter_map(|index| {
            let (way, count) = (all.get(*index)?, counts[*index]);
            let label = label(workspace, &view, way);
            let label = match count {
                Some(count) => [&label, " (", &format::number(count), ")"].concat(),
                None => label,
            };
            let class = if Some(index) == order.first() {
                "main"
            } else {
                ""
            };
            let to = way.view.to_query();
            Some(button(class, &label).on("click", move |_| nav.go(PATH, &to)))
        });
        let buttons = classed("div", "buttons").els(offered);
        Some(classed("div", "ways").el(el("p").text(&text)).el(buttons))
    };
    plate(Mood::Calm, "No lead matches all of these filters", "").el_of(said)
}

fn name(workspace: Workspace, view: &LeadsView, way: &Way) -> String {
    match way.culprit {
        Culprit::Part(part) => {
            let (label, value) = named(workspace.facets, &view.filters, part);
            ["“", &label, " ", &value, "”"].concat()
        }
        Culprit::Search => ["The search “", view.table.search.trim(), "”"].concat(),
        Culprit::Tab => ["The tab “", view.tab.label(), "”"].concat(),
    }
}

fn label(workspace: Workspace, view: &LeadsView, way: &Way) -> String {
    match way.culprit {
        Culprit::Part(part) => {
            let (label, _) = named(workspace.facets, &view.filters, part);
            ["Remove ", &label].concat()
        }
        Culprit::Search => "Clear the search".to_owned(),
        Culprit::Tab => "Look in all leads".to_owned(),
    }
}
