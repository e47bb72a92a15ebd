//! The line of suggestions above the pending leads: the order by likelihood, and the offers to decide on several leads.

use std::sync::Arc;

use lead_workspace_api::NewApprovalStatus;
use leptos::ev;
use leptos::prelude::*;

use crate::app::components::dom::{El, button, div, span};
use crate::app::components::format;
use crate::app::model::approval_model::Progress;
use crate::app::model::lead_tab::Tab;
use crate::app::reactive::memo;
use crate::app::shell::lazy::lazy;
use crate::app::state::AppState;
use crate::app::state::grid_selection::Selectable;
use crate::app::state::suggestions::learner::Learner;

/// Shows the line while suggestions are on.
pub fn while_on(app: AppState) -> El {
    let (is_on, view) = (app.suggestions.is_on, app.leads_view);
    let is_shown = memo(move |_| is_on.get() && view.with(|view| view.tab == Tab::Pending));
    div().child(move || is_shown.get().then(|| lazy_suggestion_bar(app)))
}

pub fn suggestion_bar(app: AppState) -> El {
    let is_ordered = app.suggestions.is_ordered;
    // Another tab has no order by likelihood.
    on_cleanup(move || {
        app.suggestions.end_order();
    });
    let learner = move || Some(app.suggestions.tracked()?.learner());
    let progress = memo(move |_| learner().map(Learner::progress));
    let is_ready = move || progress.get().is_some_and(Progress::is_ready);
    let load_status = app.leads.listing.load_status();
    let has_failed = move || load_status.with(|load_status| load_status.error.is_some());
    let text = move || match (learner(), progress.get()) {
        (Some(learner), Some(progress)) => match is_ordered.get() {
            true if has_failed() => "The leads could not be ordered.".to_owned(),
            true => order_text(learner),
            false => progress.sentence(),
        },
        _ => String::new(),
    };
    let order = button()
        .class("")
        .child("Order by likelihood")
        .attr("aria-pressed", move || is_ordered.get().to_string())
        .prop("hidden", move || (!is_ready()).into())
        .on(ev::click, move |_| app.suggestions.turn_order());
    div()
        .class("active suggestion-bar")
        .attr("role", "group")
        .attr("aria-label", "Suggestions")
        .child(span().child(text))
        .child(offer(app, learner, NewApprovalStatus::Approved))
        .child(offer(app, learner, NewApprovalStatus::Rejected))
        .child(order)
}

fn order_text(learner: Learner) -> String {
    let Some(order) = learner.order.get() else {
        return "Ordering the leads…".to_owned();
    };
    let (count, of) = (order.len() as u64, order.of);
    match count < of {
        true => {
            let (count, of) = (format::number(count), format::count(of, "lead"));
            format!("The first {count} of {of}, most likely approvals first.")
        }
        false => format!(
            "{}, most likely approvals first.",
            format::count(of, "lead")
        ),
    }
}

/// The button that selects the leads which may be decided together. The user reviews them at the start or end of the
/// list, and decides with the buttons of the selection.
fn offer(
    app: AppState,
    learner: impl Fn() -> Option<Learner> + Copy + Send + Sync + 'static,
    to: NewApprovalStatus,
) -> El {
    let rows = move || {
        let order = learner()?.order.get()?;
        let rows = order.offer(app, to).into_iter().cloned();
        let rows: Vec<_> = rows.collect();
        (app.suggestions.is_ordered.get() && !rows.is_empty()).then_some(rows)
    };
    let count = memo(move |_| rows().map_or(0, |rows| rows.len() as u64));
    let is_approval = to == NewApprovalStatus::Approved;
    let (class, verb) = if is_approval {
        ("yes", "approve")
    } else {
        ("no", "reject")
    };
    let grid_selection = app.leads.grid_selection;
    let select = move |_| {
        let Some(rows) = untrack(rows) else { return };
        grid_selection.selection.update(|selection| {
            selection.clear();
            selection.add(
                rows.iter()
                    .map(|row| (Arc::from(row.id()), row.selected_value())),
            );
        });
        let last = app
            .leads
            .listing
            .pages
            .with_untracked(|pages| pages.total());
        let at = if is_approval {
            0
        } else {
            last.saturating_sub(1)
        };
        grid_selection.place_cursor_at(app.leads.listing, at);
        grid_selection.focus_list();
    };
    button()
        .class(class)
        .child(move || ["Select ", &*format::number(count.get()), " to ", verb].concat())
        .prop("hidden", move || (count.get() == 0).into())
        .on(ev::click, select)
}

lazy!(lazy_suggestion_bar: pages, small, later, "Suggestions", suggestion_bar);
