//! A lead as a card, for a phone: all that matters above, two large buttons under the thumb.

use std::rc::Rc;

use super::dom::{El, classed, el};
use super::format;
use super::lead_row::{Shown, cell, decide, frame, tick, trouble, who};
use super::score::rescored;
use super::status::status;

/// A card. The same row of the same grid, in another shape.
pub fn lead_card(shown: &Shown<'_>) -> El {
    let Shown {
        lead,
        standing,
        on_act,
        ..
    } = shown;
    let tier = lead
        .tier
        .as_deref()
        .map(|tier| classed("span", "tier").text("Tier ").el(el("b").text(tier)));
    let fit = classed("div", "fit")
        .el(el("span").text("ICP score"))
        .el(rescored(lead.score, lead.was))
        .el_opt(tier);
    let size = lead.company_size.as_deref().map(format::people);
    let created = lead.created.as_deref().map(format::date);
    let facts = [
        ("Company", lead.company.as_deref()),
        ("Industry", lead.industry.as_deref()),
        ("Size", size.as_deref()),
        ("Location", lead.location.as_deref()),
        ("Intent", lead.intent.as_deref()),
        ("Headline", lead.headline.as_deref()),
        ("Created", created.as_deref()),
    ];
    let facts = facts.into_iter().filter_map(|(term, text)| {
        let text = el("dd").text(text?);
        Some([el("dt").text(term), text])
    });
    // These scroll where the card is low, and are read with the keys, too: but only those in view, else
    // the Tab key would scroll from card to card, and never leave the grid.
    let scrolls = |class: &str| {
        let in_view = Rc::clone(&shown.in_view);
        cell(class).attr_of("tabindex", move || {
            if in_view() { "0" } else { "-1" }.to_owned()
        })
    };
    let card = frame("card", shown);
    card.el(cell("tick").el(tick(&lead.name, shown.selected)))
        .el(who(lead, lead.picture.as_deref()))
        .el(cell("sub").text(lead.title.as_deref().unwrap_or_default()))
        .el(cell("state").els(status(*standing)))
        .el(scrolls("why")
            .el(fit)
            .el_opt(lead.reasoning.as_deref().map(|why| el("p").text(why))))
        .el(scrolls("facts").el(el("dl").els(facts.flatten())))
        .el(cell("act")
            .el_of(trouble(*standing, &shown.failure, on_act))
            .els(decide(&lead.name, *standing, on_act)))
}
