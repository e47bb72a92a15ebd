//! Commands that score accounts: the selected ones, the one under the cursor, or a whole list.

use std::rc::Rc;

use crate::model::command::Command;
use crate::model::jobs::{RecordKind, Scoring};
use crate::pages::grid_controller::GridController;
use crate::state::accounts::ListedAccount;
use crate::state::jobs::JobPrompt;

/// Registers the commands under the current owner.
pub fn commands(hand: GridController<ListedAccount>) {
    let (commands, jobs) = (hand.app.commands, hand.app.jobs);
    let score = move || {
        if let Some(ListedAccount { account, .. }) = hand.row() {
            let ids = vec![account.id.as_str().into()];
            jobs.ask(Scoring::of_ids(RecordKind::Accounts, ids, &account.name));
        }
    };
    let here = Rc::new(move || hand.row().is_some());
    commands.on_while(Command::ScoreAccount, here, Rc::new(score));
    let selection = hand.choice.selection;
    let any = Rc::new(move || selection.with(|selection| !selection.is_empty()));
    commands.on_while(Command::ScoreSelected, any, Rc::new(move || ticked(hand)));
    let list = Rc::new(move || jobs.asking.set(Some(JobPrompt::List(RecordKind::Accounts))));
    commands.on(Command::ScoreList, list);
}

/// Asks for confirmation before scoring the selected accounts.
pub fn ticked(hand: GridController<ListedAccount>) {
    hand.score(RecordKind::Accounts, |row| row.account.name.clone());
}
