//! Keyed rows: a row with the same key and version keeps its element when the rows change.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;
use web_sys::Node;

use super::{El, insert};

/// A row of a keyed list.
#[derive(Clone)]
pub struct KeyedRow {
    /// Unique among the rows.
    pub key: Arc<str>,
    /// Changes when the row must be rendered again.
    pub version: u32,
    pub draw: Rc<dyn Fn() -> El>,
}

/// A row in the page.
pub(super) struct RenderedRow {
    row: (Arc<str>, u32),
    el: El,
    owner: Owner,
    owners: RowOwners,
}

impl Drop for RenderedRow {
    fn drop(&mut self) {
        self.el.node.remove();
        self.owner.cleanup();
        self.owners.spare.borrow_mut().push(self.owner.clone());
    }
}

/// The reactive owners of a list's rows. An owner that a row has left is reused for the next one: a parent keeps a
/// trace of every child that it ever had, and a day of scrolling renders a million rows.
#[derive(Clone)]
pub(super) struct RowOwners {
    parent: Owner,
    spare: Rc<RefCell<Vec<Owner>>>,
}

impl RowOwners {
    pub(super) fn under(parent: Owner) -> Self {
        Self {
            parent,
            spare: Rc::default(),
        }
    }

    fn next(&self) -> Owner {
        let spare = self.spare.borrow_mut().pop();
        spare.unwrap_or_else(|| self.parent.child())
    }
}

/// Brings the rows before `marker` into a new order, and renders only those that are new.
pub(super) fn arrange(
    marker: &Node,
    owners: &RowOwners,
    old: Vec<RenderedRow>,
    rows: &[KeyedRow],
) -> Vec<RenderedRow> {
    let mut old: Vec<Option<RenderedRow>> = old.into_iter().map(Some).collect();
    let mut from = 0;
    let mut items = Vec::with_capacity(rows.len());
    for row in rows {
        let is_it = |item: &Option<RenderedRow>| {
            let item = item.as_ref();
            item.is_some_and(|item| item.row.0 == row.key && item.row.1 == row.version)
        };
        // Most rows keep their order, so the next old row is usually the right one.
        let found = match old.get(from).is_some_and(is_it) {
            true => Some(from),
            false => old.iter().position(is_it),
        };
        let item = match found.and_then(|at| old[at].take().map(|item| (at, item))) {
            Some((at, item)) => {
                from = at + 1;
                item
            }
            None => {
                let owner = owners.next();
                let el = owner.with(|| untrack(|| (row.draw)()));
                RenderedRow {
                    row: (Arc::clone(&row.key), row.version),
                    el,
                    owner,
                    owners: owners.clone(),
                }
            }
        };
        items.push(item);
    }
    drop(old);
    // From the last to the first: rows that are already in place are not moved.
    let mut next: Node = marker.clone();
    for item in items.iter().rev() {
        if item.el.node.next_sibling().as_ref() != Some(&next) {
            insert(&item.el.node, &next);
        }
        next = item.el.node.clone().into();
    }
    items
}
