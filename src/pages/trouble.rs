//! What the pages say when a list cannot be had.

use std::sync::Arc;

use leptos::prelude::*;

use crate::client::{Error, ErrorKind};
use crate::components::countdown::Countdown;
use crate::components::plate::{Mood, Plate};
use crate::state::Workspace;
use crate::state::session::Asking;

/// In place of the list, where there is none to keep.
#[component]
pub fn FailedPlate(
    /// Why it could not be had.
    error: Arc<Error>,
    /// Ask again.
    on_retry: impl Fn() + Copy + Send + 'static,
) -> impl IntoView {
    let request = error
        .request_id
        .clone()
        .map(|id| view! { <p class="fine">"Request " <code>{id}</code></p> });
    view! {
        <Plate mood=Mood::Trouble title=error.what()>
            <p>{error.remedy()} "."</p>
            <Wait error=Arc::clone(&error) on_retry=on_retry />
            <div class="buttons">
                <button type="button" class="main" on:click=move |_| on_retry()>"Retry"</button>
                <KeyButton error=error />
            </div>
            {request}
        </Plate>
    }
}

/// In place of the list, while there is no key to ask for it with.
#[component]
pub fn NoKeyPlate() -> impl IntoView {
    let asking = expect_context::<Workspace>().session.asking;
    view! {
        <Plate mood=Mood::Calm title="Not connected yet">
            <p>"This page shows the leads of a workspace to whoever has its API key. \
                The service prints an address with a key in it when it starts."</p>
            <div class="buttons">
                <button type="button" class="main" on:click=move |_| asking.set(Some(Asking::NoKey))>
                    "Enter the key"
                </button>
            </div>
        </Plate>
    }
}

/// Above the list that could be had before.
#[component]
pub fn FailedStrip(
    /// Why the newer one could not be had.
    error: Arc<Error>,
    /// Ask again.
    on_retry: impl Fn() + Copy + Send + 'static,
) -> impl IntoView {
    view! {
        <div class="strip trouble" role="alert">
            <span>
                <b>{error.what()} "."</b>
                " What you see is what was loaded before. "
                <Wait error=Arc::clone(&error) on_retry=on_retry />
            </span>
            <button type="button" on:click=move |_| on_retry()>"Retry"</button>
            <KeyButton error=error />
        </div>
    }
}

/// Where the server says how long to wait, the seconds run and then it is asked again.
#[component]
fn Wait(error: Arc<Error>, on_retry: impl Fn() + Copy + Send + 'static) -> impl IntoView {
    let limited = error.kind == ErrorKind::RateLimited;
    error.retry_after.filter(|_| limited).map(|wait| {
        view! { <p>"It will be asked again in " <Countdown wait=wait on_end=on_retry /></p> }
    })
}

#[component]
fn KeyButton(error: Arc<Error>) -> impl IntoView {
    let asking = expect_context::<Workspace>().session.asking;
    let about_key = matches!(error.kind, ErrorKind::KeyRefused | ErrorKind::Forbidden);
    about_key.then(|| {
        view! {
            <button type="button" on:click=move |_| asking.set(Some(Asking::Change))>
                "Enter another key"
            </button>
        }
    })
}

/// Rows that the server sent and that could not be read.
#[component]
pub fn UnreadableStrip(
    /// How many.
    #[prop(into)]
    rows: Signal<usize>,
) -> impl IntoView {
    move || {
        let rows = rows.get();
        (rows > 0).then(|| {
            let what = if rows == 1 { "1 row" } else { &format!("{rows} rows") };
            view! {
                <div class="strip" role="status">
                    {format!("{what} of this page could not be read and is left out. The others are whole.")}
                </div>
            }
        })
    }
}
