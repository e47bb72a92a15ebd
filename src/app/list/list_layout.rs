//! The list layout: bar, banners, grid or a state in its place, status bar, details pane.

use std::ops::Range;
use std::rc::Rc;

use lead_workspace_api::SortDir;
use leptos::prelude::*;
use web_sys::KeyboardEvent;

use super::details_pane::PaneContent;
use super::focus_mode;
use super::live_line::lazy_live_line;
use super::save_line::{lazy_save_line, shown_state};
use crate::app::components::column_head::ColumnArrangement;
use crate::app::components::dom::{El, div, footer, h1, main, span};
use crate::app::components::format;
use crate::app::components::grid::{CellPress, Grid, grid};
use crate::app::components::grid_row::GridRow;
use crate::app::components::search_box::Search;
use crate::app::model::command::Command;
use crate::app::model::rejected_filter::of_search;
use crate::app::reactive::{Memo, RwSignal, Signal, StoredValue, memo};
use crate::app::shell::app_bar::bar;
use crate::app::shell::error_state::{
    banner, failed_banner, failed_state, no_key_state, unreadable_banner,
};
use crate::app::shell::lazy;
#[cfg(feature = "split")]
use crate::app::shell::lazy_fallback;
use crate::app::shell::rate_limit_banner::lazy_rate_limit_banner;
use crate::app::shell::retry::Retry;
use crate::app::state::AppState;
use crate::app::state::grid_selection::GridSelection;
use crate::app::state::listing::LoadStatus;
use crate::app::state::view_store::column_set;
use crate::client::ErrorKind;

/// The content of a list page.
pub struct ListProps {
    pub label: &'static str,
    /// The grid kind, for the style sheet.
    pub kind: Signal<&'static str>,
    pub search: Search,
    /// Column and direction.
    pub sort: Signal<(&'static str, SortDir)>,
    /// Called for a click on a column header.
    pub on_sort: Callback<&'static str>,
    /// The id of a column, and its description.
    pub note: Option<Signal<(&'static str, String)>>,
    /// Renders the row at an index.
    pub row: Rc<dyn Fn(u64) -> GridRow>,
    pub grid_selection: GridSelection,
    /// Identifies the query. Another query starts at the top of the list.
    pub query_id: RwSignal<String>,
    pub load_status: Memo<LoadStatus>,
    /// Whether a response takes long.
    pub slow: RwSignal<bool>,
    /// Receives the range of rendered rows.
    pub on_rendered_range: Callback<Range<u64>>,
    /// Called for a click on a row.
    pub on_press: Callback<CellPress>,
    /// Called for a key press on the grid.
    pub on_key: Callback<KeyboardEvent>,
    /// Whether the rows in view are selected, as the value of `aria-checked`.
    pub selected: Signal<&'static str>,
    /// Called for a click on the checkbox in the header.
    pub on_select: Callback<()>,
    pub on_retry: Callback<()>,
    /// Renders the empty state.
    pub empty: Rc<dyn Fn() -> El>,
    /// Shown between the bar and the list.
    pub under: Option<El>,
    /// Further parts of the status bar.
    pub footer: Vec<El>,
    /// The filter sidebar.
    pub sidebar: Option<El>,
    /// Shown right above the grid.
    pub above: Option<El>,
    /// Whether others changed much of the list.
    pub has_news: Option<RwSignal<bool>>,
    /// The details pane.
    pub details: Option<PaneContent>,
}

pub fn list_layout(app: AppState, list: ListProps) -> El {
    let (load_status, on_retry) = (list.load_status, list.on_retry);
    let total = move || load_status.with(|load_status| load_status.total);
    let (views, commands) = (app.views, app.commands);
    let column_set = column_set(&app.nav.path().get_untracked());
    let sizing = RwSignal::new(None);
    let columns = move || sizing.get().unwrap_or_else(|| views.columns(column_set));
    let arrangement = ColumnArrangement {
        columns: Signal::derive(columns),
        slots: memo(move |_| columns().slots()),
        on_columns: Callback::new(move |columns| {
            let now = untrack(|| views.layout());
            views.lay_out(&now.with(&columns), false);
        }),
        on_menu: Rc::new(move || {
            commands.run(Command::Columns);
        }),
        dragged: StoredValue::new(None),
        sizing,
    };
    let shown = Grid {
        label: list.label,
        arrangement,
        row_height: Signal::derive(move || views.layout().density.row(views.row_height.get())),
        sort: list.sort,
        on_sort: list.on_sort,
        note: list.note,
        row: list.row,
        total: Signal::derive(total),
        busy: Signal::derive(move || load_status.with(|load_status| load_status.busy)),
        blank: Signal::derive(move || load_status.with(|load_status| load_status.blank)),
        query_id: list.query_id,
        cursor: list.grid_selection.cursor,
        pointed: list.grid_selection.pointed,
        reveal: list.grid_selection.reveal,
        focus: list.grid_selection.focus,
        seen: list.grid_selection.seen,
        seen_query_id: list.grid_selection.seen_query_id,
        width: views.room,
        on_rendered_range: list.on_rendered_range,
        on_press: list.on_press,
        on_key: list.on_key,
        selected: list.selected,
        on_select: list.on_select,
    };
    let seen = list.grid_selection.seen;
    let kind = list.kind;
    let retry = Retry::new(move || on_retry.run(()));
    let has_news = list.has_news;
    let board = div()
        .class("board")
        .child(move || (has_news?.get()).then(|| lazy_live_line(app)))
        .child(move || Some(grid(kind.get(), &shown)))
        .child(move || {
            if app.session.client().is_none() {
                return Some(no_key_state(app));
            }
            let LoadStatus {
                error,
                is_loaded,
                empty,
                ..
            } = load_status.get();
            if error.is_none() {
                retry.reset();
            }
            match error {
                Some(error) if !is_loaded => Some(failed_state(app, &error, retry)),
                None if empty => Some((list.empty)()),
                _ => None,
            }
        })
        .child(div().class("grid-status"));
    let save_state = shown_state(app);
    let footer = footer()
        .class("footer")
        .attr("data-kind", move || kind.get().to_owned())
        .attr("data-save", move || save_state.get().as_str().to_owned())
        .child(lazy::after(lazy::first_rows(app), app, lazy_save_line))
        .child(
            span()
                .class("range")
                .child(move || range(total(), seen.get())),
        )
        .children(list.footer);
    let main = main()
        .class("list")
        .attr("id", "main")
        .child(h1().class("visually-hidden").child(list.label))
        .child(banners(app, load_status, list.slow, retry))
        .child(list.above)
        .child(board)
        .child(footer);
    let refused = Signal::derive(move || {
        load_status.with(|load_status| match &load_status.error.as_ref()?.kind {
            ErrorKind::Validation(detail) => of_search(detail),
            _ => None,
        })
    });
    let bar = bar(
        app,
        Some(Search {
            refused,
            ..list.search
        }),
    );
    let mut areas = div().class("areas").child(list.sidebar).child(main);
    let mut page = div().class("page");
    if let Some(PaneContent { is_open, draw }) = list.details {
        areas = areas.child(move || is_open.get().then(|| draw(app)));
        let in_focus_mode = focus_mode::is_open(app);
        page = page.attr("data-details", move || match in_focus_mode.get() {
            true => "focus-mode".to_owned(),
            false => is_open.get().to_string(),
        });
    }
    page.attr("data-density", move || {
        views.layout().density.as_str().to_owned()
    })
    .child(bar)
    .child(list.under)
    .child(areas)
}

/// Returns the messages above the list: rate limit, errors, slow server.
fn banners(app: AppState, load_status: Memo<LoadStatus>, slow: RwSignal<bool>, retry: Retry) -> El {
    let problem = app.session.problem;
    let limit = app.session.limit;
    let limited = memo(move |_| limit.with(Option::is_some));
    let banners = div().class("banners");
    #[cfg(feature = "split")]
    let banners = banners.child(move || lazy_fallback::missing_parts(app));
    banners
        .child(move || limited.get().then(|| lazy_rate_limit_banner(app)))
        .child(move || Some(banner(&problem.get()?.to_string(), "")))
        .child(move || {
            let LoadStatus {
                error, is_loaded, ..
            } = load_status.get();
            let error = error.filter(|_| is_loaded)?;
            Some(failed_banner(app, &error, retry))
        })
        .child(move || unreadable_banner(load_status.with(|load_status| load_status.unreadable)))
        .child(move || {
            slow.get().then(|| {
                let stored = " Still waiting for a response; the current data stays visible.";
                banner("The server is slow.", stored)
            })
        })
}

/// Returns the range of rows in view as text, empty if there are none.
pub fn range(total: u64, seen: Range<u64>) -> String {
    let (first, last) = (seen.start + 1, seen.end.min(total));
    if first > last {
        return String::new();
    }
    let (first, last, total) = (
        format::number(first),
        format::number(last),
        format::number(total),
    );
    if first == last {
        return format!("{first} of {total}");
    }
    format!("{first}–{last} of {total}")
}
