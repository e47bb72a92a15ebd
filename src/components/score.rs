//! A score from 0 to 100, as a bar and a number.

use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::dom::{El, classed, el};

/// The bar is for the eye only; the number says it all. None where there is no score.
pub fn score(score: Option<f64>) -> El {
    let Some(score) = score else {
        return classed("span", "none").text("–");
    };
    // Whole numbers: nobody decides by a tenth.
    let score = (score.round().clamp(0.0, 100.0) as u8).to_string();
    let gauge = gauge(&score);
    classed("span", "score").el(gauge).el(el("b").text(&score))
}

/// The same, after what it was before where it was given anew.
pub fn rescored(now: Option<f64>, was: Option<f64>) -> El {
    let shown = score(now);
    let Some(was) = was else { return shown };
    let was = (was.round().clamp(0.0, 100.0) as u8).to_string();
    classed("span", "rescored")
        .el(classed("span", "heard").text("was "))
        .el(classed("span", "was").text(&was))
        .el(el("i").attr("aria-hidden", "true").text("→"))
        .el(shown)
}

/// A bar, filled to so many hundredths. For the eye only.
pub fn gauge(percent: &str) -> El {
    let gauge = classed("i", "gauge");
    // By the object model: the page's policy forbids style attributes.
    let style = gauge.node().unchecked_into::<HtmlElement>().style();
    let _ = style.set_property("--v", &format!("{percent}%"));
    gauge
}
