//! The cells that rows and cards of leads and accounts share.

use super::format;
use super::markup::Markup;
use super::score_badge::{rescored, text as score_text};

pub fn cell(class: &'static str) -> Markup {
    let class = Some(class).filter(|class| !class.is_empty());
    Markup::new("div")
        .attr("role", "gridcell")
        .attr_opt("class", class)
}

pub fn text(text: Option<&str>) -> Markup {
    cell("sub").text(text.unwrap_or_default().to_owned())
}

pub fn date(date: Option<&str>) -> Markup {
    cell("sub date").text(date.map(format::date).unwrap_or_default())
}

/// Renders a score cell with the reasoning as its tooltip. The style sheet draws a bar of the length `--v`, unless the
/// previous score is in its place.
pub fn points(now: Option<f64>, was: Option<f64>, why: Option<String>) -> Markup {
    let cell = cell("points").attr_opt("title", why);
    if was.is_some() {
        return cell.child(rescored(now, was));
    }
    let score = score_text(now);
    let length = now.map(|_| [&*score, "%"].concat());
    cell.attr_opt("--v", length).text(score)
}

/// Renders the score; the style sheet adds the tier before it.
pub fn fit(score: Markup, tier: Option<&str>) -> Markup {
    score.attr_opt("data-tier", tier.map(str::to_owned))
}

/// Renders the checkbox that selects the row. The grid handles its clicks, including modifier keys.
pub fn checkbox(name: &str, selected: bool) -> Markup {
    Markup::new("input")
        .attr("type", "checkbox")
        .attr("tabindex", "-1")
        .attr("data-checkbox", "")
        .attr("aria-label", ["Select ", name].concat())
        .flag("checked", selected)
}

pub fn named(name: &str) -> Markup {
    cell("who").child(bold(name))
}

/// Renders a name in bold. With `dir="auto"`, a right-to-left name is truncated at its own end.
pub fn bold(name: &str) -> Markup {
    Markup::new("b").attr("dir", "auto").text(name.to_owned())
}
