//! Clicks on rows, and the mark of the cursor.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, MouseEvent};

use crate::components::dom::{Action, El};

/// A click on a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Press {
    /// The row's index in the list.
    pub index: u64,
    /// The cell.
    pub cell: usize,
    /// What was hit.
    pub hit: Hit,
    /// Whether Shift was held.
    pub shift: bool,
    /// Whether Ctrl or Command was held.
    pub ctrl: bool,
}

impl Press {
    /// Whether the details of the row are wanted.
    pub fn opens(self) -> bool {
        self.hit == Hit::Row && !self.shift && !self.ctrl
    }
}

/// What was hit by a click.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hit {
    /// The row itself.
    Row,
    /// Its tick.
    Tick,
    /// A button or a link, which does its own work.
    Control,
}

/// Has clicks on rows heard, and keeps the focus on the grid whatever is clicked in it.
pub(super) fn listening(rows: El, grid: Element, on_press: &Action<Press>) -> El {
    let on_press = on_press.clone();
    rows.on("mousedown", move |event| {
        let control = target(&event).and_then(|at| at.closest("button, input").ok().flatten());
        if control.is_some() {
            // Else the focus would go when the row does.
            event.prevent_default();
            focus(&grid);
        }
    })
    .on("click", move |event| {
        if let Some(press) = press(&event) {
            on_press(press);
        }
    })
}

/// Gives the focus to the grid, which stays where it is scrolled to.
pub(super) fn focus(grid: &Element) {
    let options = web_sys::FocusOptions::new();
    options.set_prevent_scroll(true);
    let grid: &HtmlElement = grid.unchecked_ref();
    let _ = grid.focus_with_options(&options);
}

fn target(event: &Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

fn press(event: &Event) -> Option<Press> {
    let at = target(event)?;
    let closest = |what: &str| at.closest(what).ok().flatten();
    let row = closest("[role=row]")?;
    let index: u64 = row.get_attribute("aria-rowindex")?.parse().ok()?;
    let cell = closest("[role=gridcell]");
    let cells = row.children();
    let cell = (0..cells.length()).find(|at| cells.item(*at) == cell);
    let hit = match closest("button, a, input, select, label") {
        Some(control) if control.has_attribute("data-tick") => Hit::Tick,
        Some(_) => Hit::Control,
        None => Hit::Row,
    };
    let mouse: Option<&MouseEvent> = event.dyn_ref();
    Some(Press {
        index: index.checked_sub(2)?,
        cell: cell.unwrap_or_default() as usize,
        hit,
        shift: mouse.is_some_and(MouseEvent::shift_key),
        ctrl: mouse.is_some_and(|mouse| mouse.ctrl_key() || mouse.meta_key()),
    })
}

/// Marks a row and one of its cells while the cursor is there; the cell gets the id that the grid
/// names it by.
pub(super) fn mark(row: El, here: impl Fn() -> Option<(usize, String)> + 'static) -> El {
    let node = row.node();
    let marked = StoredValue::new_local(None::<Element>);
    row.attr_of("data-cursor", move || {
        let here = here();
        marked.update_value(|marked| {
            if let Some(cell) = marked.take() {
                let _ = cell.remove_attribute("id");
                let _ = cell.remove_attribute("data-active");
            }
            let cell = here
                .as_ref()
                .and_then(|(at, _)| node.children().item(*at as u32));
            if let (Some(cell), Some((_, id))) = (cell, &here) {
                cell.set_id(id);
                let _ = cell.set_attribute("data-active", "true");
                *marked = Some(cell);
            }
        });
        here.is_some().to_string()
    })
}
