//! Error states and error banners.

use lead_workspace_api::Detail;
use leptos::ev;

use crate::app::components::dom::{El, b, button, div, p, span};
use crate::app::components::empty_state::{Severity, empty_state};
use crate::app::model::diagnosis::{FORBIDDEN, FORBIDDEN_REMEDY};
use crate::app::model::rejected_filter::refusal;
use crate::app::shell::retry::Retry;
use crate::app::state::session::KeyPrompt;
use crate::app::state::{AppState, clipboard};
use crate::client::{Error, ErrorKind};

/// The error state, shown instead of content that was never loaded. It retries by itself where that can help.
pub fn failed_state(app: AppState, error: &Error, retry: Retry) -> El {
    if app.environment.is_forbidden(&app.session.base()) {
        // Another try would fail, too.
        return empty_state(Severity::Trouble, FORBIDDEN, FORBIDDEN_REMEDY);
    }
    let wait = retry.countdown(error, false);
    let buttons = div()
        .class("buttons")
        .child(retry_button(error, retry, "main"))
        .child(copy_button(app, error))
        .child(key_button(app, error));
    // The countdown already says what happens next.
    let remedy = match wait {
        Some(_) => String::new(),
        None => format!("{}.", error.remedy()),
    };
    empty_state(Severity::Trouble, &what(error), &remedy)
        .child(wait)
        .child(buttons)
        .child(server_details(error))
}

/// Returns the server's message and the request id, for the server's administrator.
fn server_details(error: &Error) -> Option<El> {
    // The title of a refusal is the server's message already.
    let is_shown = matches!(error.kind, ErrorKind::Validation(_));
    let message = error.server_words();
    let message = Some(message).filter(|message| !message.is_empty() && !is_shown);
    let request = error.request_id.as_deref();
    let request = request.map(|id| ["Request ", id].concat());
    let parts = message.into_iter().chain(request);
    let text = parts.reduce(|all, next| [&all, " · ", &next].concat())?;
    Some(p().class("fine").child(text))
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
pub fn failed_banner(app: AppState, error: &Error, retry: Retry) -> El {
    let message = span()
        .child(b().child(what(error)).child("."))
        .child(" Showing previous results. ")
        .child(retry.countdown(error, true));
    div()
        .class("banner error")
        .attr("role", "alert")
        .child(message)
        .child(retry_button(error, retry, ""))
        .child(copy_button(app, error))
        .child(key_button(app, error))
}

/// Returns the button that repeats the request, unless the server named what has to be changed first.
fn retry_button(error: &Error, retry: Retry, class: &str) -> Option<El> {
    let is_named = matches!(error.kind, ErrorKind::Validation(Detail::Entries(_)));
    (!is_named).then(|| retry.button(class))
}

/// Returns the button that copies all messages of the server, if some of them are not shown.
fn copy_button(app: AppState, error: &Error) -> Option<El> {
    let messages = error.detail()?.all_messages()?;
    Some(
        button()
            .class("")
            .child(clipboard::COPY_ALL)
            .on(ev::click, move |_| {
                clipboard::copy_messages(app.notice, messages.clone());
            }),
    )
}

/// Returns what happened, in plain words.
fn what(error: &Error) -> String {
    match &error.kind {
        ErrorKind::Validation(detail) => refusal(detail),
        _ => None,
    }
    .unwrap_or_else(|| error.headline())
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
