//! A chart in a card: it can be shown as a table, and saved as a picture.

use std::rc::Rc;

use leptos::ev;
use leptos::prelude::*;

use super::dom::{El, button, div, h2, section};
use crate::app::reactive::RwSignal;

/// A chart to render.
pub struct ChartCard {
    pub class: &'static str,
    pub title: String,
    /// Renders the chart; called again when a signal that it reads changes.
    pub chart: Rc<dyn Fn() -> El>,
    /// Renders the same data as a table.
    pub table: Rc<dyn Fn() -> El>,
    /// Rendered between the heading and the chart, such as a legend.
    pub above: Option<El>,
    pub on_save: Callback<()>,
}

pub fn chart_card(card: ChartCard) -> El {
    let ChartCard {
        class,
        title,
        chart,
        table,
        above,
        on_save,
    } = card;
    let as_table = RwSignal::new(false);
    let save = button()
        .class("quiet")
        .child("Save picture")
        .on(ev::click, move |_| on_save.run(()));
    let actions = div()
        .class("actions")
        .child(table_switch(as_table))
        .child(save);
    let body = move || {
        Some(match as_table.get() {
            // Wide tables scroll, also by keyboard.
            true => div()
                .class("chart-table")
                .attr("tabindex", "0")
                .attr("role", "group")
                .attr("aria-label", "Table")
                .child(table()),
            false => chart(),
        })
    };
    section()
        .class(["chart-card ", class].concat())
        .attr("aria-label", &title)
        .child(
            div()
                .class("chart-head")
                .child(h2().child(&title))
                .child(actions),
        )
        .child(above)
        .child(body)
}

/// Renders the button that switches between charts and tables.
pub fn table_switch(as_table: RwSignal<bool>) -> El {
    button()
        .class("quiet")
        .child("Show as table")
        .attr("aria-pressed", move || as_table.get().to_string())
        .on(ev::click, move |_| as_table.update(|is| *is = !*is))
}
