//! The current place: path and query string. In our own page it is the address bar's.

use std::sync::Arc;

use form_urlencoded::parse;
use leptos::prelude::*;
use wasm_bindgen::JsValue;

use crate::app::model::route::Route;
use crate::app::reactive::{Memo, RwSignal, StoredValue, memo};

/// History state of an entry that was made by opening details.
const DETAILS_STATE: &str = "over";

#[derive(Clone, Copy)]
pub struct Nav {
    route: RwSignal<Route>,
    path: Memo<String>,
    query: Memo<String>,
    /// The part of the query that every address of this visit carries: which workspace, unless it is this server's.
    workspace_query: StoredValue<Arc<str>>,
    /// Whether the address bar is ours. In a host page the place is stored here only.
    owns_address: bool,
    /// Set while the browser goes back to close details. If the user navigated meanwhile, the inner value is the
    /// address to continue to.
    returning: StoredValue<Option<Option<String>>>,
    /// Whether the address was typed or followed from elsewhere.
    fresh: bool,
}

impl Nav {
    /// Reads the address, and follows Back and Forward under the current owner.
    pub fn start() -> Self {
        let route = read();
        let workspace_query = workspace_parameters(&route.query);
        let route = RwSignal::new(route);
        let returning = StoredValue::new(None::<Option<String>>);
        let listener = window_event_listener(leptos::ev::popstate, move |_| {
            match returning.try_update_value(Option::take).flatten() {
                Some(Some(onward)) => {
                    if let Ok(history) = window().history() {
                        let _ = history.push_state_with_url(&JsValue::TRUE, "", Some(&onward));
                    }
                }
                _ => {
                    route.set(read());
                }
            }
        });
        on_cleanup(move || listener.remove());
        Self {
            workspace_query: StoredValue::new(workspace_query.into()),
            owns_address: true,
            returning,
            // The app marks the history entries that it makes; see `move_to`.
            fresh: window()
                .history()
                .and_then(|history| history.state())
                .is_ok_and(|state| state.is_null()),
            ..Self::new(route)
        }
    }

    /// Creates the memos once, because the accessors may be called on every key press.
    fn new(route: RwSignal<Route>) -> Self {
        Self {
            route,
            path: memo(move |_| route.with(|route| route.path.clone())),
            query: memo(move |_| route.with(|route| route.query.clone())),
            workspace_query: StoredValue::new("".into()),
            owns_address: false,
            returning: StoredValue::new(None),
            fresh: false,
        }
    }

    /// A place within a host page, whose address and history are not touched.
    pub fn in_host_page(route: Route) -> Self {
        Self::new(RwSignal::new(route))
    }

    /// Returns whether the address names another workspace than this visit's, as after Back.
    pub fn is_elsewhere(self) -> bool {
        let there = self.route.with(|route| workspace_parameters(&route.query));
        self.owns_address()
            && self
                .workspace_query
                .with_value(|workspace_query| **workspace_query != *there)
    }

    /// Returns whether the visit began with an address from elsewhere, not by a reload or by coming back.
    pub fn is_fresh(self) -> bool {
        self.fresh
    }

    /// Returns the place, tracked.
    pub fn route(self) -> Route {
        self.route.get()
    }

    /// Returns the path. The memo notifies only when the path changes.
    pub fn path(self) -> Memo<String> {
        self.path
    }

    /// Returns the query string. The memo notifies only when the query string changes.
    pub fn query(self) -> Memo<String> {
        self.query
    }

    /// Navigates to a place. Back returns to the current one.
    pub fn navigate(self, path: &str, query: &str) {
        self.move_to(path, query, |history, url| {
            history.push_state_with_url(&JsValue::TRUE, "", Some(url))
        });
    }

    /// Replaces the place. Back does not return to the current one.
    pub fn replace(self, path: &str, query: &str) {
        self.move_to(path, query, |history, url| {
            history.replace_state_with_url(&JsValue::TRUE, "", Some(url))
        });
    }

    /// Opens details over the place. Back closes them, and so does [`close`](Self::close).
    pub fn open(self, path: &str, query: &str) {
        self.move_to(path, query, |history, url| {
            history.push_state_with_url(&DETAILS_STATE.into(), "", Some(url))
        });
    }

    /// Replaces the open details by others.
    pub fn replace_details(self, path: &str, query: &str) {
        self.move_to(path, query, |history, url| {
            let state = history.state().unwrap_or_default();
            history.replace_state_with_url(&state, "", Some(url))
        });
    }

    /// Closes the details by removing their history entry. Without such an entry, as after a deep link, replaces
    /// the place.
    pub fn close(self, path: &str, query: &str) {
        let returning = self.returning;
        self.move_to(path, query, move |history, url| {
            if history.state()?.as_string().as_deref() != Some(DETAILS_STATE) {
                return history.replace_state_with_url(&JsValue::TRUE, "", Some(url));
            }
            returning.set_value(Some(None));
            history.back()
        });
    }

    /// Navigates to a search. While the user types, the place is replaced, so that Back removes the whole search
    /// and not its last letter. `first` says whether the search was empty before.
    pub fn search(self, path: &str, query: &str, first: bool) {
        if first {
            self.navigate(path, query);
        } else {
            self.replace(path, query);
        }
    }

    /// Returns the address of a place, for a link. `#` in a host page, where no address leads to the place.
    pub fn href(self, path: &str, query: &str) -> String {
        if self.owns_address() {
            self.address(path, query)
        } else {
            "#".to_owned()
        }
    }

    /// Only the embed build can run in a host page.
    fn owns_address(self) -> bool {
        !cfg!(feature = "embed") || self.owns_address
    }

    fn address(self, path: &str, query: &str) -> String {
        let workspace_query = self.workspace_query.get_value();
        match (query, &*workspace_query) {
            (query, "") => joined(path, query),
            ("", workspace_query) => joined(path, workspace_query),
            (query, workspace_query) => format!("{path}?{query}&{workspace_query}"),
        }
    }

    fn move_to(
        self,
        path: &str,
        query: &str,
        change: impl FnOnce(&web_sys::History, &str) -> Result<(), JsValue>,
    ) {
        let url = self.address(path, query);
        if url == self.route.with_untracked(Route::address) {
            return;
        }
        let is_returning = self.returning.with_value(Option::is_some);
        if is_returning {
            // A change made now would be lost when the browser has gone back.
            self.returning.set_value(Some(Some(url.clone())));
        } else if self.owns_address()
            && let Ok(history) = window().history()
        {
            // Browsers reject too many changes per second. The place still changes, and the next change corrects
            // the address.
            let _ = change(&history, &url);
        }
        let (path, query) = url.split_once('?').unwrap_or((&url, ""));
        self.route.set(Route {
            path: path.to_owned(),
            query: query.to_owned(),
        });
    }
}

fn joined(path: &str, query: &str) -> String {
    match query {
        "" => path.to_owned(),
        query => format!("{path}?{query}"),
    }
}

/// Returns the part of a query string that names the workspace.
fn workspace_parameters(query: &str) -> String {
    let mut parameters = form_urlencoded::Serializer::new(String::new());
    for (name, value) in parse(query.as_bytes()) {
        if matches!(&*name, "base" | "tenant") {
            parameters.append_pair(&name, &value);
        }
    }
    parameters.finish()
}

fn read() -> Route {
    let location = window().location();
    let query = location.search().unwrap_or_default();
    Route {
        path: location.pathname().unwrap_or_default(),
        query: query.trim_start_matches('?').to_owned(),
    }
}
