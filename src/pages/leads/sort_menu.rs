//! The sort, where the cards of a phone have no headers to click.

use lead_workspace_api::{LeadSort, SortDir};
use leptos::prelude::*;

use super::COLUMNS;
use crate::model::view::SortColumn;

/// A menu of the columns, and a button that turns the direction round.
#[component]
pub fn SortMenu(
    /// The column and the direction of the sort.
    #[prop(into)]
    sort: Signal<(LeadSort, SortDir)>,
    /// A column was chosen; the same one again turns the direction round.
    on_sort: impl Fn(LeadSort) + Copy + 'static,
) -> impl IntoView {
    let options = COLUMNS
        .iter()
        .filter_map(|column| Some((column.label, column.sort?)));
    let options = options.map(|(label, by)| {
        let selected = move || sort.get().0 == by;
        view! { <option value=by.as_str() prop:selected=selected>{label}</option> }
    });
    let choose = move |event| {
        if let Some(by) = <LeadSort as SortColumn>::of(&event_target_value(&event)) {
            on_sort(by);
        }
    };
    let (arrow, name) = (
        move || {
            if sort.get().1 == SortDir::Asc {
                "↑"
            } else {
                "↓"
            }
        },
        move || {
            if sort.get().1 == SortDir::Asc {
                "Ascending"
            } else {
                "Descending"
            }
        },
    );
    view! {
        <div class="sort-menu">
            <select aria-label="Sort by" on:change=choose>{options.collect_view()}</select>
            <button type="button" class="quiet" aria-label=name on:click=move |_| on_sort(sort.get_untracked().0)>
                {arrow}
            </button>
        </div>
    }
}
