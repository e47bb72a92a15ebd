//! The notice: a short message about the last action that is not a decision.

use gloo_timers::callback::Timeout;
use lead_workspace_api::Detail;

use crate::app::model::live::conflicts::Conflict;
use crate::app::reactive::{RwSignal, StoredValue};
use crate::client::Error;
use crate::review::history::Step;

/// How long a deletion can be undone before it is sent, in milliseconds.
pub const UNDO_MS: u32 = 5_000;

/// How long a notice is shown, in milliseconds.
const NOTICE_MS: u32 = 8_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoticeMessage {
    /// A step that was undone and can be redone, and the number of its leads that were decided again since and
    /// stay.
    Undone(Step, usize),
    /// The number of decisions of an earlier visit that are sent now.
    Restored(usize),
    /// The name of a lead that is deleted in a few seconds unless the user undoes it.
    Deleting(String),
    /// Decisions that were saved although someone else decided otherwise, and the number of the step that made them.
    Conflict(Vec<Conflict>, Option<u64>),
    /// Any other message.
    Text(String),
    /// A message about an error, and all messages of the server if some of them are not in it.
    Failed(String, Option<String>),
}

#[derive(Clone, Copy)]
pub struct Notice {
    shown: RwSignal<Option<NoticeMessage>>,
    timer: StoredValue<Option<Timeout>>,
}

impl Notice {
    pub fn start() -> Self {
        Self {
            shown: RwSignal::new(None),
            timer: StoredValue::new(None),
        }
    }

    /// Returns the current notice, tracked.
    pub fn get(self) -> Option<NoticeMessage> {
        self.shown.get()
    }

    /// Ends the notice, because a later action is shown. A conflict is reported only once, so it stays.
    pub fn clear(self) {
        let clear = |shown: &mut Option<NoticeMessage>| {
            let stays = matches!(shown, Some(NoticeMessage::Conflict(..)));
            if !stays {
                *shown = None;
            }
            (!stays, ())
        };
        self.shown.try_maybe_update(clear);
    }

    pub fn show_conflict(self, conflicts: Vec<Conflict>, step: Option<u64>) {
        self.show(NoticeMessage::Conflict(conflicts, step));
    }

    /// Ends the notice.
    pub fn end(self) {
        self.shown.set(None);
    }

    pub fn show_undone(self, step: Step, stay: usize) {
        self.show(NoticeMessage::Undone(step, stay));
    }

    pub fn show_restored(self, leads: usize) {
        self.show(NoticeMessage::Restored(leads));
    }

    pub fn show_deleting(self, name: &str) {
        self.show(NoticeMessage::Deleting(name.to_owned()));
    }

    /// Shows a message.
    pub fn show_text(self, text: String) {
        self.show(NoticeMessage::Text(text));
    }

    /// Shows that something failed, because of the error.
    pub fn show_failed(self, text: String, error: &Error) {
        let messages = error.detail().and_then(Detail::all_messages);
        self.show(NoticeMessage::Failed(text, messages));
    }

    fn show(self, message: NoticeMessage) {
        let shown = match message {
            // The undo button is removed when the deletion can no longer be undone.
            NoticeMessage::Deleting(_) => UNDO_MS,
            _ => NOTICE_MS,
        };
        self.shown.set(Some(message));
        let timer = Timeout::new(shown, move || {
            self.shown.set(None);
        });
        self.timer.set_value(Some(timer));
    }
}
