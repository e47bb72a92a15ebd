//! Repeating a request that failed: by the user, and automatically after growing pauses.

use leptos::ev;
use leptos::prelude::*;

use crate::app::components::countdown::countdown;
use crate::app::components::dom::{El, button, p, span};
use crate::app::model::retry_pause::retry_pause;
use crate::app::reactive::StoredValue;
use crate::client::{Error, ErrorKind};

/// A request that can be repeated. Lives as long as what it loads is wanted, since a failure may render its error state
/// anew.
#[derive(Clone, Copy)]
pub struct Retry {
    request: Callback<()>,
    /// How often the request was repeated automatically, in a row.
    repetitions: StoredValue<u32>,
    /// Notified when the pauses start again while a countdown runs.
    restarted: Trigger,
}

impl Retry {
    pub fn new(request: impl Fn() + Send + Sync + 'static) -> Self {
        Self {
            request: Callback::new(move |()| request()),
            repetitions: StoredValue::new(0),
            restarted: Trigger::new(),
        }
    }

    /// Makes the next pause the shortest one: after a success, or for another request.
    pub fn reset(self) {
        self.repetitions.set_value(0);
    }

    /// Renders the button. A press also makes the next pause the shortest one.
    pub fn button(self, class: &str) -> El {
        button()
            .class(class)
            .child("Retry")
            .on(ev::click, move |_| {
                self.reset();
                self.restarted.notify();
                self.request.run(());
            })
    }

    /// Renders a countdown that repeats the request at its end, if it may succeed later. The server says how long to wait
    /// for its rate limit. Otherwise the pauses grow, unless `only_limited` allows none. Not announced every second.
    pub fn countdown(self, error: &Error, only_limited: bool) -> Option<El> {
        let limited = matches!(error.kind, ErrorKind::RateLimited);
        let wait = error.wait_seconds().filter(|_| limited);
        if wait.is_none() && (only_limited || !error.is_transient()) {
            return None;
        }
        let pause = move || {
            wait.unwrap_or_else(|| {
                retry_pause(self.repetitions.try_get_value().unwrap_or_default())
            })
        };
        let repeat = Callback::new(move |()| {
            self.repetitions
                .try_update_value(|repetitions| *repetitions += 1);
            self.request.run(());
        });
        let counting = move || {
            self.restarted.track();
            Some(countdown(pause, repeat))
        };
        Some(
            p().attr("aria-live", "off")
                .child("Retrying in ")
                .child(span().child(counting)),
        )
    }
}
