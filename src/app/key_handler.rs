//! The global key handler: one listener that maps key presses to commands, and the commands of every page.

use std::rc::Rc;

use leptos::ev::{keydown, popstate};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement, KeyboardEvent};

use super::shell::key_prompt::key_prompt;
use crate::app::model::chord::KeyPress;
use crate::app::model::command::{Command, CommandGroup, Scope};
use crate::app::model::keymap::KeyAction;
use crate::app::model::route::{
    ACCOUNTS_PATH, IMPORT_PATH, INSIGHTS_PATH, LEADS_PATH, PORTFOLIO_PATH, SETTINGS_PATH,
};
use crate::app::reactive::StoredValue;
use crate::app::state::commands::Dialog;
use crate::app::state::imports::ImportSupport;
use crate::app::state::session::KeyPrompt;
use crate::app::state::{AppState, clipboard, spawn};

/// Where grid-scoped keys apply, besides [`LIST_BUTTONS`].
const GRID: &str = "[role=grid], .details-pane, .focus-mode";

/// The buttons of a list: Export, Views, Columns and the height of rows.
const LIST_BUTTONS: &str = ".end";

/// Elements that handle all their keys themselves.
const WIDGETS_WITH_KEYS: &str = "dialog, [role=dialog], [role=menu], [role=listbox]";

/// Elements that take typed text.
const INPUTS: &str = "input, select, textarea, [contenteditable]:not([contenteditable=false])";

/// Inputs that take no text.
const NON_TEXT_INPUTS: &str =
    "input:is([type=checkbox], [type=radio], [type=button], [type=submit])";

/// Keys that are pressed together with others.
const MODIFIERS: &[&str] = &["Alt", "AltGraph", "Control", "Meta", "Shift"];

/// Elements that Enter and Space activate.
const CONTROLS: &str = "a[href], button, summary, input";

/// Handles keys under the current owner. In a host page only those pressed within `root`.
pub fn listen(app: AppState, root: Element) {
    let (keys, commands) = (app.keys, app.commands);
    let is_embedded = app.session.is_embedded();
    // The key that ran the last command, by its code. Empty if that command may repeat.
    let held = StoredValue::new(String::new());
    let listener = window_event_listener(keydown, move |event| {
        let before = keys.before.try_get_untracked().flatten();
        if before.is_some() {
            if event.repeat() || MODIFIERS.contains(&&*event.key()) {
                return;
            }
            // Any other key cancels the sequence, even one that something else handles.
            keys.before.set(None);
        }
        if event.default_prevented() || event.is_composing() {
            return;
        }
        let path = event.composed_path();
        if is_embedded && path.index_of(&root, 0) < 0 {
            return;
        }
        let press = press(&event);
        if press.repeat && held.try_with_value(|held| *held == press.code) == Some(true) {
            // The rest of a long press must not act on what has the focus by now.
            event.prevent_default();
        }
        let target = path.get(0).dyn_into::<Element>().ok();
        let within = |what: &str| {
            let target = target.as_ref();
            target.is_some_and(|target| matches!(target.closest(what), Ok(Some(_))))
        };
        if within(WIDGETS_WITH_KEYS) || untrack(|| key_prompt(app)).is_some() {
            return;
        }
        let nowhere = target
            .as_ref()
            .is_none_or(|target| target.tag_name() == "BODY");
        let at = if nowhere || within(GRID) || within(LIST_BUTTONS) {
            Scope::Grid
        } else {
            Scope::Page
        };
        // After the first key of a sequence, a key that does not continue it does nothing.
        let command = match keys.now(|map| map.action(before, &press, at)).flatten() {
            Some(KeyAction::Run(command)) => command,
            Some(KeyAction::Wait(before)) => {
                event.prevent_default();
                return keys.wait(before);
            }
            None => {
                let press_host = untrack(|| app.host.get(|parts| parts.on_key.clone()));
                if press_host.is_some_and(|press_host| press_host(&press, at)) {
                    event.prevent_default();
                }
                return;
            }
        };
        if commands.run(command) {
            event.prevent_default();
            let spec = command.spec();
            // After a move, Enter opens the lead, and does not press a button of the list again.
            let is_move = spec.group == CommandGroup::Move && within(LIST_BUTTONS);
            if spec.scope == Scope::Grid && (nowhere || is_move) {
                // Screen readers announce the cursor only while the list has the focus.
                app.grid_selection().focus_list();
            }
            let code = if spec.repeats {
                String::new()
            } else {
                press.code
            };
            held.set_value(code);
        }
    });
    // Back also closes a dialog.
    let away = window_event_listener(popstate, move |_| {
        commands.dialog.set(None);
    });
    on_cleanup(move || {
        listener.remove();
        away.remove();
    });
}

pub fn press(event: &KeyboardEvent) -> KeyPress {
    let path = event.composed_path();
    let target = path.get(0).dyn_into::<Element>().ok();
    let is = |what: &str| {
        let target = target.as_ref();
        target.is_some_and(|target| target.matches(what).unwrap_or_default())
    };
    let read_only = target
        .as_ref()
        .and_then(|target| target.dyn_ref::<HtmlInputElement>())
        .is_some_and(HtmlInputElement::read_only);
    KeyPress {
        key: event.key(),
        code: event.code(),
        ctrl: event.ctrl_key(),
        shift: event.shift_key(),
        alt: event.alt_key(),
        meta: event.meta_key(),
        repeat: event.repeat(),
        in_input: is(INPUTS) && !is(NON_TEXT_INPUTS) && !read_only,
        on_control: is(CONTROLS),
    }
}

/// Registers the commands that every page has. `place` is an element of the app.
pub fn everywhere(app: AppState, place: Element) {
    let (commands, nav, views) = (app.commands, app.nav, app.views);
    let opens = |command, dialog| {
        commands.on(command, Rc::new(move || commands.dialog.set(Some(dialog))));
    };
    opens(Command::Palette, Dialog::Palette);
    opens(Command::Help, Dialog::Help);
    opens(Command::Recent, Dialog::Recent);
    let path = nav.path();
    let narrow = app.environment.narrow;
    // The cards of a phone have neither columns nor densities, and neither have the charts.
    let has_charts = move || matches!(&*path.get(), PORTFOLIO_PATH | INSIGHTS_PATH);
    let table = Rc::new(move || !narrow.get() && !has_charts());
    let columns = move || commands.dialog.set(Some(Dialog::Columns));
    commands.on_while(Command::Columns, table.clone(), Rc::new(columns));
    let opens_page = |command, to: &'static str| {
        let away = move || path.get() != to;
        let open_page = move || nav.navigate(to, &untrack(|| views.entry(to)));
        commands.on_while(command, Rc::new(away), Rc::new(open_page));
    };
    opens_page(Command::GoLeads, LEADS_PATH);
    opens_page(Command::GoAccounts, ACCOUNTS_PATH);
    opens_page(Command::GoPortfolio, PORTFOLIO_PATH);
    opens_page(Command::GoInsights, INSIGHTS_PATH);
    if !app.session.is_embedded() {
        opens_page(Command::GoSettings, SETTINGS_PATH);
    }
    let toggle = move || {
        let layout = untrack(|| views.layout());
        views.lay_out(&layout.turned(), false);
    };
    commands.on_while(Command::ToggleDensity, table, Rc::new(toggle));
    let search = move || {
        let root = place.closest(".app").ok().flatten();
        let input = root.and_then(|root| root.query_selector("[role=searchbox]").ok()?);
        if let Some(input) = input {
            let input: HtmlInputElement = input.unchecked_into();
            let _ = input.focus();
            input.select();
        }
    };
    commands.on(Command::Search, Rc::new(search));
    if app.session.is_embedded() {
        // Address, colors and key are up to the host page.
        return;
    }
    // Browsers have no clipboard in insecure contexts.
    let safe = || window().is_secure_context();
    let copy = move || {
        let address = window().location().href().unwrap_or_default();
        spawn(async move {
            let message = match clipboard::copy(&address).await {
                true => "Link to this view copied",
                false => "Could not copy. Copy the URL of this page instead",
            };
            app.notice.show_text(message.to_owned());
        });
    };
    let path = nav.path();
    let support = app.imports.support;
    let offered = move || {
        path.get() != IMPORT_PATH && support.with(|support| *support != ImportSupport::None)
    };
    let import = move || nav.navigate(IMPORT_PATH, "");
    commands.on_while(Command::Import, Rc::new(offered), Rc::new(import));
    commands.on_while(Command::CopyLink, Rc::new(safe), Rc::new(copy));
    commands.on(Command::ThemeNext, Rc::new(move || app.theme.choose_next()));
    let ask_key = move || {
        app.session.prompt.set(Some(KeyPrompt::Change));
    };
    commands.on(Command::AskKey, Rc::new(ask_key));
    opens(Command::SignOut, Dialog::SignOut);
}
