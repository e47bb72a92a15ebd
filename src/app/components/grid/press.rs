//! Clicks on rows.

use std::cell::RefCell;
use std::rc::Rc;

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, HtmlInputElement, MouseEvent, Node, PointerEvent};

use crate::app::components::decision_cells::RowAction;
use crate::app::components::dom::El;
use crate::app::reactive::RwSignal;

/// What a click is meant for, in a node of a host page.
const HOST_CONTROLS: &str = "button, a, input, select, textarea, label, summary, [contenteditable], [tabindex], [role=button]";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellPress {
    /// Index of the row in the list.
    pub index: u64,
    /// Index of the cell in the row.
    pub cell: usize,
    pub hit: ClickTarget,
    pub shift: bool,
    /// Whether Ctrl or Command was held.
    pub ctrl: bool,
}

impl CellPress {
    /// Returns whether the click opens the details of the row.
    pub fn opens(self) -> bool {
        self.hit == ClickTarget::Row && !self.shift && !self.ctrl
    }
}

/// The target of a click.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClickTarget {
    Row,
    /// The checkbox that selects the row.
    Checkbox,
    /// A button that acts on the lead of the row.
    Act(RowAction),
    /// The row, to open its menu at a point of the viewport.
    Menu(i32, i32),
    /// Another control, such as a link, that handles the click itself.
    Control,
}

/// Handles clicks on rows, and keeps the focus on the grid when a button or checkbox is clicked.
pub(super) fn listening(
    rows: El,
    grid: Element,
    pointed: RwSignal<Option<u64>>,
    on_press: &Callback<CellPress>,
) -> El {
    let on_press = *on_press;
    // Id of the row at `mousedown`. Another row may be there at `click`.
    let down = Rc::new(RefCell::new(None::<String>));
    let up = Rc::clone(&down);
    let mut clicked = None;
    rows.on(ev::mousedown, move |event| {
        let Some(at) = target(&event) else { return };
        *down.borrow_mut() = row(&at).and_then(|row| id(&row));
        if at.closest("button, input").ok().flatten().is_some() {
            // Pressing a button may disable it, so the grid takes the focus.
            event.prevent_default();
            focus(&grid);
        }
    })
    .on(ev::click, move |event| {
        let mouse: Option<&MouseEvent> = event.dyn_ref();
        // Clicks by a script or by assistive technology have no click count.
        let by_pointer = mouse.is_some_and(|mouse| mouse.detail() > 0);
        let here = target(&event)
            .and_then(|at| row(&at))
            .and_then(|row| id(&row));
        if by_pointer && up.take() != here {
            return;
        }
        // The first click of a double click may have put another button of the row under the pointer.
        let again = mouse.is_some_and(|mouse| mouse.detail() > 1) && clicked == here;
        clicked = here;
        if let Some(press) =
            press(&event).filter(|press| !again || press.hit == ClickTarget::Checkbox)
        {
            on_press.run(press);
        }
    })
    .on(ev::contextmenu, move |event| {
        // Shift opens the browser's own menu, and so do links and long touches.
        let pointer: Option<&PointerEvent> = event.dyn_ref();
        let is_touch = pointer.is_some_and(|pointer| pointer.pointer_type() == "touch");
        let press = press(&event).filter(|press| press.hit != ClickTarget::Control && !press.shift);
        if let Some(press) = press.filter(|_| !is_touch) {
            event.prevent_default();
            let hit = ClickTarget::Menu(event.client_x(), event.client_y());
            on_press.run(CellPress { hit, ..press });
        }
    })
    .on(ev::pointermove, move |event| {
        // A touch has no position after the finger is lifted.
        let pointer: Option<&PointerEvent> = event.dyn_ref();
        let hovers = pointer.is_some_and(|pointer| pointer.pointer_type() != "touch");
        point(
            pointed,
            target(&event)
                .filter(|_| hovers)
                .and_then(|at| index(&row(&at)?)),
        );
    })
    .on(ev::pointerleave, move |_| point(pointed, None))
    // Add the tooltip of a truncated text only when it is needed: a title on every cell would double the cost of
    // rendering a row.
    .on(ev::mouseover, |event| {
        if let Some(at) = target(&event).filter(is_cut_off) {
            let _ = at.set_attribute("title", &at.text_content().unwrap_or_default());
        }
    })
    .on(ev::mouseout, |event| {
        if let Some(at) = target(&event).filter(is_text) {
            let _ = at.remove_attribute("title");
        }
    })
    .on(ev::change, |event| {
        // A range selection may not change the checkbox, although the browser has toggled it.
        let checkbox = target(&event).and_then(|at| at.dyn_into::<HtmlInputElement>().ok());
        if let Some(checkbox) = checkbox
            && let Some(row) = row(&checkbox)
        {
            checkbox.set_checked(row.get_attribute("aria-selected").as_deref() == Some("true"));
        }
    })
}

fn row(at: &Element) -> Option<Element> {
    at.closest("[role=row]").ok().flatten()
}

/// Returns whether an element of a row is a text that may be truncated.
fn is_text(at: &Element) -> bool {
    at.matches(".sub, b").is_ok_and(|is_text| is_text)
}

fn is_cut_off(at: &Element) -> bool {
    is_text(at) && at.scroll_width() > at.client_width()
}

/// Sets the row under the pointer, if it changed.
pub(super) fn point(pointed: RwSignal<Option<u64>>, index: Option<u64>) {
    if pointed.try_get_untracked().is_some_and(|was| was != index) {
        pointed.set(index);
    }
}

/// Returns the index of a row in the list. For `aria-rowindex`, the header is row 1.
fn index(row: &Element) -> Option<u64> {
    let index: u64 = row.get_attribute("aria-rowindex")?.parse().ok()?;
    index.checked_sub(2)
}

fn id(row: &Element) -> Option<String> {
    let lead = row.get_attribute("data-lead-id");
    lead.or_else(|| row.get_attribute("data-account-id"))
}

/// Focuses the grid without scrolling it.
pub(super) fn focus(grid: &Element) {
    let options = web_sys::FocusOptions::new();
    options.set_prevent_scroll(true);
    let grid: &HtmlElement = grid.unchecked_ref();
    let _ = grid.focus_with_options(&options);
}

/// Returns the innermost element of the grid at an event. A node of a host page is in the page's own tree; the slot that shows it
/// stands for it.
fn target(event: &Event) -> Option<Element> {
    path(event).1
}

/// Returns whether an event is on a control of a host page, which handles it itself.
pub(super) fn is_on_host_control(event: &Event) -> bool {
    let of_host = path(event).0;
    let mut of_host = of_host.iter();
    of_host.any(|element| element.matches(HOST_CONTROLS).unwrap_or_default())
}

/// Returns the elements of a host page at an event, and the innermost one that is in the tree of the grid.
fn path(event: &Event) -> (Vec<Element>, Option<Element>) {
    let here = event.current_target();
    let here = here.and_then(|here| here.dyn_into::<Node>().ok());
    let root = here.map(|here| here.get_root_node());
    let mut of_host = Vec::new();
    let path = event.composed_path().into_iter();
    for element in path.filter_map(|node| node.dyn_into::<Element>().ok()) {
        if Some(element.get_root_node()) == root {
            return (of_host, Some(element));
        }
        of_host.push(element);
    }
    (of_host, None)
}

fn press(event: &Event) -> Option<CellPress> {
    let at = target(event)?;
    let closest = |what: &str| at.closest(what).ok().flatten();
    let row = row(&at)?;
    let cell = closest("[role=gridcell]");
    let cells = row.children();
    let cell = (0..cells.length()).find(|at| cells.item(*at) == cell);
    let hit = match closest("button, a, input, select, label") {
        Some(control) if control.has_attribute("data-checkbox") => ClickTarget::Checkbox,
        Some(control) => {
            let act = control.get_attribute("data-act");
            let act = act.and_then(|act| RowAction::parse(&act));
            act.map_or(ClickTarget::Control, ClickTarget::Act)
        }
        None if is_on_host_control(event) => ClickTarget::Control,
        None => ClickTarget::Row,
    };
    let mouse: Option<&MouseEvent> = event.dyn_ref();
    Some(CellPress {
        index: index(&row)?,
        cell: cell.unwrap_or_default() as usize,
        hit,
        shift: mouse.is_some_and(MouseEvent::shift_key),
        ctrl: mouse.is_some_and(|mouse| mouse.ctrl_key() || mouse.meta_key()),
    })
}
