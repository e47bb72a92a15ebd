//! The top bar of every page.

use leptos::ev;
use leptos::prelude::*;

use crate::app::components::dom::{El, button, div, element, header};
#[cfg(not(feature = "embed"))]
use crate::app::components::dom::{i, span};
#[cfg(not(feature = "embed"))]
use crate::app::components::icon;
use crate::app::components::keycaps::keycaps;
use crate::app::components::links::route_link;
use crate::app::components::search_box::{Search, search_box};
use crate::app::model::command::Command;
use crate::app::model::route::{ACCOUNTS_PATH, LEADS_PATH, PORTFOLIO_PATH};
use crate::app::reactive::memo;
use crate::app::shell::workspace_menu::{MENU_BUTTON, lazy_workspace_menu};
use crate::app::state::commands::MenuFocus;
use crate::app::state::{AppState, connection};

pub fn bar(app: AppState, search: Option<Search>) -> El {
    let nav = app.nav;
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
    let areas = element("nav")
        .attr("aria-label", "Areas")
        .child(nav_link("Leads", LEADS_PATH))
        .child(nav_link("Accounts", ACCOUNTS_PATH))
        .child(nav_link("Portfolio", PORTFOLIO_PATH));
    let commands = commands_button(app);
    let search = search.map(search_box);
    let bar = header().class("bar");
    // In a host page, the workspace, its key and the colours are up to that page.
    #[cfg(not(feature = "embed"))]
    let bar = bar.child(workspace_menu(app));
    bar.child(areas)
        .child(search)
        .child(div().class("tools").child(commands))
}

/// The button that says which workspace is open, and the menu that it opens.
#[cfg(not(feature = "embed"))]
fn workspace_menu(app: AppState) -> El {
    let menu = app.commands.menu;
    let is_open = memo(move |_| menu.with(Option::is_some));
    let name = move || connection::title(app);
    let toggle = button()
        .class("workspace")
        .attr("id", MENU_BUTTON)
        .attr("aria-haspopup", "menu")
        .attr("aria-expanded", move || is_open.get().to_string())
        .attr("aria-label", move || [&*name(), ", menu"].concat())
        .on(ev::click, move |_| {
            menu.update(|menu| {
                *menu = match menu {
                    None => Some(MenuFocus::First),
                    Some(_) => None,
                }
            })
        })
        .on(ev::keydown, move |event| {
            let opened = match event.key().as_str() {
                "ArrowDown" => Some(MenuFocus::First),
                "ArrowUp" => Some(MenuFocus::Last),
                "Escape" if is_open.get_untracked() => None,
                _ => return,
            };
            event.prevent_default();
            menu.set(opened);
        })
        .child(i())
        .child(span().class("workspace-name").child(name))
        .child(span().class("word").child("Menu"))
        .child(icon::down());
    div().class("workspace-menu").child(toggle).child(move || {
        let menu = || div().class("drop-down").child(lazy_workspace_menu(app));
        is_open.get().then(menu)
    })
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
        .child("Commands ")
        .child(move || Some(keycaps(&keys.caps(Command::Palette))))
}
