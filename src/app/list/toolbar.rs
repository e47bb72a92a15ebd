//! The buttons at the end of the tab row, and the commands of the list.

use std::rc::Rc;

use leptos::ev;
use leptos::prelude::*;

use super::focus_mode;
use crate::app::components::dom::{El, button, div};
use crate::app::components::icon;
use crate::app::model::command::Command;
use crate::app::model::layout::Density;
use crate::app::model::lead_tab::Tab;
use crate::app::model::route;
use crate::app::model::scoring_jobs::RecordKind;
use crate::app::model::view::LeadsView;
use crate::app::state::AppState;
use crate::app::state::commands::Dialog;
use crate::app::state::job_tracker::JobPrompt;

/// The commands that show the tabs of [`Tab::ALL`].
const TAB_COMMANDS: [Command; 5] = [
    Command::TabPending,
    Command::TabApproved,
    Command::TabRejected,
    Command::TabFiltered,
    Command::TabAll,
];

/// The buttons of every list.
pub fn tools(app: AppState) -> El {
    let commands = app.commands;
    let act = move |command: Command| {
        move |_| {
            commands.run(command);
        }
    };
    let opens = |label: &str, command: Command| {
        button()
            .class("quiet")
            .child(label)
            .attr("aria-haspopup", "dialog")
            .on(ev::click, act(command))
    };
    let compact = move || app.views.layout().density == Density::Compact;
    let rows = button()
        .class("quiet")
        .attr("aria-label", "Compact rows")
        .attr("title", "Compact rows")
        .attr("aria-pressed", move || compact().to_string())
        .on(ev::click, act(Command::ToggleDensity))
        .child(icon::rows());
    let export = button()
        .class("quiet")
        .child("Export")
        .attr(
            "title",
            "Export the selected rows, or the whole list, as CSV",
        )
        .on(ev::click, act(Command::Export));
    div()
        .class("end")
        .child(export)
        .child(opens("Views", Command::Views))
        .child(opens("Columns", Command::Columns))
        .child(rows)
}

/// Registers the commands of every list under the current owner.
pub fn register_list_commands(app: AppState, refresh: Rc<dyn Fn()>) {
    let commands = app.commands;
    let opens = |command, dialog| {
        commands.on(command, Rc::new(move || commands.dialog.set(Some(dialog))));
    };
    opens(Command::Views, Dialog::Views);
    opens(Command::SaveView, Dialog::SaveView);
    commands.on(Command::Refresh, refresh);
}

/// Registers the commands of the lead list under the current owner.
pub fn register_lead_list_commands(app: AppState) {
    let (commands, nav) = (app.commands, app.nav);
    commands.on(
        Command::ScoreList,
        Rc::new(move || {
            app.jobs
                .prompt
                .set(Some(JobPrompt::List(RecordKind::Leads)))
        }),
    );
    let bare = move || {
        let view = app.leads_view.get();
        let bare = LeadsView {
            filters: Default::default(),
            ..view.with(view.table.searched(""))
        };
        (bare != view).then_some(bare)
    };
    let clear = move || {
        if let Some(bare) = untrack(bare) {
            nav.navigate(route::LEADS_PATH, &bare.to_query());
        }
    };
    let any = Rc::new(move || bare().is_some());
    commands.on_while(Command::ClearFilters, any, Rc::new(clear));
    for (tab, command) in Tab::ALL.into_iter().zip(TAB_COMMANDS) {
        // In focus mode the numbers open colleagues.
        let is_other =
            move || !focus_mode::is_open_now(app) && app.leads_view.with(|view| view.tab != tab);
        let show = move || {
            let view = app.leads_view.with_untracked(|view| view.on(tab));
            nav.navigate(route::LEADS_PATH, &view.to_query());
        };
        commands.on_while(command, Rc::new(is_other), Rc::new(show));
    }
}
