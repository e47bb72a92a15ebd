//! What a page that embeds the review adds to it: columns, actions, and a section in the details of a lead.

use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

use lead_workspace_api::ApprovalStatus;
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::Element;

use super::lead_list::ListedLead;
use crate::app::model::added_cell::AddedCell;
use crate::app::model::chord::KeyPress;
use crate::app::model::columns::ColumnSpec;
use crate::app::model::command::Scope;
use crate::app::model::host_action::{ActionTarget, HostAction};

/// Computes the cells of the host page's columns.
pub trait HostCells {
    /// Returns a number that is another one when cells of this lead changed, tracked.
    fn version(&self, lead: &str) -> u32;

    fn cell(
        &self,
        row: &ListedLead,
        status: &ApprovalStatus,
        column: &'static ColumnSpec,
    ) -> AddedCell;
}

/// The work of an action. It fails with a message. Dropping it tells the page that it was cancelled.
pub type ActionWork = Pin<Box<dyn Future<Output = Result<(), String>>>>;

/// Starts an action of the page, given its index, on leads or accounts. The last argument receives the share that is done,
/// from 0 to 1.
pub type StartAction = Rc<dyn Fn(usize, &[Arc<str>], Rc<dyn Fn(f64)>) -> ActionWork>;

/// Receives a key press, and where the focus is.
pub type OnKey = Rc<dyn Fn(&KeyPress, Scope) -> bool>;

/// An action that the user started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionRun {
    pub number: u32,
    /// Index of the action.
    pub action: usize,
    pub label: String,
    pub ids: Vec<Arc<str>>,
    pub target: ActionTarget,
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

#[derive(Clone, Copy)]
pub struct HostPage {
    /// What the page gave, as a JavaScript object. It is read when the code for it is loaded.
    pub given: RwSignal<JsValue, LocalStorage>,
    /// The element of the page that has the review in its shadow tree. `None` outside of a host page.
    pub around: StoredValue<Option<Element>, LocalStorage>,
    /// Notified when the page wants its columns computed again.
    pub refreshed: RwSignal<()>,
    /// Name of the page, above what it adds.
    pub name: RwSignal<String>,
    pub cells: RwSignal<Option<Rc<dyn HostCells>>, LocalStorage>,
    pub actions: RwSignal<Vec<HostAction>>,
    pub start: StoredValue<Option<StartAction>, LocalStorage>,
    /// Runs the action of a key. Returns whether there is one that applies.
    pub on_key: StoredValue<Option<OnKey>, LocalStorage>,
    pub runs: RwSignal<Vec<ActionRun>>,
    pub section: RwSignal<HostSection>,
    last: StoredValue<u32>,
}

impl HostPage {
    pub fn start() -> Self {
        Self {
            given: RwSignal::new_local(JsValue::UNDEFINED),
            around: StoredValue::new_local(None),
            refreshed: RwSignal::new(()),
            name: RwSignal::new(String::new()),
            cells: RwSignal::new_local(None),
            actions: RwSignal::new(Vec::new()),
            start: StoredValue::new_local(None),
            on_key: StoredValue::new_local(None),
            runs: RwSignal::new(Vec::new()),
            section: RwSignal::new(HostSection::None),
            last: StoredValue::new(0),
        }
    }

    /// Starts an action on leads or accounts. Its panel runs it.
    pub fn run(self, action: usize, ids: Vec<Arc<str>>) {
        let of = self.actions.with_untracked(|actions| {
            let action = actions.get(action)?;
            Some((action.label.clone(), action.target))
        });
        let Some((label, target)) = of.filter(|_| !ids.is_empty()) else {
            return;
        };
        let number = self.last.get_value() + 1;
        self.last.set_value(number);
        self.runs.update(|runs| {
            runs.push(ActionRun {
                number,
                action,
                label,
                ids,
                target,
            });
        });
    }

    /// Returns whether there is a panel of an action.
    pub fn is_running(self) -> bool {
        self.runs.with(|runs| !runs.is_empty())
    }

    /// Removes the panel of an action, which cancels it.
    pub fn end(self, number: u32) {
        self.runs
            .update(|runs| runs.retain(|run| run.number != number));
    }
}
