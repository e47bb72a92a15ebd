//! Below the grid: where we are, and what is saved.

use leptos::prelude::*;

use crate::components::format;
use crate::components::icon::Again;
use crate::components::pager::{Pager, Position};
use crate::state::Workspace;

/// The foot of the leads.
#[component]
pub fn Foot(
    /// How many leads the view has.
    total: Signal<u64>,
    /// Where we are.
    position: Signal<Position>,
    /// Another page is wanted.
    on_page: impl Fn(u32) + Copy + Send + Sync + 'static,
    /// Another page size is wanted.
    on_size: impl Fn(u32) + Copy + Send + Sync + 'static,
    /// Load the list again.
    on_refresh: impl Fn() + Copy + 'static,
) -> impl IntoView {
    let leads = expect_context::<Workspace>().leads;
    let tally = move || {
        let tally = leads.tally();
        let decided = tally.saving + tally.saved + tally.failed;
        (decided > 0).then(|| {
            let open = match (tally.saving, tally.failed) {
                (0, 0) => "all saved".to_owned(),
                (saving, 0) => format!("{saving} being saved"),
                (0, failed) => format!("{failed} not saved"),
                (saving, failed) => format!("{saving} being saved, {failed} not saved"),
            };
            view! {
                <span class="tally" role="status" data-open=tally.failed.to_string()>
                    {format!("{} decided here · {open}", format::number(decided as u64))}
                </span>
            }
        })
    };
    view! {
        <footer class="foot">
            <span class="range">{move || range(total.get(), position.get())}</span>
            {tally}
            <button type="button" class="quiet" title="Load the list again" on:click=move |_| on_refresh()>
                <Again />
                "Refresh"
            </button>
            <Pager position=position on_page=on_page on_size=on_size />
        </footer>
    }
}

/// Which part of the list is on the page; nothing where none is.
pub fn range(total: u64, position: Position) -> String {
    let first = u64::from(position.page.saturating_sub(1)) * u64::from(position.size) + 1;
    let last = (first + u64::from(position.size) - 1).min(total);
    if first > last {
        return String::new();
    }
    let (first, last, total) = (
        format::number(first),
        format::number(last),
        format::number(total),
    );
    format!("{first}–{last} of {total}")
}
