//! The details of a row, beside its list or over it: which are open, where the row stands, the ways to
//! the rows around it.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;
use leptos::reactive::graph::ToAnySubscriber;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::trouble::{failed_plate, failed_strip, strip};
use crate::client::{Client, Error, ErrorKind};
use crate::components::dom::{Action, El, action, button, classed, effect, reader};
use crate::components::format;
use crate::components::link::Ways;
use crate::components::peek::{self, Frame};
use crate::components::plate::{Mood, plate};
use crate::model::command::Command;
use crate::model::pages::Pages;
use crate::model::place::{Place, param, with_param};
use crate::signal::{Memo, RwSignal, leave};
use crate::state::choice::{Choice, Identified};
use crate::state::detail::{Details, Focus, Of};
use crate::state::listing::Listing;
use crate::state::{Workspace, clipboard, spawn};

/// How long it is said that the link was copied.
const SAID: Duration = Duration::from_secs(4);

/// How long the panel stays hidden while its content is loading.
const PANEL_DELAY: Duration = Duration::from_millis(120);

/// A list whose rows can be looked at closely.
pub struct Beside<R: Send + Sync + 'static> {
    /// What the page works on.
    pub workspace: Workspace,
    /// The list.
    pub listing: Listing<R>,
    /// Its cursor.
    pub choice: Choice,
    /// Whether the focus goes to the details.
    pub focus: Focus,
    /// The path of the list.
    pub path: &'static str,
    /// The name of the open row's id in the address.
    pub name: &'static str,
}

/// Where the details stand while some are open.
pub struct Panel {
    /// Whether some are open.
    pub is_open: Memo<bool>,
    /// Draws them.
    pub draw: fn(Workspace) -> El,
}

/// What is looked at closely.
pub struct Look<D> {
    /// The row that the address names.
    pub open: Memo<Option<String>>,
    /// Its details, as far as they are here.
    pub shown: Memo<Option<Arc<D>>>,
    /// What stands around them.
    pub frame: Frame,
}

impl<R: Send + Sync + 'static> Copy for Beside<R> {}
impl<R: Send + Sync + 'static> Clone for Beside<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Identified + Clone + Send + Sync + 'static> Beside<R> {
    /// The row that the address names.
    pub fn opened(self) -> Memo<Option<String>> {
        let query = self.workspace.nav.query();
        Memo::new(move |_| query.with(|query| param(query, self.name)))
    }

    /// The row that the address names now.
    pub fn opened_now(self) -> Option<String> {
        param(&self.here(), self.name)
    }

    /// The query string of the page; the usual one while another page is shown.
    fn here(self) -> String {
        let place = untrack(|| self.workspace.nav.place());
        if place.path == self.path {
            place.query
        } else {
            String::new()
        }
    }

    /// Opens the details of a row, or shows them in place of those of another one.
    pub fn open(self, id: &str, takes_focus: bool) {
        if id.is_empty() {
            return;
        }
        if takes_focus {
            self.focus.next();
        }
        let (nav, here) = (self.workspace.nav, self.here());
        let to = with_param(&here, self.name, Some(id));
        match param(&here, self.name) {
            None => nav.open(self.path, &to),
            Some(_) => nav.turn(self.path, &to),
        }
    }

    /// Opens the details of the row that the cursor is on.
    pub fn open_row(self, takes_focus: bool) {
        if let Some(row) = self.choice.row(self.listing) {
            self.open(row.id(), takes_focus);
        }
    }

    /// Closes the details.
    pub fn close(self) {
        let here = self.here();
        if param(&here, self.name).is_some() {
            let to = with_param(&here, self.name, None);
            self.workspace.nav.close(self.path, &to);
        }
    }

    /// What stands after the list: the details while some are open.
    pub fn place(self, draw: fn(Workspace) -> El) -> Panel {
        let open = self.opened();
        let is_open = Memo::new(move |_| open.with(Option::is_some));
        // Here, and not with the details: their code may be on its way still.
        let enabled: Rc<dyn Fn() -> bool> = Rc::new(move || is_open.get());
        let (workspace, leave) = (self.workspace, Rc::new(move || self.close()));
        workspace.commands.on_while(Command::Close, enabled, leave);
        Panel { is_open, draw }
    }

    /// Loads what the address names, for as long as this is there, and makes the frame around it.
    pub fn look<D: Of + PartialEq>(
        self,
        details: Details<D>,
        load: fn(Details<D>, Client, &str),
        (role, label): (&'static str, &'static str),
    ) -> Look<D> {
        let (session, open) = (self.workspace.session, self.opened());
        let load = move || {
            if let (Some(client), Some(id)) = (session.client(), open.get()) {
                load(details, client, &id);
            }
        };
        // At once, so that the request is on its way while the panel is drawn.
        let loading = RenderEffect::new(move |_| load());
        on_cleanup(move || {
            leave(&loading.to_any_subscriber());
            drop(loading);
            details.clear();
        });
        // What is loaded again and says the same is not drawn again.
        let shown = Memo::new(move |_| details.shown());
        let waiting = waiting(details, shown);
        let copied = RwSignal::new("");
        let step = move |by| action(move |()| self.step(open.get_untracked(), by));
        let on_retry = action(move |()| untrack(load));
        let frame = Frame {
            role,
            label,
            noun: self.name,
            waiting,
            busy: reader(move || details.is_busy()),
            trouble: reader(move || {
                let error = details.error()?;
                let here = shown.with(Option::is_some);
                Some(trouble(self, self.name, &error, here, &on_retry))
            }),
            place: reader(move || self.standing(open.get().as_deref())),
            on_previous: step(-1),
            on_next: step(1),
            on_close: action(move |()| self.close()),
            on_copy: self.copy(open, copied),
            said: reader(move || copied.get().to_owned()),
            takes_focus: reader(move || details.focus.take()),
        };
        Look { open, shown, frame }
    }

    /// Where a row stands in the list.
    fn standing(self, id: Option<&str>) -> peek::Place {
        self.listing.pages.track();
        let Some((at, _)) = self.listing.position(|row| Some(row.id()) == id) else {
            return peek::Place::default();
        };
        let total = self.listing.pages.with(Pages::total);
        peek::Place {
            words: format!("{} of {}", format::number(at + 1), format::number(total)),
            previous: at > 0,
            next: at + 1 < total,
            here: true,
        }
    }

    /// Moves the cursor from the row that is open; the details follow it.
    fn step(self, id: Option<String>, by: i64) {
        let Some(id) = id else { return };
        let here = self.listing.position(|row| row.id() == id);
        if let Some(index) = here.and_then(|(index, _)| index.checked_add_signed(by)) {
            self.choice.put_at(self.listing, index);
        }
    }

    /// The panel is there: it follows the cursor, wherever that goes, and gives the focus back when it goes.
    pub fn settle(self, open: Memo<Option<String>>, panel: &El) {
        self.follow(open);
        give_back_focus(panel.node());
    }

    fn follow(self, open: Memo<Option<String>>) {
        let cursor = self.choice.cursor;
        let id = Memo::new(move |_| cursor.with(|cursor| cursor.as_ref()?.id.clone()));
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
                self.open(&id, false);
            }
        });
    }

    /// Copies the address of the row alone, whatever list it was found in.
    fn copy(self, open: Memo<Option<String>>, said: RwSignal<&'static str>) -> Option<Action<()>> {
        if self.workspace.session.is_hosted() {
            return None;
        }
        Some(action(move |()| {
            let query = with_param("", self.name, open.get_untracked().as_deref());
            let href = self.workspace.nav.href(self.path, &query);
            let link = window().location().origin().unwrap_or_default() + &href;
            spawn(async move {
                let word = match clipboard::copy(&link).await {
                    true => "Link copied",
                    false => "Not allowed to copy: take the address of this page",
                };
                said.try_set(word);
                set_timeout(
                    move || {
                        said.try_set("");
                    },
                    SAID,
                );
            });
        }))
    }
}

/// Whether the panel of details is still hidden: until its content is loaded, at most for [`PANEL_DELAY`]. So no empty panel
/// flashes, and the list is not laid out for one.
fn waiting<D: Of + PartialEq>(details: Details<D>, shown: Memo<Option<Arc<D>>>) -> Memo<bool> {
    let is_early = RwSignal::new(true);
    set_timeout(
        move || {
            is_early.try_set(false);
        },
        PANEL_DELAY,
    );
    Memo::new(move |_| is_early.get() && details.is_busy() && shown.with(Option::is_none))
}

/// When the details go while they have the focus, it goes back to the list.
fn give_back_focus(panel: Element) {
    let panel = StoredValue::new_local(panel);
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

/// What is said where details of a noun cannot be had. What was loaded before may be here.
fn trouble<R: Identified + Clone + Send + Sync + 'static>(
    beside: Beside<R>,
    noun: &str,
    error: &Error,
    is_here: bool,
    on_retry: &Action<()>,
) -> El {
    let workspace = beside.workspace;
    let title = ["This ", noun, " is gone"].concat();
    match (matches!(error.kind, ErrorKind::NotFound), is_here) {
        (true, true) => strip(&[&title, "."].concat(), " Showing previous results."),
        (true, false) => {
            let text = format!(
                "The workspace has no {noun} with this id any more. It may have been deleted, or \
                 the link belongs to another workspace."
            );
            let back = button("", "Back to the list").on("click", move |_| beside.close());
            plate(Mood::Calm, &title, &text).el(classed("div", "buttons").el(back))
        }
        (false, true) => failed_strip(workspace, error, on_retry),
        (false, false) => failed_plate(workspace, error, on_retry),
    }
}

/// Ways to other places, each with the layout that it had last.
pub fn ways(workspace: Workspace) -> Ways {
    let (nav, views) = (workspace.nav, workspace.views);
    let query = move |place: &Place| untrack(|| views.laid_out(&place.path, &place.query));
    Ways {
        href: Rc::new(move |place| nav.href(&place.path, &query(place))),
        go: action(move |place: Place| nav.go(&place.path, &query(&place))),
    }
}
