//! Tells the reviews of a workspace what its calls read.

use std::cell::RefCell;
use std::rc::{Rc, Weak};
use std::sync::Arc;

use js_sys::{Array, Reflect};
use lead_workspace_api::ApprovalStatus;
use wasm_bindgen::JsValue;

use super::reviewed::Reviewed;
use crate::client::property;

/// The reviews of a workspace.
#[derive(Clone, Default)]
pub(super) struct Reviews(Rc<RefCell<Vec<Weak<Reviewed>>>>);

/// A read that is on its way.
pub(super) struct Read(Vec<(Weak<Reviewed>, u64)>);

impl Reviews {
    pub(super) fn add(&self, review: &Rc<Reviewed>) {
        let mut reviews = self.0.borrow_mut();
        reviews.retain(|review| review.strong_count() > 0);
        reviews.push(Rc::downgrade(review));
    }

    /// Must be called before a read is sent: what it returns may be older than a later decision.
    pub(super) fn start_read(&self) -> Read {
        let reviews = self.0.borrow();
        let living = reviews.iter().filter_map(|review| {
            let sent = review.upgrade()?.engine.start_read();
            Some((Weak::clone(review), sent))
        });
        Read(living.collect())
    }
}

impl Read {
    /// Takes the result of the read.
    pub(super) fn done(&self, result: &JsValue) {
        if self.0.is_empty() {
            return;
        }
        let leads = leads(result);
        for (review, sent) in &self.0 {
            if let Some(review) = review.upgrade() {
                review.on_read(&leads, *sent);
            }
        }
    }
}

/// Returns the leads in a result and their statuses: a lead, rows, a page of rows, or an account with its leads.
pub(super) fn leads(result: &JsValue) -> Vec<(Arc<str>, ApprovalStatus)> {
    let mut found = Vec::new();
    collect(result, &mut found);
    found
}

fn collect(value: &JsValue, found: &mut Vec<(Arc<str>, ApprovalStatus)>) {
    if Array::is_array(value) {
        for row in Array::from(value).iter() {
            collect(&row, found);
        }
        return;
    }
    if !value.is_object() {
        return;
    }
    let text = |name: &str| Reflect::get(value, &name.into()).ok()?.as_string();
    // A lead in full has its id as `id`.
    let id = text("lead_id").or_else(|| text("id"));
    if let (Some(lead), Some(status)) = (id, text("approval_status")) {
        found.push((lead.into(), ApprovalStatus::from(status.as_str())));
        return;
    }
    for rows in ["data", "leads"] {
        if let Some(rows) = property(value, rows).filter(Array::is_array) {
            collect(&rows, found);
        }
    }
}
