//! Cells of added columns in a row.

use std::rc::Rc;

use super::cells::cell;
use super::markup::Markup;
use crate::app::model::added_cell::AddedCell;
use crate::app::model::columns::ColumnSpec;

/// The added cells of a row. They are computed when the row is rendered.
pub struct AddedCells {
    pub columns: Vec<&'static ColumnSpec>,
    /// Differs when the cells of the same lead do.
    pub version: u32,
    pub compute: Rc<dyn Fn() -> Vec<AddedCell>>,
}

impl PartialEq for AddedCells {
    fn eq(&self, other: &Self) -> bool {
        self.version == other.version && self.columns == other.columns
    }
}

impl AddedCells {
    pub fn markup(&self) -> impl Iterator<Item = Markup> {
        let cells = (self.compute)().into_iter().zip(&self.columns);
        cells.map(|(cell, column)| added_cell(cell).attr("data-column", column.id))
    }
}

fn added_cell(shown: AddedCell) -> Markup {
    let AddedCell { text, title, .. } = shown;
    if let Some(slot) = shown.slot {
        return cell("host").child(Markup::new("slot").attr("name", slot.to_string()));
    }
    if text.is_empty() {
        return cell("").attr_opt("title", title);
    }
    let cell = match shown.class {
        "" => cell("sub"),
        class => cell("sub").class(class),
    };
    match shown.href {
        // The Tab key skips it: the grid is a single tab stop.
        Some(href) => cell.child(
            Markup::new("a")
                .attr("href", href)
                .attr("target", "_blank")
                .attr("rel", "noopener noreferrer")
                .attr("tabindex", "-1")
                .attr("title", text.clone())
                .text(text),
        ),
        // Not on the cell: that gets a tooltip of its own while it is cut off.
        None if title.is_some() => {
            cell.child(Markup::new("span").attr_opt("title", title).text(text))
        }
        None => cell.text(text),
    }
}
