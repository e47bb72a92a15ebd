//! The settings page: connection, workspaces, appearance, lists, language and keys. Everything is stored in this
//! browser, except API keys: the tab's session storage is the only place that may have one.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::app::components::dom::{
    El, button, div, effect, element, fieldset, h1, h2, input, legend, main, p, section,
};
use crate::app::model::command::Command;
use crate::app::model::layout::Density;
use crate::app::model::page_cache::SIZES;
use crate::app::shell::app_bar::bar;
#[cfg(not(feature = "embed"))]
use crate::app::shell::lazy::lazy;
use crate::app::state::AppState;
use crate::app::state::theme::Colours;

mod connection_form;
#[cfg(not(feature = "embed"))]
pub mod sign_out_dialog;
mod this_browser;
mod time_zone;

pub fn settings_page(app: AppState) -> El {
    let bar = bar(app, None);
    let main = main()
        .class("settings")
        .attr("id", "main")
        .attr("tabindex", "-1")
        .child(h1().child("Settings"))
        .child(connection_form::connection_form(app))
        .child(this_browser::known_workspaces(app))
        .child(appearance(app))
        .child(lists(app))
        .child(time_zone::time_format(app))
        .child(keys(app));
    let node: HtmlElement = main.node().unchecked_into();
    // The link that led here was removed with the previous page.
    effect(move || {
        let _ = node.focus();
    });
    div().class("page").child(bar).child(main)
}

/// A section with its title and description.
fn part(title: &str, text: &str) -> El {
    let id = ["part-", title.split(' ').next().unwrap_or_default()].concat();
    let head = div()
        .class("about")
        .child(h2().attr("id", &id).child(title))
        .child(p().child(text));
    section().attr("aria-labelledby", &id).child(head)
}

/// A group of radio buttons.
fn one_of<T: Copy + PartialEq + 'static>(
    label: &str,
    all: &[(T, &str)],
    now: impl Fn() -> T + Copy + 'static,
    choose: impl Fn(T) + Copy + 'static,
) -> El {
    let name = label.to_owned();
    let each = all.iter().map(move |(value, label)| {
        let value = *value;
        let radio = input()
            .attr("type", "radio")
            .attr("name", &name)
            .prop("checked", move || (now() == value).into())
            .on(ev::change, move |_| choose(value));
        element("label").child(radio).child(label)
    });
    fieldset()
        .attr("class", "one-of")
        .child(legend().child(label))
        .child(div().class("few").children(each))
}

fn appearance(app: AppState) -> El {
    let (theme, views) = (app.theme, app.views);
    let density = RwSignal::new(views.density());
    let colours = one_of(
        "Colours",
        &[
            (Colours::System, "System default"),
            (Colours::Light, "Light"),
            (Colours::Dark, "Dark"),
        ],
        move || theme.get(),
        move |colours| theme.choose(colours),
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
        .child(div().class("fields").child(colours).child(rows))
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
    part(
        "Keys",
        "Change any shortcut, or turn off single-letter shortcuts.",
    )
    .child(
        div()
            .class("fields")
            .child(div().class("buttons").child(open)),
    )
}

// The embedded review has none.
#[cfg(not(feature = "embed"))]
lazy!(lazy_settings: pages, page, later, "Settings", settings_page);
