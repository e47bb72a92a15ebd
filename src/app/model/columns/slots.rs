//! The cells of a row, in the order of the columns.

use super::spec::{ColumnSetSpec, ColumnSpec};
use super::{CHECKBOX_WIDTH, Columns, EDGE};

/// A cell of a row at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellSlot {
    /// 0 is the checkbox; the columns of the set follow in default order, then the added ones that are shown.
    pub cell: usize,
    /// `None` for the checkbox.
    pub column: Option<&'static ColumnSpec>,
    /// If it remains visible while scrolling: its distance from the left edge, in pixels.
    pub left: Option<u32>,
}

impl Columns {
    /// Returns the cells of a row in order, the checkbox first. It remains visible on the left if any
    /// column is pinned.
    pub fn slots(&self) -> Vec<CellSlot> {
        let ColumnSetSpec { columns, gap, .. } = self.set;
        let has_pinned = self.visible().any(|column| column.pinned);
        let mut slots = vec![CellSlot {
            cell: 0,
            column: None,
            left: has_pinned.then_some(EDGE),
        }];
        let mut left = EDGE + CHECKBOX_WIDTH + gap;
        let mut added = columns.len();
        for column in self.visible() {
            let index = columns.iter().position(|spec| spec.id == column.spec.id);
            let index = index.unwrap_or_else(|| {
                added += 1;
                added - 1
            });
            slots.push(CellSlot {
                cell: 1 + index,
                column: Some(column.spec),
                left: column.pinned.then_some(left),
            });
            left += column.pixels() + gap;
        }
        slots
    }
}
