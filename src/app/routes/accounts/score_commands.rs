//! Commands that score accounts: the selected ones, the one under the cursor, or a whole list.

use std::rc::Rc;

use crate::app::list::grid_controller::GridController;
use crate::app::model::command::Command;
use crate::app::model::scoring_jobs::{RecordKind, Scoring};
use crate::app::state::account_list::ListedAccount;
use crate::app::state::job_tracker::JobPrompt;

/// Registers the commands under the current owner.
pub fn register_commands(controller: GridController<ListedAccount>) {
    let (commands, jobs) = (controller.app.commands, controller.app.jobs);
    let score = move || {
        if let Some(ListedAccount { account, .. }) = controller.row() {
            let ids = vec![account.id.as_str().into()];
            jobs.ask_to_confirm(Scoring::for_ids(RecordKind::Accounts, ids, &account.name));
        }
    };
    let here = Rc::new(move || controller.row().is_some());
    commands.on_while(Command::ScoreAccount, here, Rc::new(score));
    let selection = controller.grid_selection.selection;
    let any = Rc::new(move || selection.with(|selection| !selection.is_empty()));
    commands.on_while(
        Command::ScoreSelected,
        any,
        Rc::new(move || selected(controller)),
    );
    let list = Rc::new(move || jobs.prompt.set(Some(JobPrompt::List(RecordKind::Accounts))));
    commands.on(Command::ScoreList, list);
}

/// Asks for confirmation before scoring the selected accounts.
pub fn selected(controller: GridController<ListedAccount>) {
    controller.score(RecordKind::Accounts, |row| row.account.name.clone());
}
