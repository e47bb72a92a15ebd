//! Placeholders for lazily loaded code: loading state, error state, retry.

use std::pin::Pin;

use futures_util::FutureExt;
use futures_util::future::join;
use leptos::ev;
use leptos::prelude::*;

use super::app_bar::bar;
use super::later_style;
use crate::app::components::dialog::modal;
use crate::app::components::dom::{El, a, button, div, h1, main, p};
use crate::app::components::empty_state::{Severity, empty_state};
use crate::app::components::search_box::Search;
use crate::app::reactive::{RwSignal, Signal};
use crate::app::state::{AppState, spawn};

/// A lazily loaded page, or part of one.
#[derive(Clone, Copy)]
pub struct Lazy {
    pub app: AppState,
    pub title: &'static str,
    /// Renders the placeholder, around an error state or nothing.
    pub around: fn(Lazy, Option<El>) -> El,
    /// Loads the code and returns whether that succeeded. Retries after a failure.
    pub load: fn() -> Loading,
    /// Renders the content. Returns `None` while the code is not loaded.
    pub draw: fn(AppState) -> Option<El>,
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
    div().class("lazy").child(move || match code.get() {
        CodeStatus::Here => (lazy.draw)(lazy.app),
        CodeStatus::Underway => Some((lazy.around)(lazy, None)),
        CodeStatus::Failed => Some((lazy.around)(lazy, Some(failed(lazy.title, load)))),
    })
}

fn loading() -> El {
    p().class("visually-hidden").child("Loading…")
}

/// The placeholder for a part of a page: an empty box, without a loading message.
pub fn part(_: Lazy, inside: Option<El>) -> El {
    div().class("placeholder").child(inside)
}

/// The placeholder for a dialog. It can be closed while the content is loading.
pub fn dialog(lazy: Lazy, inside: Option<El>) -> El {
    let dialog = lazy.app.commands.dialog;
    modal("placeholder", lazy.title, move || dialog.set(None)).child(inside.unwrap_or_else(loading))
}

/// The placeholder for a page, with the bar so that the other pages can be reached.
pub fn page(lazy: Lazy, inside: Option<El>) -> El {
    let search = Search::new(
        "Search",
        "Search",
        Signal::derive(String::new),
        Callback::new(|_| ()),
    );
    let main = main()
        .class("list")
        .attr("id", "main")
        .child(h1().class("visually-hidden").child(lazy.title))
        .child(div().class("board").child(inside.unwrap_or_else(loading)));
    div()
        .class("page")
        .child(bar(lazy.app, Some(search)))
        .child(main)
}

fn failed(title: &str, again: impl Fn() + 'static) -> El {
    let text = "Nothing was changed. Check the connection and retry. If that fails, reload the page: \
                the app may have been updated.";
    // Only on our own page: reloading a host page could lose its data.
    let reload = || a().class("button").attr("href", "").child("Reload");
    let buttons = div()
        .class("buttons")
        .child(
            button()
                .class("main")
                .child("Retry")
                .on(ev::click, move |_| again()),
        )
        .child((!cfg!(feature = "embed")).then(reload));
    empty_state(
        Severity::Trouble,
        &format!("{title} could not be loaded"),
        text,
    )
    .child(buttons)
}
