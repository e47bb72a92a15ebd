//! Review commands: decisions on leads by cursor and selection.

use std::rc::Rc;

use lead_workspace_api::NewApprovalStatus;
use leptos::prelude::*;

use super::grid_controller::GridController;
use super::{lead_pane, panes};
use crate::app::model::command::Command;
use crate::app::model::lead_tab::Tab;
use crate::app::model::scoring_jobs::{RecordKind, Scoring};
use crate::app::state::AppState;
use crate::app::state::lead_list::listed_lead::ListedLead;
use crate::review::selection::Move;

#[derive(Clone, Copy)]
pub struct Review {
    pub app: AppState,
    pub controller: GridController<ListedLead>,
}

impl Review {
    /// Decides on the lead under the cursor and moves to the next one. If the details of another lead are open,
    /// decides on that lead instead.
    pub fn decide(self, to: NewApprovalStatus) {
        if lead_pane::decide(self.app, to) {
            return;
        }
        match self.controller.row() {
            Some(row) => {
                self.app
                    .leads
                    .decide(&row.lead.id, &row.status, &row.lead.name, to);
                self.controller.move_cursor(Move::Rows(1));
            }
            // Without a cursor, the first decision key only shows where the cursor is.
            None => self.controller.move_cursor(Move::Rows(0)),
        }
    }

    pub fn decide_selected(self, to: NewApprovalStatus) {
        // A part of what the user chose.
        if self.app.bulk_tasks.is_selecting() {
            let wait = "Nothing was decided: all matching leads are still being selected. Decide when they are, or press Cancel";
            return self.app.notice.show_text(wait.to_owned());
        }
        self.app.leads.decide_selected(to);
    }

    /// Moves the cursor to the next loaded lead that is pending, wrapping around at the end.
    pub fn next_undecided(self) {
        let (leads, decisions) = (self.app.leads, self.app.decisions);
        let cursor = leads.grid_selection.cursor.get_untracked();
        let from = cursor.map_or(0, |cursor| cursor.index + 1);
        let found = leads.listing.pages.with_untracked(|pages| {
            let waits = |row: &ListedLead| {
                let (shown, _) = untrack(|| decisions.shown(&row.lead.id, &row.status));
                shown.known() == Tab::Pending.status()
            };
            let mut rows = pages.rows().filter(|(_, row)| waits(row));
            let first = rows.next();
            let behind = |(index, _): &(u64, &ListedLead)| *index >= from;
            first
                .filter(behind)
                .or_else(|| rows.find(behind))
                .or(first)
                .map(|(index, _)| index)
        });
        match (found, leads.grid_selection.cursor.get_untracked()) {
            (Some(index), Some(mut cursor)) => {
                (cursor.index, cursor.id, cursor.head) = (index, None, false);
                leads.grid_selection.place_cursor(leads.listing, cursor);
            }
            (Some(_), None) => self.controller.move_cursor(Move::Rows(0)),
            (None, _) => self
                .app
                .notice
                .show_text("No lead here is waiting for a decision".to_owned()),
        }
    }

    /// Selects all leads of the company that the lead under the cursor works for, loaded or not.
    pub fn select_company(self) {
        let app = self.app;
        let Some(row) = self.controller.row() else {
            return self.controller.move_cursor(Move::Rows(0));
        };
        match row.lead.account.as_deref() {
            Some(account) => app.leads.selecting_company.set(Some(account.into())),
            None => {
                let unknown = [&row.lead.name, " has no company that is known here"].concat();
                app.notice.show_text(unknown);
            }
        }
    }

    /// Asks for confirmation before scoring the selected leads.
    pub fn score_selected(self) {
        self.controller
            .score(RecordKind::Leads, |row| row.lead.name.clone());
    }

    /// Asks for confirmation before scoring the account of the lead under the cursor.
    fn score_account(self) {
        if let Some(row) = self.controller.row()
            && let Some(account) = row.lead.account.as_deref()
        {
            let name = row.lead.company.as_deref().unwrap_or_default();
            let scoring = Scoring::for_ids(RecordKind::Accounts, vec![account.into()], name);
            self.app.jobs.ask_to_confirm(scoring);
        }
    }

    /// Asks for confirmation before deleting the lead under the cursor.
    pub fn delete(self) {
        if let Some(row) = self.controller.row() {
            self.app.deletion.ask_to_confirm(row);
        }
    }

    /// Registers the review commands under the current owner.
    pub fn register_commands(self) {
        let commands = self.app.commands;
        let selection = self.app.leads.grid_selection.selection;
        let on = |command, run: Rc<dyn Fn()>| commands.on(command, run);
        for (command, to) in [
            (Command::Approve, NewApprovalStatus::Approved),
            (Command::Reject, NewApprovalStatus::Rejected),
            (Command::Pending, NewApprovalStatus::PendingApproval),
            (Command::FilterOut, NewApprovalStatus::Filtered),
        ] {
            on(command, Rc::new(move || self.decide(to)));
        }
        register_undo_commands(self.app);
        self.controller.register_commands();
        on(
            Command::NextUndecided,
            Rc::new(move || self.next_undecided()),
        );
        on(
            Command::SelectCompany,
            Rc::new(move || self.select_company()),
        );
        on(Command::Delete, Rc::new(move || self.delete()));
        let has_account = move || {
            let row = self.controller.row();
            row.is_some_and(|row| row.lead.account.is_some())
        };
        let score = Rc::new(move || self.score_account());
        commands.on_while(Command::ScoreAccount, Rc::new(has_account), score);
        let app = self.app;
        panes::of_leads(app).register_copy();
        on(
            Command::Open,
            Rc::new(move || panes::of_leads(app).open_row(true)),
        );
        let has_selection: Rc<dyn Fn() -> bool> =
            Rc::new(move || selection.with(|selection| !selection.is_empty()));
        for (command, to) in [
            (Command::ApproveSelected, NewApprovalStatus::Approved),
            (Command::RejectSelected, NewApprovalStatus::Rejected),
        ] {
            let run = Rc::new(move || self.decide_selected(to));
            let has_selection = Rc::clone(&has_selection);
            commands.on_while(command, has_selection, run);
        }
        let score = Rc::new(move || self.score_selected());
        commands.on_while(Command::ScoreSelected, has_selection, score);
    }
}

/// Registers undo and redo under the current owner.
pub fn register_undo_commands(app: AppState) {
    let (commands, decisions) = (app.commands, app.decisions);
    let undoable = Rc::new(move || !decisions.recent().is_empty());
    commands.on_while(
        Command::Undo,
        undoable,
        Rc::new(move || decisions.undo(None)),
    );
    commands.on(Command::Redo, Rc::new(move || decisions.redo()));
}
