//! The end of the footer: recent decisions, refresh, keys.

use leptos::ev;
use leptos::prelude::*;

use crate::app::components::dom::{El, button, span};
use crate::app::components::icon;
use crate::app::components::keycaps::keycaps;
use crate::app::model::command::Command;
use crate::app::model::save_state::DecisionCounts;
use crate::app::reactive::memo;
use crate::app::state::AppState;

/// Returns the parts: views on a phone, recent decisions, refresh. With `on_turn`, which gets -1 or 1, also buttons for
/// the previous and next lead on a phone, and the decision keys.
pub fn status_bar(
    app: AppState,
    on_turn: Option<Callback<i64>>,
    on_refresh: impl Fn() + 'static,
) -> Vec<El> {
    let (decisions, commands) = (app.decisions, app.commands);
    let any = memo(move |_| {
        let DecisionCounts {
            open,
            saved,
            failed,
            uncertain,
            ..
        } = decisions.decision_counts();
        open + saved + failed + uncertain > 0
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
    let mut parts = vec![views, recent, refresh];
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
