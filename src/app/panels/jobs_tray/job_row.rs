//! The panel of a job in the tray.

use std::rc::Rc;

use leptos::ev;

use crate::app::components::dom::{El, button, div, p};
use crate::app::components::format;
use crate::app::components::progress_bar::panel;
use crate::app::model::scoring_jobs::job_labels::elapsed;
use crate::app::model::scoring_jobs::{JobPhase, ScoringJob};
use crate::app::reactive::{RwSignal, Signal, memo};
use crate::app::state::AppState;
use crate::app::state::job_tracker::{JobPrompt, job_check};

/// The panel of a job. `time` is the current time; `on_forget` is called when the user dismisses the job.
pub fn job(
    app: AppState,
    number: u64,
    time: RwSignal<i64>,
    on_forget: &Rc<impl Fn(u64) + 'static>,
) -> El {
    let jobs = app.jobs;
    let known = memo(move |_| jobs.list.with(|list| list.get(number).cloned()));
    let phase = memo(move |_| known.with(|job| job.as_ref().map(|job| job.state.phase)));
    let of = move |read: fn(&ScoringJob) -> u64| known.with(|job| job.as_ref().map_or(0, read));
    let title = known.with_untracked(|job| {
        let job = job.as_ref();
        job.map(|job| job.scoring.title(format::count))
            .unwrap_or_default()
    });
    let begun = memo(move |_| known.with(|job| job.as_ref().is_some_and(ScoringJob::has_begun)));
    let took = move || {
        known.with(|job| {
            let job = job.as_ref()?;
            Some(elapsed(job.elapsed(time.get())))
        })
    };
    let word = Signal::derive(move || {
        let percent = of(|job| job.state.percent).to_string();
        let took = took().unwrap_or_default();
        match phase.get() {
            Some(JobPhase::Starting | JobPhase::Running) => [&*percent, " % · ", &took].concat(),
            Some(JobPhase::Done) => ["Done · ", &*took].concat(),
            Some(JobPhase::Uncertain) if begun.get() => "Started".to_owned(),
            Some(JobPhase::Uncertain) => "Uncertain".to_owned(),
            Some(JobPhase::Lost) => "Unknown".to_owned(),
            Some(JobPhase::Cancelled) => "Cancelled".to_owned(),
            Some(JobPhase::Failed) => "Failed".to_owned(),
            Some(JobPhase::Refused) => "Not started".to_owned(),
            None => String::new(),
        }
    });
    let words = memo(move |_| {
        known.with(|job| {
            job.as_ref()
                .map(|job| description(app, job))
                .unwrap_or_default()
        })
    });
    let busy = RwSignal::new(false);
    let on_forget = Rc::clone(on_forget);
    let again =
        memo(move |_| known.with(|job| job.as_ref().is_some_and(ScoringJob::may_start_again)));
    let buttons = move || {
        let phase = phase.get()?;
        if phase.is_open() {
            return None;
        }
        let on_forget = Rc::clone(&on_forget);
        let check_button = (phase == JobPhase::Uncertain).then(|| {
            button()
                .class("main")
                .child("Check jobs")
                .attr("aria-disabled", move || busy.get().to_string())
                .on(ev::click, move |_| {
                    if !busy.get_untracked() {
                        job_check::check(app, number, busy);
                    }
                })
        });
        let start = again.get().then(|| {
            button()
                .class("")
                .child("Score again")
                .on(ev::click, move |_| {
                    let scoring = known.with_untracked(|job| Some(job.as_ref()?.scoring.clone()));
                    jobs.prompt.set(scoring.map(JobPrompt::For));
                })
        });
        let dismiss = button()
            .class("quiet")
            .child("Dismiss")
            .on(ev::click, move |_| on_forget(number));
        Some(
            div()
                .class("buttons")
                .child(check_button)
                .child(start)
                .child(dismiss),
        )
    };
    panel(
        &title,
        Signal::derive(move || of(|job| job.state.percent)),
        word,
    )
    .attr("data-phase", move || {
        match phase.get() {
            Some(JobPhase::Starting | JobPhase::Running) => "open",
            Some(JobPhase::Done) | None => "done",
            Some(JobPhase::Uncertain | JobPhase::Lost) => "uncertain",
            Some(_) => "failed",
        }
        .to_owned()
    })
    .child(p().class("message").child(move || words.get()))
    .child(buttons)
}

/// Returns the state of a job as text.
pub(super) fn description(app: AppState, job: &ScoringJob) -> String {
    let change = app.jobs.changes.with(|changes| {
        let mut all = changes.iter();
        all.find(|(of, _)| *of == job.number)
            .map(|(_, change)| *change)
    });
    match change.filter(|_| job.state.phase == JobPhase::Done) {
        Some(change) => change.description(job, format::count),
        None => job.description(format::count),
    }
}
