//! The grid: a header to sort by, and keyed rows below it.

use std::hash::Hash;

use lead_workspace_api::SortDir;
use leptos::html;
use leptos::prelude::*;

use crate::model::view::SortColumn;

/// How many rows a skeleton has: enough for a tall screen.
const GHOSTS: usize = 24;

/// A column of a grid.
#[derive(Clone, Copy, Debug)]
pub struct Column<S> {
    /// The word on the header.
    pub label: &'static str,
    /// What a click on the header sorts by.
    pub sort: Option<S>,
    /// Whether the column holds numbers, which stand to the right.
    pub number: bool,
}

impl<S> Column<S> {
    /// A column of texts.
    pub const fn text(label: &'static str, sort: S) -> Self {
        Self {
            label,
            sort: Some(sort),
            number: false,
        }
    }

    /// A column of numbers.
    pub const fn number(label: &'static str, sort: S) -> Self {
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

/// A grid over one page of a list.
#[component]
pub fn Grid<T, K, S, R>(
    /// Its name.
    label: &'static str,
    /// Its kind, for the style sheet: the widths of the columns.
    kind: &'static str,
    /// The columns, in the order of a row's cells.
    columns: &'static [Column<S>],
    /// The column and the direction of the sort.
    #[prop(into)]
    sort: Signal<(S, SortDir)>,
    /// A click on a header.
    on_sort: impl Fn(S) + Copy + Send + Sync + 'static,
    /// The rows of the page.
    #[prop(into)]
    rows: Signal<Vec<T>>,
    /// What tells a row from all others, and from an older state of itself.
    key: fn(&T) -> K,
    /// Draws a row; the signal is its `aria-rowindex`.
    row: R,
    /// Where the first row stands in the whole list, from 0.
    #[prop(into)]
    first: Signal<u64>,
    /// How many rows the whole list has.
    #[prop(into)]
    total: Signal<u64>,
    /// Whether other rows are on their way.
    #[prop(into)]
    busy: Signal<bool>,
    /// Whether these are the first rows ever: then a skeleton stands in.
    #[prop(into)]
    blank: Signal<bool>,
    /// What is shown; another place begins at its top.
    #[prop(into)]
    place: Signal<String>,
) -> impl IntoView
where
    T: Clone + Send + Sync + 'static,
    K: Eq + Hash + Clone + Send + Sync + 'static,
    S: SortColumn,
    R: Fn(T, Signal<u64>) -> AnyView + Clone + Send + Sync + 'static,
{
    let scroller = NodeRef::<html::Div>::new();
    let shown = StoredValue::new(place.get_untracked());
    Effect::new(move |_| {
        rows.track();
        let here = place.get();
        if !busy.get() && shown.get_value() != here {
            shown.set_value(here);
            if let Some(scroller) = scroller.get_untracked() {
                scroller.set_scroll_top(0);
            }
        }
    });
    let header = columns.iter().map(|column| header(column, sort, on_sort));
    // A column of its own for each row keeps the rows from being drawn again when they move.
    let draw = move |index: ReadSignal<usize>, item: T| {
        row(
            item,
            Signal::derive(move || first.get() + index.get() as u64 + 2),
        )
    };
    view! {
        <div class="grid" role="grid" node_ref=scroller aria-label=label data-kind=kind
            aria-rowcount=move || (total.get() + 1).to_string()
            aria-colcount=columns.len().to_string()
            aria-busy=move || busy.get().to_string()>
            <div role="rowgroup" class="head">
                <div role="row" class="row" aria-rowindex="1">{header.collect_view()}</div>
            </div>
            <div role="rowgroup" class="body">
                <ForEnumerate each=move || rows.get() key=key children=draw />
                {move || blank.get().then(|| ghosts(columns.len()))}
            </div>
        </div>
    }
}

fn header<S: SortColumn>(
    column: &'static Column<S>,
    sort: Signal<(S, SortDir)>,
    on_sort: impl Fn(S) + Copy + Send + Sync + 'static,
) -> AnyView {
    let Some(by) = column.sort else {
        return view! {
            <div role="columnheader"><span class="heard">{column.label}</span></div>
        }
        .into_any();
    };
    let direction = move || match sort.get() {
        (column, SortDir::Asc) if column == by => "ascending",
        (column, SortDir::Desc) if column == by => "descending",
        _ => "none",
    };
    view! {
        <div role="columnheader" class:number=column.number aria-sort=direction>
            <button type="button" on:click=move |_| on_sort(by)>{column.label}</button>
        </div>
    }
    .into_any()
}

/// Stands where the first rows will be. The style sheet shows it only after a moment.
fn ghosts(columns: usize) -> impl IntoView {
    let row = move |_| {
        let cells = (0..columns).map(|_| view! { <div role="gridcell"><i></i></div> });
        view! { <div role="row" class="row ghost" aria-hidden="true">{cells.collect_view()}</div> }
    };
    (0..GHOSTS).map(row).collect_view()
}
