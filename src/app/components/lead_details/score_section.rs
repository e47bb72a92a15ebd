//! Why a lead fits: the best score with its parts as bars, then the other scores.

use std::rc::Rc;

use super::fields::{ago, in_steps, nothing, section, text};
use crate::app::components::dom::{El, classed, el};
use crate::app::components::score_badge::gauge;
use crate::app::model::lead_detail::Score;

/// Number of other scores shown at a time.
const STEP: usize = 10;

/// Renders the first of the scores, and the others collapsed below it.
pub fn why(scores: &[Score]) -> El {
    let card = section("why", "Why this fits");
    let Some(best) = scores.first() else {
        return card.el(nothing("Not scored yet."));
    };
    let card = card.els(reasons(best)).el_opt(source(best));
    let others = scores.len() - 1;
    if others == 0 {
        return card;
    }
    let scores: Rc<[Score]> = scores.into();
    let draw = move |from: usize| {
        let left = &scores[(from + 1).min(scores.len())..];
        let list = classed("ul", "others").els(left.iter().take(STEP).map(other));
        (list, left.len())
    };
    let summary = match others {
        1 => "1 other score".to_owned(),
        many => format!("{many} other scores"),
    };
    card.el(el("details")
        .el(el("summary").text(&summary))
        .el(in_steps(STEP, 0, Rc::new(draw))))
}

/// Renders the parts of a score as bars, or the reasoning if there are none.
fn reasons(score: &Score) -> Vec<El> {
    if score.parts.is_empty() {
        let said = score.reasoning.as_deref();
        return vec![said.map_or_else(|| nothing("No reasons given."), |said| text("p", said))];
    }
    let parts = score.parts.iter().map(|part| {
        let points = el("b")
            .text(&part.points.to_string())
            .el(classed("span", "heard").text(" of "))
            .el(classed("small", "of").text(&part.max.to_string()));
        el("li")
            .el(el("span").text(&part.name))
            .el(gauge(&part.percent.to_string()).into())
            .el(points)
            .el(el("p").text(&part.text))
    });
    vec![classed("ul", "bars").els(parts)]
}

/// Renders the list that the score was given for, and when.
fn source(score: &Score) -> Option<El> {
    let list = score.list.as_deref();
    let when = score.scored.as_deref();
    if list.is_none() && when.is_none() {
        return None;
    }
    let said = classed("p", "fine").text("Scored");
    let said = match list {
        Some(list) => said.text(" for ").el(el("b").text(list)),
        None => said,
    };
    Some(match when {
        Some(when) => said.text(" ").el(ago(when)),
        None => said,
    })
}

fn other(score: &Score) -> El {
    let points = score.points.map(|points| {
        let points = points.round().clamp(0.0, 100.0) as u8;
        el("b").text(&points.to_string())
    });
    let tier = score.tier.as_deref().map(|tier| format!(" tier {tier}"));
    let head = classed("p", "line")
        .el(el("span").text(score.list.as_deref().unwrap_or("Outside any list")))
        .el(classed("span", "figure")
            .el_opt(points)
            .text(tier.as_deref().unwrap_or_default()));
    el("li").el(head).els(reasons(score)).el_opt(
        score
            .scored
            .as_deref()
            .map(|when| classed("p", "fine").text("Scored ").el(ago(when))),
    )
}
