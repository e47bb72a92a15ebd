//! The details pane of a list: opening, closing, stepping to neighboring rows, loading and error states.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use leptos::ev;
use leptos::prelude::*;
use leptos::reactive::graph::ToAnySubscriber;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::app::components::dom::{El, button, div, effect};
use crate::app::components::empty_state::{Severity, empty_state};
use crate::app::components::lead_details::PeekFrame;
use crate::app::components::links::RouteLinks;
use crate::app::components::{format, lead_details};
use crate::app::model::command::Command;
use crate::app::model::page_cache::PageCache;
use crate::app::model::route::{FOCUS_MODE_PARAM, Route, param, with_param};
use crate::app::reactive::{Memo, RwSignal, Signal, StoredValue, memo, unsubscribe};
use crate::app::shell::error_state::{banner, failed_banner, failed_state};
use crate::app::shell::retry::Retry;
use crate::app::state::details::{Details, Focus, HasId};
use crate::app::state::grid_selection::{GridSelection, Selectable};
use crate::app::state::listing::Listing;
use crate::app::state::{AppState, clipboard, spawn};
use crate::client::{Client, Error, ErrorKind};
use crate::platform::idle::idle;

/// How long the "link copied" message is shown.
const COPIED_MESSAGE_TIME: Duration = Duration::from_secs(4);

/// How long the panel stays hidden while its content is loading.
const PANEL_DELAY: Duration = Duration::from_millis(120);

/// A list with a details pane.
pub struct DetailsPane<R: Send + Sync + 'static> {
    pub app: AppState,
    pub listing: Listing<R>,
    pub grid_selection: GridSelection,
    /// Whether the details take the focus.
    pub focus: Focus,
    pub path: &'static str,
    /// The name of the query parameter that holds the open row's id.
    pub name: &'static str,
}

/// The details pane, while a row is open.
pub struct PaneContent {
    pub is_open: Memo<bool>,
    pub draw: fn(AppState) -> El,
}

/// The open row and its details.
pub struct OpenDetails<D: Send + Sync + 'static> {
    /// The id in the address.
    pub open: Memo<Option<String>>,
    /// The details that are loaded, if any.
    pub shown: Memo<Option<Arc<D>>>,
    pub frame: PeekFrame,
}

impl<R: Send + Sync + 'static> Copy for DetailsPane<R> {}
impl<R: Send + Sync + 'static> Clone for DetailsPane<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Selectable + Clone + Send + Sync + 'static> DetailsPane<R> {
    /// Returns the id of the open row from the address, tracked.
    pub fn opened(self) -> Memo<Option<String>> {
        let query = self.app.nav.query();
        memo(move |_| query.with(|query| param(query, self.name)))
    }

    /// Returns the id of the open row from the address, untracked.
    pub fn opened_now(self) -> Option<String> {
        param(&self.list_query(), self.name)
    }

    /// Returns the query string of the list, or an empty one while another page is shown.
    pub fn list_query(self) -> String {
        let route = untrack(|| self.app.nav.route());
        if route.path == self.path {
            route.query
        } else {
            String::new()
        }
    }

    /// Opens the details of a row, or replaces the open ones. Does nothing without an id.
    pub fn open(self, id: &str, takes_focus: bool) {
        if id.is_empty() {
            return;
        }
        if takes_focus {
            self.focus.next();
        }
        self.show(id, &self.list_query());
    }

    /// Shows the details of a row over a place of the list.
    pub fn show(self, id: &str, query: &str) {
        let nav = self.app.nav;
        let to = with_param(query, self.name, Some(id));
        match param(query, self.name) {
            None => nav.open(self.path, &to),
            Some(_) => nav.replace_details(self.path, &to),
        }
    }

    /// Opens the details of the row under the cursor.
    pub fn open_row(self, takes_focus: bool) {
        if let Some(row) = self.grid_selection.row(self.listing) {
            self.open(row.id(), takes_focus);
        }
    }

    pub fn close(self) {
        let query = self.list_query();
        if param(&query, self.name).is_some() {
            let to = with_param(&query, self.name, None);
            let to = with_param(&to, FOCUS_MODE_PARAM, None);
            self.app.nav.close(self.path, &to);
        }
    }

    /// Returns the details pane, which follows the cursor, and registers the command that closes it.
    pub fn content(self, draw: fn(AppState) -> El) -> PaneContent {
        let open = self.opened();
        let is_open = memo(move |_| open.with(Option::is_some));
        // Here, not with the details, whose code may still be loading.
        self.follow_cursor(open);
        let enabled: Rc<dyn Fn() -> bool> = Rc::new(move || is_open.get());
        let (app, leave) = (self.app, Rc::new(move || self.close()));
        app.commands.on_while(Command::Close, enabled, leave);
        PaneContent { is_open, draw }
    }

    /// Loads the details that the address names, under the current owner, and returns them with their frame.
    pub fn load<D: HasId + PartialEq>(
        self,
        details: Details<D>,
        load: impl Fn(Details<D>, Client, &str) + Clone + Send + Sync + 'static,
        (role, label): (&'static str, &'static str),
    ) -> OpenDetails<D> {
        let (session, open) = (self.app.session, self.opened());
        let load = move || {
            if let (Some(client), Some(id)) = (session.client(), open.get()) {
                load(details, client, &id);
            }
        };
        let retry = Retry::new({
            let load = load.clone();
            move || untrack(&load)
        });
        // Runs at once, so that the request leaves before the panel is rendered.
        let loading = RenderEffect::new(move |_| {
            retry.reset();
            load();
        });
        on_cleanup(move || {
            unsubscribe(&loading.to_any_subscriber());
            drop(loading);
            details.clear();
        });
        // A reload with the same result does not render again.
        let shown = memo(move |_| details.shown());
        let waiting = waiting(details, shown);
        let copied = RwSignal::new("");
        let step = move |by| Callback::new(move |()| self.step(open.get_untracked(), by));
        let frame = PeekFrame {
            role,
            label,
            noun: self.name,
            waiting,
            is_painted: painted(waiting),
            busy: Signal::derive(move || details.is_busy()),
            error_state: Rc::new(move || {
                let error = details.error()?;
                let is_shown = shown.with(Option::is_some);
                Some(details_error(self, self.name, &error, is_shown, retry))
            }),
            position: Signal::derive(move || self.position_of(open.get().as_deref())),
            on_previous: step(-1),
            on_next: step(1),
            on_close: Callback::new(move |()| self.close()),
            on_copy: self.copy(open, copied),
            message: Signal::derive(move || copied.get().to_owned()),
            takes_focus: Signal::derive(move || details.focus.take()),
        };
        OpenDetails { open, shown, frame }
    }

    /// Returns the position of a row in the list, and whether it has neighbors.
    fn position_of(self, id: Option<&str>) -> lead_details::ListPosition {
        self.listing.pages.track();
        let Some((at, _)) = self.listing.position(|row| Some(row.id()) == id) else {
            return lead_details::ListPosition::default();
        };
        let total = self.listing.pages.with(PageCache::total);
        lead_details::ListPosition {
            words: format!("{} of {}", format::number(at + 1), format::number(total)),
            previous: at > 0,
            next: at + 1 < total,
            is_listed: true,
        }
    }

    /// Moves the cursor relative to the open row. The details follow the cursor.
    fn step(self, id: Option<String>, by: i64) {
        let Some(id) = id else { return };
        let found = self.listing.position(|row| row.id() == id);
        if let Some(index) = found.and_then(|(index, _)| index.checked_add_signed(by)) {
            self.grid_selection.place_cursor_at(self.listing, index);
        }
    }

    /// Makes the details follow the cursor. In focus mode each of them takes the focus.
    fn follow_cursor(self, open: Memo<Option<String>>) {
        let cursor = self.grid_selection.cursor;
        let id = memo(move |_| cursor.with(|cursor| cursor.as_ref()?.id.clone()));
        let before = StoredValue::new(id.get_untracked());
        effect(move || {
            let id = id.get();
            if before.get_value() == id {
                return;
            }
            before.set_value(id.clone());
            if let Some(id) = id
                && open.with_untracked(Option::is_some)
            {
                let takes_focus = param(&self.list_query(), FOCUS_MODE_PARAM).is_some();
                self.open(&id, takes_focus);
            }
        });
    }

    /// Returns a link to a row, without the list's filters.
    fn link(self, id: Option<&str>) -> String {
        let href = self.app.nav.href(self.path, &with_param("", self.name, id));
        window().location().origin().unwrap_or_default() + &href
    }

    /// Registers the command that copies a link to the row under the cursor, under the current owner. The addresses of a
    /// host page are its own.
    pub fn register_copy(self) {
        let app = self.app;
        if app.session.is_embedded() {
            return;
        }
        let row = move || self.grid_selection.row(self.listing);
        // Browsers have no clipboard in insecure contexts.
        let safe = move || row().is_some() && window().is_secure_context();
        let copy = move || {
            let Some(row) = row() else { return };
            let link = self.link(Some(row.id()));
            spawn(async move {
                let message = match clipboard::copy(&link).await {
                    true => "Link copied",
                    false => "Could not copy the link",
                };
                app.notice.show_text(message.to_owned());
            });
        };
        app.commands
            .on_while(Command::CopyRowLink, Rc::new(safe), Rc::new(copy));
    }

    /// Returns the action that copies a link to the row. `None` in a host page.
    fn copy(
        self,
        open: Memo<Option<String>>,
        message: RwSignal<&'static str>,
    ) -> Option<Callback<()>> {
        if self.app.session.is_embedded() {
            return None;
        }
        Some(Callback::new(move |()| {
            let link = self.link(open.get_untracked().as_deref());
            spawn(async move {
                let word = match clipboard::copy(&link).await {
                    true => "Link copied",
                    false => "Could not copy. Copy the URL of this page instead",
                };
                message.set(word);
                set_timeout(
                    move || {
                        message.set("");
                    },
                    COPIED_MESSAGE_TIME,
                );
            });
        }))
    }
}

/// Returns whether the panel is still hidden: until its content is loaded, at most for [`PANEL_DELAY`]. This avoids
/// a flash of an empty panel, and a layout of the list for it.
fn waiting<D: HasId + PartialEq>(details: Details<D>, shown: Memo<Option<Arc<D>>>) -> Memo<bool> {
    let is_early = RwSignal::new(true);
    set_timeout(
        move || {
            is_early.set(false);
        },
        PANEL_DELAY,
    );
    memo(move |_| is_early.get() && details.is_busy() && shown.with(Option::is_none))
}

/// Returns whether the panel was painted once. Only then the list gets narrower, which is a layout of all its rows.
fn painted(waiting: Memo<bool>) -> Signal<bool> {
    let is_painted = RwSignal::new(false);
    effect(move || {
        if waiting.get() {
            return;
        }
        request_animation_frame(move || {
            spawn(async move {
                idle().await;
                is_painted.set(true);
            });
        });
    });
    is_painted.into()
}

/// Returns the focus to the list if the panel has it when it is removed.
pub fn give_back_focus(panel: &El) {
    let panel = StoredValue::new(panel.node());
    on_cleanup(move || {
        let grid = panel.try_with_value(|panel| {
            let has_focus = panel.query_selector(":focus").ok().flatten();
            let areas = has_focus.and_then(|_| panel.closest(".areas").ok().flatten())?;
            areas.query_selector(".grid").ok().flatten()
        });
        if let Some(Some(grid)) = grid {
            let _ = grid.unchecked_into::<HtmlElement>().focus();
        }
    });
}

/// Returns the error state of the details. `is_shown` says whether older details are still shown.
fn details_error<R: Selectable + Clone + Send + Sync + 'static>(
    pane: DetailsPane<R>,
    noun: &str,
    error: &Error,
    is_shown: bool,
    retry: Retry,
) -> El {
    let app = pane.app;
    let title = ["This ", noun, " is gone"].concat();
    match (matches!(error.kind, ErrorKind::NotFound), is_shown) {
        (true, true) => banner(&[&title, "."].concat(), " Showing previous results."),
        (true, false) => {
            let text = format!(
                "The workspace has no {noun} with this id any more. It may have been deleted, or \
                 the link belongs to another workspace."
            );
            let back = button()
                .class("")
                .child("Back to the list")
                .on(ev::click, move |_| pane.close());
            empty_state(Severity::Calm, &title, &text).child(div().class("buttons").child(back))
        }
        (false, true) => failed_banner(app, error, retry),
        (false, false) => failed_state(app, error, retry),
    }
}

/// Returns links to other places, each with its last layout.
pub fn route_links(app: AppState) -> RouteLinks {
    let (nav, views) = (app.nav, app.views);
    let query = move |route: &Route| untrack(|| views.laid_out(&route.path, &route.query));
    RouteLinks {
        href: Rc::new(move |route| nav.href(&route.path, &query(route))),
        navigate: Callback::new(move |route: Route| nav.navigate(&route.path, &query(&route))),
    }
}
