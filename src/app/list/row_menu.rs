//! The menu of the row under the cursor: the commands for it, each with its key.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement, Node};

use super::grid_controller::GridController;
use super::{host_actions, panes};
use crate::app::components::dom::{El, div, effect, section};
use crate::app::components::menu::{group, item, menu};
use crate::app::model::command::{Command, CommandGroup};
use crate::app::model::menu_place::menu_place;
use crate::app::model::route::ACCOUNTS_PATH;
use crate::app::reactive::RwSignal;
use crate::app::shell::lazy::lazy;
use crate::app::state::AppState;
use crate::app::state::grid_selection::GridSelection;

/// The commands of a row. Those that are not enabled are left out.
const COMMANDS: &[(CommandGroup, &[Command])] = &[
    (CommandGroup::Move, &[Command::Open]),
    (
        CommandGroup::Decide,
        &[
            Command::Approve,
            Command::Reject,
            Command::Pending,
            Command::FilterOut,
        ],
    ),
    (
        CommandGroup::Select,
        &[Command::Select, Command::SelectCompany],
    ),
    (
        CommandGroup::List,
        &[Command::CopyRowLink, Command::ScoreAccount, Command::Delete],
    ),
];

/// Renders the menu while it is open.
pub fn while_open(app: AppState, grid_selection: GridSelection) -> El {
    div()
        .class("row-menus")
        .child(move || grid_selection.menu.get().map(|_| lazy_row_menu(app)))
}

fn row_menu(app: AppState) -> El {
    let grid_selection = app.grid_selection();
    let opened = grid_selection.menu;
    let is_accounts = untrack(|| app.nav.path().get()) == ACCOUNTS_PATH;
    let name = match is_accounts {
        true => GridController::of_accounts(app)
            .row()
            .map(|row| row.account.name.clone()),
        false => {
            // The commands act on open details. They follow the cursor, but may show a colleague.
            let pane = panes::of_leads(app);
            if pane.opened_now().is_some() {
                pane.open_row(false);
            }
            grid_selection
                .row(pane.listing)
                .map(|row| row.lead.name.clone())
        }
    };
    let enabled: Vec<Command> = app
        .commands
        .enabled()
        .into_iter()
        .map(|(of, _)| of)
        .collect();
    let groups = COMMANDS.iter().filter_map(|(of, commands)| {
        // On the accounts page, decisions are about the leads of the open account.
        let applies = !(is_accounts && *of == CommandGroup::Decide);
        let commands = commands.iter().filter(|command| enabled.contains(command));
        let items: Vec<El> = commands
            .map(|command| command_item(app, *command))
            .collect();
        (applies && !items.is_empty()).then(|| group(of.label(), items))
    });
    let groups = groups.chain(host_actions::menu_group(app, move || {
        close(app.grid_selection());
    }));
    let label = ["Commands for ", &name.unwrap_or_default()].concat();
    // A landmark, because the menu lies outside of the others.
    let around = section()
        .class("row-menu")
        .attr("aria-label", Command::RowMenu.spec().label)
        .child(menu(&label, false, groups));
    place(&around.node(), opened.get_untracked().unwrap_or_default());
    close_from_elsewhere(&around.node(), opened);
    around
        .on(ev::contextmenu, |event| event.prevent_default())
        .on(ev::keydown, move |event| match event.key().as_str() {
            "Escape" => {
                event.prevent_default();
                close(grid_selection);
            }
            // The focus moves on from the list.
            "Tab" => close(grid_selection),
            _ => {}
        })
}

fn command_item(app: AppState, command: Command) -> El {
    let caps = app.keys.caps(command);
    item(None, command.spec().label, &caps).on(ev::click, move |_| {
        // First, so that the focus returns to the list when a dialog closes.
        close(app.grid_selection());
        app.commands.run(command);
    })
}

/// Closes the menu, and returns the focus to the list.
fn close(grid_selection: GridSelection) {
    grid_selection.focus_list();
    grid_selection.menu.set(None);
}

/// Moves the menu to a point, once it has its size.
fn place(around: &Element, (x, y): (i32, i32)) {
    let around: HtmlElement = around.clone().unchecked_into();
    effect(move || {
        let room = |length: Result<JsValue, _>| length.ok().and_then(|length| length.as_f64());
        let window = window();
        let (width, height) = (room(window.inner_width()), room(window.inner_height()));
        // The origin, in a host page that moves it.
        let rect = around.get_bounding_client_rect();
        let left = menu_place(x.into(), rect.width(), width.unwrap_or_default());
        let top = menu_place(y.into(), rect.height(), height.unwrap_or_default());
        let style = around.style();
        let _ = style.set_property("left", &format!("{}px", (left - rect.left()) as i32));
        let _ = style.set_property("top", &format!("{}px", (top - rect.top()) as i32));
    });
}

/// Closes the menu when something else is pressed or scrolled, or moves the rows.
fn close_from_elsewhere(around: &Element, opened: RwSignal<Option<(i32, i32)>>) {
    let outside = {
        let around = around.clone();
        move |event: &web_sys::Event| {
            let target = event.composed_path().get(0).dyn_into::<Node>().ok();
            if !around.contains(target.as_ref()) {
                opened.set(None);
            }
        }
    };
    let pressed = outside.clone();
    let listeners = [
        window_event_listener(ev::pointerdown, move |event| pressed(&event)),
        window_event_listener(ev::wheel, move |event| outside(&event)),
        window_event_listener(ev::resize, move |_| {
            opened.set(None);
        }),
        window_event_listener(ev::popstate, move |_| {
            opened.set(None);
        }),
    ];
    on_cleanup(move || listeners.into_iter().for_each(WindowListenerHandle::remove));
}

lazy!(lazy_row_menu: pages, part, later, "The menu", row_menu);
