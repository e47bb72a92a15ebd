//! A lead as a card for phones: the details on top, two large buttons at the bottom.

use lead_workspace_api::ScorePart;

use super::cells::{bold, cell, checkbox, fit, points};
use super::decision_cells::{decide, failure_line};
use super::lead_cells::{LeadRowProps, frame, initials, state_or_likelihood};
use super::markup::Markup;
use super::{format, icon};
use crate::app::model::lead::LeadItem;

/// Renders a card: the same row of the same grid, in another shape.
pub fn lead_card(shown: &LeadRowProps) -> Markup {
    let lead = &*shown.lead;
    let parts = lead.score_parts();
    // The reasons have these facts already.
    let is_new = |fact: &str| parts.iter().all(|part| part.name != fact);
    let size = lead.company_size.as_deref().map(format::people);
    let facts = [
        ("Industry", lead.industry.as_deref()),
        ("Size", size.as_deref()),
        ("Location", lead.location.as_deref()),
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
    let work = [lead.title.as_deref(), lead.company.as_deref()];
    let work: Vec<_> = work.into_iter().flatten().collect();
    let work = work.join(", ");
    frame("card", shown)
        .child(cell("check").child(checkbox(&lead.name, shown.selected)))
        .child(
            cell("who")
                .child(bold(&lead.name))
                .children(lead.profile.as_deref().map(|href| profile_link(href, lead))),
        )
        .child(fit(
            points(lead.score, lead.previous_score, None),
            lead.tier.as_deref(),
        ))
        .child(
            cell("sub")
                .attr_opt("data-initials", initials(lead))
                .child(Markup::new("span").text(work)),
        )
        .child(state_or_likelihood(shown))
        .child(
            scrolls("why")
                .children(signal(lead))
                .children(reasons(lead, &parts)),
        )
        .child(scrolls("facts").child(Markup::new("dl").children(facts.flatten())))
        .child(
            cell("act")
                .children(
                    failure.map(|(reason, wanted)| failure_line(reason, *wanted, shown.phase)),
                )
                .children(decide(&lead.name, &shown.status)),
        )
}

/// Renders a link to the profile, which is a safe URL. The Tab key skips it, because the grid is a single tab stop; the
/// details have the same link for the keyboard.
fn profile_link(href: &str, lead: &LeadItem) -> Markup {
    let label = ["Profile of ", &lead.name].concat();
    Markup::new("a")
        .class("external-link")
        .attr("href", href.to_owned())
        .attr("target", "_blank")
        .attr("rel", "noopener noreferrer")
        .attr("tabindex", "-1")
        .attr("aria-label", label.clone())
        .attr("title", label)
        .icon(icon::AWAY)
}

/// Renders the last signal and its age.
fn signal(lead: &LeadItem) -> Option<Markup> {
    let intent = lead.intent.clone()?;
    let ago = lead.intent_at.as_deref().map(format::ago);
    let signal = Markup::new("div")
        .class("card-signal")
        .child(Markup::new("span").text("Why now"))
        .children(ago.map(|ago| Markup::new("time").text(ago)))
        .child(Markup::new("b").text(intent));
    Some(signal)
}

/// Renders a line for each part of the score, the incomplete ones last, or the reasoning if it has no parts.
fn reasons(lead: &LeadItem, parts: &[ScorePart]) -> Option<Markup> {
    if parts.is_empty() {
        return Some(Markup::new("p").text(lead.reasoning.clone()?));
    }
    let scored = lead.scored.as_deref();
    let mut lines = Markup::new("ul").class("card-reasons");
    for is_complete in [true, false] {
        for part in parts {
            if (part.points >= part.max) == is_complete {
                lines = lines.child(reason_line(part, is_complete, scored));
            }
        }
    }
    Some(lines)
}

fn reason_line(part: &ScorePart, is_complete: bool, scored: Option<&str>) -> Markup {
    let points = part.points.to_string();
    let points = match is_complete {
        true => points,
        false => [&*points, "/", &part.max.to_string()].concat(),
    };
    let percent = part.points.saturating_mul(100) / part.max.max(1);
    Markup::new("li")
        .class(if is_complete { "full" } else { "less" })
        .attr("--v", [&*percent.to_string(), "%"].concat())
        .child(Markup::new("span").text(part.name.clone()))
        .child(Markup::new("span").text(format::reason(&part.text, scored)))
        .child(Markup::new("b").text(points))
}
