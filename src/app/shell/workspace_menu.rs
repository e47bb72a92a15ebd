//! The workspace menu: workspaces, import, settings, keyboard shortcuts, colors, sign-out.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, Node, PointerEvent};

use crate::app::components::dom::{El, a, span};
use crate::app::components::icon;
use crate::app::components::links::is_plain;
use crate::app::components::menu::{choice, group, item, menu, menu_item};
use crate::app::model::command::Command;
use crate::app::model::route::{IMPORT_PATH, SETTINGS_PATH};
use crate::app::shell::lazy::lazy;
use crate::app::state::commands::MenuFocus;
use crate::app::state::imports::ImportSupport;
use crate::app::state::session::StartOptions;
use crate::app::state::theme::Colors;
use crate::app::state::{AppState, connection};

/// Id of the button that opens the menu.
pub const MENU_BUTTON: &str = "workspace-button";

pub fn workspace_menu(app: AppState) -> El {
    let opened = app.commands.menu;
    let from_end = opened.get_untracked() == Some(MenuFocus::Last);
    let narrow = app.environment.narrow.get_untracked();
    let may_import = app
        .imports
        .support
        .with_untracked(|support| *support != ImportSupport::None);
    let import = may_import.then(|| page(app, icon::upload(), "Import leads", IMPORT_PATH));
    // A phone has no keys, and its bar has no room for the commands.
    let help = match narrow {
        true => command(app, icon::magnifier(), "Commands", Command::Palette),
        false => command(app, icon::keyboard(), "Keyboard shortcuts", Command::Help),
    };
    let settings = page(app, icon::gear(), "Settings", SETTINGS_PATH);
    let leave = command(app, icon::leave(), "Sign out…", Command::SignOut);
    let pages = import.into_iter().chain([settings, help]);
    let items = menu(
        "Workspace",
        from_end,
        [
            group("Workspaces", workspaces(app)),
            group("Pages", pages),
            group("Colors", colors(app)).attr("data-row", ""),
            group("Session", [leave]),
        ],
    );
    let node = items.node();
    // A press elsewhere closes it. The button closes it itself.
    let listener = window_event_listener(ev::pointerdown, move |event: PointerEvent| {
        let target = event.composed_path().get(0).dyn_into::<Node>().ok();
        let around = node.closest(".workspace-menu").ok().flatten();
        if !around.is_some_and(|around| around.contains(target.as_ref())) {
            opened.set(None);
        }
    });
    on_cleanup(move || listener.remove());
    items.on(ev::keydown, move |event| match event.key().as_str() {
        "Escape" => {
            event.prevent_default();
            close(app);
        }
        // The focus moves on from the button.
        "Tab" => close(app),
        _ => {}
    })
}

/// Closes the menu, and returns the focus to its button.
fn close(app: AppState) {
    let toggle = document().get_element_by_id(MENU_BUTTON);
    if let Some(toggle) = toggle {
        let _ = toggle.unchecked_into::<HtmlElement>().focus();
    }
    app.commands.menu.set(None);
}

/// The open workspace, the remembered ones, and a link to connect to another.
fn workspaces(app: AppState) -> Vec<El> {
    let here = connection::current_workspace(app);
    let host = window().location().host().unwrap_or_default();
    let sent = app.session.name.get_untracked();
    let open = choice(here.title(&sent, &host), || true).on(ev::click, move |_| close(app));
    let known = connection::remembered();
    let others = known.all().iter().filter(|other| !other.is(&here));
    let others = others.map(|other| {
        let to = other.clone();
        choice(other.title("", &host), || false).on(ev::click, move |_| {
            close(app);
            connection::open(app, to.clone(), StartOptions::default());
        })
    });
    let more = page(app, icon::plus(), "Connect to another…", SETTINGS_PATH);
    [open].into_iter().chain(others).chain([more]).collect()
}

fn colors(app: AppState) -> Vec<El> {
    let theme = app.theme;
    let all = [
        ("System", Colors::System),
        ("Light", Colors::Light),
        ("Dark", Colors::Dark),
    ];
    let choices = all.map(|(label, colors)| {
        // The menu stays open, so that the colors can be compared.
        choice(label, move || theme.get() == colors).on(ev::click, move |_| theme.choose(colors))
    });
    let label = span().attr("aria-hidden", "true").child("Colors");
    [label].into_iter().chain(choices).collect()
}

fn command(app: AppState, icon: El, label: &str, command: Command) -> El {
    let caps = app.keys.caps(command);
    item(Some(icon), label, &caps).on(ev::click, move |_| {
        // First, so that the focus returns to the button when the dialog closes.
        close(app);
        app.commands.run(command);
    })
}

/// A link to a page, which can also be opened in another tab.
fn page(app: AppState, icon: El, label: &str, to: &'static str) -> El {
    let (nav, views) = (app.nav, app.views);
    let href = nav.href(to, &untrack(|| views.entry(to)));
    let link = a().attr("role", "menuitem").attr("href", &href);
    menu_item(link, Some(icon), label).on(ev::click, move |event| {
        if is_plain(&event) {
            event.prevent_default();
            close(app);
            nav.navigate(to, &untrack(|| views.entry(to)));
        }
    })
}

lazy!(lazy_workspace_menu: pages, part, later, "The menu", workspace_menu);
