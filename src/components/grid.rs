//! The grid: a header to sort by, and keyed rows below it.

use std::rc::Rc;

use lead_workspace_api::SortDir;
use leptos::prelude::*;

use super::dom::{Action, El, KeyedRow, Reader, button, classed, drawn, effect};

/// How many rows a skeleton has: enough for a tall screen.
const GHOSTS: usize = 24;

/// A column of a grid.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The word on the header.
    pub label: &'static str,
    /// What a click on the header sorts by.
    pub sort: Option<&'static str>,
    /// Whether the column holds numbers, which stand to the right.
    pub number: bool,
}

impl Column {
    /// A column of texts.
    pub const fn text(label: &'static str, sort: &'static str) -> Self {
        Self {
            label,
            sort: Some(sort),
            number: false,
        }
    }

    /// A column of numbers.
    pub const fn number(label: &'static str, sort: &'static str) -> Self {
        Self {
            label,
            sort: Some(sort),
            number: true,
        }
    }

    /// A column that nothing sorts by. Its label is only heard.
    pub const fn silent(label: &'static str) -> Self {
        Self {
            label,
            sort: None,
            number: false,
        }
    }
}

/// What a grid shows.
#[derive(Clone)]
pub struct Grid {
    /// Its name.
    pub label: &'static str,
    /// The columns, in the order of a row's cells.
    pub columns: &'static [Column],
    /// The column and the direction of the sort.
    pub sort: Reader<(&'static str, SortDir)>,
    /// A click on a header.
    pub on_sort: Action<&'static str>,
    /// The rows of the page.
    pub rows: Reader<Vec<KeyedRow>>,
    /// How many rows the whole list has.
    pub total: Reader<u64>,
    /// Whether other rows are on their way.
    pub busy: Reader<bool>,
    /// Whether these are the first rows ever: then a skeleton stands in.
    pub blank: Reader<bool>,
    /// What is shown; another place begins at its top.
    pub place: Memo<String>,
}

/// A grid over one page of a list. The kind is for the style sheet: the widths of the columns.
pub fn grid(kind: &str, grid: Grid) -> El {
    let Grid {
        label,
        columns,
        sort,
        on_sort,
        rows,
        total,
        busy,
        blank,
        place,
    } = grid;
    let header = columns.iter().map(|column| header(column, &sort, &on_sort));
    let head = classed("div", "row")
        .attr("role", "row")
        .attr("aria-rowindex", "1")
        .els(header);
    let body = classed("div", "body")
        .attr("role", "rowgroup")
        .rows_of(Rc::clone(&rows))
        .el_of(move || blank().then(|| ghosts(columns.len())));
    let el = classed("div", "grid")
        .attr("role", "grid")
        .attr("aria-label", label)
        .attr("data-kind", kind)
        .attr("aria-colcount", &columns.len().to_string())
        .attr_of("aria-rowcount", move || (total() + 1).to_string())
        .attr_of("aria-busy", {
            let busy = Rc::clone(&busy);
            move || busy().to_string()
        })
        .el(classed("div", "head").attr("role", "rowgroup").el(head))
        .el(body);
    let node = el.node();
    let shown = StoredValue::new(place.get_untracked());
    effect(move || {
        rows();
        let here = place.get();
        if !busy() && shown.get_value() != here {
            shown.set_value(here);
            node.set_scroll_top(0);
        }
    });
    el
}

fn header(
    column: &'static Column,
    sort: &Reader<(&'static str, SortDir)>,
    on_sort: &Action<&'static str>,
) -> El {
    let class = if column.number { "number" } else { "" };
    let header = classed("div", class).attr("role", "columnheader");
    let Some(by) = column.sort else {
        return header.el(classed("span", "heard").text(column.label));
    };
    let (sort, on_sort) = (Rc::clone(sort), Rc::clone(on_sort));
    header
        .attr_of("aria-sort", move || {
            let direction = match sort() {
                (column, SortDir::Asc) if column == by => "ascending",
                (column, SortDir::Desc) if column == by => "descending",
                _ => "none",
            };
            direction.to_owned()
        })
        .el(button("", column.label).on("click", move |_| on_sort(by)))
}

/// Stands where the first rows will be. The style sheet shows it only after a moment.
fn ghosts(columns: usize) -> El {
    let cells = "<div><i></i></div>".repeat(columns);
    let row = format!(r#"<div class="row ghost">{cells}</div>"#).repeat(GHOSTS);
    drawn(&format!(
        r#"<div class="ghosts" aria-hidden="true">{row}</div>"#
    ))
}
