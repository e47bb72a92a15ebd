//! The grid controller: moves the cursor and selects rows by keys, clicks and commands.

use std::rc::Rc;
use std::sync::Arc;

use leptos::ev;
use leptos::prelude::*;
use web_sys::KeyboardEvent;

use super::focus_mode::is_open_now;
use super::row_events::movement;
use crate::app::components::bulk_bar::spoken;
use crate::app::components::dom::{El, button};
use crate::app::components::format;
use crate::app::model::columns::{ACCOUNT_COLUMN_SET, ColumnSet, ColumnSpec};
use crate::app::model::command::Command;
use crate::app::model::page_cache::PageCache;
use crate::app::model::scoring_jobs::{RecordKind, Scoring};
use crate::app::model::view::list_only;
use crate::app::reactive::{Memo, Signal, memo};
use crate::app::state::AppState;
use crate::app::state::account_list::ListedAccount;
use crate::app::state::bulk_tasks::Export;
use crate::app::state::grid_selection::{GridSelection, Selectable};
use crate::app::state::listing::Listing;
use crate::review::selection::{HiddenRows, Move, Selection};

/// Distance of a row's menu from the start of the row, in pixels.
const MENU_INDENT: i32 = 44;

/// The controller of a list.
pub struct GridController<R: Send + Sync + 'static> {
    pub app: AppState,
    pub listing: Listing<R>,
    pub grid_selection: GridSelection,
    pub column_set: ColumnSet,
}

impl<R: Send + Sync + 'static> Copy for GridController<R> {}
impl<R: Send + Sync + 'static> Clone for GridController<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl GridController<ListedAccount> {
    pub fn of_accounts(app: AppState) -> Self {
        Self {
            app,
            listing: app.accounts.listing,
            grid_selection: app.accounts.grid_selection,
            column_set: ACCOUNT_COLUMN_SET,
        }
    }
}

impl<R: Selectable + Clone + Send + Sync + 'static> GridController<R> {
    /// Moves the cursor. The next range starts where it gets to.
    pub fn move_cursor(self, by: Move) {
        self.grid_selection.end_range();
        self.move_only(by);
    }

    /// Moves the cursor, and selects the rows from where the range began.
    fn extend(self, by: i64) {
        self.grid_selection.begin_range(self.listing);
        self.move_only(Move::Rows(by));
        if let Some(cursor) = self.grid_selection.cursor.get_untracked() {
            self.grid_selection.range_to(self.listing, cursor.index);
        }
    }

    fn move_only(self, by: Move) {
        let from = self.grid_selection.seen.with_untracked(|seen| seen.start);
        let cells = untrack(|| self.app.views.cells(self.column_set));
        self.grid_selection
            .move_cursor(self.listing, by, from, cells);
    }

    /// Moves the cursor to the row before or after the first row in view, independent of where the cursor is.
    pub fn turn_page(self, by: i64) {
        let first = self.grid_selection.seen.with_untracked(|seen| seen.start);
        if let Some(index) = first.checked_add_signed(by) {
            self.grid_selection.place_cursor_at(self.listing, index);
        }
    }

    /// Returns the row under the cursor.
    pub fn row(self) -> Option<R> {
        self.grid_selection.row(self.listing)
    }

    /// Toggles the selection of the row under the cursor.
    pub fn toggle_row(self) {
        if let Some(row) = self.row() {
            self.grid_selection.toggle(&row);
        }
    }

    /// Returns whether all loaded rows in view are selected. `false` without any.
    pub fn is_page_selected(self) -> bool {
        let seen = self.grid_selection.seen.get();
        self.grid_selection.selection.with(|selection| {
            self.listing.pages.with(|pages| {
                let mut rows = seen.filter_map(|index| pages.row(index)).peekable();
                rows.peek().is_some() && rows.all(|row| selection.has(row.id()))
            })
        })
    }

    /// Selects all loaded rows in view.
    pub fn select_page(self) {
        let seen = self.grid_selection.seen.get_untracked();
        self.listing.pages.with_untracked(|pages| {
            let rows = seen.filter_map(|index| pages.row(index));
            let rows = rows.filter(|row| !row.id().is_empty());
            let ids = rows.map(|row| (row.id().into(), row.selected_value()));
            self.grid_selection
                .selection
                .update(|selection| selection.add(ids));
        });
    }

    /// Returns whether the rows in view are selected, as the value of `aria-checked`.
    pub fn aria_checked(self) -> Signal<&'static str> {
        let checked = memo(move |_| {
            let none = self.grid_selection.selection.with(Selection::is_empty);
            match none {
                true => "false",
                false if self.is_page_selected() => "true",
                false => "mixed",
            }
        });
        checked.into()
    }

    /// Selects all loaded rows in view; if they already are, clears the selection.
    pub fn select_or_clear(self) {
        if untrack(|| self.is_page_selected()) {
            self.clear();
        } else {
            self.select_page();
        }
        self.grid_selection.focus_list();
    }

    /// Starts selecting every row of the list, loaded or not.
    pub fn select_matching(self) {
        let route = untrack(|| self.app.nav.route());
        self.app.bulk_tasks.selecting.set(Some(route));
    }

    /// Selects all loaded rows in view; if they already are, every row of the list.
    pub fn select_view(self) {
        if untrack(|| self.is_page_selected() && self.is_more()) {
            self.select_matching();
        } else {
            self.select_page();
        }
    }

    /// Returns whether the list has more rows than are selected, by the counts alone, and no task is selecting
    /// them.
    fn is_more(self) -> bool {
        let total = self.listing.pages.with(PageCache::total);
        let selected = self.grid_selection.selection.with(Selection::len);
        let selecting = self.app.bulk_tasks.selecting;
        // The leads that are ordered by likelihood may be only the first part of the list.
        let is_part = self.app.suggestions.is_ordered.get();
        total > selected as u64 && !is_part && selecting.with(Option::is_none)
    }

    /// The total number of rows, while all rows in view are selected and the list has more.
    pub fn select_all_offer(self) -> Memo<Option<u64>> {
        memo(move |_| {
            let more = self.is_more() && self.is_page_selected();
            more.then(|| self.listing.pages.with(PageCache::total))
        })
    }

    /// The button that selects every row of the list.
    pub fn all_button(self, total: u64) -> El {
        let label = ["Select all ", &format::number(total)].concat();
        spoken("all", &label, " matching").on(ev::click, move |_| {
            self.select_matching();
            self.grid_selection.focus_list();
        })
    }

    /// The selected rows that the list does not show.
    pub fn hidden_rows(self) -> Memo<HiddenRows> {
        memo(move |_| {
            self.grid_selection.selection.with(|selection| {
                self.listing.pages.with(|pages| {
                    let is_whole = pages.rows().count() as u64 == pages.total();
                    selection.hidden(pages.rows().map(|(_, row)| row.id()), is_whole)
                })
            })
        })
    }

    /// The buttons that show or deselect rows that the list does not show.
    pub fn hidden_buttons(self, hidden: HiddenRows) -> impl Iterator<Item = El> {
        let HiddenRows { ids, view, .. } = hidden;
        let show = view.map(|view| {
            button()
                .class("")
                .child("Show them")
                .on(ev::click, move |_| {
                    let path = untrack(|| self.app.nav.path().get());
                    self.app.nav.navigate(&path, &view);
                    self.grid_selection.focus_list();
                })
        });
        let clear = (!ids.is_empty()).then(|| {
            button()
                .class("quiet")
                .child("Clear them")
                .on(ev::click, move |_| {
                    let selection = self.grid_selection.selection;
                    selection.update(|selection| selection.drop_all(&ids));
                    self.grid_selection.focus_list();
                })
        });
        show.into_iter().chain(clear)
    }

    /// Asks for confirmation before scoring the selected rows. Shows the name if it is a single loaded row.
    pub fn score(self, kind: RecordKind, name: impl Fn(&R) -> String) {
        let ids: Vec<Arc<str>> = self
            .grid_selection
            .selection
            .with_untracked(|selection| selection.ids().map(|(id, _)| Arc::clone(id)).collect());
        let row = match &*ids {
            [id] => self.listing.find(|row| *row.id() == **id),
            _ => None,
        };
        let name = row.as_ref().map(name).unwrap_or_default();
        self.app
            .jobs
            .ask_to_confirm(Scoring::for_ids(kind, ids, &name));
    }

    pub fn clear(self) {
        self.grid_selection
            .selection
            .update(|selection| selection.clear());
    }

    /// Opens the menu of the row under the cursor, below the start of the row.
    fn open_menu(self) {
        let row = document().query_selector("[role=grid] [data-cursor=true]");
        let rect = row.ok().flatten().map(|row| row.get_bounding_client_rect());
        let point = rect.map(|rect| (rect.left() as i32 + MENU_INDENT, rect.bottom() as i32));
        self.grid_selection.menu.set(point.or(Some((0, 0))));
    }

    /// Handles a key press on the grid.
    pub fn key(self, event: &KeyboardEvent) {
        let fit = self
            .grid_selection
            .seen
            .with_untracked(|seen| seen.end - seen.start);
        if let Some(by) = movement(event, fit) {
            event.prevent_default();
            match by {
                Move::Rows(by) if event.shift_key() => self.extend(by),
                _ => self.move_cursor(by),
            }
            return;
        }
        let plain = !(event.ctrl_key() || event.meta_key() || event.alt_key());
        if event.key() == " " && plain && !event.repeat() {
            event.prevent_default();
            self.toggle_row();
        }
    }

    /// Returns what is exported: the selected rows, or the whole list without a selection.
    fn export(self) -> Export {
        let views = self.app.views;
        let ids = self.grid_selection.selection.with(|selection| {
            let ids = selection.ids();
            ids.map(|(id, _)| Arc::clone(id)).collect()
        });
        let columns = views.columns(self.column_set).slots().into_iter();
        let columns = columns.filter_map(|slot| slot.column);
        Export {
            list: list_only(&self.app.nav.route()),
            columns: columns.filter_map(ColumnSpec::export_name).collect(),
            selected: Some(ids).filter(|ids: &Vec<_>| !ids.is_empty()),
        }
    }

    /// Registers the commands that every list has, under the current owner.
    pub fn register_commands(self) {
        let commands = self.app.commands;
        let on = |command, run: Rc<dyn Fn()>| commands.on(command, run);
        on(
            Command::MoveDown,
            Rc::new(move || self.move_cursor(Move::Rows(1))),
        );
        on(
            Command::MoveUp,
            Rc::new(move || self.move_cursor(Move::Rows(-1))),
        );
        on(Command::ExtendDown, Rc::new(move || self.extend(1)));
        on(Command::ExtendUp, Rc::new(move || self.extend(-1)));
        on(Command::Select, Rc::new(move || self.toggle_row()));
        on(Command::SelectAll, Rc::new(move || self.select_view()));
        // Focus mode hides the list.
        let has_row = move || self.row().is_some() && !is_open_now(self.app);
        let open_menu = move || self.open_menu();
        commands.on_while(Command::RowMenu, Rc::new(has_row), Rc::new(open_menu));
        let matching = Rc::new(move || self.select_matching());
        commands.on_while(
            Command::SelectMatching,
            Rc::new(move || self.is_more()),
            matching,
        );
        let pages = self.listing.pages;
        let some = Rc::new(move || pages.with(PageCache::total) > 0);
        let score = move || {
            let route = untrack(|| self.app.nav.route());
            self.app.bulk_tasks.score.set(Some(route));
        };
        commands.on_while(Command::ScoreMatching, some, Rc::new(score));
        let (tasks, selection) = (self.app.bulk_tasks, self.grid_selection.selection);
        let idle = Rc::new(move || tasks.export.with(Option::is_none));
        let export = move || tasks.export.set(Some(untrack(|| self.export())));
        commands.on_while(Command::Export, idle, Rc::new(export));
        let has_selection = Rc::new(move || selection.with(|selection| !selection.is_empty()));
        let clear = Rc::new(move || self.clear());
        commands.on_while(Command::ClearSelection, has_selection, clear);
    }
}
