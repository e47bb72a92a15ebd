//! The job tray and the confirmation before a job starts. Shown on every page.

use std::rc::Rc;

use gloo_timers::callback::Interval;
use leptos::ev;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use self::job_row::{description, job};
use crate::app::components::confirm::{Confirm, confirm};
use crate::app::components::dom::{El, KeyedRow, b, button, div, effect, p, section, span};
use crate::app::components::{format, icon};
use crate::app::model::route;
use crate::app::model::scoring_jobs::{JobPhase, ScoringJob};
use crate::app::reactive::{RwSignal, Signal, StoredValue, memo};
use crate::app::shell::lazy::lazy;
use crate::app::state::AppState;
use crate::app::state::job_tracker::{JobPrompt, job_progress, now, start_job};

mod job_row;
mod list_picker;

/// Renders the tray once there is a job or a confirmation to show.
pub fn jobs_tray(app: AppState) -> El {
    // Stays once rendered: removing a dialog together with its container would lose the focus.
    let any = memo(move |before| before == Some(&true) || app.jobs.any());
    div()
        .class("jobs")
        .child(move || any.get().then(|| lazy_jobs(app)))
}

pub fn jobs_part(app: AppState) -> El {
    let jobs = app.jobs;
    job_progress::start(app);
    let prompt = move || match jobs.prompt.get() {
        Some(JobPrompt::For(scoring)) => {
            let subject = scoring.subject(format::count);
            let s = if scoring.count() == 1 {
                "Its score is"
            } else {
                "Their scores are"
            };
            Some(Confirm {
                title: ["Score ", &subject, "?"].concat(),
                text: [
                    s,
                    " recalculated by the workspace's rules, replacing the current values. Decisions do not change. This may take a while and continues after the page is closed.",
                ]
                .concat(),
                verb: "Score",
                mild: true,
            })
        }
        _ => None,
    };
    let confirmation = confirm(
        Signal::derive(prompt),
        move || {
            let prompt = jobs.prompt.try_update(Option::take).flatten();
            if let Some(JobPrompt::For(scoring)) = prompt {
                start_job::start(app, scoring);
            }
        },
        move || jobs.prompt.set(None),
    );
    let lists = move || match jobs.prompt.get() {
        Some(JobPrompt::List(kind)) => Some(list_picker::lists(app, kind)),
        _ => None,
    };
    let any = memo(move |_| jobs.list.with(|list| !list.all().is_empty()));
    div()
        .class("tray-part")
        .child(announcements(app))
        .child(move || any.get().then(|| tray(app)))
        .child(lists)
        .child(confirmation)
}

/// The live region for screen readers.
fn announcements(app: AppState) -> El {
    let jobs = app.jobs;
    let text = move || {
        let number = jobs.announced.get()?;
        jobs.list.with(|list| {
            let job = list.get(number)?;
            Some(
                [
                    &*job.scoring.title(format::count),
                    ". ",
                    &description(app, job),
                ]
                .concat(),
            )
        })
    };
    p().class("visually-hidden")
        .attr("role", "status")
        .child(move || text().unwrap_or_default())
}

fn tray(app: AppState) -> El {
    let jobs = app.jobs;
    let open = RwSignal::new(!app.environment.narrow.get_untracked());
    let running = memo(move |_| jobs.list.with(|list| !list.open().is_empty()));
    let time = RwSignal::new(now());
    let refreshing = StoredValue::new(None::<Interval>);
    effect(move || {
        let refresh = || {
            Interval::new(1000, move || {
                time.set(now());
            })
        };
        time.set(now());
        refreshing.set_value(running.get().then(refresh));
    });
    let head = button()
        .class("quiet tray-head")
        .attr("aria-expanded", move || open.get().to_string())
        .child(b().child("Jobs"))
        .child(
            span()
                .class("progress-text")
                .child(move || jobs.list.with(|list| summary(list.all()))),
        )
        .child(move || Some(if open.get() { icon::down() } else { icon::up() }))
        .on(ev::click, move |_| open.update(|open| *open = !*open));
    let focus: HtmlElement = head.node().unchecked_into();
    let on_forget = Rc::new(move |number: u64| {
        jobs.forget(number);
        // The pressed button was removed, and the focus with it.
        if jobs.list.with_untracked(|list| list.all().is_empty()) {
            match &*app.nav.path().get_untracked() {
                route::ACCOUNTS_PATH => app.accounts.grid_selection.focus_list(),
                _ => app.leads.grid_selection.focus_list(),
            }
        } else {
            let _ = focus.focus();
        }
    });
    let rows = move || {
        let numbers: Vec<u64> = jobs
            .list
            .with(|list| list.all().iter().rev().map(|job| job.number).collect());
        let row = |number: u64| {
            let on_forget = Rc::clone(&on_forget);
            KeyedRow {
                key: number.to_string().into(),
                version: 0,
                draw: Rc::new(move || job(app, number, time, &on_forget)),
            }
        };
        numbers.into_iter().map(row).collect()
    };
    let list = move || {
        let rows = rows.clone();
        open.get()
            .then(|| div().class("tray-list").keyed_rows(rows.clone()))
    };
    section()
        .class("tray")
        .attr("role", "region")
        .attr("aria-label", "Jobs")
        .child(head)
        .child(list)
}

/// Returns the number of running jobs and their average progress, or else how many did not end well.
fn summary(all: &[ScoringJob]) -> String {
    let open = || all.iter().filter(|job| job.state.phase.is_open());
    let (running, percent) = (
        open().count() as u64,
        open().map(|job| job.state.percent).sum::<u64>(),
    );
    if let Some(percent) = percent.checked_div(running) {
        let percent = percent.to_string();
        return [&*format::number(running), " running · ", &percent, " %"].concat();
    }
    let ill = all
        .iter()
        .filter(|job| job.state.phase != JobPhase::Done)
        .count() as u64;
    match ill {
        0 => "all done".to_owned(),
        ill => [&*format::number(ill), " to check"].concat(),
    }
}

lazy!(lazy_jobs: pages, small, later, "Jobs", jobs_part);
