//! Where we are: the path and the query string, which are those of the address bar where the page is ours.

use std::sync::Arc;

use form_urlencoded::parse;
use leptos::prelude::*;
use wasm_bindgen::JsValue;

use crate::model::place::Place;
use crate::signal::{Memo, RwSignal};

/// Marks an entry of the history that was made by opening something.
const OVER: &str = "over";

/// Where we are, as a signal: what the address bar says, or a place of our own.
#[derive(Clone, Copy)]
pub struct Nav {
    place: RwSignal<Place>,
    path: Memo<String>,
    query: Memo<String>,
    /// What every address of this visit carries along: which workspace, where it is not this server's.
    along: StoredValue<Arc<str>>,
    /// Whether the address is ours; else the place is known here only.
    owns_address: bool,
    /// Set while the browser goes back from what was opened over a place; then, where to go on to
    /// from there, if somebody asked meanwhile.
    returning: StoredValue<Option<Option<String>>>,
    /// Whether the address is as somebody typed it or followed it from elsewhere.
    fresh: bool,
}

impl Nav {
    /// Reads the address, and follows Back and Forward.
    pub fn start() -> Self {
        let here = read();
        let along = along(&here.query);
        let place = RwSignal::new(here);
        let returning = StoredValue::new(None::<Option<String>>);
        let listener = window_event_listener(leptos::ev::popstate, move |_| {
            match returning.try_update_value(Option::take).flatten() {
                Some(Some(onward)) => {
                    if let Ok(history) = window().history() {
                        let _ = history.push_state_with_url(&JsValue::TRUE, "", Some(&onward));
                    }
                }
                _ => {
                    place.try_set(read());
                }
            }
        });
        on_cleanup(move || listener.remove());
        Self {
            along: StoredValue::new(along.into()),
            owns_address: true,
            returning,
            // What this app writes into the history it marks; see `move_to`.
            fresh: window()
                .history()
                .and_then(|history| history.state())
                .is_ok_and(|state| state.is_null()),
            ..Self::at(place)
        }
    }

    /// A place, and what is read of it. Both are made once: whoever asks for them may do so at each key.
    fn at(place: RwSignal<Place>) -> Self {
        Self {
            place,
            path: Memo::new(move |_| place.with(|place| place.path.clone())),
            query: Memo::new(move |_| place.with(|place| place.query.clone())),
            along: StoredValue::new("".into()),
            owns_address: false,
            returning: StoredValue::new(None),
            fresh: false,
        }
    }

    /// A place within a page of others, whose address and history are left alone.
    pub fn within(place: Place) -> Self {
        Self::at(RwSignal::new(place))
    }

    /// Whether the address names another workspace than this visit is to, as after Back.
    pub fn is_elsewhere(self) -> bool {
        let there = self.place.with(|place| along(&place.query));
        self.owns_address() && self.along.with_value(|here| **here != *there)
    }

    /// Whether the visit began with an address from elsewhere: not with a reload, nor by coming back.
    pub fn is_fresh(self) -> bool {
        self.fresh
    }

    /// The place; changes with every change of it.
    pub fn place(self) -> Place {
        self.place.get()
    }

    /// The path; changes only when the path does.
    pub fn path(self) -> Memo<String> {
        self.path
    }

    /// The query string; changes only when it does.
    pub fn query(self) -> Memo<String> {
        self.query
    }

    /// Goes to a place; Back comes back here.
    pub fn go(self, path: &str, query: &str) {
        self.move_to(path, query, |history, url| {
            history.push_state_with_url(&JsValue::TRUE, "", Some(url))
        });
    }

    /// Corrects the place; Back does not see the old one again.
    pub fn correct(self, path: &str, query: &str) {
        self.move_to(path, query, |history, url| {
            history.replace_state_with_url(&JsValue::TRUE, "", Some(url))
        });
    }

    /// Opens something over this place: Back takes it away again, and so does [`close`](Self::close).
    pub fn open(self, path: &str, query: &str) {
        self.move_to(path, query, |history, url| {
            history.push_state_with_url(&OVER.into(), "", Some(url))
        });
    }

    /// Another of its kind in place of what is open.
    pub fn turn(self, path: &str, query: &str) {
        self.move_to(path, query, |history, url| {
            let state = history.state().unwrap_or_default();
            history.replace_state_with_url(&state, "", Some(url))
        });
    }

    /// Closes what is open. The entry that it was opened with goes from the history; where there is
    /// none, as after a deep link, the place is corrected.
    pub fn close(self, path: &str, query: &str) {
        let returning = self.returning;
        self.move_to(path, query, move |history, url| {
            if history.state()?.as_string().as_deref() != Some(OVER) {
                return history.replace_state_with_url(&JsValue::TRUE, "", Some(url));
            }
            returning.set_value(Some(None));
            history.back()
        });
    }

    /// Goes to a search. While it is being typed the place is corrected, so that going back takes
    /// the whole search away and not its last letter.
    pub fn search(self, path: &str, query: &str, first: bool) {
        if first {
            self.go(path, query);
        } else {
            self.correct(path, query);
        }
    }

    /// The address of a place, for a link. Within a page of others no address leads here.
    pub fn href(self, path: &str, query: &str) -> String {
        if self.owns_address() {
            self.address(path, query)
        } else {
            "#".to_owned()
        }
    }

    /// Only the build for pages of others has a choice.
    fn owns_address(self) -> bool {
        !cfg!(feature = "embed") || self.owns_address
    }

    fn address(self, path: &str, query: &str) -> String {
        let along = self.along.get_value();
        match (query, &*along) {
            (query, "") => joined(path, query),
            ("", along) => joined(path, along),
            (query, along) => format!("{path}?{query}&{along}"),
        }
    }

    fn move_to(
        self,
        path: &str,
        query: &str,
        change: impl FnOnce(&web_sys::History, &str) -> Result<(), JsValue>,
    ) {
        let url = self.address(path, query);
        let here = |place: &Place| joined(&place.path, &place.query);
        if url == self.place.with_untracked(here) {
            return;
        }
        let is_returning = self.returning.with_value(Option::is_some);
        if is_returning {
            // What is changed now would be gone when the browser arrives.
            self.returning.set_value(Some(Some(url.clone())));
        } else if self.owns_address()
            && let Ok(history) = window().history()
        {
            // Browsers refuse when there are too many changes a second; the view moves on all the
            // same, and the next change puts the address right.
            let _ = change(&history, &url);
        }
        let (path, query) = url.split_once('?').unwrap_or((&url, ""));
        self.place.set(Place {
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

/// Which workspace a query string names, as the part of it that does.
fn along(query: &str) -> String {
    let mut along = form_urlencoded::Serializer::new(String::new());
    for (name, value) in parse(query.as_bytes()) {
        if matches!(&*name, "base" | "tenant") {
            along.append_pair(&name, &value);
        }
    }
    along.finish()
}

fn read() -> Place {
    let location = window().location();
    let query = location.search().unwrap_or_default();
    Place {
        path: location.pathname().unwrap_or_default(),
        query: query.trim_start_matches('?').to_owned(),
    }
}
