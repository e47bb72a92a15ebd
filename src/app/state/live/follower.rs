//! Follows the stream of changes: opens it, stops it while the page is hidden, and passes its events on.

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use js_sys::Date;
use lead_workspace_api::ApprovalStatus;
use leptos::prelude::*;

use super::pending::{self, Pending};
use super::tabs::Tabs;
use super::throttle::Throttle;
use crate::app::model::live::connection::LiveConnection;
use crate::app::model::live::marks::Marks;
use crate::app::model::live::news::News;
use crate::app::model::live::{LiveEvent, LiveModel};
use crate::app::model::time::instant;
use crate::app::reactive::{RwSignal, StoredValue, effect};
use crate::app::state::AppState;
use crate::app::state::abort_on_drop::AbortOnDrop;
use crate::client::changes::{ChangeEvent, ChangeOptions, Connection};
use crate::client::{Client, Error};
use crate::platform::event_listener::EventListener;
use crate::platform::web_lock;

/// A hidden page stops following after this many milliseconds.
const HIDDEN_MS: u32 = 60_000;

/// A connection that was interrupted for less than this many milliseconds is not reported.
const GRACE_MS: u32 = 2_000;

/// After an error that ends the stream, other than a refused key, it is opened again after this many milliseconds.
const RETRY_MS: u32 = 60_000;

/// For this many milliseconds after the stream was opened again, its events are those that were missed.
const CATCH_UP_MS: u64 = 2_000;

/// Follows the changes that others make. All state is owned by the code that started it, which is loaded after the first
/// rows.
#[derive(Clone, Copy)]
pub struct Follower {
    pub(super) model: StoredValue<LiveModel>,
    pub(super) marks: StoredValue<Marks>,
    /// What is shown of the connection.
    pub connection: RwSignal<LiveConnection>,
    /// What is not in the list yet.
    pub news: RwSignal<News>,
    pub(super) pending: StoredValue<Pending>,
    pub(super) rereads: Throttle,
    pub(super) counts: Throttle,
    pub(super) pages: Throttle,
    pub(super) expiries: Throttle,
    /// The tasks of the stream, and what is shared with other tabs.
    stream: StoredValue<Option<AbortOnDrop>>,
    /// How often a stream was opened.
    openings: StoredValue<u32>,
    /// Whether the present key was accepted.
    was_open: StoredValue<bool>,
    pub(super) tabs: StoredValue<Option<Tabs>>,
    /// Whether the page has been hidden for long.
    is_paused: RwSignal<bool>,
    /// Until when events are those that were missed, in milliseconds since 1970.
    catches_up_until: StoredValue<u64>,
    pub(super) timers: StoredValue<Timers>,
}

#[derive(Default)]
pub(super) struct Timers {
    hidden: Option<Timeout>,
    /// Reports an interruption, or opens the stream again.
    connection: Option<Timeout>,
    pub(super) marks: Option<Timeout>,
}

/// Follows the changes under the current owner.
pub fn follow(app: AppState) {
    let follower = Follower {
        model: StoredValue::new(LiveModel::start(Date::now() as u64)),
        marks: StoredValue::new(Marks::default()),
        connection: RwSignal::new(LiveConnection::Unknown),
        news: RwSignal::new(News::default()),
        pending: StoredValue::new(Pending::default()),
        rereads: Throttle::new(pending::ROWS_MS),
        counts: Throttle::new(pending::COUNTS_MS),
        pages: Throttle::new(pending::PAGES_MS),
        expiries: Throttle::new(pending::ROWS_MS),
        stream: StoredValue::new(None),
        openings: StoredValue::new(0),
        was_open: StoredValue::new(false),
        tabs: StoredValue::new(None),
        is_paused: RwSignal::new(false),
        catches_up_until: StoredValue::new(0),
        timers: StoredValue::new(Timers::default()),
    };
    app.live.follower.set_value(Some((follower, age_of_others)));
    app.leads.follow_others();
    app.decisions
        .on_own_events(Rc::new(move |event| follower.on_own_event(app, event)));
    effect(move || {
        let is_on = follower.connection.get() != LiveConnection::Unknown;
        set_if_changed(app.live.is_on, is_on);
    });
    effect(move || {
        let has_news = follower.news.with(|news| !news.is_empty());
        set_if_changed(app.live.has_news, has_news);
    });
    // A list that is read again has all the news.
    let load_status = app.leads.listing.load_status();
    effect(move || {
        if load_status.with(|status| status.busy || status.blank) {
            follower.list_read();
        }
    });
    effect(move || {
        let client = app.session.client();
        let runs = app.environment.online.get() && !follower.is_paused.get();
        follower.stop();
        match client {
            Some(client) if runs => follower.start(app, client),
            _ => follower.interrupted(),
        }
    });
    // Dropped with the owner.
    StoredValue::new(EventListener::of_document("visibilitychange", move || {
        follower.visibility_changed();
    }));
    // The page may have been opened in the background.
    if document().hidden() {
        follower.visibility_changed();
    }
    on_cleanup(move || follower.stop());
}

/// Sets a signal whose change replaces elements.
fn set_if_changed(signal: RwSignal<bool>, value: bool) {
    if signal.try_get_untracked() != Some(value) {
        signal.set(value);
    }
}

fn age_of_others(follower: Follower, lead: &str, status: &ApprovalStatus) -> Option<String> {
    let age = |marks: &Marks| marks.age(lead, status, Date::now() as u64);
    follower.marks.try_with_value(age).flatten()
}

impl Follower {
    fn start(self, app: AppState, client: Client) {
        self.was_open.set_value(false);
        let tabs = app.session.stream_name();
        let tabs =
            tabs.and_then(|name| Tabs::join(&name, move |message| self.on_message(app, message)));
        match tabs {
            Some(tabs) => {
                tabs.request_since(self.position());
                let lock = tabs.lock_name();
                self.tabs.set_value(Some(tabs));
                // The tab that holds the lock has the stream; the others wait for it.
                let waits = AbortOnDrop::start(async move {
                    let guard = web_lock::acquire(&lock).await;
                    self.tabs.try_update_value(|tabs| {
                        if let Some(tabs) = tabs {
                            tabs.hold(guard);
                        }
                    });
                    self.open(app, client);
                });
                // Opening replaces this task by that of the stream.
                self.stream.set_value(Some(waits));
            }
            None => self.open(app, client),
        }
    }

    /// Opens the stream, after the last event that this tab knows, or after an earlier one that another tab lacks.
    fn open(self, app: AppState, client: Client) {
        self.open_since(app, client, self.position());
    }

    pub(super) fn open_since(self, app: AppState, client: Client, since: Option<i64>) {
        self.openings.try_update_value(|openings| *openings += 1);
        let number = self.openings.try_get_value();
        let work = async move {
            let on_connection = Rc::new(move |connection: Connection| {
                let is_open = connection == Connection::Open;
                self.on_connection(is_open);
            });
            let mut changes = client.changes(ChangeOptions {
                since,
                on_connection: Some(on_connection),
            });
            while let Some(event) = changes.next().await {
                match event {
                    Ok(event) => {
                        let event = live_event(event);
                        self.broadcast_event(&event);
                        self.on_event(app, &event);
                        if self.openings.try_get_value() != number {
                            // Another stream, from an earlier version on, has replaced this one.
                            return;
                        }
                    }
                    Err(error) => {
                        self.on_end(app, &error);
                        return;
                    }
                }
            }
        };
        // Started first: the task that calls this may be the one that is replaced.
        let stream = AbortOnDrop::start(work);
        self.stream.set_value(Some(stream));
    }

    /// Ends the stream, or stops to wait for it.
    fn stop(self) {
        self.stream.set_value(None);
        self.tabs.set_value(None);
    }

    pub(super) fn position(self) -> Option<i64> {
        self.model.try_with_value(LiveModel::position).flatten()
    }

    fn on_connection(self, is_open: bool) {
        if is_open {
            self.opened();
        } else {
            self.interrupted();
        }
    }

    pub(super) fn opened(self) {
        self.was_open.set_value(true);
        self.timers
            .try_update_value(|timers| timers.connection = None);
        self.set_connection(LiveConnection::Live);
    }

    /// Reports an interruption, unless it is over soon.
    pub(super) fn interrupted(self) {
        let is_waiting = self
            .timers
            .try_with_value(|timers| timers.connection.is_some());
        if is_waiting != Some(false) || !self.is(LiveConnection::Live) {
            return;
        }
        let timer = Timeout::new(GRACE_MS, move || {
            self.timers
                .try_update_value(|timers| timers.connection = None);
            self.set_connection(LiveConnection::Reconnecting);
        });
        self.timers
            .try_update_value(|timers| timers.connection = Some(timer));
    }

    fn is(self, connection: LiveConnection) -> bool {
        self.connection.try_get_untracked() == Some(connection)
    }

    fn set_connection(self, connection: LiveConnection) {
        self.show_connection(connection);
        self.broadcast_connection(connection);
    }

    pub(super) fn show_connection(self, connection: LiveConnection) {
        if self
            .connection
            .try_get_untracked()
            .is_some_and(|was| was != connection)
        {
            self.connection.set(connection);
        }
    }

    /// The stream ended with an error that another attempt would not change.
    fn on_end(self, app: AppState, error: &Error) {
        self.timers
            .try_update_value(|timers| timers.connection = None);
        // A key that was never accepted is reported by what the screen requests.
        if self.was_open.try_get_value() == Some(true) {
            app.session.check_key(error);
        }
        if error.is_not_offered() {
            self.set_connection(LiveConnection::Unknown);
            return;
        }
        // Another tab may be able to open the stream.
        self.tabs.set_value(None);
        if !self.is(LiveConnection::Unknown) {
            self.show_connection(LiveConnection::Stopped);
        }
        if !error.is_key_refused() {
            let timer = Timeout::new(RETRY_MS, move || {
                // Starts again.
                self.is_paused.try_update(|_| {});
            });
            self.timers
                .try_update_value(|timers| timers.connection = Some(timer));
        }
    }

    /// Stops a while after the page was hidden, and catches up when it is shown again.
    fn visibility_changed(self) {
        let is_hidden = document().hidden();
        let timer = is_hidden.then(|| {
            Timeout::new(HIDDEN_MS, move || {
                self.is_paused.set(true);
            })
        });
        self.timers.try_update_value(|timers| timers.hidden = timer);
        if !is_hidden && self.is_paused.try_get_untracked() == Some(true) {
            self.is_paused.set(false);
        }
    }

    /// Returns when an event happened, by the clock of this browser. Events that were missed have the time of the server.
    pub(super) fn time_of(self, event: &LiveEvent) -> u64 {
        let now = Date::now() as u64;
        match event {
            LiveEvent::Open(version) => {
                if self.position().is_some_and(|position| position >= *version) {
                    self.catches_up_until.set_value(now + CATCH_UP_MS);
                }
                now
            }
            LiveEvent::Changed(changes) if now < self.catches_up_until.get_value() => {
                let at = changes.changed_at.as_deref().and_then(instant);
                at.map_or(now, |at| now.min(at.max(0) as u64))
            }
            LiveEvent::Changed(_) | LiveEvent::Reset(_) => now,
        }
    }
}

fn live_event(event: ChangeEvent) -> LiveEvent {
    match event {
        ChangeEvent::Open { version } => LiveEvent::Open(version),
        ChangeEvent::Change(changes) => LiveEvent::Changed(changes),
        ChangeEvent::Reset { version } => LiveEvent::Reset(version),
    }
}
