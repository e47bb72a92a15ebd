//! Texts of the notice and of the last decision.

use std::sync::Arc;

use super::lazy::lazy;
use crate::app::components::dom::El;
use crate::app::components::format;
use crate::app::components::status_label::{decision_label, status_word};
use crate::app::components::toast::{ToastAction, ToastMessage, toast};
use crate::app::model::live::conflicts::sentence;
use crate::app::state::AppState;
use crate::app::state::clipboard;
use crate::app::state::notice::NoticeMessage;
use crate::review::history::Step;

/// Returns a button. It may be removed with its message, so the list takes the focus.
fn action(
    app: AppState,
    label: &'static str,
    act: impl Fn() + Send + Sync + 'static,
) -> Option<ToastAction> {
    let act = Arc::new(move || {
        act();
        app.grid_selection().focus_list();
    });
    Some((label, act))
}

/// Returns the last decision, with its undo button.
pub fn last_decision(app: AppState) -> Option<ToastMessage> {
    let decisions = app.decisions;
    decisions.last_step(|step| {
        let number = step.number;
        ToastMessage {
            text: in_words(step),
            action: action(app, "Undo", move || decisions.undo(Some(number))),
        }
    })
}

/// Returns the text of the current notice, with its undo or redo button.
pub fn message(app: AppState) -> impl Fn() -> Option<ToastMessage> + Copy + Send + Sync + 'static {
    let (decisions, notice) = (app.decisions, app.notice);
    let deletion = app.deletion;
    move || {
        Some(match notice.get()? {
            NoticeMessage::Undone(step, stay) => ToastMessage {
                text: undone_text(&step, stay),
                action: action(app, "Redo", move || decisions.redo()),
            },
            NoticeMessage::Restored(leads) => {
                let leads = format::count(leads as u64, "decision");
                ToastMessage {
                    text: format!("Sending {leads} from your last visit"),
                    action: None,
                }
            }
            NoticeMessage::Deleting(name) => ToastMessage {
                text: format!("Deleting {name}"),
                action: action(app, "Undo", move || deletion.undo()),
            },
            NoticeMessage::Conflict(conflicts, step) => ToastMessage {
                text: sentence(&conflicts, status_word),
                action: step.and_then(|step| {
                    action(app, "Undo", move || {
                        notice.end();
                        decisions.undo(Some(step));
                    })
                }),
            },
            NoticeMessage::Text(text) => ToastMessage { text, action: None },
            NoticeMessage::Failed(text, messages) => ToastMessage {
                text,
                action: messages.and_then(|messages| {
                    action(app, clipboard::COPY_ALL, move || {
                        clipboard::copy_messages(notice, messages.clone());
                    })
                }),
            },
        })
    }
}

/// Returns a step as text, e.g. "Approved Ada Novak", "Rejected 12 leads".
pub fn in_words(step: &Step) -> String {
    format!("{} {}", decision_label(step.to), subject(step))
}

fn subject(step: &Step) -> String {
    match (step.changes.len(), &*step.name) {
        (1, name) if !name.is_empty() => name.to_owned(),
        (leads, _) => format::count(leads as u64, "lead"),
    }
}

fn undone_text(step: &Step, stay: usize) -> String {
    if step.changes.is_empty() {
        let leads = format::count(stay as u64, "lead");
        let (what, were) = match (&*step.name, stay) {
            ("", 1) => (&*leads, "was"),
            ("", _) => (&*leads, "were"),
            (name, _) => (name, "was"),
        };
        return ["Not undone: ", what, " ", were, " decided again since"].concat();
    }
    let stays = match stay {
        0 => String::new(),
        stay => format!("; {} changed since and kept", format::number(stay as u64)),
    };
    let back = match step.changes.first() {
        Some(change) if step.changes.len() == 1 => {
            let back = status_word(&change.from).to_ascii_lowercase();
            format!("Undone: {} is {back} again", subject(step))
        }
        _ => format!("Undone: {} restored", subject(step)),
    };
    back + &stays
}

/// Renders the message of a page that has no place of its own for it.
pub fn page_toast(app: AppState) -> El {
    toast(message(app))
}

lazy!(lazy_toast: list, small, first, "Messages", page_toast);
