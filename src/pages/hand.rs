//! A hand on a list: it moves the cursor and sets ticks, by keys, clicks and commands.

use std::rc::Rc;

use leptos::prelude::*;
use web_sys::KeyboardEvent;

use super::rows::movement;
use crate::model::columns::Sheet;
use crate::model::command::Command;
use crate::model::selection::Move;
use crate::state::choice::{Choice, Identified};
use crate::state::commands::Commands;
use crate::state::listing::Listing;
use crate::state::views::Views;

/// A hand on a list.
pub struct Hand<R: Send + Sync + 'static> {
    /// The list.
    pub listing: Listing<R>,
    /// Its cursor and its ticks.
    pub choice: Choice,
    /// How the list is laid out.
    pub views: Views,
    /// The columns that it can have.
    pub sheet: Sheet,
}

impl<R: Send + Sync + 'static> Copy for Hand<R> {}
impl<R: Send + Sync + 'static> Clone for Hand<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Identified + Clone + Send + Sync + 'static> Hand<R> {
    /// Moves the cursor.
    pub fn go(self, by: Move) {
        let from = self.choice.seen.with_untracked(|seen| seen.start);
        let cells = untrack(|| self.views.cells(self.sheet));
        self.choice.step(self.listing, by, from, cells);
    }

    /// Turns to the row before or after the one that is seen first, wherever the cursor is.
    pub fn turn(self, by: i64) {
        let here = self.choice.seen.with_untracked(|seen| seen.start);
        if let Some(index) = here.checked_add_signed(by) {
            self.choice.put_at(self.listing, index);
        }
    }

    /// The row that the cursor is on.
    pub fn row(self) -> Option<R> {
        self.choice.row(self.listing)
    }

    /// Ticks the row that the cursor is on.
    pub fn tick(self) {
        if let Some(row) = self.row() {
            self.choice.toggle(&row);
        }
    }

    /// Whether all rows in view are ticked.
    pub fn is_page_ticked(self) -> bool {
        let seen = self.choice.seen.get();
        self.choice.selection.with(|selection| {
            self.listing.pages.with(|pages| {
                let mut rows = seen.filter_map(|index| pages.row(index)).peekable();
                rows.peek().is_some() && rows.all(|row| selection.has(row.id()))
            })
        })
    }

    /// Ticks all rows at hand that are in view.
    pub fn tick_page(self) {
        let seen = self.choice.seen.get_untracked();
        self.listing.pages.with_untracked(|pages| {
            let rows = seen.filter_map(|index| pages.row(index));
            let rows = rows.filter(|row| !row.id().is_empty());
            let ids = rows.map(|row| (row.id().into(), row.status()));
            self.choice.selection.update(|selection| selection.add(ids));
        });
    }

    /// Takes all ticks away.
    pub fn clear(self) {
        self.choice.selection.update(|selection| selection.clear());
    }

    /// A key on the grid.
    pub fn key(self, event: &KeyboardEvent) {
        let fit = self
            .choice
            .seen
            .with_untracked(|seen| seen.end - seen.start);
        if let Some(by) = movement(event, fit) {
            event.prevent_default();
            let extends = event.shift_key() && matches!(by, Move::Rows(_));
            if extends && let Some(row) = self.row() {
                self.choice.selection.update(|selection| {
                    if selection.anchor().is_none() {
                        selection.anchor_at(&row.id().into());
                    }
                });
            }
            self.go(by);
            if extends && let Some(cursor) = self.choice.cursor.get_untracked() {
                self.choice.range_to(self.listing, cursor.index);
            }
            return;
        }
        let plain = !(event.ctrl_key() || event.meta_key() || event.alt_key());
        if event.key() == " " && plain && !event.repeat() {
            event.prevent_default();
            self.tick();
        }
    }

    /// Does the commands that every list has, for as long as its page is there.
    pub fn commands(self, commands: Commands) {
        let on = |command, run: Rc<dyn Fn()>| commands.on(command, run);
        on(Command::MoveDown, Rc::new(move || self.go(Move::Rows(1))));
        on(Command::MoveUp, Rc::new(move || self.go(Move::Rows(-1))));
        on(Command::Select, Rc::new(move || self.tick()));
        let selection = self.choice.selection;
        let ticked = Rc::new(move || selection.with(|selection| !selection.is_empty()));
        let clear = Rc::new(move || self.clear());
        commands.on_while(Command::ClearSelection, ticked, clear);
    }
}
