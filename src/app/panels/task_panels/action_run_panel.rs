//! The panel of an action of the host page: its progress, Cancel, and why it failed.

use std::rc::Rc;

use leptos::ev;
use leptos::prelude::*;

use crate::app::components::dom::{El, KeyedRow, button, div, p};
use crate::app::components::format;
use crate::app::components::progress_bar::panel;
use crate::app::list::host_actions;
use crate::app::reactive::{RwSignal, Signal, StoredValue};
use crate::app::state::AppState;
use crate::app::state::abort_on_drop::AbortOnDrop;
use crate::app::state::host_page::ActionRun;

/// Returns the panels of all actions that run or failed.
pub fn rows(app: AppState) -> Vec<KeyedRow> {
    let runs = app.host.get(|parts| parts.runs.clone());
    let row = |run: ActionRun| KeyedRow {
        key: run.number.to_string().into(),
        version: 0,
        draw: Rc::new(move || action_run(app, &run)),
    };
    runs.into_iter().map(row).collect()
}

/// Runs an action, and renders its panel. The action is cancelled when the panel is removed.
fn action_run(app: AppState, run: &ActionRun) -> El {
    let (host, number) = (app.host, run.number);
    let share = RwSignal::new(None::<f64>);
    let failed = RwSignal::new(None::<String>);
    let task = StoredValue::new(None::<AbortOnDrop>);
    let start = {
        let run = run.clone();
        Rc::new(move || {
            failed.set(None);
            share.set(None);
            let Some(start) = untrack(|| host.get(|parts| parts.start.clone())) else {
                return host.end(number);
            };
            let run = run.clone();
            let work = async move {
                let report = Rc::new(move |done| {
                    share.set(Some(done));
                });
                match start(&run.action.id, &run.ids, report).await {
                    Ok(()) => {
                        app.notice
                            .show_text(["“", &*run.action.label, "” is done"].concat());
                        host.end(number);
                    }
                    Err(reason) => {
                        failed.set(Some(reason));
                    }
                }
            };
            task.set_value(Some(AbortOnDrop::start(work)));
        })
    };
    start();
    let end = move |_| {
        app.grid_selection().focus_list();
        host.end(number);
    };
    let percent = Signal::derive(move || (share.get().unwrap_or_default() * 100.0) as u64);
    let word = Signal::derive(move || match (failed.get(), share.get()) {
        (Some(_), _) => "Failed".to_owned(),
        (None, None) => "Running…".to_owned(),
        (None, Some(_)) => [&*percent.get().to_string(), " %"].concat(),
    });
    let count = format::count(run.ids.len() as u64, run.action.target.noun());
    let title = [&*run.action.label, ", ", &count].concat();
    panel(&title, percent, word)
        .attr("data-state", move || match (failed.get(), share.get()) {
            (Some(_), _) => "failed".to_owned(),
            (None, None) => "unknown".to_owned(),
            (None, Some(_)) => "known".to_owned(),
        })
        .child(move || {
            let reason = failed.get()?;
            let name = host_actions::page_name(app);
            let text = [&*name, " says: ", &reason].concat();
            let start = Rc::clone(&start);
            let retry = button()
                .class("main")
                .child("Retry")
                .on(ev::click, move |_| {
                    // The pressed button is removed, and the focus with it.
                    app.grid_selection().focus_list();
                    start();
                });
            let message = p().class("error").attr("role", "alert").child(&text);
            Some(div().class("stopped").child(message).child(retry))
        })
        .child(
            div().class("buttons").child(
                button()
                    .class("")
                    .child(move || {
                        if failed.get().is_some() {
                            "Close"
                        } else {
                            "Cancel"
                        }
                        .to_owned()
                    })
                    .on(ev::click, end),
            ),
        )
}
