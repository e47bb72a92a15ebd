//! The review UI, or the pulse of an account, within a page of others: in a shadow tree, with options
//! in place of the address bar, and without a trace in the page's history, title and storage.
//!
//! Decisions are the one thing that may outlive the app: those that are not saved yet when the app is
//! taken away are still sent. Everything else ends at once.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsError};
use web_sys::{Element, ShadowRoot};

use self::options::MountOptions;
use crate::app::{Mounted, app, mount_with};
use crate::client::{Fetch, Transport};
use crate::components::dom::{El, classed, effect, el};
use crate::components::overlay::within::{Covered, cover};
use crate::model::place::Place;
use crate::state::decisions::kept::OnKept;
use crate::state::nav::Nav;
use crate::state::session::{Connection, Session};
use crate::state::surroundings::Surroundings;
use crate::state::theme::{Colours, Theme};
use crate::state::{Workspace, spawn};

mod options;
mod pulse;
mod setup;
mod width;

pub use self::pulse::{AccountPulse, mount_account_pulse, mount_pulse};

/// What the page around the app gives.
#[derive(Clone, Default)]
pub struct Host {
    /// The connection to the workspace.
    pub connection: Connection,
    /// What is shown first.
    pub view: Place,
    /// The colours.
    pub theme: Colours,
    /// The address of the style sheet.
    pub style: Option<String>,
    /// Hears of every decision that the server keeps.
    pub on_decision: Option<OnKept>,
    /// Hears of every change of the view that a person makes.
    pub on_navigate: Option<OnNavigate>,
}

/// Hears of the name of a view.
pub type OnNavigate = Rc<dyn Fn(&str)>;

/// Shows the review UI in a shadow root, after what is there.
///
/// # Errors
/// When the view or the theme is none that there is.
#[wasm_bindgen]
pub fn mount_lead_review(root: &ShadowRoot, options: &MountOptions) -> Result<LeadReview, JsError> {
    Ok(mount(root, options::read(options)?, Arc::new(Fetch)))
}

/// Shows the review UI in a shadow root, over a transport.
pub fn mount(root: &ShadowRoot, host: Host, transport: Arc<dyn Transport>) -> LeadReview {
    LeadReview {
        running: Running::start(root, host, transport, app),
    }
}

impl Running {
    /// Puts what is drawn for a workspace into a shadow root.
    fn start(
        root: &ShadowRoot,
        host: Host,
        transport: Arc<dyn Transport>,
        draw: impl FnOnce(Workspace) -> El + 'static,
    ) -> RefCell<Option<Self>> {
        let place = classed("div", "embedded").node();
        let sheet = host.style.as_deref().map(|href| sheet(href, &place));
        for node in sheet.iter().map(El::node).chain([place.clone()]) {
            // A node that was just made can stand anywhere.
            let _ = root.append_child(&node);
        }
        let parts = Rc::new(Cell::new(None));
        let drawn = {
            let (parts, place, around) = (Rc::clone(&parts), place.clone(), root.host());
            move || {
                let told = StoredValue::new(host.view.clone());
                let workspace = Workspace::of(
                    Nav::within(host.view.clone()),
                    Session::given(&host.connection, transport),
                    Theme::of(host.theme),
                    Surroundings::beside(width::narrow(&around)),
                );
                follow(workspace, told, place, &host);
                parts.set(Some((workspace, told)));
                draw(workspace)
            }
        };
        let app = mount_with(place.clone().unchecked_into(), drawn);
        let running = parts.take().map(|(workspace, told)| Self {
            workspace,
            told,
            _covered: cover(&place),
            place,
            sheet,
            _app: app,
        });
        RefCell::new(running)
    }

    /// Goes to a place of which the page around need not be told.
    fn go(&self, place: Place) {
        self.told.set_value(place.clone());
        self.workspace.nav.go(&place.path, &place.query);
    }
}

/// Acts on what runs.
fn with(
    running: &RefCell<Option<Running>>,
    what: &str,
    act: impl FnOnce(&Running),
) -> Result<(), JsError> {
    let gone = || JsError::new(&["The ", what, " was unmounted. Mount it again."].concat());
    running.borrow().as_ref().map(act).ok_or_else(gone)
}

/// The style sheet. Until it is here, or cannot be had, the app is not shown.
fn sheet(href: &str, place: &Element) -> El {
    let show = |place: &Element| {
        let place = place.clone();
        move |_| {
            // Taking away what is not there is no error.
            let _ = place.remove_attribute("hidden");
        }
    };
    // An element that was just made takes every attribute.
    let _ = place.set_attribute("hidden", "");
    el("link")
        .attr("rel", "stylesheet")
        .attr("href", href)
        .on("load", show(place))
        .on("error", show(place))
}

/// Follows what the page around wants to hear of, and shows the colours that it wants.
fn follow(workspace: Workspace, told: StoredValue<Place>, place: Element, host: &Host) {
    let (nav, theme) = (workspace.nav, workspace.theme);
    effect(move || {
        // Every name in this program is a valid one.
        let _ = place.set_attribute("data-theme", theme.get().as_str());
    });
    workspace
        .decisions
        .on_kept
        .set_value(host.on_decision.clone());
    let Some(tell) = host.on_navigate.clone() else {
        return;
    };
    effect(move || {
        let here = nav.place();
        if told.get_value() != here {
            let (tell, view) = (Rc::clone(&tell), here.to_view());
            told.set_value(here);
            // By itself, so that whoever hears of it may take the app away.
            spawn(async move { tell(&view) });
        }
    });
}

/// The review UI in a page. It goes with [`unmount`](Self::unmount), and when it is dropped.
#[wasm_bindgen]
pub struct LeadReview {
    running: RefCell<Option<Running>>,
}

struct Running {
    workspace: Workspace,
    /// The last place that the page around knows of.
    told: StoredValue<Place>,
    place: Element,
    sheet: Option<El>,
    _covered: Covered,
    _app: Mounted,
}

#[wasm_bindgen]
impl LeadReview {
    /// Takes it away, with all that it listens to and waits for. Once is enough; twice is no error.
    pub fn unmount(&self) {
        drop(self.running.take());
    }

    /// Goes to a view: `leads`, `accounts`, `portfolio`, each with a query string.
    ///
    /// # Errors
    /// When there is no such view, or the review was taken away.
    pub fn navigate(&self, view: &str) -> Result<(), JsError> {
        let place = options::view(view)?;
        with(&self.running, "review", |running| running.go(place))
    }

    /// Changes the colours: `light`, `dark` or `system`.
    ///
    /// # Errors
    /// When there is no such theme, or the review was taken away.
    #[wasm_bindgen(js_name = setTheme)]
    pub fn set_theme(&self, theme: &str) -> Result<(), JsError> {
        let colours = options::theme(theme)?;
        with(&self.running, "review", |running| {
            running.workspace.theme.set(colours);
        })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.place.remove();
        if let Some(sheet) = &self.sheet {
            sheet.node().remove();
        }
    }
}
