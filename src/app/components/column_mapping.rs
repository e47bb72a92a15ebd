//! Columns of an import file, and the fields that they are mapped to.

use lead_workspace_api::import::{CUSTOM, SKIP};
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlSelectElement;

use super::dom::{El, b, div, li, optgroup, option, select, span, ul};
use crate::app::model::import_report::{FileColumn, is_of_company, label};

/// Renders the columns. `fields` lists the possible targets. `on_set` is called with the index of a column and its
/// new target.
pub fn column_mapping(
    columns: &[FileColumn],
    fields: &[String],
    on_set: &Callback<(usize, String)>,
) -> El {
    let head = div()
        .class("head")
        .attr("aria-hidden", "true")
        .child(span().child("File column"))
        .child(span().child("Sample values"))
        .child(span().child("Import as"));
    let rows = columns
        .iter()
        .enumerate()
        .map(|(at, column)| row(at, column, fields, *on_set));
    div()
        .class("mapping")
        .child(head)
        .child(ul().attr("aria-label", "Columns").children(rows))
}

fn row(at: usize, column: &FileColumn, fields: &[String], on_set: Callback<(usize, String)>) -> El {
    let name = ["Import “", &column.header, "” as"].concat();
    let select = select().attr("aria-label", &name);
    let group = |title: &str, company: bool| {
        let fields = fields
            .iter()
            .filter(move |field| is_of_company(field) == company);
        optgroup()
            .attr("label", title)
            .children(fields.map(|field| column_option(field, &label(field), &column.to)))
    };
    let node: HtmlSelectElement = select.node().unchecked_into();
    let select = select
        .child(column_option(CUSTOM, "Extra data", &column.to))
        .child(column_option(SKIP, "Skip", &column.to))
        .child(group("Lead", false))
        .child(group("Company", true));
    let row = li().attr("data-use", use_of(&column.to));
    let shown = row.node();
    let select = select.on(ev::change, move |_| {
        let to = node.value();
        // The row is not rendered again, so that the select keeps the focus.
        let _ = shown.set_attribute("data-use", use_of(&to));
        on_set.run((at, to));
    });
    let values = match column.values.as_slice() {
        [] => span().class("values none").child("empty in the first rows"),
        values => span().class("values").child(values.join(" · ")),
    };
    row.child(b().attr("title", &column.header).child(&column.header))
        .child(values)
        .child(select)
}

fn use_of(to: &str) -> &'static str {
    match to {
        CUSTOM => "custom",
        SKIP => "skip",
        _ => "field",
    }
}

fn column_option(value: &str, label: &str, chosen: &str) -> El {
    let selected = (value == chosen).then_some("");
    option()
        .attr("value", value)
        .attr("selected", selected)
        .child(label)
}
