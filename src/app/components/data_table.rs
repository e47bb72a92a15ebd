//! The data of a chart as a table.

use super::dom::{El, caption, element, tbody, td, th, thead, tr};

/// Renders a table of names and figures. A missing figure is shown as a dash.
pub fn data_table<const N: usize, const M: usize>(
    title: &str,
    head: [&str; M],
    rows: impl IntoIterator<Item = (String, [Option<String>; N])>,
) -> El {
    let heads = head.map(|head| th().attr("scope", "col").child(head));
    let rows = rows.into_iter().map(|(name, figures)| {
        let figures = figures.map(|figure| td().child(figure.as_deref().unwrap_or("–")));
        tr().child(th().attr("scope", "row").child(&name))
            .children(figures)
    });
    element("table")
        .child(caption().class("visually-hidden").child(title))
        .child(thead().child(tr().children(heads)))
        .child(tbody().children(rows))
}
