//! The settings page. Everything is stored in this browser, except API keys: the tab's session storage is the only place
//! that may have one.

use leptos::ev;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use self::choice::one_of;
use self::sections::{part, sections};
use crate::app::components::dom::{El, button, div, effect, h1, main};
use crate::app::model::command::Command;
use crate::app::model::layout::Density;
use crate::app::model::page_cache::SIZES;
use crate::app::reactive::RwSignal;
use crate::app::shell::app_bar::bar;
#[cfg(not(feature = "embed"))]
use crate::app::shell::lazy::lazy;
use crate::app::state::AppState;
use crate::app::state::theme::Colors;

mod choice;
mod connection_form;
mod connection_test;
mod row;
mod sections;
#[cfg(not(feature = "embed"))]
pub mod sign_out_dialog;
mod suggestions;
mod this_browser;
mod time_zone;
mod workspace;

/// A section: its name in the links, and the function that renders it.
type Section = (&'static str, fn(AppState) -> El);

/// The sections in display order.
const SECTIONS: &[Section] = &[
    ("Workspace", workspace::workspace),
    ("Other workspaces", this_browser::known_workspaces),
    ("Appearance", appearance),
    ("Lists", lists),
    ("Suggestions", suggestions::suggestions),
    ("Language and time", time_zone::time_format),
    ("Keys", keys),
    ("Sign out", workspace::session),
];

pub fn settings_page(app: AppState) -> El {
    let bar = bar(app, None);
    let main = main()
        .class("settings")
        .attr("id", "main")
        .attr("tabindex", "-1")
        .child(h1().child("Settings"));
    let node: HtmlElement = main.node().unchecked_into();
    // The link that led here was removed with the previous page. A form without a key has the focus itself.
    if app.session.client_now().is_some() {
        effect(move || {
            let _ = node.focus();
        });
    }
    let parts = SECTIONS.iter().map(|(name, draw)| (*name, draw(app)));
    div()
        .class("page")
        .child(bar)
        .child(sections(main, parts.collect()))
}

fn appearance(app: AppState) -> El {
    let (theme, views) = (app.theme, app.views);
    let density = RwSignal::new(views.density());
    let colors = one_of(
        "Colors",
        &[
            (Colors::System, "System default"),
            (Colors::Light, "Light"),
            (Colors::Dark, "Dark"),
        ],
        move || theme.get(),
        move |colors| theme.choose(colors),
    );
    let rows = one_of(
        "Rows",
        &[
            (Density::Comfortable, "Comfortable"),
            (Density::Compact, "Compact"),
        ],
        move || density.get(),
        move |to| {
            views.set_density(to);
            density.set(to);
        },
    );
    part("Appearance", "How lists look when you next open them.")
        .child(div().class("fields").child(colors).child(rows))
}

fn lists(app: AppState) -> El {
    let views = app.views;
    let labels = SIZES.map(|size| size.to_string());
    let sizes: Vec<(u32, &str)> = SIZES.into_iter().zip(labels.iter().map(|s| &**s)).collect();
    let rows = one_of(
        "Rows per request",
        &sizes,
        move || views.rows.get(),
        move |rows| views.set_page_size(rows),
    );
    part(
        "Lists",
        "How many leads or accounts each request loads. More rows mean fewer, larger responses.",
    )
    .child(div().class("fields").child(rows))
}

fn keys(app: AppState) -> El {
    let commands = app.commands;
    let open = button()
        .class("")
        .child("Keyboard shortcuts…")
        .attr("aria-haspopup", "dialog")
        .on(ev::click, move |_| {
            commands.run(Command::Help);
        });
    let text = "Change any shortcut, or turn off single-letter shortcuts.";
    part("Keys", text).child(
        div()
            .class("fields")
            .child(div().class("setting").child(open)),
    )
}

// The embedded review has none.
#[cfg(not(feature = "embed"))]
lazy!(lazy_settings: pages, page, later, "Settings", settings_page);
