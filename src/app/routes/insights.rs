//! The insights page: how the decisions in the view of the leads fall.

use std::sync::Arc;

use leptos::prelude::*;

use self::differences::differences;
use self::figures::figures;
use self::progress::{Progress, progress};
use self::scores::scores;
use crate::app::components::dom::{El, div, effect, h1, i, main, p};
use crate::app::components::empty_state::{Severity, empty_state};
use crate::app::components::format;
use crate::app::components::links::route_link;
use crate::app::components::search_box::Search;
use crate::app::model::insights::Insights;
use crate::app::model::lead_tab::Tab;
use crate::app::model::route::{INSIGHTS_PATH, LEADS_PATH};
use crate::app::model::view::LeadsView;
use crate::app::reactive::{Memo, Signal, memo};
use crate::app::shell::app_bar::bar;
use crate::app::shell::error_state::{failed_banner, failed_state, no_key_state};
use crate::app::shell::lazy::lazy;
use crate::app::shell::retry::Retry;
use crate::app::state::AppState;
use crate::app::state::insights::InsightCounts;
use crate::app::state::remote_value::Remote;

mod differences;
mod figures;
mod progress;
mod scores;

pub fn insights_page(app: AppState) -> El {
    let nav = app.nav;
    let query = nav.query();
    let view = memo(move |_| query.with(|query| LeadsView::from_query(query).list_only()));
    let on_search = Callback::new(move |search: String| {
        let old = view.get_untracked();
        let new = old.with(old.table.searched(&search));
        nav.search(INSIGHTS_PATH, &new.to_query(), old.table.search.is_empty());
    });
    let search = Signal::derive(move || view.with(|view| view.table.search.clone()));
    let hint = "Search name, title, company";
    let bar = bar(
        app,
        Some(Search::new("Search leads", hint, search, on_search)),
    );
    let main = main()
        .class("list insights")
        .attr("id", "main")
        .child(move || {
            Some(match app.session.client().is_some() {
                true => board(app, view),
                false => no_key_state(app),
            })
        });
    div()
        .class("page")
        .child(bar)
        .child(div().class("areas").child(main))
}

fn board(app: AppState, view: Memo<LeadsView>) -> El {
    let counts = InsightCounts::start(app);
    let insights = counts.insights;
    // Neither the tab nor the order matters.
    let counted = memo(move |_| view.with(|view| view.with(view.table.rows_only()).on(Tab::All)));
    let load = move || {
        if let Some(client) = app.session.client() {
            counts.load(client, counted.get());
        }
    };
    let retry = Retry::new(move || untrack(load));
    effect(move || {
        retry.reset();
        load();
    });
    app.live.on_reread(move || {
        let is_loaded = insights.with_untracked(|insights| matches!(insights, Remote::Loaded(_)));
        if is_loaded && let Some(client) = app.session.client_now() {
            counts.count_again(client, counted.get_untracked());
        }
    });
    let loaded = memo(move |_| insights.with(|insights| insights.value().cloned()));
    let problem = move || {
        insights.with(|insights| {
            let error = insights.error()?;
            Some(match insights.value() {
                Some(_) => failed_banner(app, error, retry),
                None => failed_state(app, error, retry),
            })
        })
    };
    let is_failed = memo(move |_| {
        insights.with(|insights| insights.error().is_some() && insights.value().is_none())
    });
    let body = move || (!is_failed.get()).then(|| charts(app, view, counts, loaded, retry));
    div()
        .class("insights-board")
        .attr("aria-busy", move || {
            insights.with(|insights| insights.is_busy()).to_string()
        })
        .child(head(app, view, loaded))
        .child(problem)
        .child(body)
}

type Loaded = Memo<Option<Arc<Insights>>>;

fn head(app: AppState, view: Memo<LeadsView>, loaded: Loaded) -> El {
    let nav = app.nav;
    let summary = move || {
        let leads = view.with(leads_of);
        let counts = loaded.with(|insights| {
            let totals = insights.as_ref()?.totals;
            let [approved, rejected, pending, filtered] = totals
                .counts
                .0
                .map(|count| format::number(count.unwrap_or_default()));
            Some(
                [
                    ": ",
                    &approved,
                    " approved, ",
                    &rejected,
                    " rejected, ",
                    &pending,
                    " pending, ",
                    &filtered,
                    " filtered. ",
                ]
                .concat(),
            )
        });
        let counts = counts.unwrap_or_else(|| ". ".to_owned());
        ["How decisions fell among ", &leads, &counts].concat()
    };
    let to_view = move || view.with(LeadsView::to_query);
    let change = route_link(
        "Change the view",
        move || nav.href(LEADS_PATH, &to_view()),
        || false,
        move || nav.navigate(LEADS_PATH, &untrack(to_view)),
    );
    div()
        .class("insights-head")
        .child(h1().child("Insights"))
        .child(
            p().child(div().class("words").attr("role", "status").child(summary))
                .child(change),
        )
}

/// Describes the leads of a view: `leads that match “cto” and 2 filters`.
fn leads_of(view: &LeadsView) -> String {
    let filters = match view.filters.count() {
        0 => None,
        count => Some(format::count(count as u64, "filter")),
    };
    let term = view.table.term().map(|term| ["“", &term, "”"].concat());
    let parts: Vec<String> = term.into_iter().chain(filters).collect();
    match parts.is_empty() {
        true => "all leads".to_owned(),
        false => ["leads that match ", &parts.join(" and ")].concat(),
    }
}

/// Renders the figures and the charts, or placeholders of the same size while nothing is loaded.
fn charts(
    app: AppState,
    view: Memo<LeadsView>,
    counts: InsightCounts,
    loaded: Loaded,
    retry: Retry,
) -> El {
    let own = Progress::read(app);
    let is_empty = memo(move |_| {
        let none = |insights: &Arc<Insights>| insights.totals.counts.decided() == Some(0);
        loaded.with(|insights| insights.as_ref().is_some_and(none))
    });
    let has_scores = memo(move |_| {
        // Assumed until the response shows that the server cannot count.
        let can = |insights: &Arc<Insights>| insights.values.is_some();
        !is_empty.get() && loaded.with(|insights| insights.as_ref().is_none_or(can))
    });
    div()
        .class("insights-body")
        .child(figures(loaded, counts.scores, own))
        .child(
            div()
                .class("insights-charts")
                .child(move || {
                    Some(match (loaded.get(), is_empty.get()) {
                        (_, true) => no_decisions(app, view),
                        (Some(insights), false) => differences(app, view, insights),
                        (None, false) => placeholder(),
                    })
                })
                .child(
                    div()
                        .class("side-charts")
                        .child(move || has_scores.get().then(|| scores(app, counts, retry)))
                        .children(own.into_iter().flat_map(|own| progress(app, own))),
                ),
        )
}

fn placeholder() -> El {
    div()
        .class("chart-card differences skeleton")
        .attr("aria-hidden", "true")
        .children((0..8).map(|_| i()))
}

fn no_decisions(app: AppState, view: Memo<LeadsView>) -> El {
    let nav = app.nav;
    let pending = move || view.with(|view| view.on(Tab::Pending).to_query());
    let link = route_link(
        "Review leads",
        move || nav.href(LEADS_PATH, &pending()),
        || false,
        move || nav.navigate(LEADS_PATH, &untrack(pending)),
    );
    empty_state(
        Severity::Calm,
        "No decisions in this view yet",
        "Once leads are approved and rejected, this page shows what the approved ones have in common.",
    )
    .child(div().class("buttons").child(link.class("button main")))
}

lazy!(lazy_insights: pages, page, later, "Insights", insights_page);
