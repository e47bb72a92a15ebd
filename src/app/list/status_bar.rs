//! The status bar below the grid: save state, recent decisions, refresh.

use std::rc::Rc;

use crate::app::components::dom::{Action, El, button, classed, el};
use crate::app::components::modal::caps;
use crate::app::components::{format, icon};
use crate::app::model::command::Command;
use crate::app::signal::Memo;
use crate::app::state::AppState;
use crate::app::state::decisions::DecisionCounts;

/// Returns the status bar's parts: decisions made and saved, recent decisions, refresh, and views on a phone. With
/// `on_turn`, which gets -1 or 1, also buttons for the previous and next lead on a phone, and the decision keys.
pub fn saved(
    app: AppState,
    on_turn: Option<Action<i64>>,
    on_refresh: impl Fn() + 'static,
) -> Vec<El> {
    let (decisions, commands) = (app.decisions, app.commands);
    let tally = Memo::new(move |_| decisions.decision_counts());
    let any = Memo::new(move |_| tally.with(|tally| tally.open + tally.saved + tally.failed > 0));
    // Hidden where there is little room; then only the unsaved decisions are shown.
    let decided = move || {
        let DecisionCounts {
            open,
            saved,
            failed,
            ..
        } = tally.get();
        few(open + saved + failed, " decided here · ").unwrap_or_default()
    };
    let tone = move || {
        let tally = tally.get();
        match (tally.failed + tally.retrying, tally.open) {
            (0, 0) => "0",
            (0, _) => "waits",
            _ => "1",
        }
    };
    let tally = classed("span", "tallies")
        .attr("role", "status")
        .el_of(move || {
            any.get().then(|| {
                classed("span", "tally")
                    .attr_of("data-open", move || tone().to_owned())
                    .el(classed("span", "more").text_of(decided))
                    .text_of(move || left(&tally.get()))
            })
        });
    let recent = classed("span", "latest").el_of(move || {
        any.get().then(|| {
            button("quiet", "Recent")
                .el(classed("span", "more").text(" decisions"))
                .attr("aria-haspopup", "dialog")
                .on("click", move |_| {
                    commands.run(Command::Recent);
                })
        })
    });
    let refresh = button("quiet", "")
        .attr("title", "Reload the list")
        .el(icon::again())
        .el(classed("span", "more").text("Refresh"))
        .on("click", move |_| on_refresh());
    let views = button("quiet phone", "Views")
        .attr("aria-haspopup", "dialog")
        .on("click", move |_| {
            commands.run(Command::Views);
        });
    let mut parts = vec![tally, views, recent, refresh];
    if let Some(on_turn) = on_turn {
        let turn = |label: &str, icon: El, by: i64| {
            let on_turn = Rc::clone(&on_turn);
            classed("button", "quiet phone")
                .attr("type", "button")
                .attr("aria-label", label)
                .el(icon)
                .on("click", move |_| on_turn(by))
        };
        parts.push(turn("Previous lead", icon::up(), -1));
        parts.push(turn("Next lead", icon::down(), 1));
        parts.push(hints(app));
    }
    parts
}

/// Returns a count with its noun, or `None` for zero.
fn few(of: usize, what: &str) -> Option<String> {
    (of > 0).then(|| [&format::number(of as u64), what].concat())
}

/// Returns what is not saved yet.
fn left(tally: &DecisionCounts) -> String {
    // Without a request in flight everything waits: for a connection, or because the user paused it.
    let word = if tally.sent > 0 {
        " being saved"
    } else {
        " waiting"
    };
    let left = [
        few(tally.open - tally.retrying, word),
        few(tally.retrying, " not confirmed"),
        few(tally.failed, " not saved"),
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
        (!set.is_empty()).then(|| el("span").el(caps(&set)).text(word))
    };
    classed("span", "hints")
        .attr("aria-hidden", "true")
        .el_of(move || {
            let hints = [
                (Command::MoveDown, " next"),
                (Command::Approve, " approve"),
                (Command::Reject, " reject"),
                (Command::Undo, " undo"),
                (Command::Help, " all keys"),
            ];
            Some(el("span").els(hints.into_iter().filter_map(hint)))
        })
}
