//! Free-form data as a tree. Each level is rendered when it is opened.

use std::rc::Rc;

use lead_workspace_api::Raw;

use super::fields::{collapsible, day, in_steps, link, text};
use crate::app::components::dom::{El, b, dd, div, dl, dt, span, summary};
use crate::app::components::format;
use crate::app::model::json_tree::{TreeItem, TreeValue, level};

/// Number of members shown at a time.
const STEP: usize = 40;

/// Branches with at most this many members, at a depth below this, are open at the start.
const OPEN_AT_START: (usize, u32) = (6, 2);

/// Renders a value as the root of a tree, without the members named in `hidden`.
pub fn tree(raw: &Raw, hidden: &'static [&'static str]) -> El {
    match TreeValue::from_raw(raw) {
        TreeValue::Branch(..) => branch(raw, hidden, 0),
        leaf => value_element("", &leaf, 0),
    }
}

/// Renders the members of an object or a list.
pub fn branch(raw: &Raw, hidden: &'static [&'static str], depth: u32) -> El {
    let raw = raw.clone();
    let draw = move |from: usize| {
        let level = level(&raw, from, STEP, hidden);
        let members = level.items.iter().map(|item| member(item, depth));
        let list = dl().class("tree").children(members);
        (list, level.total.saturating_sub(from))
    };
    in_steps(STEP, 0, Rc::new(draw))
}

fn member(item: &TreeItem, depth: u32) -> El {
    // The summary of a branch shows its name already.
    let (class, term) = match item.value {
        TreeValue::Branch(..) => ("wide", "visually-hidden"),
        _ => ("", ""),
    };
    div()
        .class(class)
        .child(dt().class(term).child(short(&item.label)))
        .child(dd().child(value_element(&item.label, &item.value, depth)))
}

fn value_element(label: &str, value: &TreeValue, depth: u32) -> El {
    match value {
        TreeValue::Nothing => span().class("none").child("–"),
        TreeValue::Text(value) => text("span", value),
        TreeValue::Time(iso) => day(iso),
        TreeValue::Link(href) => link(href, href),
        TreeValue::Branch(raw, count) => {
            let raw = raw.clone();
            let is_open = *count <= OPEN_AT_START.0 && depth < OPEN_AT_START.1;
            let count = format::count(*count as u64, "entry").replace("entrys", "entries");
            let summary = summary().child(b().child(short(label))).child(&count);
            collapsible(summary, is_open, move || branch(&raw, &[], depth + 1))
        }
    }
}

/// Cuts a key to 80 characters: keys may have any length.
fn short(label: &str) -> String {
    match label.char_indices().nth(80) {
        Some((cut, _)) => format!("{}…", &label[..cut]),
        None => label.to_owned(),
    }
}
