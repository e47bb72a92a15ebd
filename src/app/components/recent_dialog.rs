//! Dialog of recent decisions: lead, decision, state, time, and undo.

use std::rc::Rc;
use std::sync::Arc;

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlDialogElement, HtmlElement, KeyboardEvent};

use super::dialog::{head, modal};
use super::dom::{El, KeyedRow, a, b, button, div, i, li, p, span, ul};
use super::format;
use super::status_label::decision_label;
use crate::app::model::recent_decisions::{DecisionState, RecentDecision};
use crate::app::reactive::{Memo, Signal, StoredValue, memo};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecentAction {
    /// Undoes the step with this number.
    Undo(u64),
    /// Repeats the step that was undone last.
    Redo,
    /// Resends the unsaved part of a step.
    Retry(u64),
    /// Gives up the unsaved part of a step.
    Revert(u64),
}

/// Inputs and callbacks of the dialog.
#[derive(Clone)]
pub struct Recent {
    pub lines: Memo<Vec<RecentDecision>>,
    pub can_redo: Signal<bool>,
    /// Message about the last action.
    pub message: Signal<String>,
    /// Returns the URL of a lead's details.
    pub href: Rc<dyn Fn(&str) -> String>,
    pub on_action: Callback<RecentAction>,
}

/// Renders the dialog. After it is closed, calls `on_done` with the lead to open, or `None`.
pub fn recent(recent: &Recent, on_done: Callback<Option<Arc<str>>>) -> El {
    let picked = StoredValue::new(None::<Arc<str>>);
    let dialog = modal("recent", "Recent decisions", move || {
        on_done.run(picked.get_value());
    })
    .attr("tabindex", "-1");
    let node = dialog.node();
    let closes: HtmlDialogElement = node.clone().unchecked_into();
    let on_open = Rc::new(move |lead: Arc<str>| {
        picked.set_value(Some(lead));
        closes.close();
    });
    let of = Rc::new(RecentContext {
        recent: recent.clone(),
        on_open,
        dialog: node.clone(),
    });
    let lines = recent.lines;
    let rows = move || {
        let keys = lines.with(|lines| {
            let keys = lines.iter().map(|line| (line.number, line.lost));
            keys.collect::<Vec<_>>()
        });
        let row = |key: (u64, bool)| {
            let of = Rc::clone(&of);
            let kind = if key.1 { "lost " } else { "" };
            KeyedRow {
                key: [kind, &key.0.to_string()].concat().into(),
                version: 0,
                draw: Rc::new(move || row(&of, key)),
            }
        };
        keys.into_iter().map(row).collect()
    };
    let list = ul().keyed_rows(rows).on(ev::keydown, |event| walk(&event));
    let (none, message, can_redo) = (lines, recent.message, recent.can_redo);
    let (on_action, back) = (recent.on_action, node.clone());
    let lines = div().class("lines").child(list).child(move || {
        let text = "No decisions yet. Your decisions appear here, newest first, and can be undone.";
        none.with(Vec::is_empty)
            .then(|| p().class("intro").child(text))
    });
    let bottom = div()
        .class("bottom")
        .child(
            span()
                .class("message")
                .attr("role", "status")
                .child(move || message.get()),
        )
        .child(move || {
            let (on_action, back) = (on_action, back.clone());
            can_redo.get().then(|| {
                button().class("").child("Redo").on(ev::click, move |_| {
                    focus(&back);
                    on_action.run(RecentAction::Redo);
                })
            })
        });
    dialog
        .child(head("Recent decisions", &node))
        .child(lines)
        .child(bottom)
}

/// Context shared by all lines.
struct RecentContext {
    recent: Recent,
    on_open: Rc<dyn Fn(Arc<str>)>,
    dialog: Element,
}

fn row(of: &Rc<RecentContext>, (number, lost): (u64, bool)) -> El {
    let lines = of.recent.lines;
    // The line changes while the row stays, and is gone shortly before the row is removed.
    let line = memo(move |_| {
        let is_it = |line: &&RecentDecision| line.number == number && line.lost == lost;
        lines.with(|lines| lines.iter().find(is_it).cloned())
    });
    let shape = memo(move |_| {
        line.with(|line| {
            let line = line.as_ref()?;
            Some((line.leads, line.lead.clone()))
        })
    });
    let (subject_of, about) = (Rc::clone(of), of.recent.clone());
    let what = p().class("what").child(move || {
        shape.get();
        let line = line.get_untracked()?;
        Some(
            span()
                .child(decision_label(line.to))
                .child(" ")
                .child(subject(&subject_of, &line)),
        )
    });
    let state = p()
        .class("fine")
        .child(move || Some(decision_state(&line.get()?)));
    let counts = memo(move |_| {
        line.with(|line| {
            line.as_ref()
                .map(|line| (line.can_undo(), line.is_stuck() && lost))
        })
    });
    let dialog = of.dialog.clone();
    li().class("line")
        .attr("data-tone", move || {
            let to = line.with(|line| line.as_ref().map(|line| line.to));
            to.map(|to| to.as_str().to_owned()).unwrap_or_default()
        })
        .child(i().attr("aria-hidden", "true"))
        .child(div().class("both").child(what).child(state))
        .child(move || {
            let (undo, stuck) = counts.get()?;
            let name = line.with_untracked(|line| line.as_ref().map(in_words))?;
            let act = |verb: &str, what: RecentAction, goes: bool| {
                let (on_action, dialog) = (about.on_action, dialog.clone());
                button()
                    .class("")
                    .child(verb)
                    .attr("aria-label", [verb, ": ", &name].concat())
                    .on(ev::click, move |event| {
                        if goes {
                            step_aside(&event, &dialog);
                        } else {
                            focus(&dialog);
                        }
                        on_action.run(what);
                    })
            };
            let acts = div().class("acts");
            Some(if stuck {
                acts.child(act("Retry", RecentAction::Retry(number), false))
                    .child(act("Revert", RecentAction::Revert(number), true))
            } else if undo {
                acts.child(act("Undo", RecentAction::Undo(number), true))
            } else {
                acts
            })
        })
}

/// Renders a single lead as a link to its details, several leads as a count.
fn subject(of: &Rc<RecentContext>, line: &RecentDecision) -> El {
    let Some(lead) = line.lead.clone().filter(|_| !line.name.is_empty()) else {
        return b().child(format::count(line.leads as u64, "lead"));
    };
    let open = Rc::clone(of);
    a().attr("href", (of.recent.href)(&lead))
        .child(&*line.name)
        .on(ev::click, move |event| {
            if super::links::is_plain(&event) {
                event.prevent_default();
                (open.on_open)(Arc::clone(&lead));
            }
        })
}

fn in_words(line: &RecentDecision) -> String {
    let subject = match line.lead {
        Some(_) if !line.name.is_empty() => line.name.to_string(),
        _ => format::count(line.leads as u64, "lead"),
    };
    [decision_label(line.to), " ", &subject].concat()
}

/// Renders the state and the time of a decision, and how many leads an undo would not change.
fn decision_state(line: &RecentDecision) -> El {
    let undoable = line.leads - line.again;
    let part = |part: usize, word: &str| match part == undoable {
        true => word.to_owned(),
        false => [&*format::number(part as u64), " ", word].concat(),
    };
    let (tone, word) = match line.decision_state() {
        DecisionState::Again => ("again", "changed since".to_owned()),
        DecisionState::Failed => ("failed", part(line.failed, "not saved")),
        DecisionState::Uncertain => ("uncertain", part(line.uncertain, "not confirmed")),
        DecisionState::Open => ("open", part(line.open, "being saved")),
        DecisionState::Saved => ("saved", "saved".to_owned()),
    };
    let again = match line.again {
        0 => String::new(),
        again if again == line.leads => String::new(),
        again => {
            let again = format::number(again as u64);
            [" · ", &again, " changed since; undo skips them"].concat()
        }
    };
    let rest = [" · ", &*format::since(line.at), &again].concat();
    span()
        .child(b().class("how").attr("data-of", tone).child(&word))
        .child(&rest)
}

/// Moves the focus to the next or previous row, because the action removes this one.
fn step_aside(event: &Event, dialog: &Element) {
    let near = here(event).and_then(|row| {
        let next = row.next_element_sibling();
        let before = || row.previous_element_sibling();
        next.and_then(|row| first(&row))
            .or_else(|| first(&before()?))
    });
    focus(near.as_ref().unwrap_or(dialog));
}

/// Moves the focus between rows on Up and Down.
fn walk(event: &KeyboardEvent) {
    let key = event.key();
    let next = here(event).and_then(|row| match key.as_str() {
        "ArrowDown" => row.next_element_sibling(),
        "ArrowUp" => row.previous_element_sibling(),
        _ => None,
    });
    if let Some(control) = next.and_then(|row| first(&row)) {
        event.prevent_default();
        focus(&control);
    }
}

fn here(event: &Event) -> Option<Element> {
    let target: Element = event.target()?.dyn_into().ok()?;
    target.closest("li").ok().flatten()
}

/// Returns the main control of a row: its first button, else its link.
fn first(row: &Element) -> Option<Element> {
    let find = |what: &str| row.query_selector(what).ok().flatten();
    find("button").or_else(|| find("a"))
}

fn focus(element: &Element) {
    let _ = element.unchecked_ref::<HtmlElement>().focus();
}
