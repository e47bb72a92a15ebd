//! The banner that is shown while the workspace is over its rate limit.

use leptos::prelude::*;

use crate::app::components::countdown::countdown;
use crate::app::components::dom::{El, b, div, span};
use crate::app::components::format;
use crate::app::shell::lazy::lazy;
use crate::app::state::AppState;
use crate::app::state::rate_limit_state::ActiveRateLimit;

/// The banner. Screen readers announce its text once, not the countdown and the counts.
pub fn rate_limit_banner(app: AppState) -> El {
    let limit = app.session.limit;
    let decisions = app.decisions;
    let wait = move || {
        let ActiveRateLimit { seconds, .. } = limit.get()?;
        Some(match seconds {
            0 => span().child("Retrying now"),
            seconds => {
                // If no request waits, none finds out that the limit is over, so the countdown ends it.
                let over = Callback::new(move |()| {
                    limit.try_maybe_update(|limit| {
                        let idle = limit.is_some_and(|limit| limit.waiting == 0);
                        if idle {
                            *limit = None;
                        }
                        (idle, ())
                    });
                });
                span()
                    .child("Retrying in ")
                    .child(countdown(move || seconds, over))
            }
        })
    };
    let waiting = move || {
        let requests = limit.get().map_or(0, |limit| limit.waiting as u64);
        let open = decisions.decision_counts().open as u64;
        let counted = [(requests, "request"), (open, "decision")];
        let counted = counted.into_iter().filter(|(count, _)| *count > 0);
        let counted: Vec<String> = counted
            .map(|(count, what)| format::count(count, what))
            .collect();
        match counted.is_empty() {
            true => ". ".to_owned(),
            false => [" (", &counted.join(", "), " waiting). "].concat(),
        }
    };
    let message = span()
        .child(b().child("Too many requests."))
        .child(" Nothing is lost, and you can keep working: decisions are kept and sent automatically. ")
        .child(span()
            .attr("aria-live", "off")
            .child(wait)
            .child(waiting));
    div().class("banner").attr("role", "status").child(message)
}

lazy!(lazy_rate_limit_banner: list, small, first, "The rate limit", rate_limit_banner);
