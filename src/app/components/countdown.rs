//! Countdown to the next attempt.

use std::time::Duration;

use leptos::prelude::*;

use super::dom::{El, b};
use crate::app::reactive::RwSignal;

/// Counts `seconds` down, and calls `on_end` at zero. Then it starts again with the seconds of that moment, if it is still
/// there.
pub fn countdown(seconds: impl Fn() -> u64 + 'static, on_end: Callback<()>) -> El {
    let left = RwSignal::new(seconds());
    let timer = set_interval_with_handle(
        move || match left.try_get_untracked() {
            Some(0) => left.set(seconds()),
            Some(now) => {
                left.set(now - 1);
                if now == 1 {
                    on_end.run(());
                }
            }
            None => {}
        },
        Duration::from_secs(1),
    );
    on_cleanup(move || {
        if let Ok(timer) = timer {
            timer.clear();
        }
    });
    // Screen readers do not announce every second of a `timer`.
    b().class("countdown")
        .attr("role", "timer")
        .child(move || format!("{} s", left.get()))
}
