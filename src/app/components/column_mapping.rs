//! Columns of an import file, and the fields that they are mapped to.

use lead_workspace_api::import::{CUSTOM, SKIP};
use wasm_bindgen::JsCast;
use web_sys::HtmlSelectElement;

use super::dom::{Action, El, classed, el};
use crate::app::model::import_report::{Column, is_of_company, label};

/// Renders the columns. `fields` lists the possible targets. `on_set` is called with the index of a column and its
/// new target.
pub fn mapping(columns: &[Column], fields: &[String], on_set: &Action<(usize, String)>) -> El {
    let head = classed("div", "head")
        .attr("aria-hidden", "true")
        .el(el("span").text("File column"))
        .el(el("span").text("Sample values"))
        .el(el("span").text("Import as"));
    let rows = columns
        .iter()
        .enumerate()
        .map(|(at, column)| row(at, column, fields, on_set.clone()));
    classed("div", "mapping")
        .el(head)
        .el(el("ul").attr("aria-label", "Columns").els(rows))
}

fn row(at: usize, column: &Column, fields: &[String], on_set: Action<(usize, String)>) -> El {
    let name = ["Import “", &column.header, "” as"].concat();
    let select = el("select").attr("aria-label", &name);
    let group = |title: &str, company: bool| {
        let fields = fields
            .iter()
            .filter(move |field| is_of_company(field) == company);
        el("optgroup")
            .attr("label", title)
            .els(fields.map(|field| option(field, &label(field), &column.to)))
    };
    let node: HtmlSelectElement = select.node().unchecked_into();
    let select = select
        .el(option(CUSTOM, "Extra data", &column.to))
        .el(option(SKIP, "Skip", &column.to))
        .el(group("Lead", false))
        .el(group("Company", true));
    let row = el("li").attr("data-use", use_of(&column.to));
    let shown = row.node();
    let select = select.on("change", move |_| {
        let to = node.value();
        // The row is not rendered again, so that the select keeps the focus.
        let _ = shown.set_attribute("data-use", use_of(&to));
        on_set((at, to));
    });
    let values = match column.values.as_slice() {
        [] => classed("span", "values none").text("empty in the first rows"),
        values => classed("span", "values").text(&values.join(" · ")),
    };
    row.el(el("b").attr("title", &column.header).text(&column.header))
        .el(values)
        .el(select)
}

fn use_of(to: &str) -> &'static str {
    match to {
        CUSTOM => "custom",
        SKIP => "skip",
        _ => "field",
    }
}

fn option(value: &str, label: &str, chosen: &str) -> El {
    let selected = (value == chosen).then_some("");
    el("option")
        .attr("value", value)
        .attr_opt("selected", selected)
        .text(label)
}
