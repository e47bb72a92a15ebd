//! The lead list: tabs, grid, decisions.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::{ApprovalStatus, LeadSort, NewApprovalStatus, SortDir};
use leptos::prelude::*;

use crate::app::components::added_cells::AddedCells;
use crate::app::components::decision_cells::RowAction;
use crate::app::components::dom::{El, div, effect, element};
use crate::app::components::grid::{CellPress, ClickTarget};
use crate::app::components::grid_row::{GridRow, SamePlace};
use crate::app::components::lead_cells::LeadRowProps;
use crate::app::components::search_box::Search;
use crate::app::components::tab_bar::tab_bar;
use crate::app::list::grid_controller::GridController;
use crate::app::list::list_layout::{ListProps, list_layout};
use crate::app::list::review_commands::Review;
use crate::app::list::row_events::{missing, press_row, run_action};
use crate::app::list::select_company::lazy_select_company;
use crate::app::list::{filter_bar, focus_switch, panes, sort_menu, status_bar, toolbar};
use crate::app::model::columns::{CellSlot, ColumnSpec, LEAD_COLUMN_SET, LIKELY, STATUS};
use crate::app::model::command::Command;
use crate::app::model::filters::LeadSortColumn;
use crate::app::model::route;
use crate::app::model::view::{LeadsView, SortColumn};
use crate::app::reactive::{Signal, effect_now, memo};
use crate::app::shell::lazy;
use crate::app::state::commands::HandlersOf;
use crate::app::state::lead_list::listed_lead::ListedLead;
use crate::app::state::{AppState, spawn};
use crate::review::outbox::Phase;

mod after_rows;
mod bulk_actions;
mod delete_dialog;
pub mod filter_chips;
pub mod filter_panel;
mod no_leads;
pub mod no_matches;
#[cfg(not(feature = "embed"))]
mod suggestion_bar;
pub mod view_filters;

pub fn leads_page(app: AppState) -> El {
    let (nav, session, leads) = (app.nav, app.session, app.leads);
    let (decisions, listing, grid_selection) = (app.decisions, leads.listing, leads.grid_selection);
    let view = app.leads_view;
    let change_view = move |view: LeadsView| nav.navigate(route::LEADS_PATH, &view.to_query());
    // Reload only when the query changed, not when another lead was opened or the layout changed.
    let query = memo(move |_| view.with(LeadsView::list_only));
    let is_ordered = app.suggestions.is_ordered;
    // Other pages, imports and other tabs change leads.
    effect_now(move || {
        app.imports.stage.track();
        decisions.changed.track();
        listing.forget_recent();
    });
    // Runs first, so that the response may arrive while the page is rendered.
    effect_now(move || {
        if let Some(client) = session.client() {
            let size = app.views.rows.get();
            query.with(|view| leads.load(client, view, size));
        }
    });
    effect(move || {
        listing.pages.track();
        grid_selection.update_cursor(listing);
    });
    let load_status = listing.load_status();
    effect(move || {
        let rows_only = query.with(|view| view.with(view.table.rows_only()).to_query());
        grid_selection.show_view(load_status, &rows_only);
    });
    let refresh = move || leads.refresh();

    let on_search = Callback::new(move |search: String| {
        let old = view.get_untracked();
        let new = old.with(old.table.searched(&search)).to_query();
        nav.search(route::LEADS_PATH, &new, old.table.search.is_empty());
    });
    let on_sort = Callback::new(move |by: &'static str| {
        if by == LIKELY {
            app.suggestions.turn_order();
            return;
        }
        let old = view.get_untracked();
        let was_ordered = app.suggestions.end_order();
        if let Some(sort) = LeadSortColumn::parse(by)
            // The first click returns to the order in which the leads were read.
            && !(was_ordered && sort == old.table.sort)
        {
            let mut table = old.table.sorted(sort);
            // Numbers of the user's own begin with the largest, as scores do.
            let shown = app.views.columns(LEAD_COLUMN_SET).added();
            if sort != old.table.sort
                && shown
                    .iter()
                    .any(|spec| spec.sort == Some(by) && spec.number)
            {
                table.dir = SortDir::Desc;
            }
            change_view(old.with(table));
        }
    });
    let sort = Signal::derive(move || match is_ordered.get() {
        true => (LIKELY, SortDir::Desc),
        false => view.with(|view| (view.table.sort.as_str(), view.table.dir)),
    });
    let own_sorts = memo(move |_| {
        let added = app.views.columns(LEAD_COLUMN_SET).added();
        let shown = added
            .iter()
            .filter_map(|spec| Some((spec.sort?, spec.label)));
        let mut own: Vec<_> = shown.collect();
        let sort = view.with(|view| view.table.sort);
        if let LeadSortColumn::Custom(name) = sort
            && own.iter().all(|(by, _)| *by != name.as_str())
        {
            own.push((name.as_str(), name.key()));
        }
        own
    });
    let slots = memo(move |_| app.views.columns(LEAD_COLUMN_SET).slots());
    let narrow = app.environment.narrow;
    let beside_details = memo(move |_| view.with(|view| view.open.is_some()));
    let by_company =
        memo(move |_| view.with(|view| view.table.sort == LeadSortColumn::Lead(LeadSort::Company)));
    let row = Rc::new(move |index: u64| {
        listing.pages.with(|pages| match pages.row(index) {
            Some(row) => {
                let starts_company = by_company.get().then(|| {
                    let above = index.checked_sub(1).and_then(|above| pages.row(above));
                    above.is_none_or(|above| above.lead.company != row.lead.company)
                });
                let columns = ShownColumns::new(&slots.get(), beside_details.get());
                render_row(app, row, index, columns, starts_company)
            }
            None => missing(index, LEAD_COLUMN_SET, pages.holds(index)),
        })
    });
    let tabs = tab_bar(
        move || view.with(|view| view.tab),
        decisions.counts,
        move |tab| {
            nav.href(
                route::LEADS_PATH,
                &view.with(|view| view.on(tab)).to_query(),
            )
        },
        move |tab| change_view(view.with_untracked(|view| view.on(tab))),
    );
    let count = memo(move |_| view.with(|view| view.filters.count()));
    let under = element("nav")
        .class("under")
        .attr("aria-label", "Views")
        .child(tabs)
        .child(filter_bar::filters_button(app.facets.sheet_open, count))
        .child(sort_menu::sort_menu(
            LEAD_COLUMN_SET,
            own_sorts,
            &sort,
            &on_sort,
        ))
        .child(toolbar::tools(app));
    let controller = review(app).controller;
    app.commands.load_handlers(HandlersOf::Leads);
    // Stays true: the filters are kept while a failed first load is retried.
    let shown = memo(move |was: Option<&bool>| {
        was == Some(&true)
            || load_status.with(|load_status| load_status.is_loaded || load_status.error.is_some())
    });
    let above = filter_bar::above(app, count, filter_chips::lazy_chips);
    #[cfg(not(feature = "embed"))]
    let above = above.child(suggestion_bar::while_on(app));
    let list = ListProps {
        label: "Leads",
        kind: Signal::derive(move || if narrow.get() { "cards" } else { "leads" }),
        search: Search::new(
            "Search leads",
            "Search name, title, company",
            Signal::derive(move || view.with(|view| view.table.search.clone())),
            on_search,
        ),
        sort,
        on_sort,
        note: Some(Signal::derive(move || (LIKELY, app.suggestions.note()))),
        row,
        grid_selection,
        query_id: listing.query,
        load_status,
        slow: listing.slow,
        on_rendered_range: Callback::new(move |range| listing.set_rendered(range)),
        on_press: Callback::new(move |press: CellPress| {
            if let ClickTarget::Act(act) = press.hit {
                act_on(app, press.index, act);
            }
            press_row(grid_selection, listing, press);
            if press.opens() {
                panes::of_leads(app).open_row(false);
            }
        }),
        on_key: Callback::new(move |event| controller.key(&event)),
        selected: controller.aria_checked(),
        on_select: Callback::new(move |()| controller.select_or_clear()),
        on_retry: Callback::new(move |()| listing.reload()),
        empty: Rc::new(move || no_leads::lazy_no_leads(app)),
        under: Some(under),
        footer: status_bar::status_bar(
            app,
            Some(Callback::new(move |by| controller.turn_page(by))),
            refresh,
        ),
        // Loaded after the first rows: the sidebar's code and requests would delay them.
        sidebar: Some(lazy::after(shown, app, filter_panel::lazy_filter_sidebar)),
        above: Some(above),
        has_news: Some(app.live.has_news),
        details: Some(focus_switch::content(app)),
    };
    let selecting = leads.selecting_company;
    list_layout(app, list)
        .child(
            div()
                .class("visually-hidden")
                .child(move || selecting.get().map(|_| lazy_select_company(app))),
        )
        .child(lazy::after(shown, app, after_rows::lazy_after_rows))
}

fn review(app: AppState) -> Review {
    Review {
        app,
        controller: GridController {
            app,
            listing: app.leads.listing,
            grid_selection: app.leads.grid_selection,
            column_set: LEAD_COLUMN_SET,
        },
    }
}

/// What a row depends on of the columns.
struct ShownColumns {
    beside_details: bool,
    has_status: bool,
    added: Vec<&'static ColumnSpec>,
}

impl ShownColumns {
    fn new(slots: &[CellSlot], beside_details: bool) -> Self {
        let columns = || slots.iter().filter_map(|slot| slot.column);
        Self {
            beside_details,
            has_status: columns().any(|column| column.id == STATUS),
            added: columns()
                .filter(|column| column.added_key().is_some())
                .collect(),
        }
    }
}

fn render_row(
    app: AppState,
    row: &ListedLead,
    index: u64,
    columns: ShownColumns,
    starts_company: Option<bool>,
) -> GridRow {
    let (decisions, grid_selection) = (app.decisions, app.leads.grid_selection);
    let id: Arc<str> = row.lead.id.as_str().into();
    let narrow = app.environment.narrow.get_untracked();
    let (status, phase) = decisions.shown(&id, &row.status);
    let is_pending = status.known() == Some(NewApprovalStatus::PendingApproval);
    let settled = status == row.status && phase == Phase::Idle;
    let learning = app.suggestions.tracked().filter(|_| settled);
    let decided = status != row.status && !is_pending;
    let is_saved = decided && matches!(phase, Phase::Idle | Phase::Confirmed);
    let is_by_others = status != row.status && phase == Phase::Idle;
    let by_others = is_by_others.then(|| app.live.age(&id, &status)).flatten();
    let added = added_cells(app, row, &status, columns.added).filter(|_| !narrow);
    let shown = LeadRowProps {
        lead: SamePlace(Arc::clone(&row.lead)),
        decided,
        decided_at: is_saved.then(|| decisions.decided_at(&id)).flatten(),
        by_others,
        settled,
        has_status: columns.has_status,
        likelihood: learning.and_then(|learning| learning.percent(&row.lead)),
        status,
        phase,
        failure: decisions.failure(&id),
        selected: grid_selection
            .selection
            .with(|selection| selection.has(&id)),
        index,
        // Only cards use it.
        in_view: narrow && grid_selection.seen.with(|seen| seen.contains(&index)),
        active: grid_selection.is_active(&id, index),
        keys: match grid_selection.has_cursor(&id) {
            true => [Command::Approve, Command::Reject].map(|command| app.keys.single_cap(command)),
            false => Default::default(),
        },
        beside_details: columns.beside_details,
        is_paused: decisions.is_paused(),
        starts_company,
        is_card: narrow,
        added,
    };
    GridRow {
        id: Some(id).filter(|id| !id.is_empty()),
        content: Box::new(shown),
    }
}

/// Returns the cells of added columns, if any are shown and their code is loaded.
fn added_cells(
    app: AppState,
    row: &ListedLead,
    status: &ApprovalStatus,
    columns: Vec<&'static ColumnSpec>,
) -> Option<AddedCells> {
    if columns.is_empty() {
        return None;
    }
    let source = app.views.added.with(|added| added.cells.clone())?;
    let version = source.version(row);
    let (row, status, of) = (row.clone(), status.clone(), columns.clone());
    Some(AddedCells {
        columns,
        version,
        compute: Rc::new(move || source.cells(&row, &status, &of)),
    })
}

/// Handles a button of a row.
fn act_on(app: AppState, index: u64, act: RowAction) {
    let leads = app.leads;
    let row = leads
        .listing
        .pages
        .with_untracked(|pages| pages.row(index).cloned());
    let Some(row) = row else { return };
    run_action(app, &row.lead.id, &row.status, &row.lead.name, act);
    // On a phone a decision moves on to the next lead. Deferred, because the tap sets the cursor to this row first.
    if matches!(act, RowAction::Decide(_)) && app.environment.narrow.get_untracked() {
        spawn(async move {
            leads
                .grid_selection
                .place_cursor_at(leads.listing, index + 1)
        });
    }
}
