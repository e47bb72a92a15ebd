//! The sort menu for phones, where cards have no column headers.

use lead_workspace_api::SortDir;
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlSelectElement;

use crate::app::components::dom::{El, button, div, element, option, select};
use crate::app::model::columns::{ColumnSet, ColumnSpec, LIKELY};
use crate::app::reactive::{Memo, Signal};

/// A menu of the columns, and a button that reverses the direction. Calling `on_sort` with the current column
/// reverses the direction. `own` has the columns of the user's own data: what to sort by, and the label.
pub fn sort_menu(
    set: ColumnSet,
    own: Memo<Vec<(&'static str, &'static str)>>,
    sort: &Signal<(&'static str, SortDir)>,
    on_sort: &Callback<&'static str>,
) -> El {
    let (chosen, turned, now) = (*sort, *sort, *sort);
    let (choose, reverse) = (*on_sort, *on_sort);
    // Two columns may have the same order, such as the fit and the score.
    let is_first = |column: &&ColumnSpec| {
        let mut columns = set.columns.iter();
        columns.find(|other| other.sort == column.sort) == Some(column)
    };
    let columns = set.columns.iter().filter(is_first);
    let options = columns.filter_map(|column| {
        let option = option().attr("value", column.sort?);
        // Shown while leads are ordered by likelihood; there is a button for it elsewhere.
        let is_elsewhere = (column.id == LIKELY).then_some("");
        Some(option.attr("hidden", is_elsewhere).child(column.label))
    });
    let own_options = move || {
        let own = own.get();
        let options = own
            .iter()
            .map(|(by, label)| option().attr("value", *by).child(*label));
        let group = element("optgroup").attr("label", "Your columns");
        (!own.is_empty()).then(|| group.children(options))
    };
    let select = select()
        .attr("aria-label", "Sort by")
        .children(options)
        .child(own_options);
    let node: HtmlSelectElement = select.node().unchecked_into();
    let select = select
        .prop("value", move || {
            // Again when the options of the own columns are other ones.
            own.with(|_| ());
            chosen.get().0.into()
        })
        .on(ev::change, move |_| {
            let wanted = node.value();
            let sorts = set.columns.iter().filter_map(|column| column.sort);
            let own = own.get_untracked();
            let mut sorts = sorts.chain(own.iter().map(|(by, _)| *by));
            if let Some(sort) = sorts.find(|sort| *sort == wanted) {
                choose.run(sort);
            }
        });
    let ascending = move || turned.get().1 == SortDir::Asc;
    let arrow = ascending;
    let turn_round = button()
        .class("quiet")
        .attr("aria-label", move || {
            if ascending() {
                "Ascending"
            } else {
                "Descending"
            }
            .to_owned()
        })
        .child(move || if arrow() { "↑" } else { "↓" }.to_owned())
        .on(ev::click, move |_| reverse.run(now.get().0));
    div().class("sort-menu").child(select).child(turn_round)
}
