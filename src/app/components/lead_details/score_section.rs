//! Why a lead fits: the best score with its parts as bars, then the other scores.

use std::rc::Rc;

use super::fields::{ago, in_steps, nothing, text, titled_section};
use crate::app::components::dom::{El, b, details, element, li, p, small, span, ul};
use crate::app::components::score_badge::gauge;
use crate::app::model::lead_detail::Score;

/// Number of other scores shown at a time.
const STEP: usize = 10;

/// Renders the first of the scores, and the others collapsed below it.
pub fn why(scores: &[Score]) -> El {
    let card = titled_section("why", "Why this fits");
    let Some(best) = scores.first() else {
        return card.child(nothing("Not scored yet."));
    };
    let card = card.children(reasons(best)).child(source(best));
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
    let summary = match others {
        1 => "1 other score".to_owned(),
        many => format!("{many} other scores"),
    };
    card.child(
        details()
            .child(element("summary").child(&summary))
            .child(in_steps(STEP, 0, Rc::new(draw))),
    )
}

/// Renders the parts of a score as bars, or the reasoning if there are none.
fn reasons(score: &Score) -> Vec<El> {
    if score.parts.is_empty() {
        let line = score.reasoning.as_deref();
        return vec![line.map_or_else(|| nothing("No reasons given."), |line| text("p", line))];
    }
    let parts = score.parts.iter().map(|part| {
        let points = b()
            .child(part.points.to_string())
            .child(span().class("visually-hidden").child(" of "))
            .child(small().class("of").child(part.max.to_string()));
        li().child(span().child(&part.name))
            .child(gauge(&part.percent.to_string()))
            .child(points)
            .child(p().child(&part.text))
    });
    vec![ul().class("bars").children(parts)]
}

/// Renders the list that the score was given for, and when.
fn source(score: &Score) -> Option<El> {
    let list = score.list.as_deref();
    let when = score.scored.as_deref();
    if list.is_none() && when.is_none() {
        return None;
    }
    let line = p().class("fine").child("Scored");
    let line = match list {
        Some(list) => line.child(" for ").child(b().child(list)),
        None => line,
    };
    Some(match when {
        Some(when) => line.child(" ").child(ago(when)),
        None => line,
    })
}

fn other(score: &Score) -> El {
    let points = score.points.map(|points| {
        let points = points.round().clamp(0.0, 100.0) as u8;
        b().child(points.to_string())
    });
    let tier = score.tier.as_deref().map(|tier| format!(" tier {tier}"));
    let head = p()
        .class("line")
        .child(span().child(score.list.as_deref().unwrap_or("Outside any list")))
        .child(
            span()
                .class("figure")
                .child(points)
                .child(tier.as_deref().unwrap_or_default()),
        );
    li().child(head).children(reasons(score)).child(
        score
            .scored
            .as_deref()
            .map(|when| p().class("fine").child("Scored ").child(ago(when))),
    )
}
