//! A score from 0 to 100, as a bar and a number.

use super::markup::{Markup, Text};

/// Where there is no score.
const NONE: &str = "–";

/// The bar is for the eye only; the number says it all. None where there is no score.
pub fn score(score: Option<f64>) -> Markup {
    let Some(score) = score else {
        return Markup::classed("span", "none").text(NONE);
    };
    let score = whole(score);
    Markup::classed("span", "score")
        .child(gauge(&score))
        .child(Markup::new("b").text(score))
}

/// The number alone.
pub fn text(score: Option<f64>) -> Text {
    score.map_or(NONE.into(), |score| whole(score).into())
}

/// The same, after what it was before where it was given anew.
pub fn rescored(now: Option<f64>, was: Option<f64>) -> Markup {
    let shown = score(now);
    let Some(was) = was else { return shown };
    Markup::classed("span", "rescored")
        .child(Markup::classed("span", "heard").text("was "))
        .child(Markup::classed("span", "was").text(whole(was)))
        .child(Markup::new("i").attr("aria-hidden", "true").text("→"))
        .child(shown)
}

/// Whole numbers: a tenth of a point makes no difference to a decision.
fn whole(score: f64) -> String {
    (score.round().clamp(0.0, 100.0) as u8).to_string()
}

/// A bar, filled to so many hundredths. For the eye only.
pub fn gauge(percent: &str) -> Markup {
    Markup::classed("i", "gauge").attr("--v", [percent, "%"].concat())
}
