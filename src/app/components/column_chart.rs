//! Columns as SVG with labels below them. A sentence replaces all of it for screen readers.

use super::dom::{El, div, span, svg_element};
use crate::app::model::insights::column_chart::{HEIGHT, WIDTH, columns};

/// A column chart to render.
pub struct ColumnChart<'a> {
    /// Name of its colors in the style sheet.
    pub class: &'a str,
    pub description: &'a str,
    /// Parts of each column, from the bottom up.
    pub values: &'a [[u64; 2]],
    /// Labels below the columns.
    pub labels: &'a [String],
    /// A line at so many percent of the width, with its words.
    pub mark: Option<(u64, String)>,
}

pub fn column_chart(chart: ColumnChart<'_>) -> El {
    const CLASSES: [&str; 2] = ["first", "second"];
    let columns = columns(chart.values);
    let parts = columns.iter().flat_map(|parts| {
        parts.iter().zip(CLASSES).map(|(part, class)| {
            svg_element("rect")
                .class(class)
                .attr("x", part.left.to_string())
                .attr("y", part.top.to_string())
                .attr("width", part.width.to_string())
                .attr("height", part.height.to_string())
        })
    });
    let (width, height) = (WIDTH.to_string(), HEIGHT.to_string());
    let svg = svg_element("svg")
        .attr("role", "img")
        .attr("aria-label", chart.description)
        .attr("preserveAspectRatio", "none")
        .attr("viewBox", ["0 0 ", &width, " ", &height].concat())
        .children(parts);
    let mark = chart.mark.map(|(percent, words)| {
        let side = if percent > 60 { "mark before" } else { "mark" };
        div()
            .class(side)
            .attr("aria-hidden", "true")
            .style("--at", move || [&*percent.to_string(), "%"].concat())
            .child(span().child(&words))
    });
    let labels = chart.labels.iter().map(|label| span().child(label));
    let labels = div()
        .class("labels")
        .attr("aria-hidden", "true")
        .children(labels);
    div()
        .class(["column-chart ", chart.class].concat())
        .child(svg)
        .child(mark)
        .child(labels)
}
