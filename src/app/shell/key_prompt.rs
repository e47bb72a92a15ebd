//! Asking for an API key: on a page of its own if there is none yet, in a dialog if the user or the server wants another
//! one.

use leptos::ev;

use crate::app::components::dialog::dialog;
use crate::app::components::dom::{El, a, button, code, div, h1, h2, i, li, main, p, section, ul};
use crate::app::components::key_form::{KeyForm, key_form};
use crate::app::components::links::is_plain;
use crate::app::model::route::SETTINGS_PATH;
use crate::app::reactive::{Signal, memo};
use crate::app::shell::lazy::lazy;
use crate::app::state::AppState;
use crate::app::state::session::KeyPrompt;

/// Returns why the user is asked for a key, if they are. The settings page has its own field for a first key, so it does
/// not ask for one.
pub fn key_prompt(app: AppState) -> Option<KeyPrompt> {
    let path = app.nav.path();
    let prompt = app.session.prompt.get()?;
    (!is_first(prompt) || path.with(|path| path != SETTINGS_PATH)).then_some(prompt)
}

/// Returns whether the sign-in page is shown instead of the page of the path. A build for host pages has none.
pub fn is_signing_in(app: AppState) -> bool {
    !cfg!(feature = "embed") && key_prompt(app).is_some_and(is_first)
}

fn is_first(prompt: KeyPrompt) -> bool {
    matches!(prompt, KeyPrompt::NoKey | KeyPrompt::SignedOut)
}

/// The dialog for another key.
pub fn key_dialog(app: AppState) -> El {
    let prompt = app.session.prompt;
    let is_open = memo(move |_| key_prompt(app).is_some() && !is_signing_in(app));
    let open = Signal::derive(move || is_open.get());
    dialog("ask", open, move || prompt.set(None))
        .attr("aria-label", "Workspace key")
        .child(move || is_open.get().then(|| lazy_key_dialog(app)))
}

fn key_dialog_form(app: AppState) -> El {
    let session = app.session;
    let why = move || {
        let why = match session.prompt.get() {
            Some(KeyPrompt::Refused) => {
                "The server rejected the key. Nothing is lost: with a new key, rejected requests are sent again."
            }
            Some(KeyPrompt::Change) => "The page stays as it is and uses the new key.",
            _ => NO_KEY,
        };
        why.to_owned()
    };
    let cancel = button()
        .class("quiet")
        .child("Cancel")
        .on(ev::click, move |_| session.prompt.set(None));
    let heading = div()
        .class("heading")
        .child(h2().child("Workspace key"))
        .child(p().child(why));
    form(app, "Use this key", heading, Some(cancel))
}

const NO_KEY: &str = "Paste the API key of your workspace to see its leads.";

fn form(app: AppState, submit: &'static str, heading: El, cancel: Option<El>) -> El {
    let session = app.session;
    let on_key = move |key: String, keep: bool| {
        session
            .use_key(&key, keep)
            .map_err(|problem| problem.to_string())?;
        app.decisions.retry_refused();
        Ok(())
    };
    let is_embedded = session.is_embedded();
    // A host page chooses the workspace itself, so the address is not shown.
    let to = if is_embedded {
        "".into()
    } else {
        session.base()
    };
    let of = KeyForm {
        to: &to,
        may_keep: !is_embedded,
        submit,
    };
    key_form(&of, heading, cancel, on_key)
}

/// The page of a visit without a key.
pub fn sign_in_page(app: AppState) -> El {
    let nav = app.nav;
    let why = match app.session.prompt.get_untracked() {
        Some(KeyPrompt::SignedOut) => {
            "You signed out in another tab. Paste an API key to sign in again."
        }
        _ => NO_KEY,
    };
    let heading = div()
        .class("heading")
        .child(i().attr("aria-hidden", "true"))
        .child(h1().child("Lead workspace"))
        .child(p().child(why));
    let started = li().child(
        "If you started the service yourself, open the link that it printed: the key is in it.",
    );
    let asked = li()
        .child("Otherwise, ask the person who runs the service. They can create one with ")
        .child(code().child("lead-workspace keys create"))
        .child(".");
    let elsewhere = a()
        .attr("href", nav.href(SETTINGS_PATH, ""))
        .child("Connect to another address")
        .on(ev::click, move |event| {
            if is_plain(&event) {
                event.prevent_default();
                nav.navigate(SETTINGS_PATH, "");
            }
        });
    let help = section()
        .child(h2().child("Where do I get a key?"))
        .child(ul().child(started).child(asked))
        .child(p().child(elsewhere));
    main()
        .class("sign-in ask")
        .attr("id", "main")
        .child(form(app, "Open the workspace", heading, None))
        .child(help)
}

lazy!(lazy_key_dialog: pages, part, later, "The key dialog", key_dialog_form);

#[cfg(not(feature = "embed"))]
lazy!(lazy_sign_in: pages, part, later, "The sign-in page", sign_in_page);
