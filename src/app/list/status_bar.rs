//! The status bar below the grid: save state, recent decisions, refresh.

use leptos::ev;
use leptos::prelude::*;

use crate::app::components::dom::{El, button, span};
use crate::app::components::keycaps::keycaps;
use crate::app::components::{format, icon};
use crate::app::model::command::Command;
use crate::app::reactive::memo;
use crate::app::state::AppState;
use crate::app::state::decisions::DecisionCounts;

/// Returns the status bar's parts: decisions made and saved, recent decisions, refresh, and views on a phone. With
/// `on_turn`, which gets -1 or 1, also buttons for the previous and next lead on a phone, and the decision keys.
pub fn decision_status(
    app: AppState,
    on_turn: Option<Callback<i64>>,
    on_refresh: impl Fn() + 'static,
) -> Vec<El> {
    let (decisions, commands) = (app.decisions, app.commands);
    let tally = memo(move |_| decisions.decision_counts());
    let any = memo(move |_| tally.with(|tally| tally.open + tally.saved + tally.failed > 0));
    // Hidden where there is little room; then only the unsaved decisions are shown.
    let decided = move || {
        let DecisionCounts {
            open,
            saved,
            failed,
            ..
        } = tally.get();
        count_of(open + saved + failed, " decided here · ").unwrap_or_default()
    };
    let tone = move || {
        let tally = tally.get();
        match (tally.failed + tally.retrying, tally.open) {
            (0, 0) => "0",
            (0, _) => "waits",
            _ => "1",
        }
    };
    let tally = span()
        .class("tallies")
        .attr("role", "status")
        .child(move || {
            any.get().then(|| {
                span()
                    .class("tally")
                    .attr("data-open", move || tone().to_owned())
                    .child(span().class("more").child(decided))
                    .child(move || unsaved_text(&tally.get()))
            })
        });
    let recent = span().class("latest").child(move || {
        any.get().then(|| {
            button()
                .class("quiet")
                .child("Recent")
                .child(span().class("more").child(" decisions"))
                .attr("aria-haspopup", "dialog")
                .on(ev::click, move |_| {
                    commands.run(Command::Recent);
                })
        })
    });
    let refresh = button()
        .class("quiet")
        .attr("title", "Reload the list")
        .child(icon::again())
        .child(span().class("more").child("Refresh"))
        .on(ev::click, move |_| on_refresh());
    let views = button()
        .class("quiet phone")
        .child("Views")
        .attr("aria-haspopup", "dialog")
        .on(ev::click, move |_| {
            commands.run(Command::Views);
        });
    let mut parts = vec![tally, views, recent, refresh];
    if let Some(on_turn) = on_turn {
        let step_button = |label: &str, icon: El, by: i64| {
            button()
                .class("quiet phone")
                .attr("aria-label", label)
                .child(icon)
                .on(ev::click, move |_| on_turn.run(by))
        };
        parts.push(step_button("Previous lead", icon::up(), -1));
        parts.push(step_button("Next lead", icon::down(), 1));
        parts.push(hints(app));
    }
    parts
}

/// Returns a count with its noun, or `None` for zero.
fn count_of(of: usize, what: &str) -> Option<String> {
    (of > 0).then(|| [&format::number(of as u64), what].concat())
}

/// Returns what is not saved yet.
fn unsaved_text(tally: &DecisionCounts) -> String {
    // Without a request in flight everything waits: for a connection, or because the user paused it.
    let word = if tally.sent > 0 {
        " being saved"
    } else {
        " waiting"
    };
    let left = [
        count_of(tally.open - tally.retrying, word),
        count_of(tally.retrying, " not confirmed"),
        count_of(tally.failed, " not saved"),
    ];
    let left: Vec<String> = left.into_iter().flatten().collect();
    match left.is_empty() {
        true => "all saved".to_owned(),
        false => left.join(", "),
    }
}

/// The current decision keys. Hidden from screen readers, which can use the keyboard help.
fn hints(app: AppState) -> El {
    let keys = app.keys;
    let hint = move |(command, word)| {
        let set = keys.caps(command);
        (!set.is_empty()).then(|| span().child(keycaps(&set)).child(word))
    };
    span()
        .class("hints")
        .attr("aria-hidden", "true")
        .child(move || {
            let hints = [
                (Command::MoveDown, " next"),
                (Command::Approve, " approve"),
                (Command::Reject, " reject"),
                (Command::Undo, " undo"),
                (Command::Help, " all keys"),
            ];
            Some(span().children(hints.into_iter().filter_map(hint)))
        })
}
