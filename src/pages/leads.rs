//! The leads: tabs, grid, decisions.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::LeadSort;
use leptos::prelude::*;

use super::frame::{Bar, Connection, SlowStrip};
use super::trouble::{FailedPlate, FailedStrip, NoKeyPlate, UnreadableStrip};
use crate::components::grid::{Column, Grid};
use crate::components::lead_card::LeadCard;
use crate::components::lead_row::{Act, LeadRow};
use crate::components::pager::Position;
use crate::components::status::deed;
use crate::components::tabs::Tabs;
use crate::components::toast::Toast;
use crate::model::view::LeadsView;
use crate::state::Workspace;
use crate::state::leads::Row;
use crate::state::listing::Shown;
use crate::state::remote::Remote;

mod empty;
mod foot;
mod sort_menu;

use self::empty::EmptyPlate;
use self::foot::Foot;
pub use self::foot::range;
use self::sort_menu::SortMenu;

/// The columns, in the order of a row's cells.
const COLUMNS: &[Column<LeadSort>] = &[
    Column::silent("Select"),
    Column::text("Name", LeadSort::Name),
    Column::text("Title", LeadSort::Title),
    Column::text("Company", LeadSort::Company),
    Column::text("Industry", LeadSort::Industry),
    Column::text("Location", LeadSort::Location),
    Column::number("ICP score", LeadSort::IcpScore),
    Column::text("ICP tier", LeadSort::IcpTier),
    Column::text("Status", LeadSort::ApprovalStatus),
    Column::text("Created", LeadSort::CreatedAt),
    Column::silent("Decision"),
];

/// The path of this page.
pub const PATH: &str = "/leads";

/// The page.
#[component]
pub fn LeadsPage() -> impl IntoView {
    let workspace = expect_context::<Workspace>();
    let (nav, session, leads) = (workspace.nav, workspace.session, workspace.leads);
    let (listing, remote) = (leads.listing, leads.listing.remote);
    let query = nav.query();
    let view = Memo::new(move |_| query.with(|query| LeadsView::from_query(query)));
    let go = move |view: LeadsView| nav.go(PATH, &view.to_query());
    let load = move || {
        if let Some(client) = session.client() {
            leads.load(client, &view.get());
        }
    };
    Effect::new(move |_| load());
    let reload = move || untrack(load);
    let refresh = move || {
        leads.recount();
        reload();
    };

    let on_search = move |search: String| {
        let old = view.get_untracked();
        let new = old.with(old.table.searched(&search)).to_query();
        // Going back takes the whole search away, not its last letter.
        if old.table.search.is_empty() {
            nav.go(PATH, &new);
        } else {
            nav.correct(PATH, &new);
        }
    };
    let on_sort = move |sort| {
        let old = view.get_untracked();
        go(old.with(old.table.sorted(sort)));
    };
    let on_page = move |page| {
        let old = view.get_untracked();
        go(old.with(old.table.at_page(page)));
    };
    let on_size = move |size| {
        let old = view.get_untracked();
        go(old.with(old.table.in_pages_of(size)));
    };

    let shown = listing.shown();
    let total =
        Signal::derive(move || shown.with(|sheet| sheet.get().map_or(0, |sheet| sheet.total)));
    let narrow = workspace.surroundings.narrow;
    let grid = move || {
        let draw = move |row: Row, index| draw(workspace, row, index, narrow.get_untracked());
        view! {
            <Grid label="Leads" kind=if narrow.get() { "cards" } else { "leads" } columns=COLUMNS
                sort=Signal::derive(move || view.with(|view| (view.table.sort, view.table.dir)))
                on_sort=on_sort rows=Signal::derive(move || shown.with(Shown::rows)) key=key row=draw
                first=Signal::derive(move || shown.with(|sheet| sheet.get().map_or(0, |sheet| sheet.first())))
                total=total busy=Signal::derive(move || remote.with(Remote::is_busy))
                blank=Signal::derive(move || remote.with(|remote| matches!(remote, Remote::Idle | Remote::Loading)))
                place=query />
        }
    };
    let position = Signal::derive(move || {
        shown.with(|sheet| match sheet.get() {
            Some(sheet) => Position {
                page: sheet.page,
                pages: sheet.pages(),
                size: sheet.size,
            },
            None => view.with(|view| Position {
                page: view.table.page,
                pages: 1,
                size: view.table.size,
            }),
        })
    });
    let plate = move || {
        if session.client().is_none() {
            return Some(view! { <NoKeyPlate /> }.into_any());
        }
        remote.with(|remote| match remote {
            Remote::Failed(error, None) => {
                Some(view! { <FailedPlate error=Arc::clone(error) on_retry=reload /> }.into_any())
            }
            Remote::Loaded(sheet) if sheet.rows.is_empty() && sheet.unreadable == 0 => {
                let total = sheet.total;
                Some(view! { <EmptyPlate view=view.get() total=total on_go=go on_refresh=refresh /> }.into_any())
            }
            _ => None,
        })
    };
    let strip = move || {
        remote.with(|remote| match remote {
            Remote::Failed(error, Some(_)) => {
                Some(view! { <FailedStrip error=Arc::clone(error) on_retry=reload /> })
            }
            _ => None,
        })
    };
    let unreadable = move || shown.with(|sheet| sheet.get().map_or(0, |sheet| sheet.unreadable));

    view! {
        <Bar label="Search leads" hint="Search name, title, company"
            search=Signal::derive(move || view.with(|view| view.table.search.clone())) on_search=on_search />
        <div class="under">
            <Tabs current=Signal::derive(move || view.with(|view| view.tab)) counts=leads.counts
                href=move |tab| nav.href(PATH, &view.get().on(tab).to_query())
                on_go=move |tab| go(view.get_untracked().on(tab)) />
            <SortMenu sort=Signal::derive(move || view.with(|view| (view.table.sort, view.table.dir))) on_sort=on_sort />
        </div>
        <main class="list" id="main">
            <div class="strips">
                <Connection />
                {strip}
                <UnreadableStrip rows=Signal::derive(unreadable) />
                <SlowStrip slow=listing.slow />
            </div>
            <div class="board">{grid} {plate}</div>
            <Foot total=total position=position on_page=on_page on_size=on_size on_refresh=refresh />
        </main>
        <Toast text=Signal::derive(move || workspace.notice.get().map(|last| {
            format!("{} {}", deed(last.to), last.name)
        })) on_undo=move || leads.undo() />
    }
}

fn key(row: &Row) -> (Arc<str>, u32) {
    (Arc::clone(&row.key), row.version)
}

fn draw(workspace: Workspace, row: Row, index: Signal<u64>, narrow: bool) -> AnyView {
    let on_act: Rc<dyn Fn(Act)> = {
        let (row, leads) = (row.clone(), workspace.leads);
        Rc::new(move |act| match act {
            Act::Decide(to) => leads.decide(&row, to),
            Act::Retry => leads.retry(&row.lead.id),
            Act::Revert => leads.revert(&row.lead.id),
        })
    };
    let Row {
        lead,
        decision,
        selected,
        ..
    } = row;
    if narrow {
        view! { <LeadCard lead=lead decision=decision selected=selected index=index on_act=on_act /> }.into_any()
    } else {
        view! { <LeadRow lead=lead decision=decision selected=selected index=index on_act=on_act /> }.into_any()
    }
}
