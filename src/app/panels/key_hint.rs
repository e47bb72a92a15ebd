//! What can follow while a sequence of keys waits for its next key.

use crate::app::components::dom::{El, div, li, span, ul};
use crate::app::components::keycaps::keycaps;
use crate::app::model::chord::THEN;
use crate::app::shell::lazy::lazy;
use crate::app::state::AppState;

/// Renders the hint while a sequence waits. The live region is always in the page, so that screen readers announce it.
pub fn while_waiting(app: AppState) -> El {
    div()
        .class("key-hints")
        .attr("role", "status")
        .child(move || app.keys.before.get().map(|_| lazy_key_hint(app)))
}

fn key_hint(app: AppState) -> El {
    let keys = app.keys;
    let before = keys.before.get_untracked();
    let following = before
        .as_ref()
        .and_then(|before| keys.now(|map| map.following(before)));
    let enabled = app.commands.enabled();
    let is_enabled = |command| enabled.iter().any(|(other, _)| *other == command);
    let lines = following.into_iter().flatten();
    let lines = lines.filter(|(command, _)| is_enabled(*command));
    let lines = lines.map(|(command, chord)| {
        li().child(keycaps(&chord.caps(keys.mac)))
            .child(" ")
            .child(command.spec().label)
    });
    div()
        .class("key-hint")
        .child(before.map(|before| keycaps(&before.caps(keys.mac))))
        .child(span().child(THEN))
        .child(ul().children(lines))
}

lazy!(lazy_key_hint: pages, small, later, "The keys", key_hint);
