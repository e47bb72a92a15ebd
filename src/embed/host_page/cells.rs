//! The cells of the host page's columns. They are computed for the rows that are rendered, outside of rendering: a function of
//! the page may do anything, also navigate.

mod row;

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use js_sys::{Array, Function, Promise, Reflect};
use lead_workspace_api::{ApprovalStatus, LeadListItem};
use leptos::prelude::*;
use send_wrapper::SendWrapper;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Element, Node};

use self::row::{Row, Shown};
use super::slot::SlottedNode;
use super::{columns, message, plain, text_of, warn};
use crate::app::components::dom::effect;
use crate::app::list::host_actions::page_name;
use crate::app::model::added_cell::AddedCell;
use crate::app::model::columns::ColumnSpec;
use crate::app::model::kept::Kept;
use crate::app::reactive::{RwSignal, StoredValue};
use crate::app::state::host_page::HostCells;
use crate::app::state::lead_list::listed_lead::ListedLead;
use crate::app::state::{AppState, spawn};
use crate::client::property;
use crate::embed::callbacks::report_error;

/// Number of leads whose cells are kept. Fewer rows are rendered.
const KEPT: usize = 160;

/// A cell to compute.
struct Wanted {
    lead: Kept<LeadListItem>,
    status: ApprovalStatus,
    column: &'static ColumnSpec,
}

struct State {
    app: AppState,
    host: Element,
    columns: RefCell<Vec<(&'static ColumnSpec, Function)>>,
    rows: RefCell<Vec<Row>>,
    wanted: RefCell<Vec<Wanted>>,
    changed: RwSignal<()>,
    round: Cell<u32>,
    last: Cell<u32>,
    /// The columns whose exceptions were reported: one of each says enough.
    reported: RefCell<Vec<&'static str>>,
}

#[derive(Clone)]
struct Cells(Rc<State>);

/// Computes the page's columns from now on, under the current owner.
pub(super) fn start(app: AppState) {
    let Some(host) = untrack(|| app.host.get(|parts| parts.around.clone())) else {
        return;
    };
    let cells = Cells(Rc::new(State {
        app,
        host,
        columns: RefCell::default(),
        rows: RefCell::default(),
        wanted: RefCell::default(),
        changed: RwSignal::new(()),
        round: Cell::new(0),
        last: Cell::new(0),
        reported: RefCell::default(),
    }));
    app.host.update(|parts| {
        parts.cells = Some(Rc::new(cells.clone()));
        true
    });
    // Promises may hold the cells for longer.
    let end = SendWrapper::new(cells.clone());
    on_cleanup(move || {
        app.host.update(|parts| parts.cells.take().is_some());
        drop(end.0.rows.take());
    });
    let before = StoredValue::new((JsValue::NULL, 0));
    let told = Cell::new(false);
    effect(move || {
        // The page may give its other members anew.
        let given = app.host.get(|parts| parts.given.clone());
        let refreshed = app.host.get(|parts| parts.refreshed);
        let now = (property(&given, "columns").unwrap_or_default(), refreshed);
        if before.with_value(|before| *before == now) {
            return;
        }
        before.set_value(now);
        let now = columns(&given);
        let is_whole = property(&given, "columns").is_none_or(|all| {
            Array::is_array(&all) && Array::from(&all).length() as usize == now.len()
        });
        // Once, as frameworks give their columns again.
        if !is_whole && !told.replace(true) {
            warn(
                "a column needs an id of its own, a label and a function `value`, and `columns` is an array.",
            );
        }
        let lacks_item = |row: &ListedLead| row.item.is_none();
        if !now.is_empty() && app.leads.listing.find(lacks_item).is_some() {
            // They were read before the page had columns.
            untrack(|| app.leads.refresh());
        }
        cells.0.columns.replace(now);
        cells.0.reported.borrow_mut().clear();
        cells.forget();
    });
}

impl Cells {
    /// Has all cells computed again. They show what they do until then.
    fn forget(&self) {
        for row in self.0.rows.borrow_mut().iter_mut() {
            row.version = row.version.wrapping_add(1);
            row.outdate();
        }
        self.0.changed.set(());
    }

    /// Computes a cell in the next microtask, before the browser paints.
    fn want(&self, wanted: Wanted) {
        let is_first = {
            let mut all = self.0.wanted.borrow_mut();
            all.push(wanted);
            all.len() == 1
        };
        if is_first {
            let cells = self.clone();
            spawn(async move { cells.compute() });
        }
    }

    fn compute(&self) {
        if self.0.changed.is_disposed() {
            return;
        }
        let wanted = self.0.wanted.take();
        let round = self.0.round.get();
        self.0.round.set(round.wrapping_add(1));
        let rows = self.0.rows.take();
        let (kept, gone) = match rows.len() > KEPT {
            true => rows.into_iter().partition(|row| row.used == round),
            false => (rows, Vec::new()),
        };
        self.0.rows.replace(kept);
        drop(gone);
        let mut last = None;
        for Wanted {
            lead,
            status,
            column,
        } in wanted
        {
            let Some(function) = self.function(column) else {
                continue;
            };
            // The columns of a lead share the object.
            let of = (lead.clone(), status.clone());
            let value = match &last {
                Some((last, value)) if *last == of => JsValue::clone(value),
                _ => lead_value(&lead, &status),
            };
            last = Some((of, value.clone()));
            let result = untrack(|| function.call1(&JsValue::UNDEFINED, &value));
            if self.0.changed.is_disposed() {
                // The function has removed the review.
                return;
            }
            let number = self.0.last.get().wrapping_add(1).max(1);
            self.0.last.set(number);
            self.enter(&lead, status, round.wrapping_add(1));
            match result {
                Ok(value) if is_promise(&value) => self.wait(lead, column, number, value),
                result => self.set(&lead, column, number, result),
            }
        }
        self.0.changed.set(());
    }

    fn function(&self, column: &'static ColumnSpec) -> Option<Function> {
        let columns = self.0.columns.borrow();
        let found = columns.iter().find(|(spec, _)| spec.id == column.id);
        found.map(|(_, function)| function.clone())
    }

    /// Notes for which status of a lead its cells are.
    fn enter(&self, lead: &Kept<LeadListItem>, status: ApprovalStatus, used: u32) {
        let mut rows = self.0.rows.borrow_mut();
        match rows.iter_mut().find(|row| row.lead == *lead) {
            Some(row) => {
                if row.status != status {
                    row.status = status;
                    row.outdate();
                }
                row.used = used;
            }
            None => rows.push(Row {
                lead: lead.clone(),
                status,
                cells: Vec::new(),
                version: 0,
                used,
            }),
        }
    }

    /// Shows the result of a promise when it is settled.
    fn wait(
        &self,
        lead: Kept<LeadListItem>,
        column: &'static ColumnSpec,
        number: u32,
        promise: JsValue,
    ) {
        self.with(&lead, |row| {
            let mut cells = row.cells.iter_mut();
            match cells.find(|cell| cell.column == column.id) {
                // What the cell shows stays until then.
                Some(cell) => cell.number = number,
                None => {
                    row.show(column, Shown::Waiting, number);
                }
            }
        });
        let cells = self.clone();
        spawn(async move {
            let result = JsFuture::from(Promise::resolve(&promise)).await;
            let cell = |row: &mut Row| row.cell(column).map(|cell| cell.number);
            if cells.with(&lead, cell).flatten() == Some(number) {
                cells.set(&lead, column, number, result);
                cells.0.changed.set(());
            }
        });
    }

    fn set(
        &self,
        lead: &Kept<LeadListItem>,
        column: &'static ColumnSpec,
        number: u32,
        result: Result<JsValue, JsValue>,
    ) {
        let shown = result.and_then(|value| self.shown(&value));
        let shown = shown.unwrap_or_else(|thrown| {
            let mut reported = self.0.reported.borrow_mut();
            if !reported.contains(&column.id) {
                reported.push(column.id);
                report_error(&thrown);
            }
            Shown::Failed(message(&thrown))
        });
        drop(self.with(lead, |row| row.show(column, shown, number)));
    }

    fn with<T>(&self, lead: &Kept<LeadListItem>, read: impl FnOnce(&mut Row) -> T) -> Option<T> {
        let mut rows = self.0.rows.borrow_mut();
        rows.iter_mut().find(|row| row.lead == *lead).map(read)
    }

    fn shown(&self, value: &JsValue) -> Result<Shown, JsValue> {
        if let Some(node) = value.dyn_ref::<Node>() {
            let slotted = SlottedNode::new(&self.0.host, node);
            return slotted
                .map(Shown::Node)
                .ok_or_else(|| "the node cannot be shown".into());
        }
        if value.is_undefined() || value.is_null() {
            return Ok(Shown::Text(String::new()));
        }
        match value.is_object() || value.is_function() || value.is_symbol() {
            true => Err("a column's value is a text, a node, or a promise of one".into()),
            false => Ok(Shown::Text(text_of(value))),
        }
    }
}

impl HostCells for Cells {
    fn version(&self, row: &ListedLead) -> u32 {
        self.0.changed.track();
        let read = |row: &mut Row| {
            row.used = self.0.round.get();
            row.version
        };
        let version = row.item.as_ref().and_then(|item| self.with(item, read));
        version.unwrap_or_default()
    }

    fn cell(
        &self,
        listed: &ListedLead,
        status: &ApprovalStatus,
        column: &'static ColumnSpec,
    ) -> AddedCell {
        let Some(item) = &listed.item else {
            return AddedCell::default();
        };
        let found = self.with(item, |row| {
            let cell = row.cell(column)?;
            let is_current = row.status == *status && cell.number > 0;
            Some((self.rendered(&cell.shown, column), is_current))
        });
        let (cell, is_current) = found.flatten().unwrap_or_default();
        if !is_current {
            self.want(Wanted {
                lead: item.clone(),
                status: status.clone(),
                column,
            });
        }
        cell
    }
}

impl Cells {
    fn rendered(&self, shown: &Shown, column: &'static ColumnSpec) -> AddedCell {
        let class = if column.number { "number" } else { "" };
        let name = || page_name(self.0.app);
        match shown {
            Shown::Text(text) => AddedCell {
                text: text.clone(),
                class,
                ..AddedCell::default()
            },
            Shown::Node(slotted) => AddedCell {
                slot: Some(Arc::clone(&slotted.name)),
                class,
                ..AddedCell::default()
            },
            Shown::Waiting => AddedCell {
                title: Some([&*name(), " has not answered yet"].concat()),
                ..AddedCell::default()
            },
            Shown::Failed(reason) => AddedCell {
                title: Some([&*name(), " could not show this: ", reason].concat()),
                ..AddedCell::default()
            },
        }
    }
}

/// Returns the lead as the client of JavaScript has it, with the status that the list shows.
fn lead_value(lead: &LeadListItem, status: &ApprovalStatus) -> JsValue {
    let value = plain(lead);
    // Setting a member of a plain object cannot fail.
    let _ = Reflect::set(&value, &"approval_status".into(), &status.as_str().into());
    value
}

fn is_promise(value: &JsValue) -> bool {
    let then = value
        .is_object()
        .then(|| Reflect::get(value, &"then".into()));
    matches!(then, Some(Ok(then)) if then.is_function())
}
