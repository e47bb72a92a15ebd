//! A score from 0 to 100, as a bar and a number.

use super::markup::{Markup, Text};

/// Shown if there is no score.
const NONE: &str = "–";

/// Renders a score, or a dash if there is none. The bar is decorative; the number is the information.
pub fn score(score: Option<f64>) -> Markup {
    let Some(score) = score else {
        return Markup::new("span").class("none").text(NONE);
    };
    let score = whole(score);
    Markup::new("span")
        .class("score")
        .child(gauge(&score))
        .child(Markup::new("b").text(score))
}

/// Returns the number without a bar.
pub fn text(score: Option<f64>) -> Text {
    score.map_or(NONE.into(), |score| whole(score).into())
}

/// Renders a score, after the previous value if it was scored again.
pub fn rescored(now: Option<f64>, was: Option<f64>) -> Markup {
    let shown = score(now);
    let Some(was) = was else { return shown };
    Markup::new("span")
        .class("rescored")
        .child(Markup::new("span").class("visually-hidden").text("was "))
        .child(Markup::new("span").class("previous-score").text(whole(was)))
        .child(Markup::new("i").attr("aria-hidden", "true").text("→"))
        .child(shown)
}

/// Rounds a score: a tenth of a point makes no difference to a decision.
fn whole(score: f64) -> String {
    (score.round().clamp(0.0, 100.0) as u8).to_string()
}

/// Renders a bar that is filled to `percent`. It is decorative.
pub fn gauge(percent: &str) -> Markup {
    Markup::new("i")
        .class("gauge")
        .attr("--v", [percent, "%"].concat())
}
