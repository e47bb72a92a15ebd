//! Error states and error banners.

use leptos::ev;
use leptos::prelude::*;

use crate::app::components::countdown::countdown;
use crate::app::components::dom::{El, b, button, div, p, span};
use crate::app::components::empty_state::{Severity, empty_state};
use crate::app::model::rejected_filter::refusal;
use crate::app::state::AppState;
use crate::app::state::session::KeyPrompt;
use crate::client::{Error, ErrorKind};

/// A list that failed to load retries by itself after this many seconds, unless the server says when.
const RETRY_SECONDS: u64 = 10;

/// The error state, shown instead of content that was never loaded.
pub fn failed_state(app: AppState, error: &Error, on_retry: &Callback<()>) -> El {
    plate(app, error, on_retry, retry_countdown(error, on_retry, None))
}

/// The error state, shown instead of a list that was never loaded. It retries by itself where that can help.
pub fn failed_list(app: AppState, error: &Error, on_retry: &Callback<()>) -> El {
    let wait = retry_countdown(error, on_retry, Some(RETRY_SECONDS));
    plate(app, error, on_retry, wait)
}

fn plate(app: AppState, error: &Error, on_retry: &Callback<()>, wait: Option<El>) -> El {
    let buttons = div()
        .class("buttons")
        .child(retry("main", on_retry))
        .child(key_button(app, error));
    // The countdown already says what happens next.
    let remedy = match wait {
        Some(_) => String::new(),
        None => format!("{}.", error.remedy()),
    };
    empty_state(Severity::Trouble, &what(error), &remedy)
        .child(wait)
        .child(buttons)
        .child(small_print(error))
}

/// Returns the server's words and the request id, for whoever looks after the server.
fn small_print(error: &Error) -> Option<El> {
    // A refusal is the server's words already.
    let is_said = matches!(error.kind, ErrorKind::Validation(_));
    let words = error.server_words();
    let words = Some(words).filter(|words| !words.is_empty() && !is_said);
    let request = error.request_id.as_deref();
    let request = request.map(|id| ["Request ", id].concat());
    let parts: Vec<String> = words.into_iter().chain(request).collect();
    (!parts.is_empty()).then(|| p().class("fine").child(parts.join(" · ")))
}

/// The state without an API key.
pub fn no_key_state(app: AppState) -> El {
    let prompt = app.session.prompt;
    let text = "This page needs the API key of a workspace. The service prints a URL with a key \
                when it starts.";
    let enter = button()
        .class("main")
        .child("Enter the key")
        .on(ev::click, move |_| prompt.set(Some(KeyPrompt::NoKey)));
    empty_state(Severity::Calm, "Not connected yet", text)
        .child(div().class("buttons").child(enter))
}

/// The error banner, shown above a list that was loaded before.
pub fn failed_banner(app: AppState, error: &Error, on_retry: &Callback<()>) -> El {
    let message = span()
        .child(b().child(what(error)).child("."))
        .child(" Showing previous results. ")
        .child(retry_countdown(error, on_retry, None));
    div()
        .class("banner error")
        .attr("role", "alert")
        .child(message)
        .child(retry("", on_retry))
        .child(key_button(app, error))
}

/// Returns what happened, in plain words.
fn what(error: &Error) -> String {
    match &error.kind {
        ErrorKind::Validation(detail) => refusal(detail),
        _ => None,
    }
    .unwrap_or_else(|| error.headline())
}

/// Returns a countdown that retries at its end: for a rate limit with a known wait, and after `seconds` if the same
/// request may succeed later. Not announced every second.
fn retry_countdown(error: &Error, on_retry: &Callback<()>, seconds: Option<u64>) -> Option<El> {
    let limited = matches!(error.kind, ErrorKind::RateLimited);
    let wait = error.wait_seconds().filter(|_| limited);
    let seconds = wait.or(seconds.filter(|_| error.is_transient()))?;
    let countdown = countdown(seconds, *on_retry);
    Some(
        p().attr("aria-live", "off")
            .child("Retrying in ")
            .child(countdown),
    )
}

fn retry(class: &str, on_retry: &Callback<()>) -> El {
    let on_retry = *on_retry;
    button()
        .class(class)
        .child("Retry")
        .on(ev::click, move |_| on_retry.run(()))
}

fn key_button(app: AppState, error: &Error) -> Option<El> {
    let prompt = app.session.prompt;
    matches!(error.kind, ErrorKind::KeyRefused | ErrorKind::Forbidden).then(|| {
        button()
            .class("")
            .child("Enter another key")
            .on(ev::click, move |_| prompt.set(Some(KeyPrompt::Change)))
    })
}

/// The banner that reports rows that could not be read.
pub fn unreadable_banner(rows: usize) -> Option<El> {
    let what = match rows {
        0 => return None,
        1 => "1 row".to_owned(),
        rows => format!("{rows} rows"),
    };
    let text = format!("{what} of this page could not be read. The other rows are complete.");
    Some(banner("", &text))
}

pub fn banner(what: &str, text: &str) -> El {
    let message = span().child(b().child(what)).child(text);
    div().class("banner").attr("role", "status").child(message)
}
