//! Follows jobs until they end. One tab polls, the others are notified. If that tab is closed or hidden, another
//! one takes over.

use std::time::Duration;

use gloo_timers::future::TimeoutFuture;
use lead_workspace_api::{Detail, ErrorBody, JobId, JobState, Raw};
use leptos::prelude::*;
use serde_json::Value;

use super::now;
use super::refresh_rows::on_job_changed;
use crate::app::model::scoring_jobs::{JobPhase, JobSnapshot};
use crate::app::reactive::{RwSignal, StoredValue, effect, memo};
use crate::app::state::AppState;
use crate::app::state::abort_on_drop::AbortOnDrop;
use crate::client::{CallOptions, ErrorKind};
use crate::platform::web_lock;

/// The pause after a call that failed despite its retries, in milliseconds.
const RETRY_PAUSE_MS: u32 = 10_000;

/// The deadline of a call that waits for a job. Jobs may take long.
const WAIT_DEADLINE: Duration = Duration::from_secs(24 * 3600);

/// Reads the stored jobs and follows every open job, under the current owner.
pub fn start(app: AppState) {
    let (jobs, session) = (app.jobs, app.session);
    jobs.load_stored(move |job| on_job_changed(app, job));
    let visible = RwSignal::new(is_visible());
    let listener = window_event_listener_untyped("visibilitychange", move |_| {
        visible.set(is_visible());
    });
    on_cleanup(move || listener.remove());
    let open = memo(move |_| jobs.list.with(|list| list.open()));
    let tasks = StoredValue::new(Vec::<(u64, AbortOnDrop)>::new());
    let restarts = RwSignal::new(0_u32);
    effect(move || {
        // A new client restarts everything. Hidden tabs leave the polling to others.
        let is_polling = session.client().is_some() && visible.get();
        tasks.update_value(Vec::clear);
        restarts.update(|restarts| {
            *restarts = if is_polling {
                restarts.wrapping_add(1).max(1)
            } else {
                0
            }
        });
    });
    effect(move || {
        let (is_polling, open) = (restarts.get() > 0, open.get());
        tasks.update_value(|tasks| {
            tasks.retain(|(number, _)| open.contains(number));
            for number in open.into_iter().filter(|_| is_polling) {
                if !tasks.iter().any(|(of, _)| *of == number) {
                    tasks.push((number, AbortOnDrop::start(wait_for(app, number))));
                }
            }
        });
    });
}

fn is_visible() -> bool {
    !document().hidden()
}

/// Waits for the lock of a job, then polls the job until it ends.
async fn wait_for(app: AppState, number: u64) {
    let jobs = app.jobs;
    let _held = web_lock::acquire(&jobs.slot(number)).await;
    // The tab that polled before may have stored more than this tab has received.
    if let Some(job) = jobs.reread(number) {
        on_job_changed(app, job);
    }
    let job = jobs
        .list
        .try_with_untracked(|list| list.get(number).cloned());
    let Some(job) = job.flatten() else { return };
    let starting = jobs
        .starting
        .try_with_value(|starting| starting.contains(&number));
    match (job.state.phase, job.id) {
        (JobPhase::Running, Some(id)) => {
            if let Some(state) = end(app, number, &JobId::new(id)).await
                && let Some(job) = jobs.update(number, state)
            {
                on_job_changed(app, job);
            }
        }
        // The tab that was starting the job was closed before it got a response.
        (JobPhase::Starting, _) if starting == Some(false) => {
            jobs.update(number, JobSnapshot::new(JobPhase::Uncertain, now()));
        }
        _ => {}
    }
}

/// Returns how a job ended. `None` if the key does not permit checking.
async fn end(app: AppState, number: u64, id: &JobId) -> Option<JobSnapshot> {
    let jobs = app.jobs;
    loop {
        let options = CallOptions {
            deadline: Some(WAIT_DEADLINE),
            ..CallOptions::default()
        };
        let client = app.session.client_now()?.with_options(options);
        let seen = |job: &lead_workspace_api::Job| {
            if job.state() == JobState::Running {
                jobs.update(number, running(job.fraction(), ""));
            }
        };
        let error = match client.wait_for_job(id, seen).await {
            Ok(job) => return Some(ended(&job)),
            Err(error) => error,
        };
        match error.kind {
            ErrorKind::NotFound => return Some(JobSnapshot::new(JobPhase::Lost, now())),
            ErrorKind::KeyRefused | ErrorKind::Forbidden | ErrorKind::NoKey(_) => {
                jobs.update(number, running(None, &error.summary()));
                app.session.ask_for_another_key();
                return None;
            }
            _ => jobs.update(number, running(None, &error.summary())),
        };
        TimeoutFuture::new(RETRY_PAUSE_MS).await;
    }
}

fn running(fraction: Option<f64>, reason: &str) -> JobSnapshot {
    JobSnapshot {
        percent: fraction.map_or(0, |fraction| (fraction * 100.0) as u64),
        ..JobSnapshot::new(JobPhase::Running, now()).because(reason)
    }
}

fn ended(job: &lead_workspace_api::Job) -> JobSnapshot {
    let phase = match job.state() {
        JobState::Succeeded => JobPhase::Done,
        JobState::Cancelled => JobPhase::Cancelled,
        JobState::Failed | JobState::Running => JobPhase::Failed,
    };
    let result = job.result.as_ref().map(Raw::value).unwrap_or_default();
    let count = |name: &str| match result.get(name) {
        Some(Value::Array(ids)) => Some(ids.len() as u64),
        Some(number) => number.as_u64(),
        None => None,
    };
    JobSnapshot {
        percent: if phase == JobPhase::Done { 100 } else { 0 },
        scored: count("scored"),
        missing: count("gone").unwrap_or_default() + count("not_found").unwrap_or_default(),
        ..JobSnapshot::new(phase, now()).because(&reason(job.error.as_ref()))
    }
}

/// Returns why a job failed. Servers report it in different formats.
fn reason(error: Option<&Raw>) -> String {
    let error = match error.map(Raw::value) {
        None | Some(Value::Null) => return String::new(),
        Some(error) => error,
    };
    let detail = ErrorBody::from_value(&error).map(|body| body.detail);
    let other = || {
        ["reason", "error"]
            .into_iter()
            .find_map(|name| error.get(name))
    };
    let detail = detail.unwrap_or_else(|| Detail::from_value(other().unwrap_or(&error)));
    detail.to_string()
}
