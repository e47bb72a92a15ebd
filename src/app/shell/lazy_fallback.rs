//! Placeholders for lazily loaded code: loading state, error state, retry.

use std::pin::Pin;

use futures_util::FutureExt;
use futures_util::future::join;
use leptos::ev;
use leptos::prelude::*;

use super::app_bar::bar;
use super::error_state::banner;
use super::later_style;
use crate::app::components::dialog::modal;
use crate::app::components::dom::{El, a, button, div, effect, h1, main, p};
use crate::app::components::empty_state::{Severity, empty_state};
use crate::app::components::search_box::Search;
use crate::app::model::route::{ACCOUNTS_PATH, LEADS_PATH};
use crate::app::reactive::{RwSignal, Signal};
use crate::app::state::{AppState, spawn};

/// A lazily loaded page, or part of one.
#[derive(Clone, Copy)]
pub struct Lazy {
    pub app: AppState,
    pub title: &'static str,
    /// Renders the placeholder; after a failure with what loads the code again.
    pub placeholder: fn(Lazy, Option<Callback<()>>) -> El,
    /// Loads the code and returns whether that succeeded. Retries after a failure.
    pub load: fn() -> Loading,
    /// Renders the content. Returns `None` while the code is not loaded.
    pub draw: fn(AppState) -> Option<El>,
}

/// The small parts that are shown and could not be loaded.
#[derive(Clone, Copy)]
pub struct MissingParts {
    count: RwSignal<usize>,
    /// How often the user wanted them to be loaded again.
    retries: RwSignal<u32>,
}

impl MissingParts {
    pub fn none() -> Self {
        Self {
            count: RwSignal::new(0),
            retries: RwSignal::new(0),
        }
    }
}

/// A load in progress. Resolves to whether the code is available.
pub type Loading = Pin<Box<dyn Future<Output = bool>>>;

/// Loads the code of a part that needs only the first style sheet.
pub fn first(code: Loading) -> Loading {
    code
}

/// Loads the code of a part together with the later style sheet. The npm package has a single sheet.
pub fn later(code: Loading) -> Loading {
    if cfg!(feature = "embed") {
        return code;
    }
    Box::pin(async {
        let (code, style) = join(code, later_style::load()).await;
        code && style
    })
}

#[derive(Clone, Copy)]
enum CodeStatus {
    Underway,
    Here,
    Failed,
}

/// Renders a lazily loaded part: the placeholder first, then the content.
pub fn load_lazily(lazy: Lazy) -> El {
    let code = RwSignal::new(CodeStatus::Underway);
    let load = move || {
        let mut load = (lazy.load)();
        // Code that is already loaded is used without a placeholder.
        if (&mut load).now_or_never() == Some(true) {
            code.set(CodeStatus::Here);
            return;
        }
        code.set(CodeStatus::Underway);
        spawn(async move {
            let came = load.await;
            // The signal is gone if another page was opened meanwhile.
            code.set(if came {
                CodeStatus::Here
            } else {
                CodeStatus::Failed
            });
        });
    };
    load();
    let again = Callback::new(move |()| load());
    div().class("lazy").child(move || match code.get() {
        CodeStatus::Here => (lazy.draw)(lazy.app),
        CodeStatus::Underway => Some((lazy.placeholder)(lazy, None)),
        CodeStatus::Failed => Some((lazy.placeholder)(lazy, Some(again))),
    })
}

/// The placeholder for a part of a page: an empty box, without a loading message.
pub fn part(lazy: Lazy, again: Option<Callback<()>>) -> El {
    div()
        .class("placeholder")
        .child(again.map(|again| failed(lazy.title, again)))
}

/// The placeholder for a part that has no room for a message: in a list, the banner of [`missing_parts`] has it.
pub fn small(lazy: Lazy, again: Option<Callback<()>>) -> El {
    let Some(again) = again else {
        return part(lazy, None);
    };
    let path = lazy.app.nav.path().get_untracked();
    // The bare origin leads to the leads.
    if !matches!(&*path, LEADS_PATH | ACCOUNTS_PATH | "/") {
        return part(lazy, Some(again));
    }
    let MissingParts { count, retries } = lazy.app.missing_parts;
    count.update(|count| *count += 1);
    on_cleanup(move || {
        count.try_update(|count| *count -= 1);
    });
    let before = retries.get_untracked();
    effect(move || {
        if retries.get() != before {
            again.run(());
        }
    });
    div().class("placeholder").attr("hidden", "")
}

/// The placeholder for a dialog. It can be closed while the content is loading.
pub fn dialog(lazy: Lazy, again: Option<Callback<()>>) -> El {
    let dialog = lazy.app.commands.dialog;
    modal("placeholder", lazy.title, move || dialog.set(None))
        .child(failed_or_loading(lazy.title, again))
}

/// The placeholder for a page, with the bar so that the other pages can be reached.
pub fn page(lazy: Lazy, again: Option<Callback<()>>) -> El {
    let search = Search::new(
        "Search",
        "Search",
        Signal::derive(String::new),
        Callback::new(|_| ()),
    );
    let board = div()
        .class("board")
        .child(failed_or_loading(lazy.title, again));
    let main = main()
        .class("list")
        .attr("id", "main")
        .child(h1().class("visually-hidden").child(lazy.title))
        .child(board);
    div()
        .class("page")
        .child(bar(lazy.app, Some(search)))
        .child(main)
}

/// Returns the banner of a list whose small parts could not be loaded.
pub fn missing_parts(app: AppState) -> Option<El> {
    let MissingParts { count, retries } = app.missing_parts;
    let text = [" What you decide is saved once they are loaded. ", CHECK].concat();
    let retry = move |_| retries.update(|retries| *retries += 1);
    (count.get() > 0).then(|| {
        banner("Parts of this page could not be loaded.", &text)
            .child(button().child("Retry").on(ev::click, retry))
            .child(reload())
    })
}

fn failed_or_loading(title: &str, again: Option<Callback<()>>) -> El {
    match again {
        Some(again) => failed(title, again),
        None => p().class("visually-hidden").child("Loading…"),
    }
}

const CHECK: &str = "Check the connection and retry. If that fails, reload the page: the app may have been updated.";

fn failed(title: &str, again: Callback<()>) -> El {
    let text = ["Nothing was changed. ", CHECK].concat();
    let retry = button()
        .class("main")
        .child("Retry")
        .on(ev::click, move |_| again.run(()));
    let buttons = div().class("buttons").child(retry).child(reload());
    let title = [title, " could not be loaded"].concat();
    empty_state(Severity::Trouble, &title, &text).child(buttons)
}

/// Only on our own page: reloading a host page could lose its data.
fn reload() -> Option<El> {
    (!cfg!(feature = "embed")).then(|| a().class("button").attr("href", "").child("Reload"))
}
