//! Seconds that run down to another attempt.

use std::time::Duration;

use leptos::prelude::*;

/// Counts the seconds down, and says when there are none left.
#[component]
pub fn Countdown(
    /// How long to count.
    wait: Duration,
    /// The time is up.
    on_end: impl Fn() + Copy + 'static,
) -> impl IntoView {
    let left = RwSignal::new(wait.as_secs_f64().ceil() as u64);
    let ticking = set_interval_with_handle(
        move || {
            let Some(seconds) = left.try_get_untracked().filter(|seconds| *seconds > 0) else {
                return;
            };
            left.set(seconds - 1);
            if seconds == 1 {
                on_end();
            }
        },
        Duration::from_secs(1),
    );
    on_cleanup(move || {
        if let Ok(ticking) = ticking {
            ticking.clear();
        }
    });
    view! { <b class="countdown">{move || left.get()} " s"</b> }
}
