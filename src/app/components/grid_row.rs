//! What a row of a grid shows, as a value. A row whose value is the same as before is not rendered again.

use std::any::Any;
use std::ops::Deref;
use std::sync::Arc;

use super::markup::{Markup, MarkupNode};
use crate::app::model::columns::{CellSlot, ColumnSet};

/// A row as a value. While it stays equal, its elements stay as they are.
pub trait Rendered: PartialEq {
    fn markup(&self) -> Markup;
}

impl Rendered for Markup {
    fn markup(&self) -> Markup {
        self.clone()
    }
}

/// A value that only equals itself: the rows of a list that is read again are other values.
pub struct SamePlace<T>(pub Arc<T>);

impl<T> PartialEq for SamePlace<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Deref for SamePlace<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// A row of any list. Not an enum: the code of each list is loaded with its page.
pub trait RowContent: Any {
    fn markup(&self) -> Markup;
    fn is_same(&self, other: &dyn RowContent) -> bool;
}

impl<T: Rendered + Any> RowContent for T {
    fn markup(&self) -> Markup {
        Rendered::markup(self)
    }

    fn is_same(&self, other: &dyn RowContent) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref() == Some(self)
    }
}

/// A row of a list.
pub struct GridRow {
    /// `None` if the row is not loaded, or has no id.
    pub id: Option<Arc<str>>,
    /// The cell of the checkbox, one for each column in the default order, and those of the added columns that are shown.
    /// A row without data may have a single cell.
    pub content: Box<dyn RowContent>,
}

impl PartialEq for GridRow {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.content.is_same(&*other.content)
    }
}

/// A row at its place in the grid.
#[derive(PartialEq)]
pub struct PlacedRow {
    pub row: GridRow,
    /// The cells in column order and the column widths; `None` for cards and tiles.
    pub slots: Option<(Vec<CellSlot>, Arc<str>)>,
    /// If the cursor is on the row: its cell, and the id of that cell.
    pub cursor: Option<(usize, String)>,
    /// The current minute: the row has ages.
    pub minute: u64,
}

impl Rendered for PlacedRow {
    fn markup(&self) -> Markup {
        let mut markup = self.row.content.markup();
        if let Some((slots, tracks)) = &self.slots {
            // A row with a single text instead of cells stays as it is.
            if markup.children.len() > 1 {
                markup.children = in_order(markup.children, slots);
            }
            markup.columns = Some(Arc::clone(tracks));
        }
        if let Some((cell, id)) = &self.cursor
            && let Some(MarkupNode::Element(cell)) = markup.children.get_mut(*cell)
        {
            cell.attrs.push(("id", id.clone().into()));
            cell.attrs.push(("data-active", "true".into()));
        }
        markup.flag("data-cursor", self.cursor.is_some())
    }
}

/// Puts the cells of a row in column order.
fn in_order(cells: Vec<MarkupNode>, slots: &[CellSlot]) -> Vec<MarkupNode> {
    let mut cells: Vec<Option<MarkupNode>> = cells.into_iter().map(Some).collect();
    let cell = |slot: &CellSlot| {
        let cell = match cells.get_mut(slot.cell).and_then(Option::take) {
            Some(MarkupNode::Element(cell)) => cell,
            // The code of added columns is loaded after the first rows.
            _ => Markup::new("div").attr("role", "gridcell"),
        };
        let cell = match slot.left {
            Some(left) => cell.class("pinned").attr("left", format!("{left}px")),
            None => cell,
        };
        MarkupNode::Element(cell.keyed(slot.cell))
    };
    slots.iter().map(cell).collect()
}

/// A row without data: a message, or the skeleton of a row that is still loading.
#[derive(PartialEq)]
pub struct MissingRow {
    /// Index in the whole list.
    pub index: u64,
    pub columns: ColumnSet,
    pub message: Option<&'static str>,
}

impl Rendered for MissingRow {
    fn markup(&self) -> Markup {
        let cell = || Markup::new("div").attr("role", "gridcell");
        let loading = || {
            Markup::new("span")
                .class("visually-hidden")
                .text("Loading…")
        };
        let (class, cells) = match self.message {
            Some(message) => ("row", vec![cell().attr("class", "lost").text(message)]),
            None => {
                let others = self.columns.columns.iter().map(|_| cell());
                let cells = std::iter::once(cell().child(loading())).chain(others);
                ("row skeleton", cells.collect())
            }
        };
        Markup::new("div")
            .class(class)
            .attr("role", "row")
            .attr("aria-rowindex", (self.index + 2).to_string())
            .children(cells)
    }
}
