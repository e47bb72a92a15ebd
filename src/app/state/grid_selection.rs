//! Cursor and selection of a list.

use std::ops::Range;
use std::sync::Arc;

use super::listing::{Listing, LoadStatus};
use crate::app::reactive::{Memo, RwSignal, StoredValue};
use crate::review::selection::{Cursor, Move, SelectedValue, Selection};

pub trait Selectable {
    /// Empty if the server gave none.
    fn id(&self) -> &str;

    /// What the selection stores of the row.
    fn selected_value(&self) -> SelectedValue;
}

#[derive(Clone, Copy)]
pub struct GridSelection {
    /// `None` until it is first moved.
    pub cursor: RwSignal<Option<Cursor>>,
    /// The index of the row under the pointer.
    pub pointed: RwSignal<Option<u64>>,
    pub selection: RwSignal<Selection>,
    /// Where the menu of the row under the cursor is open: a point of the viewport.
    pub menu: RwSignal<Option<(i32, i32)>>,
    /// The row to scroll into view. Set for each request, also to the same row.
    pub reveal: RwSignal<Option<u64>>,
    /// Incremented to move the focus to the list.
    pub focus: RwSignal<u32>,
    /// The rows in view. Keeps its value while another page is shown.
    pub seen: RwSignal<Range<u64>>,
    /// The query that `seen` belongs to.
    pub seen_query_id: StoredValue<String>,
}

impl GridSelection {
    pub fn start() -> Self {
        Self {
            cursor: RwSignal::new(None),
            pointed: RwSignal::new(None),
            selection: RwSignal::new(Selection::default()),
            menu: RwSignal::new(None),
            reveal: RwSignal::new(None),
            focus: RwSignal::new(0),
            seen: RwSignal::new(0..0),
            seen_query_id: StoredValue::new(String::new()),
        }
    }

    /// Returns whether a row has the cursor or the pointer.
    pub fn is_active(self, id: &str, index: u64) -> bool {
        self.pointed.get() == Some(index) || self.has_cursor(id)
    }

    /// Returns whether a row has the cursor.
    pub fn has_cursor(self, id: &str) -> bool {
        let is_here = |cursor: &Cursor| !cursor.head && cursor.id.as_deref() == Some(id);
        self.cursor
            .with(|cursor| cursor.as_ref().is_some_and(is_here))
    }

    /// Tells the selection which view the list shows, once its rows are loaded.
    pub fn show_view(self, load_status: Memo<LoadStatus>, view: &str) {
        if load_status.with(LoadStatus::is_current) {
            self.selection
                .maybe_update(|selection| selection.set_view(view));
        }
    }

    /// Moves the focus to the list, because the focused element is removed or done with.
    pub fn focus_list(self) {
        self.focus.update(|focus| *focus = focus.wrapping_add(1));
    }

    /// Moves the cursor in a list whose rows have `cells` cells. Without a cursor, it starts at the row `from`.
    pub fn move_cursor<R>(self, list: Listing<R>, by: Move, from: u64, cells: usize)
    where
        R: Selectable + Clone + Send + Sync + 'static,
    {
        let rows = list.pages.with_untracked(|pages| pages.total());
        if rows == 0 {
            return;
        }
        let cursor = self.cursor.get_untracked();
        let next = match cursor {
            Some(cursor) => cursor.moved(by, rows, cells),
            None => {
                let start = Cursor {
                    id: None,
                    index: from.min(rows - 1),
                    cell: 1,
                    head: false,
                };
                match by {
                    // The first move only shows where the cursor is.
                    Move::Rows(_) | Move::Cells(_) => start,
                    _ => start.moved(by, rows, cells),
                }
            }
        };
        self.place_cursor(list, next);
    }

    /// Places the cursor and scrolls to it.
    pub fn place_cursor<R>(self, list: Listing<R>, mut cursor: Cursor)
    where
        R: Selectable + Clone + Send + Sync + 'static,
    {
        let here = list
            .pages
            .with_untracked(|pages| pages.row(cursor.index).map(|row| row.id().into()));
        cursor.id = here.or(cursor.id);
        let to = (!cursor.head).then_some(cursor.index);
        self.cursor.set(Some(cursor));
        self.reveal.set(to);
    }

    /// Places the cursor on the row at an index. Does nothing beyond the end of the list.
    pub fn place_cursor_at<R>(self, list: Listing<R>, index: u64)
    where
        R: Selectable + Clone + Send + Sync + 'static,
    {
        let rows = list.pages.with_untracked(|pages| pages.total());
        if index < rows {
            let cursor = self.cursor.get_untracked().unwrap_or_default();
            let there = Cursor {
                id: None,
                index,
                head: false,
                ..cursor
            };
            self.place_cursor(list, there);
        }
    }

    /// Moves the cursor off the removed row at `index`, to the row that has its index now.
    pub fn on_row_removed<R>(self, list: Listing<R>, index: u64)
    where
        R: Selectable + Clone + Send + Sync + 'static,
    {
        let rows = list.pages.with_untracked(|pages| pages.total());
        let cursor = self.cursor.get_untracked();
        if let Some(mut cursor) = cursor.filter(|cursor| cursor.index == index && rows > 0) {
            cursor.index = index.min(rows - 1);
            cursor.id = None;
            self.place_cursor(list, cursor);
        }
    }

    /// Updates the cursor after rows were loaded: it follows its row to a new index, or gets the id of the row it
    /// was waiting for.
    pub fn update_cursor<R>(self, list: Listing<R>)
    where
        R: Selectable + Clone + Send + Sync + 'static,
    {
        let Some(cursor) = self.cursor.try_get_untracked().flatten() else {
            return;
        };
        let next = list.pages.with_untracked(|pages| match &cursor.id {
            Some(id) => {
                let same = |index: u64| pages.row(index).is_some_and(|row| row.id() == &**id);
                if same(cursor.index) {
                    return None;
                }
                let found = pages.rows().find(|(_, row)| row.id() == &**id);
                found.map(|(index, _)| (Arc::clone(id), index))
            }
            None => {
                let row = pages.row(cursor.index)?;
                Some((row.id().into(), cursor.index))
            }
        });
        if let Some((id, index)) = next {
            self.cursor.set(Some(Cursor {
                id: Some(id),
                index,
                ..cursor
            }));
        }
    }

    /// Returns the row under the cursor, if it is loaded.
    pub fn row<R>(self, list: Listing<R>) -> Option<R>
    where
        R: Selectable + Clone + Send + Sync + 'static,
    {
        let cursor = self.cursor.get_untracked()?;
        list.pages.with_untracked(|pages| {
            let id = cursor.id.as_deref()?;
            let here = pages.row(cursor.index).filter(|row| row.id() == id);
            let found = here.or_else(|| {
                let mut rows = pages.rows();
                rows.find(|(_, row)| row.id() == id).map(|(_, row)| row)
            });
            found.cloned()
        })
    }

    /// Selects or deselects a row. Rows without an id cannot be selected.
    pub fn toggle(self, row: &impl Selectable) {
        let (id, value) = (row.id(), row.selected_value());
        if !id.is_empty() {
            self.selection
                .update(|selection| selection.toggle(&id.into(), value));
        }
    }

    /// Starts the next range at the cursor. The selection stays.
    pub fn end_range(self) {
        self.selection
            .update_untracked(|selection| selection.anchor_at(None));
    }

    /// Starts a range at the cursor, unless one has begun at a row that is loaded.
    pub fn begin_range<R>(self, list: Listing<R>)
    where
        R: Selectable + Clone + Send + Sync + 'static,
    {
        let cursor = self.cursor.get_untracked().and_then(|cursor| cursor.id);
        self.selection.update_untracked(|selection| {
            let is_gone = |id: &Arc<str>| list.position(|row| row.id() == &**id).is_none();
            if selection.anchor().is_none_or(is_gone) {
                selection.anchor_at(cursor.as_ref());
            }
        });
    }

    /// Selects all loaded rows between the start of the range and this row.
    pub fn range_to<R>(self, list: Listing<R>, to: u64)
    where
        R: Selectable + Clone + Send + Sync + 'static,
    {
        self.selection.update(|selection| {
            list.pages.with_untracked(|pages| {
                let anchor = selection.anchor();
                let anchored = |(_, row): &(u64, &R)| anchor.is_some_and(|id| row.id() == &**id);
                let from = pages.rows().find(anchored).map_or(to, |(index, _)| index);
                let (first, last) = (from.min(to), from.max(to));
                let rows = pages
                    .rows()
                    .filter(|(index, _)| (first..=last).contains(index));
                let rows = rows.filter(|(_, row)| !row.id().is_empty());
                selection
                    .select_range(rows.map(|(_, row)| (Arc::from(row.id()), row.selected_value())));
            });
        });
    }
}
