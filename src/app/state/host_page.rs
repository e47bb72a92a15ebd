//! What a page that embeds the review adds to it: columns, actions, and a section in the details of a lead.

use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::ApprovalStatus;
use wasm_bindgen::JsValue;
use web_sys::Element;

use super::lead_list::listed_lead::ListedLead;
use crate::app::model::added_cell::AddedCell;
use crate::app::model::chord::KeyPress;
use crate::app::model::columns::ColumnSpec;
use crate::app::model::command::Scope;
use crate::app::model::host_action::HostAction;
use crate::app::reactive::{RwSignal, StoredValue};

/// Computes the cells of the host page's columns.
pub trait HostCells {
    /// Returns a number that is another one when cells of this lead changed, tracked.
    fn version(&self, row: &ListedLead) -> u32;

    fn cell(
        &self,
        row: &ListedLead,
        status: &ApprovalStatus,
        column: &'static ColumnSpec,
    ) -> AddedCell;
}

/// The work of an action. It fails with a message. Dropping it tells the page that it was cancelled.
pub type ActionWork = Pin<Box<dyn Future<Output = Result<(), String>>>>;

/// Starts an action of the page, given its id, on leads or accounts. The last argument receives the share that is done,
/// from 0 to 1.
pub type StartAction = Rc<dyn Fn(&str, &[Arc<str>], Rc<dyn Fn(f64)>) -> ActionWork>;

/// Receives a key press, and where the focus is.
pub type OnKey = Rc<dyn Fn(&KeyPress, Scope) -> bool>;

/// An action that the user started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionRun {
    pub number: u32,
    pub action: HostAction,
    pub ids: Vec<Arc<str>>,
}

/// The section of the host page in the details of a lead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum HostSection {
    #[default]
    None,
    /// The name of the slot that shows it.
    Slot(Arc<str>),
    /// Why it could not be made.
    Failed(String),
}

/// What the page gave, and what its code made of it.
#[derive(Clone, Default)]
pub struct HostParts {
    /// As a JavaScript object. It is read when the code for it is loaded.
    pub given: JsValue,
    /// The element of the page that has the review in its shadow tree. `None` outside of a host page.
    pub around: Option<Element>,
    /// Name of the page, above what it adds.
    pub name: String,
    pub cells: Option<Rc<dyn HostCells>>,
    pub actions: Vec<HostAction>,
    pub start: Option<StartAction>,
    /// Runs the action of a key. Returns whether there is one that applies.
    pub on_key: Option<OnKey>,
    /// The actions that run or failed.
    pub runs: Vec<ActionRun>,
    pub section: HostSection,
    /// Incremented when the page wants its columns computed again.
    pub refreshed: u32,
    last_run: u32,
}

/// One signal notifies of all: it changes rarely, and each type of signal is code of its own.
#[derive(Clone, Copy)]
pub struct HostPage {
    parts: StoredValue<HostParts>,
    changed: RwSignal<()>,
}

impl HostPage {
    pub fn start() -> Self {
        Self {
            parts: StoredValue::new(HostParts::default()),
            changed: RwSignal::new(()),
        }
    }

    /// Reads what there is, tracked.
    pub fn get<T>(self, read: impl FnOnce(&HostParts) -> T) -> T {
        self.changed.track();
        self.parts.with_value(read)
    }

    /// Changes what there is. `change` returns whether it did. Does nothing once the app is gone.
    pub fn update(self, change: impl FnOnce(&mut HostParts) -> bool) {
        if self.parts.try_update_value(change) == Some(true) {
            self.changed.set(());
        }
    }

    /// Starts an action on leads or accounts. Its panel runs it.
    pub fn run(self, action: &HostAction, ids: Vec<Arc<str>>) {
        if ids.is_empty() {
            return;
        }
        self.update(|parts| {
            parts.last_run += 1;
            parts.runs.push(ActionRun {
                number: parts.last_run,
                action: action.clone(),
                ids,
            });
            true
        });
    }

    /// Returns whether there is a panel of an action.
    pub fn is_running(self) -> bool {
        self.get(|parts| !parts.runs.is_empty())
    }

    /// Removes the panel of an action, which cancels it.
    pub fn end(self, number: u32) {
        self.update(|parts| {
            parts.runs.retain(|run| run.number != number);
            true
        });
    }
}
