//! The engine of a review, and what the workspace read lately.

use std::cell::RefCell;
use std::sync::Arc;

use js_sys::{Array, Map};
use lead_workspace_api::ApprovalStatus;
use wasm_bindgen::JsCast;

use crate::review::engine::Engine;

/// An engine, and what the workspace read lately.
pub(super) struct Reviewed {
    pub(super) engine: Engine,
    recent: RecentReads,
}

impl Reviewed {
    pub(super) fn new(engine: Engine) -> Self {
        Self {
            engine,
            recent: RecentReads::default(),
        }
    }

    /// Takes the leads of a read that was sent at `sent`.
    pub(super) fn on_read(&self, leads: &[(Arc<str>, ApprovalStatus)], sent: u64) {
        for (lead, status) in leads {
            self.recent.add(lead, status, sent);
        }
        let mut leads = leads.iter().map(|(lead, status)| (&**lead, status));
        self.engine.on_read(&mut leads, sent);
        // The server can be reached.
        self.engine.resume();
    }

    /// Returns the status to show of a lead.
    pub(super) fn shown(&self, lead: &str) -> Option<ApprovalStatus> {
        self.shown_as(lead, None)
    }

    /// Returns the status to show of a lead whose row has the status `given`, which may be newer than the last read.
    pub(super) fn shown_as(&self, lead: &str, given: Option<&str>) -> Option<ApprovalStatus> {
        let decided = self.engine.with_outbox(|outbox| outbox.shown(lead));
        let given = given.map(ApprovalStatus::from);
        decided.or(given).or_else(|| self.recent.get(lead))
    }
}

/// The number of leads after which the older ones are dropped.
const HALF: u32 = 10_000;

/// Statuses of the last 10,000 to 20,000 leads that were read, so that a decision by id alone can be undone. A page that
/// reads a million leads does not keep them all. JavaScript's maps, because another map of Rust is 8 kB of code.
#[derive(Default)]
struct RecentReads {
    newer: RefCell<Map>,
    older: RefCell<Map>,
}

impl RecentReads {
    /// Adds a status from a read that was sent at `sent`, unless a later one has arrived.
    fn add(&self, lead: &str, status: &ApprovalStatus, sent: u64) {
        let sent = sent as f64;
        if self
            .find(lead)
            .is_some_and(|read| read.get(1).as_f64() > Some(sent))
        {
            return;
        }
        if self.newer.borrow().size() >= HALF {
            self.older.replace(self.newer.take());
        }
        let read = Array::of2(&status.as_str().into(), &sent.into());
        self.newer.borrow().set(&lead.into(), &read);
    }

    fn get(&self, lead: &str) -> Option<ApprovalStatus> {
        let status = self.find(lead)?.get(0).as_string()?;
        Some(ApprovalStatus::from(status.as_str()))
    }

    /// Returns the status of a lead and the number of its read.
    fn find(&self, lead: &str) -> Option<Array> {
        let of = |map: &RefCell<Map>| map.borrow().get(&lead.into()).dyn_into().ok();
        of(&self.newer).or_else(|| of(&self.older))
    }
}
