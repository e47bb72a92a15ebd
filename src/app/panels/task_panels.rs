//! Panels of long-running tasks: selecting all matching rows, bulk decisions, exports. Shown on every page.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use js_sys::Date;
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::app::components::dom::{El, KeyedRow, button, div, effect, h2, p, section};
use crate::app::components::format;
use crate::app::components::progress_bar::{panel, percent};
use crate::app::model::route::Route;
use crate::app::model::scoring_jobs::RecordKind;
use crate::app::model::view::{LeadsView, list_only};
use crate::app::reactive::{RwSignal, Signal, StoredValue, memo};
use crate::app::shell::lazy::lazy;
use crate::app::state::AppState;
use crate::app::state::abort_on_drop::AbortOnDrop;
use crate::app::state::bulk_tasks::collect::TaskProgress;
use crate::app::state::bulk_tasks::export::CsvFile;
use crate::app::state::bulk_tasks::{Export, collect, export};

mod action_run_panel;
mod bulk_run_panel;

/// Starts a task that reports its progress.
type StartTask = Rc<dyn Fn(RwSignal<TaskProgress>) -> AbortOnDrop>;

/// Renders the panels while there are any.
pub fn panels(app: AppState) -> El {
    let (tasks, host) = (app.bulk_tasks, app.host);
    let any = memo(move |_| tasks.any() || host.is_running());
    div()
        .class("tasks")
        .child(move || any.get().then(|| lazy_tasks(app)))
}

pub fn tasks_part(app: AppState) -> El {
    let (tasks, decisions) = (app.bulk_tasks, app.decisions);
    let rows = move || {
        let numbers = decisions.runs();
        let row = |number: u64| KeyedRow {
            key: number.to_string().into(),
            version: 0,
            draw: Rc::new(move || bulk_run_panel::run(app, number)),
        };
        numbers.into_iter().map(row).collect()
    };
    section()
        .class("panels")
        .attr("role", "region")
        .attr("aria-label", "Progress")
        .child(move || {
            let list = tasks.selecting.get()?;
            Some(selecting(app, list))
        })
        .child(move || {
            let list = tasks.score.get()?;
            Some(score(app, list))
        })
        .keyed_rows(rows)
        .keyed_rows(move || action_run_panel::rows(app))
        .child(move || {
            let wanted = tasks.export.get()?;
            Some(export_panel(app, wanted))
        })
}

/// Selects every row of a list.
fn selecting(app: AppState, list: Route) -> El {
    let (tasks, nav) = (app.bulk_tasks, app.nav);
    let about = list_only(&list);
    let title = match collect::kind(&list) {
        RecordKind::Leads => "Selecting all matching leads",
        RecordKind::Accounts => "Selecting all matching accounts",
    };
    let selection = app.grid_selection().selection;
    let before = StoredValue::new(None);
    effect(move || {
        // Cancelled when the user leaves the list, or selects otherwise: a selection in a hidden list would be a surprise, and
        // so would one that replaces the user's.
        let selected: Vec<Arc<str>> =
            selection.with(|selection| selection.ids().map(|(id, _)| Arc::clone(id)).collect());
        let is_other =
            before.with_value(|before| before.as_ref().is_some_and(|ids| *ids != selected));
        before.set_value(Some(selected));
        if is_other || list_only(&nav.route()) != about {
            tasks.selecting.set(None);
        }
    });
    let work: StartTask = Rc::new(move |progress| {
        let list = list.clone();
        AbortOnDrop::start(collect::selecting(app, list, progress))
    });
    let end = Callback::new(move |()| tasks.selecting.set(None));
    progress_panel(app, title, work, end)
}

/// Collects every row of a list. The user then confirms the scoring.
fn score(app: AppState, list: Route) -> El {
    let wanted = app.bulk_tasks.score;
    let title = match collect::kind(&list) {
        RecordKind::Leads => "Finding the leads to score",
        RecordKind::Accounts => "Finding the accounts to score",
    };
    let work: StartTask = Rc::new(move |progress| {
        let list = list.clone();
        AbortOnDrop::start(collect::score(app, list, progress))
    });
    let end = Callback::new(move |()| wanted.set(None));
    progress_panel(app, title, work, end)
}

/// Asks for the columns, and then exports rows to a CSV file.
fn export_panel(app: AppState, wanted: Export) -> El {
    let only = RwSignal::new(None);
    let end = move || {
        app.grid_selection().focus_list();
        app.bulk_tasks.export.set(None);
    };
    let choose = move |to: Option<bool>| {
        move |_| {
            // The pressed button is removed, and the focus with it.
            app.grid_selection().focus_list();
            only.set(to);
        }
    };
    let noun = collect::kind(&wanted.list).one();
    let title = ["Export ", noun, "s as CSV"].concat();
    div().child(move || {
        if let Some(only) = only.get() {
            return Some(exporting(app, wanted.clone(), only));
        }
        let all = button()
            .class("main")
            .child("Everything")
            .attr(
                "title",
                "The columns of the list, all others, and those of your own files",
            )
            .on(ev::click, choose(Some(false)));
        let shown = button()
            .class("")
            .child("What the list shows")
            .on(ev::click, choose(Some(true)));
        let cancel = button()
            .class("")
            .child("Cancel")
            .on(ev::click, move |_| end());
        let focus: HtmlElement = all.node().unchecked_into();
        // After the palette has closed, which gives the focus back.
        set_timeout(
            move || {
                let _ = focus.focus();
            },
            Duration::ZERO,
        );
        let buttons = div().class("buttons").child(all).child(shown).child(cancel);
        let panel = div()
            .class("panel")
            .attr("role", "group")
            .attr("aria-label", &*title);
        Some(panel.child(h2().child(&*title)).child(buttons))
    })
}

fn exporting(app: AppState, wanted: Export, only: bool) -> El {
    let (tasks, notice) = (app.bulk_tasks, app.notice);
    let kind = collect::kind(&wanted.list);
    let day: String = Date::new_0().to_iso_string().into();
    let day = day.get(..10).unwrap_or_default();
    let name = match kind {
        RecordKind::Leads => {
            let tab = LeadsView::from_query(&wanted.list.query).tab;
            ["leads-", tab.as_str(), "-", day, ".csv"].concat()
        }
        RecordKind::Accounts => ["accounts-", day, ".csv"].concat(),
    };
    let work: StartTask = Rc::new(move |progress| {
        let (wanted, name) = (wanted.clone(), name.clone());
        AbortOnDrop::start(async move {
            let Some(file) = export::write(app, wanted, only, progress).await else {
                return;
            };
            if file.text.save(&name).is_err() {
                progress.try_update(|progress| {
                    progress.failed = Some("The browser has no space for the file.".into())
                });
                return;
            }
            notice.show_text(message(&file, kind));
            tasks.export.set(None);
        })
    });
    let end = Callback::new(move |()| tasks.export.set(None));
    let title = ["Exporting ", kind.one(), "s as CSV"].concat();
    progress_panel(app, &title, work, end)
}

fn message(file: &CsvFile, kind: RecordKind) -> String {
    let noun = kind.one();
    let mut message = ["Exported ", &format::count(file.rows, noun)].concat();
    if kind == RecordKind::Leads && !file.says_who_decided {
        message += "; the file does not say who decided on them";
    }
    if file.missing > 0 {
        message += "; ";
        message += &format::count(file.missing, &["selected ", noun].concat());
        message += " could not be found";
    }
    if file.incomplete {
        message +=
            "; the list changed during the export, so some rows may be missing: export again later";
    }
    message
}

/// The panel of a task. Starts the task, and cancels it when the panel is removed or the user presses Cancel.
fn progress_panel(app: AppState, title: &str, work: StartTask, end: Callback<()>) -> El {
    let progress = RwSignal::new(TaskProgress::default());
    let task = StoredValue::new(Some(work(progress)));
    let share = Signal::derive(move || {
        progress.with(|progress| progress.of.map_or(0, |of| percent(progress.done, of)))
    });
    let word = Signal::derive(move || {
        progress.with(|progress| {
            let done = format::number(progress.done);
            match progress.of {
                Some(of) => [&*done, " of ", &format::number(of)].concat(),
                None => "Starting…".to_owned(),
            }
        })
    });
    let failed = memo(move |_| progress.with(|progress| progress.failed.clone()));
    let cancel = move |_| {
        task.set_value(None);
        app.grid_selection().focus_list();
        end.run(());
    };
    let again = move || {
        progress.set(TaskProgress::default());
        task.set_value(Some(work(progress)));
    };
    let again = Rc::new(again);
    panel(title, share, word)
        .child(move || {
            let failed = failed.get()?;
            let text = [&*failed, " Nothing was changed."].concat();
            let again = Rc::clone(&again);
            let retry = button()
                .class("main")
                .child("Retry")
                .on(ev::click, move |_| again());
            let message = p().class("error").attr("role", "alert").child(&text);
            Some(div().class("stopped").child(message).child(retry))
        })
        .child(
            div()
                .class("buttons")
                .child(button().class("").child("Cancel").on(ev::click, cancel)),
        )
}

lazy!(lazy_tasks: pages, small, later, "Progress", tasks_part);
