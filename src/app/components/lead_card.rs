//! A lead as a card for phones: the details on top, two large buttons at the bottom.

use super::avatar::avatar;
use super::format;
use super::lead_row::{
    LeadRowProps, bold, cell, checkbox, decide, failure_line, frame, profile_link, state,
};
use super::markup::Markup;
use super::score_badge::rescored;
use crate::app::model::lead_detail::Score;

/// Renders a card: the same row of the same grid, in another shape.
pub fn lead_card(shown: &LeadRowProps<'_>) -> Markup {
    let lead = shown.lead;
    let tier = lead.tier.clone().map(|tier| {
        Markup::new("span")
            .class("tier")
            .text("Tier ")
            .child(Markup::new("b").text(tier))
    });
    let fit = Markup::new("div")
        .class("fit")
        .child(Markup::new("span").text("ICP score"))
        .child(rescored(lead.score, lead.previous_score))
        .children(tier);
    let score = Score::of_item(lead);
    // The reasons have these facts already.
    let is_new = |fact: &str| score.parts.iter().all(|part| part.name != fact);
    let size = lead.company_size.as_deref().map(format::people);
    let ago = lead.intent_at.as_deref().map(format::ago);
    let signal = lead.intent.as_deref().map(|intent| match &ago {
        Some(ago) => [intent, ", ", ago].concat(),
        None => intent.to_owned(),
    });
    let facts = [
        ("Company", lead.company.as_deref()),
        ("Industry", lead.industry.as_deref()),
        ("Size", size.as_deref()),
        ("Location", lead.location.as_deref()),
        ("Last signal", signal.as_deref()),
        ("Headline", lead.headline.as_deref()),
    ];
    let facts = facts.into_iter().filter(|(term, _)| is_new(term));
    let facts = facts.filter_map(|(term, text)| {
        let text = Markup::new("dd").text(text?.to_owned());
        Some([Markup::new("dt").text(term), text])
    });
    // These cells scroll on low screens, so they must be reachable by keyboard. Only those in view are: otherwise the
    // Tab key would scroll from card to card and never leave the grid.
    let tabs = if shown.in_view { "0" } else { "-1" };
    let scrolls = |class| cell(class).attr("tabindex", tabs);
    let failure = shown.failure.as_ref();
    frame("card", shown)
        .child(cell("check").child(checkbox(&lead.name, shown.selected)))
        .child(
            cell("who")
                .child(avatar(&lead.initials, lead.picture.as_deref()))
                .child(bold(&lead.name))
                .children(lead.profile.as_deref().map(|href| profile_link(href, lead))),
        )
        .child(cell("sub").text(lead.title.clone().unwrap_or_default()))
        .child(state(&shown.status, shown.phase, shown.is_paused))
        .child(scrolls("why").child(fit).children(reasons(&score)))
        .child(scrolls("facts").child(Markup::new("dl").children(facts.flatten())))
        .child(
            cell("act")
                .children(
                    failure.map(|(reason, wanted)| failure_line(reason, *wanted, shown.phase)),
                )
                .children(decide(&lead.name, &shown.status)),
        )
}

/// Renders a line for each part of the score, the least complete last, or the reasoning if it has no parts.
fn reasons(score: &Score) -> Option<Markup> {
    if score.parts.is_empty() {
        return Some(Markup::new("p").text(score.reasoning.clone()?));
    }
    let lines = score.by_missing().into_iter().map(|part| {
        let is_complete = part.missing == 0;
        let reason = score.reason(part);
        let when = reason.when.map(format::days_since).unwrap_or_default();
        let points = part.points.to_string();
        let points = match is_complete {
            true => points,
            false => [&*points, "/", &part.max.to_string()].concat(),
        };
        Markup::new("li")
            .class(if is_complete { "full" } else { "less" })
            .attr("--v", [&*part.percent.to_string(), "%"].concat())
            .child(Markup::new("span").text(part.name.clone()))
            .child(Markup::new("span").text([reason.before, &when, reason.after].concat()))
            .child(Markup::new("b").text(points))
    });
    Some(Markup::new("ul").class("card-reasons").children(lines))
}
