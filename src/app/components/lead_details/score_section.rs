//! Fit of a lead or an account: the best score with its parts, then the other scores.

use std::rc::Rc;

use leptos::ev;

use super::fields::{ago, heading_line, in_steps, nothing, text};
use crate::app::components::dom::{El, b, button, details, div, li, p, section, span, summary, ul};
use crate::app::components::format;
use crate::app::components::markup::Markup;
use crate::app::model::lead_detail::{Score, ScoreCriterion};
use crate::app::reactive::RwSignal;

/// Number of other scores shown at a time.
const STEP: usize = 10;

/// Renders the first of the scores, and the others collapsed below it.
pub fn fit(scores: &[Score]) -> El {
    let card = section().class("fit-section");
    let Some(best) = scores.first() else {
        return card
            .child(heading_line("Fit", None))
            .child(nothing("Not scored yet."));
    };
    let is_open = RwSignal::new(false);
    let all = (!best.parts.is_empty()).then(|| {
        button()
            .class("link all-reasons")
            .child(move || {
                if is_open.get() {
                    "Show less"
                } else {
                    "All reasons"
                }
                .to_owned()
            })
            .attr("aria-expanded", move || is_open.get().to_string())
            .on(ev::click, move |_| is_open.update(|is| *is = !*is))
    });
    let card = card
        .attr("data-open", move || is_open.get().to_string())
        .child(heading_line(
            "Fit",
            grade(best.tier.as_deref(), best.points),
        ))
        .child((!best.parts.is_empty()).then(|| parts(best)))
        .children(missing(best))
        .child(reasons(best))
        .child(div().class("split-line").child(source(best)).child(all));
    let others = scores.len() - 1;
    if others == 0 {
        return card;
    }
    let scores: Rc<[Score]> = scores.into();
    let draw = move |from: usize| {
        let left = &scores[(from + 1).min(scores.len())..];
        let list = ul()
            .class("others")
            .children(left.iter().take(STEP).map(other));
        (list, left.len())
    };
    let label = match others {
        1 => "1 other score".to_owned(),
        many => format!("{many} other scores"),
    };
    card.child(
        details()
            .child(summary().child(&label))
            .child(in_steps(STEP, 0, Rc::new(draw))),
    )
}

/// Renders tier and points.
pub fn grade(tier: Option<&str>, points: Option<f64>) -> Option<El> {
    let points = points.map(|points| {
        let points = points.round().clamp(0.0, 100.0) as u8;
        points.to_string()
    });
    let label = [
        tier.map(|tier| ["Tier ", tier].concat()),
        points.as_ref().map(|points| [points, " of 100"].concat()),
    ];
    let label: Vec<String> = label.into_iter().flatten().collect();
    (!label.is_empty()).then(|| {
        span()
            .class("grade")
            .attr("role", "img")
            .attr("aria-label", label.join(", "))
            .child(tier.map(|tier| b().class("letter").attr("data-tier", tier).child(tier)))
            .child(points.map(|points| b().child(points)))
    })
}

/// Renders the parts as one line. A part is as wide as its maximum and filled as far as it has points.
fn parts(score: &Score) -> Markup {
    let parts = score.parts.iter().map(|part| {
        let item = Markup::new("li")
            .attr("--m", part.max.to_string())
            .attr("--v", [&*part.percent.to_string(), "%"].concat());
        match part.missing {
            0 => item.text(part.name.clone()),
            _ => item.class("less").text(
                [
                    &*part.name,
                    " ",
                    &part.points.to_string(),
                    "/",
                    &part.max.to_string(),
                ]
                .concat(),
            ),
        }
    });
    Markup::new("ol")
        .class("parts")
        .attr("aria-label", "Points for each part")
        .children(parts)
}

/// Renders a sentence for each part with missing points, most points first.
fn missing(score: &Score) -> Vec<El> {
    let parts = score.by_missing();
    let incomplete = parts.into_iter().rev().filter(|part| part.missing > 0);
    let sentences = incomplete.map(|part| {
        let missing = format::count(u64::from(part.missing), "point");
        p().class("short")
            .child(b().child([&*part.name, ", ", &missing, " missing:"].concat()))
            .child(" ")
            .child(reason(score, part))
    });
    sentences.collect()
}

/// Renders each part as a line, the least complete last, or the reasoning if there are no parts.
fn reasons(score: &Score) -> El {
    if score.parts.is_empty() {
        let reasoning = score.reasoning.as_deref();
        return reasoning.map_or_else(
            || nothing("No reasons given."),
            |reasoning| text("p", reasoning),
        );
    }
    let lines = score.by_missing().into_iter().map(|part| {
        let points = b()
            .child(part.points.to_string())
            .child((part.missing > 0).then(|| ["/", &part.max.to_string()].concat()));
        li().class(if part.missing > 0 { "less" } else { "" })
            .child(span().child(&part.name))
            .child(reason(score, part))
            .child(points)
    });
    ul().class("reasons").children(lines)
}

/// Renders the explanation of a part. An age in it is relative to now.
fn reason(score: &Score, part: &ScoreCriterion) -> El {
    span().child(format::reason(&part.text, score.scored.as_deref()))
}

/// Renders the list that the score was given for, and when.
fn source(score: &Score) -> El {
    let scored = p().class("fine");
    let scored = match score.list.as_deref() {
        Some(list) => scored
            .child("Scored for ")
            .child(b().child(list))
            .child(" "),
        None => scored.child(score.scored.as_ref().map(|_| "Scored ")),
    };
    scored.child(score.scored.as_deref().map(ago))
}

fn other(score: &Score) -> El {
    let head = div()
        .class("split-line")
        .child(span().child(score.list.as_deref().unwrap_or("Outside any list")))
        .child(grade(score.tier.as_deref(), score.points));
    let when = score.scored.as_deref();
    let when = when.map(|when| p().class("fine").child("Scored ").child(ago(when)));
    li().child(head).child(reasons(score)).child(when)
}
