//! Command handlers. Pages register them; keys, palette and buttons run commands.

use std::mem;
use std::rc::Rc;

use leptos::prelude::*;

use super::storage::Storage;
use crate::app::model::command::{COMMANDS, Command};
use crate::app::model::route::Route;
use crate::app::reactive::{RwSignal, StoredValue};
use crate::review::bulk_run::LeadOutcome;

/// How many recently picked commands are stored.
const RECENT: usize = 6;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialog {
    Palette,
    /// The keyboard help.
    Help,
    /// Recent decisions.
    Recent,
    /// The leads of a bulk decision, given its number, with this outcome.
    Outcome(u64, LeadOutcome),
    Columns,
    /// The saved views.
    Views,
    /// The saved views, with the form that saves the current one.
    SaveView,
    SignOut,
}

/// The item of a menu that gets the focus when the menu opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MenuFocus {
    First,
    Last,
}

/// Somewhere to go: a lead, an account, a list, a saved view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub label: String,
    /// What it is.
    pub group: &'static str,
    pub route: Route,
}

/// Which handlers there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandlersOf {
    EveryPage,
    Leads,
}

/// Commands that were run while handlers were being loaded.
#[derive(Default)]
struct Waiting {
    /// The handlers that are not loaded yet.
    missing: Vec<HandlersOf>,
    commands: Vec<Command>,
}

#[derive(Clone)]
struct Handler {
    number: u32,
    command: Command,
    enabled: Rc<dyn Fn() -> bool>,
    run: Rc<dyn Fn()>,
}

#[derive(Clone, Copy)]
pub struct Commands {
    handlers: StoredValue<Vec<Handler>>,
    last: StoredValue<u32>,
    waiting: StoredValue<Waiting>,
    recent: StoredValue<Vec<Command>>,
    /// The last places picked from the palette. Not stored: they say what was looked at.
    places: StoredValue<Vec<Place>>,
    storage: Storage,
    pub dialog: RwSignal<Option<Dialog>>,
    /// Set while the workspace menu is open.
    pub menu: RwSignal<Option<MenuFocus>>,
}

impl Commands {
    /// Reads the recently picked commands. `persistent` is `false` in a host page, where nothing is stored.
    pub fn start(persistent: bool) -> Self {
        let storage = Storage::new("lead-workspace.recent", persistent);
        let stored = storage.read().unwrap_or_default();
        Self {
            handlers: StoredValue::new(Vec::new()),
            last: StoredValue::new(0),
            waiting: StoredValue::new(Waiting::default()),
            recent: StoredValue::new(stored.split(' ').filter_map(Command::parse).collect()),
            places: StoredValue::new(Vec::new()),
            storage,
            dialog: RwSignal::new(None),
            menu: RwSignal::new(None),
        }
    }

    /// Registers the handler of a command under the current owner.
    pub fn on(self, command: Command, run: Rc<dyn Fn()>) {
        self.on_while(command, Rc::new(|| true), run);
    }

    /// Registers a handler that can be disabled. Of several handlers of a command the last one counts, even if
    /// disabled.
    pub fn on_while(self, command: Command, enabled: Rc<dyn Fn() -> bool>, run: Rc<dyn Fn()>) {
        let number = self.last.get_value() + 1;
        self.last.set_value(number);
        self.handlers.update_value(|handlers| {
            handlers.push(Handler {
                number,
                command,
                enabled,
                run,
            });
        });
        on_cleanup(move || {
            self.handlers.try_update_value(|handlers| {
                handlers.retain(|handler| handler.number != number);
            });
        });
    }

    /// Runs a command. Returns `false` if it has no enabled handler.
    pub fn run(self, command: Command) -> bool {
        if let Some(handler) = self.handler(command) {
            (handler.run)();
            return true;
        }
        let wait = |waiting: &mut Waiting| {
            let waits = !waiting.missing.is_empty();
            waiting.commands.extend(Some(command).filter(|_| waits));
            waits
        };
        self.waiting.try_update_value(wait) == Some(true)
    }

    /// Lets commands without a handler wait until these are [loaded](Self::handlers_loaded), under the current owner.
    pub fn load_handlers(self, of: HandlersOf) {
        self.waiting
            .update_value(|waiting| waiting.missing.push(of));
        on_cleanup(move || drop(self.arrived(of)));
    }

    /// Runs the commands that waited, in their order, unless other handlers are still being loaded.
    pub fn handlers_loaded(self, of: HandlersOf) {
        for command in self.arrived(of) {
            self.run(command);
        }
    }

    /// Returns the commands that wait no longer.
    fn arrived(self, of: HandlersOf) -> Vec<Command> {
        let arrived = |waiting: &mut Waiting| {
            waiting.missing.retain(|missing| *missing != of);
            match waiting.missing.is_empty() {
                true => mem::take(&mut waiting.commands),
                false => Vec::new(),
            }
        };
        self.waiting.try_update_value(arrived).unwrap_or_default()
    }

    /// Runs a command that was picked from the palette, and stores it as recent.
    pub fn pick(self, command: Command) {
        let text = self.recent.try_update_value(|recent| {
            recent.retain(|other| *other != command);
            recent.insert(0, command);
            recent.truncate(RECENT);
            let ids: Vec<&str> = recent.iter().map(|command| command.spec().id).collect();
            ids.join(" ")
        });
        self.storage.write(&text.unwrap_or_default());
        self.run(command);
    }

    /// Notes that a place was picked from the palette.
    pub fn visited(self, place: Place) {
        self.places.update_value(|places| {
            places.retain(|other| other.route != place.route);
            places.insert(0, place);
            places.truncate(RECENT);
        });
    }

    /// Returns the last places picked from the palette, the last one first.
    pub fn recent_places(self) -> Vec<Place> {
        self.places.get_value()
    }

    /// Returns the enabled commands. The number is the position among the recently picked ones, 0 for the last.
    pub fn enabled(self) -> Vec<(Command, Option<usize>)> {
        let recent = self.recent.get_value();
        let all = COMMANDS.iter().map(|spec| spec.command);
        all.filter(|command| self.handler(*command).is_some())
            .map(|command| (command, recent.iter().position(|one| *one == command)))
            .collect()
    }

    fn handler(self, command: Command) -> Option<Handler> {
        let last = self.handlers.try_with_value(|handlers| {
            let mut all = handlers.iter().rev();
            all.find(|handler| handler.command == command).cloned()
        });
        // Called outside of the lock, because it may look up commands itself.
        last.flatten()
            .filter(|handler| untrack(|| (handler.enabled)()))
    }
}
