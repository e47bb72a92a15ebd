//! The leads: tabs, grid, decisions.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::LeadSort;
use leptos::prelude::*;

use super::board::{List, board};
use crate::components::dom::{El, KeyedRow, Reader, action, classed, effect, reader};
use crate::components::grid::Column;
use crate::components::lead_card::lead_card;
use crate::components::lead_row::{Act, Shown, lead_row};
use crate::components::status::deed;
use crate::components::tabs::tabs;
use crate::components::toast::toast;
use crate::model::view::{LeadsView, SortColumn};
use crate::state::Workspace;
use crate::state::leads::Row;

mod empty;
mod foot;
mod sort_menu;

/// The columns, in the order of a row's cells.
const COLUMNS: &[Column] = &[
    Column::silent("Select"),
    Column::text("Name", LeadSort::Name.as_str()),
    Column::text("Title", LeadSort::Title.as_str()),
    Column::text("Company", LeadSort::Company.as_str()),
    Column::text("Industry", LeadSort::Industry.as_str()),
    Column::text("Location", LeadSort::Location.as_str()),
    Column::number("ICP score", LeadSort::IcpScore.as_str()),
    Column::text("ICP tier", LeadSort::IcpTier.as_str()),
    Column::text("Status", LeadSort::ApprovalStatus.as_str()),
    Column::text("Created", LeadSort::CreatedAt.as_str()),
    Column::silent("Decision"),
];

pub use crate::model::place::LEADS as PATH;

/// The page.
pub fn leads_page(workspace: Workspace) -> El {
    let (nav, session, leads) = (workspace.nav, workspace.session, workspace.leads);
    let listing = leads.listing;
    let query = nav.query();
    let view = move || query.with(|query| LeadsView::from_query(query));
    let view_now = move || query.with_untracked(|query| LeadsView::from_query(query));
    let go = move |view: LeadsView| nav.go(PATH, &view.to_query());
    let load = move || {
        if let Some(client) = session.client() {
            leads.load(client, &view());
        }
    };
    effect(load);
    let refresh = move || {
        leads.recount();
        untrack(load);
    };

    let on_search = action(move |search: String| {
        let old = view_now();
        let new = old.with(old.table.searched(&search)).to_query();
        nav.search(PATH, &new, old.table.search.is_empty());
    });
    let on_sort = action(move |by: &'static str| {
        let old = view_now();
        if let Some(sort) = <LeadSort as SortColumn>::of(by) {
            go(old.with(old.table.sorted(sort)));
        }
    });
    let sort = reader(move || {
        let table = view().table;
        (table.sort.as_str(), table.dir)
    });
    let narrow = workspace.surroundings.narrow;
    let first = move || listing.first();
    let rows = reader(move || listing.rows(|row| keyed(workspace, row, first)));
    let tabs = tabs(
        move || view().tab,
        leads.counts,
        move |tab| nav.href(PATH, &view().on(tab).to_query()),
        move |tab| go(view_now().on(tab)),
    );
    let under = classed("div", "under")
        .el(tabs)
        .el(sort_menu::sort_menu(&sort, &on_sort));
    let list = List {
        label: "Leads",
        kind: reader(move || if narrow.get() { "cards" } else { "leads" }),
        columns: COLUMNS,
        search_label: "Search leads",
        search_hint: "Search name, title, company",
        search: reader(move || view().table.search),
        on_search,
        sort,
        on_sort,
        rows,
        standing: listing.standing(),
        slow: listing.slow,
        on_page: action(move |page| {
            let old = view_now();
            go(old.with(old.table.at_page(page)));
        }),
        on_size: action(move |size| {
            let old = view_now();
            go(old.with(old.table.in_pages_of(size)));
        }),
        on_retry: action(move |()| untrack(load)),
        empty: Rc::new(move |total| {
            let view = view_now();
            empty::empty(&view, total, &leads.counts.get(), go, refresh)
        }),
        under: Some(under),
        foot: foot::saved(leads, refresh),
        rail: None,
        peek: None,
    };
    let last = move || {
        let last = workspace.notice.get()?;
        Some(format!("{} {}", deed(last.to), last.name))
    };
    let toast = toast(last, move || leads.undo());
    board(workspace, list).el(toast)
}

fn keyed(workspace: Workspace, row: &Row, first: impl Fn() -> u64 + Copy + 'static) -> KeyedRow {
    let shown = row.clone();
    KeyedRow {
        key: Arc::clone(&row.key),
        version: row.version,
        draw: Rc::new(move |index| {
            let index = reader(move || first() + index.get() as u64 + 2);
            draw(workspace, &shown, index)
        }),
    }
}

fn draw(workspace: Workspace, row: &Row, index: Reader<u64>) -> El {
    let (actor, leads) = (row.clone(), workspace.leads);
    let shown = Shown {
        lead: &row.lead,
        decision: row.decision.clone(),
        selected: row.selected.clone(),
        index,
        on_act: Rc::new(move |act| match act {
            Act::Decide(to) => leads.decide(&actor, to),
            Act::Retry => leads.retry(&actor.lead.id),
            Act::Revert => leads.revert(&actor.lead.id),
        }),
    };
    if workspace.surroundings.narrow.get_untracked() {
        lead_card(&shown)
    } else {
        lead_row(&shown)
    }
}
