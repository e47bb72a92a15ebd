//! The details pane of an account, including decisions on the account's leads.

use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::NewApprovalStatus;
use leptos::prelude::*;

use super::details_pane::{OpenDetails, give_back_focus, route_links};
use super::panes;
use crate::app::components::account_details::{AccountDetailsProps, account_details};
use crate::app::components::decision_cells::RowAction;
use crate::app::components::dom::El;
use crate::app::components::lead_sublist::{LeadLine, Lines, lead_lines, no_leads};
use crate::app::list::grid_controller::GridController;
use crate::app::list::host_actions;
use crate::app::list::pulse_section::lazy_pulse;
use crate::app::list::row_events::run_action;
use crate::app::model::account_detail::{AccountMember, AccountProfile};
use crate::app::model::command::Command;
use crate::app::model::route::Route;
use crate::app::model::scoring_jobs::{RecordKind, Scoring};
use crate::app::reactive::{Signal, memo};
use crate::app::shell::lazy::lazy;
use crate::app::state::AppState;
use crate::app::state::details::Details;
use crate::review::selection::Move;

pub fn account_page(app: AppState) -> El {
    let details = app.account.details;
    let pane = panes::of_accounts(app);
    let around = ("region", "Account details");
    let OpenDetails {
        shown: account,
        frame,
        ..
    } = pane.load(details, Details::<AccountProfile>::load, around);
    let panel = account_details(AccountDetailsProps {
        frame,
        account: Signal::derive(move || account.get()),
        first: Rc::new(move || Some(lazy_pulse(app))),
        leads: Rc::new(move |account| leads(app, account)),
        on_score: Callback::new(move |()| {
            if let Some(account) = account.get_untracked() {
                let ids = vec![account.id.as_str().into()];
                let scoring = Scoring::for_ids(RecordKind::Accounts, ids, &account.name);
                app.jobs.ask_to_confirm(scoring);
            }
        }),
        buttons: Rc::new(move || host_actions::details_buttons(app, "link")),
        route_links: route_links(app),
    });
    register_commands(app);
    give_back_focus(&panel);
    panel
}

fn leads(app: AppState, account: &Arc<AccountProfile>) -> El {
    if account.leads.is_empty() {
        return no_leads();
    }
    let (state, decisions) = (app.account, app.decisions);
    let lines = account.leads.iter().map(|lead| {
        let (of, failed, actor) = (lead.clone(), lead.id.clone(), lead.clone());
        LeadLine {
            lead: lead.clone(),
            shown_status: memo(move |_| decisions.shown(&of.id, &of.status())),
            failure: Signal::derive(move || decisions.failure(&failed)),
            on_act: Rc::new(move |act| act_on(app, &actor, act)),
        }
    });
    let lines = lines.collect();
    let of = Lines {
        label: ["Leads of ", &account.name].concat(),
        cursor: state.cursor,
        has_focus: state.has_focus,
        focus_requests: state.focus_requests,
        on_step: Callback::new(move |by| state.move_cursor(by)),
        route_links: route_links(app),
        is_paused: Signal::derive(move || decisions.is_paused()),
    };
    lead_lines(&of, lines)
}

fn act_on(app: AppState, lead: &AccountMember, act: RowAction) {
    // A user decides on what is shown, never on details that are still loading.
    if untrack(|| app.account.details.is_other()) {
        return;
    }
    run_action(app, &lead.id, &lead.status(), &lead.name, act);
}

/// Decides on the lead under the cursor and moves to the next one. Without focus in the lead list it only moves the
/// focus there: the first key press shows which lead is next.
fn decide(app: AppState, to: NewApprovalStatus) {
    let account = app.account;
    match account.lead().filter(|_| account.has_focus.get_untracked()) {
        Some(lead) => {
            act_on(app, &lead, RowAction::Decide(to));
            account.move_cursor(1);
        }
        None => account.focus_leads(),
    }
}

/// Registers the review commands for the account's leads, and the list commands for the leads while they have
/// focus.
fn register_commands(app: AppState) {
    let (commands, account) = (app.commands, app.account);
    let has_leads = move || {
        let shown = account.details.shown();
        shown.is_some_and(|shown| !shown.leads.is_empty())
    };
    for (command, to) in [
        (Command::Approve, NewApprovalStatus::Approved),
        (Command::Reject, NewApprovalStatus::Rejected),
        (Command::Pending, NewApprovalStatus::PendingApproval),
        (Command::FilterOut, NewApprovalStatus::Filtered),
    ] {
        let run = Rc::new(move || decide(app, to));
        commands.on_while(command, Rc::new(has_leads), run);
    }
    let controller = GridController::of_accounts(app);
    for (command, by) in [(Command::MoveDown, 1), (Command::MoveUp, -1)] {
        let run = move || match account.has_focus.get_untracked() {
            true => account.move_cursor(by),
            false => controller.move_cursor(Move::Rows(by)),
        };
        commands.on(command, Rc::new(run));
    }
    let open = move || match account.lead().filter(|_| account.has_focus.get_untracked()) {
        Some(lead) => route_links(app).navigate.run(Route::lead(&lead.id)),
        None => panes::of_accounts(app).open_row(true),
    };
    commands.on(Command::Open, Rc::new(open));
}

lazy!(lazy_account: details, part, later, "Account details", account_page);
