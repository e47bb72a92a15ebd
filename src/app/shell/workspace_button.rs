//! The button in the bar that says which workspace is open. It opens the workspace menu.

use leptos::ev;

use super::workspace_menu::{MENU_BUTTON, lazy_workspace_menu};
use crate::app::components::dom::{El, button, div, i, span};
use crate::app::components::icon;
use crate::app::reactive::memo;
use crate::app::state::commands::MenuFocus;
use crate::app::state::{AppState, connection};

/// The button that says which workspace is open, and the menu that it opens.
pub fn workspace_button(app: AppState) -> El {
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
