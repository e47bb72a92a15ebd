//! The frame of every page: top bar and key dialog.

use leptos::ev;
use leptos::prelude::*;

use crate::app::components::dom::{El, button, div, element, header, i, span};
use crate::app::components::icon;
use crate::app::components::key_dialog::key_dialog;
use crate::app::components::keycaps::keycaps;
use crate::app::components::links::route_link;
use crate::app::components::search_box::{Search, search_box};
use crate::app::model::command::Command;
use crate::app::model::route::{ACCOUNTS_PATH, LEADS_PATH, PORTFOLIO_PATH, SETTINGS_PATH};
use crate::app::state::AppState;
use crate::app::state::session::KeyPrompt;
use crate::app::state::theme::Colours;

pub fn bar(app: AppState, search: Option<Search>) -> El {
    let (nav, theme) = (app.nav, app.theme);
    let path = nav.path();
    let views = app.views;
    let nav_link = |label: &str, to: &'static str| {
        let href = move || nav.href(to, &views.entry(to));
        route_link(
            label,
            href,
            move || path.get() == to,
            move || nav.navigate(to, &untrack(|| views.entry(to))),
        )
    };
    let colours_name = move || match theme.get() {
        Colours::System => "Colours: system default".to_owned(),
        Colours::Light => "Colours: light".to_owned(),
        Colours::Dark => "Colours: dark".to_owned(),
    };
    let colours = button()
        .class("quiet")
        .attr("aria-label", colours_name)
        .attr("title", colours_name)
        .on(ev::click, move |_| theme.choose_next())
        .child(move || {
            Some(match theme.get() {
                Colours::System => icon::halves(),
                Colours::Light => icon::sun(),
                Colours::Dark => icon::moon(),
            })
        });
    let settings = nav_link("", SETTINGS_PATH)
        .attr("class", "button quiet")
        .attr("aria-label", "Settings")
        .attr("title", "Settings")
        .child(icon::sliders());
    let areas = element("nav")
        .attr("aria-label", "Areas")
        .child(nav_link("Leads", LEADS_PATH))
        .child(nav_link("Accounts", ACCOUNTS_PATH))
        .child(nav_link("Portfolio", PORTFOLIO_PATH));
    let commands = commands_button(app);
    let search = search.map(search_box);
    let bar = header().class("bar");
    if app.session.is_embedded() {
        // Name, colours and key are up to the host page.
        let tools = div().class("tools").child(commands);
        return bar.child(areas).child(search).child(tools);
    }
    let mark = span()
        .class("mark")
        .child(i())
        .child(span().child("Lead workspace"));
    bar.child(mark).child(areas).child(search).child(
        div()
            .class("tools")
            .child(commands)
            .child(colours)
            .child(settings),
    )
}

/// The button that opens the command palette.
fn commands_button(app: AppState) -> El {
    let (keys, commands) = (app.keys, app.commands);
    button()
        .class("quiet commands")
        .attr("aria-label", move || {
            let caps = keys.caps(Command::Palette).join(" ");
            ["Commands ", &caps].concat().trim_end().to_owned()
        })
        .attr("aria-haspopup", "dialog")
        .on(ev::click, move |_| {
            commands.run(Command::Palette);
        })
        .child(icon::command())
        .child(span().class("word").child("Commands "))
        .child(move || Some(keycaps(&keys.caps(Command::Palette))))
}

/// Returns why the key dialog is open, if it is. It does not open for a first key on the settings page, which has
/// its own key field.
pub fn key_prompt(app: AppState) -> Option<KeyPrompt> {
    let path = app.nav.path();
    let is_first = |prompt: &KeyPrompt| matches!(prompt, KeyPrompt::NoKey | KeyPrompt::SignedOut);
    let prompt = app.session.prompt.get()?;
    (!is_first(&prompt) || path.with(|path| path != SETTINGS_PATH)).then_some(prompt)
}

/// The key dialog, for a missing or rejected key.
pub fn ask_key(app: AppState) -> El {
    let session = app.session;
    let why = move || {
        key_prompt(app).map(|prompt| match prompt {
            KeyPrompt::NoKey => "Paste the API key of your workspace to see its leads.",
            KeyPrompt::SignedOut => {
                "You signed out in another tab. Paste an API key to sign in again."
            }
            KeyPrompt::Refused => {
                "The server rejected the key. Nothing is lost: with a new key, rejected requests are sent again."
            }
            KeyPrompt::Change => "The page stays as it is and uses the new key.",
        })
    };
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
    key_dialog((&to, !is_embedded), why, on_key, move || {
        session.prompt.set(None)
    })
}
