//! Which row of a list the cursor is on, and which rows are ticked.

use std::ops::Range;
use std::sync::Arc;

use leptos::prelude::{StoredValue, WithValue};

use super::listing::Listing;
use crate::model::selection::{Cursor, Mark, Move, Selection};
use crate::signal::{Memo, RwSignal};

/// A row that has an id.
pub trait Identified {
    /// The id; empty where the server gave none.
    fn id(&self) -> &str;

    /// What a tick remembers of it.
    fn mark(&self) -> Mark;
}

/// Cursor and ticks of a list.
#[derive(Clone, Copy)]
pub struct Choice {
    /// Where the cursor is; nowhere before somebody puts it somewhere.
    pub cursor: RwSignal<Option<Cursor>>,
    /// The index of the row under the pointer.
    pub pointed: RwSignal<Option<u64>>,
    /// The ticked rows.
    pub selection: RwSignal<Selection>,
    /// The row that is to be brought into view. Set anew for each wish.
    pub reveal: RwSignal<Option<u64>>,
    /// Grows when the list is to have the focus.
    pub focus: RwSignal<u32>,
    /// The rows in view; those that were, while another page is shown.
    pub seen: RwSignal<Range<u64>>,
    /// The place that they are of.
    pub place: StoredValue<String>,
}

impl Choice {
    /// Nothing chosen.
    pub fn start() -> Self {
        Self {
            cursor: RwSignal::new(None),
            pointed: RwSignal::new(None),
            selection: RwSignal::new(Selection::default()),
            reveal: RwSignal::new(None),
            focus: RwSignal::new(0),
            seen: RwSignal::new(0..0),
            place: StoredValue::new(String::new()),
        }
    }

    /// Whether a row has the cursor or the pointer.
    pub fn is_active(self, id: &str, index: u64) -> bool {
        let is_here = |cursor: &Cursor| !cursor.head && cursor.id.as_deref() == Some(id);
        self.pointed.get() == Some(index)
            || self
                .cursor
                .with(|cursor| cursor.as_ref().is_some_and(is_here))
    }

    /// Whether the rows in view are of a place.
    pub fn is_at(self, place: Memo<String>) -> bool {
        place.with_untracked(|place| self.place.with_value(|was| was == place))
    }

    /// Gives the focus to the list, for what had it is gone or done.
    pub fn grab(self) {
        self.focus.update(|focus| *focus = focus.wrapping_add(1));
    }

    /// Moves the cursor in a list, whose rows have so many cells. `from` is where it begins when it is
    /// nowhere yet.
    pub fn step<R>(self, list: Listing<R>, by: Move, from: u64, cells: usize)
    where
        R: Identified + Clone + Send + Sync + 'static,
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
                    // The first step shows where the cursor begins.
                    Move::Rows(_) | Move::Cells(_) => start,
                    _ => start.moved(by, rows, cells),
                }
            }
        };
        self.put(list, next);
    }

    /// Puts the cursor somewhere, and brings it into view.
    pub fn put<R>(self, list: Listing<R>, mut cursor: Cursor)
    where
        R: Identified + Clone + Send + Sync + 'static,
    {
        let here = list
            .pages
            .with_untracked(|pages| pages.row(cursor.index).map(|row| row.id().into()));
        cursor.id = here.or(cursor.id);
        let to = (!cursor.head).then_some(cursor.index);
        self.cursor.set(Some(cursor));
        self.reveal.set(to);
    }

    /// Puts the cursor on the row at an index, if the list goes so far.
    pub fn put_at<R>(self, list: Listing<R>, index: u64)
    where
        R: Identified + Clone + Send + Sync + 'static,
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
            self.put(list, there);
        }
    }

    /// The row that the cursor was on is gone: it goes to the one that stands there now.
    pub fn land<R>(self, list: Listing<R>, index: u64)
    where
        R: Identified + Clone + Send + Sync + 'static,
    {
        let rows = list.pages.with_untracked(|pages| pages.total());
        let cursor = self.cursor.get_untracked();
        if let Some(mut cursor) = cursor.filter(|cursor| cursor.index == index && rows > 0) {
            cursor.index = index.min(rows - 1);
            cursor.id = None;
            self.put(list, cursor);
        }
    }

    /// The rows arrived, or were loaded again: the cursor finds its row wherever it stands now, and
    /// learns the id of a row that it was waiting on.
    pub fn follow<R>(self, list: Listing<R>)
    where
        R: Identified + Clone + Send + Sync + 'static,
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

    /// The row that the cursor is on, if its data is here.
    pub fn row<R>(self, list: Listing<R>) -> Option<R>
    where
        R: Identified + Clone + Send + Sync + 'static,
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

    /// Ticks a row, or takes its tick away.
    pub fn toggle(self, row: &impl Identified) {
        let (id, mark) = (row.id(), row.mark());
        if !id.is_empty() {
            self.selection
                .update(|selection| selection.toggle(&id.into(), mark));
        }
    }

    /// Ticks all rows at hand from where the last tick was set up to this row.
    pub fn range_to<R>(self, list: Listing<R>, to: u64)
    where
        R: Identified + Clone + Send + Sync + 'static,
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
                selection.add(rows.map(|(_, row)| (Arc::from(row.id()), row.mark())));
            });
        });
    }
}
