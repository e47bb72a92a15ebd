//! Who does what a command asks for. Pages say so while they are there; keys, palette and buttons ask.

use std::rc::Rc;

use leptos::prelude::*;

use super::shelf::Shelf;
use crate::model::bulk_run::Fate;
use crate::model::command::{COMMANDS, Command};
use crate::signal::RwSignal;

/// How many commands count as recent.
const RECENT: usize = 6;

/// A dialog over the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialog {
    /// The palette of commands.
    Palette,
    /// All keys.
    Help,
    /// The latest decisions.
    Recent,
    /// The leads of a run that this became of.
    Outcome(u64, Fate),
    /// The columns of the list.
    Columns,
    /// The saved views.
    Views,
    /// The saved views, about to save one more.
    SaveView,
    /// Whether to sign out.
    SignOut,
}

#[derive(Clone)]
struct Handler {
    number: u32,
    command: Command,
    enabled: Rc<dyn Fn() -> bool>,
    run: Rc<dyn Fn()>,
}

/// Who does what.
#[derive(Clone, Copy)]
pub struct Commands {
    handlers: StoredValue<Vec<Handler>, LocalStorage>,
    last: StoredValue<u32>,
    recent: StoredValue<Vec<Command>>,
    shelf: Shelf,
    /// The dialog that is open.
    pub dialog: RwSignal<Option<Dialog>>,
}

impl Commands {
    /// Nobody does anything yet.
    pub fn start(ours: bool) -> Self {
        let shelf = Shelf::of("lead-workspace.recent", ours);
        let kept = shelf.read().unwrap_or_default();
        Self {
            handlers: StoredValue::new_local(Vec::new()),
            last: StoredValue::new(0),
            recent: StoredValue::new(kept.split(' ').filter_map(Command::of).collect()),
            shelf,
            dialog: RwSignal::new(None),
        }
    }

    /// From now on, and as long as the current owner, this is how a command is done.
    pub fn on(self, command: Command, run: Rc<dyn Fn()>) {
        self.on_while(command, Rc::new(|| true), run);
    }

    /// The same, while it can be done. Of two who do a command, the later one does it.
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

    /// Does a command. Says whether anybody did it.
    pub fn run(self, command: Command) -> bool {
        let Some(handler) = self.handler(command) else {
            return false;
        };
        (handler.run)();
        true
    }

    /// Does a command that was picked from the palette, which remembers it.
    pub fn pick(self, command: Command) {
        let text = self.recent.try_update_value(|recent| {
            recent.retain(|other| *other != command);
            recent.insert(0, command);
            recent.truncate(RECENT);
            let ids: Vec<&str> = recent.iter().map(|command| command.spec().id).collect();
            ids.join(" ")
        });
        self.shelf.write(&text.unwrap_or_default());
        self.run(command);
    }

    /// The commands that can be done now, each with how recently it was picked.
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
        // Asked outside of the lock: it may ask for commands itself.
        last.flatten()
            .filter(|handler| untrack(|| (handler.enabled)()))
    }
}
