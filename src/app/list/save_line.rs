//! The start of the footer: whether the decisions are saved, and the last action.

use gloo_timers::callback::Timeout;
use leptos::ev;
use leptos::prelude::*;

use crate::app::components::countdown::countdown;
use crate::app::components::dom::{El, button, div, effect, span};
use crate::app::components::format;
use crate::app::components::toast::toast;
use crate::app::model::command::Command;
use crate::app::model::save_state::SaveState;
use crate::app::reactive::{RwSignal, StoredValue, memo};
use crate::app::shell::lazy::lazy;
use crate::app::shell::toast_text::{last_decision, message};
use crate::app::state::AppState;

/// Decisions that are saved within this many milliseconds are not shown as in flight.
const SAVING_MS: u32 = 300;

/// Renders the line. Screen readers announce each change of the state once, and no countdown.
pub fn save_line(app: AppState, state: RwSignal<SaveState>) -> El {
    let decisions = app.decisions;
    let is_late = memo(move |_| decisions.save_state() != state.get());
    let text = memo(move |_| save_text(state.get()));
    let wait = move || {
        let is_waiting = matches!(state.get(), SaveState::Waiting(_));
        let seconds = decisions.pause.get()?.div_ceil(1000);
        is_waiting.then(|| {
            let seconds = countdown(move || seconds.into(), Callback::new(|()| ()));
            span().child(", retrying in ").child(seconds)
        })
    };
    let remedy = move || {
        let retry = move || decisions.retry(None);
        let show = move || {
            app.commands.run(Command::Recent);
        };
        match state.get() {
            SaveState::Waiting(_) => Some(act(app, "Retry now", retry)),
            SaveState::Uncertain(_) => Some(act(app, "Retry", retry)),
            SaveState::Rejected(_) => Some(
                button()
                    .class("")
                    .child("Show them")
                    .on(ev::click, move |_| show()),
            ),
            SaveState::Saved
            | SaveState::Saving(_)
            | SaveState::Paused(_)
            | SaveState::Offline(_) => None,
        }
    };
    let notice = message(app);
    let last = move || {
        // Meanwhile there is only the button that helps.
        let is_waiting = matches!(state.get(), SaveState::Waiting(_));
        notice().or_else(|| last_decision(app).filter(|_| !is_waiting))
    };
    div()
        .class("save-line")
        .child(
            span()
                .class("save")
                .child(
                    span()
                        .attr("role", "status")
                        .attr("aria-busy", move || is_late.get().to_string())
                        .child(move || text.get()),
                )
                .child(wait),
        )
        .child(remedy)
        .child(toast(last))
}

/// Renders a button that is removed once it has taken effect, so the list takes the focus.
fn act(app: AppState, label: &str, act: impl Fn() + 'static) -> El {
    button().class("").child(label).on(ev::click, move |_| {
        act();
        app.grid_selection().focus_list();
    })
}

/// Returns the state to show. Decisions are shown as in flight only after a moment.
pub fn shown_state(app: AppState) -> RwSignal<SaveState> {
    let state = memo(move |_| app.decisions.save_state());
    let shown = RwSignal::new(SaveState::default());
    let timer = StoredValue::new(None::<Timeout>);
    effect(move || {
        let now = state.get();
        let was = shown.get_untracked();
        if !matches!(now, SaveState::Saving(_)) || matches!(was, SaveState::Saving(_)) {
            timer.set_value(None);
            if was != now {
                shown.set(now);
            }
        } else if timer.with_value(Option::is_none) {
            // Once, however often the number of decisions changes meanwhile.
            let late = Timeout::new(SAVING_MS, move || {
                if let Some(now) = state.try_get_untracked() {
                    timer.set_value(None);
                    shown.set(now);
                }
            });
            timer.set_value(Some(late));
        }
    });
    shown
}

fn save_text(state: SaveState) -> String {
    let decisions = |count: usize| format::count(count as u64, "decision");
    match state {
        SaveState::Saved => "All saved".to_owned(),
        SaveState::Saving(count) => ["Saving ", &decisions(count)].concat(),
        SaveState::Paused(1) => "1 decision is paused".to_owned(),
        SaveState::Paused(count) => decisions(count) + " are paused",
        SaveState::Waiting(count) => decisions(count) + " not saved yet",
        SaveState::Offline(0) => {
            "Offline: decisions are kept here and sent when you're back".into()
        }
        SaveState::Offline(1) => {
            "Offline: 1 decision is kept here and sent when you're back".to_owned()
        }
        SaveState::Offline(count) => {
            format!(
                "Offline: {} are kept here and sent when you're back",
                decisions(count)
            )
        }
        SaveState::Uncertain(count) => decisions(count) + " not confirmed",
        SaveState::Rejected(1) => "1 decision wasn't accepted".to_owned(),
        SaveState::Rejected(count) => decisions(count) + " weren't accepted",
    }
}

fn line_of_list(app: AppState) -> El {
    save_line(app, shown_state(app))
}

lazy!(lazy_save_line: list, small, first, "The state of your decisions", line_of_list);
