//! The review UI, or the pulse of an account, embedded in another page: in a shadow tree, with
//! options instead of the address bar, and without using the page's history, title or storage.
//!
//! Unsaved decisions are still sent after the app is unmounted. Everything else ends immediately. As unsaved decisions are not
//! stored, the browser asks before the page is left while a mounted review has some.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use leptos::ev;
use leptos::prelude::{WindowListenerHandle, on_cleanup, window_event_listener};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsError, JsValue};
use web_sys::{Element, ShadowRoot};

use self::brand::Brand;
use self::host_page::HostPage;
use self::options::MountOptions;
use crate::app::components::crash_screen::{CoveredElement, cover};
use crate::app::components::dom::{El, div, effect, link};
use crate::app::model::route::Route;
use crate::app::reactive::{StoredValue, memo};
use crate::app::state::decisions::events::OnSaved;
use crate::app::state::environment::Environment;
use crate::app::state::nav::Nav;
use crate::app::state::session::{Connection, Session};
use crate::app::state::theme::{Colors, Theme};
use crate::app::state::{AppState, spawn};
use crate::app::{Mounted, app, mount_with};
use crate::client::Transport;

mod brand;
mod callbacks;
mod embedded_pulse;
mod host_page;
mod options;
mod setup;
mod theme_option;
mod warnings;
mod width;

pub use self::brand::Appearance;
pub use self::embedded_pulse::{AccountPulse, mount_account_pulse, mount_pulse};
pub use self::warnings::Warnings;

/// Options from the host page.
#[derive(Clone, Default)]
pub struct HostOptions {
    pub connection: Connection,
    /// The initial view.
    pub view: Route,
    /// The theme, unless the appearance has one.
    pub theme: Colors,
    pub appearance: Appearance,
    /// What to tell the developer of the page.
    pub warnings: Warnings,
    /// The URL of the style sheet.
    pub style: Option<String>,
    /// Called with every decision that the server saved.
    pub on_decision: Option<OnSaved>,
    /// Called when the user changes the view.
    pub on_navigate: Option<OnNavigate>,
    /// What the page adds to the review, as it gave it.
    pub page: JsValue,
}

/// A callback with the name of a view.
pub type OnNavigate = Rc<dyn Fn(&str)>;

/// Mounts the review UI in a shadow root, after its existing children.
///
/// # Errors
/// Fails if the address is not a workspace address, the view or the theme does not exist, or the appearance is not an object.
#[wasm_bindgen]
pub fn mount_lead_review(root: &ShadowRoot, options: &MountOptions) -> Result<LeadReview, JsError> {
    let transport = options::transport(options);
    Ok(mount(root, options::read(options)?, transport))
}

/// Mounts the review UI in a shadow root, with the given transport.
pub fn mount(root: &ShadowRoot, host: HostOptions, transport: Arc<dyn Transport>) -> LeadReview {
    let draw = |state: AppState| app(state).child(host_page::when_given(state));
    LeadReview {
        running: Running::start(root, host, transport, draw),
    }
}

impl Running {
    /// Renders the element returned by `draw` into a shadow root.
    fn start(
        root: &ShadowRoot,
        host: HostOptions,
        transport: Arc<dyn Transport>,
        draw: impl FnOnce(AppState) -> El + 'static,
    ) -> RefCell<Option<Self>> {
        // The language and the direction of the page are not those of the review.
        let element = div()
            .class("embedded")
            .attr("lang", "en")
            .attr("dir", "ltr");
        let container = element.node();
        let brand = Rc::new(Brand::new(&container, &host));
        let element = brand.listen(element);
        let style_sheet = host
            .style
            .as_deref()
            .map(|href| style_sheet(href, &container, &brand));
        for node in style_sheet.iter().map(El::node).chain([container.clone()]) {
            // Appending a new node cannot fail.
            let _ = root.append_child(&node);
        }
        let parts = Rc::new(Cell::new(None));
        let drawn = {
            let (parts, around, brand) = (Rc::clone(&parts), root.host(), Rc::clone(&brand));
            move || {
                let reported = StoredValue::new(host.view.clone());
                let app = AppState::new(
                    Nav::in_host_page(host.view.clone()),
                    Session::given(&host.connection, transport),
                    Theme::new(host.theme),
                    Environment::new(width::narrow(&around, {
                        let brand = Rc::clone(&brand);
                        // While the page hid the app, nothing reported a change of the brand.
                        move || brand.apply()
                    })),
                );
                app.host.update(|parts| {
                    (parts.around, parts.given) = (Some(around.clone()), host.page.clone());
                    true
                });
                brand.follow(app);
                connect(app, reported, &host);
                parts.set(Some((app, reported)));
                draw(app)
            }
        };
        let mounted = mount_with(container.clone().unchecked_into(), drawn);
        let running = parts.take().map(|(app, reported)| Self {
            app,
            reported,
            _covered: cover(&container),
            brand,
            element,
            style_sheet,
            _app: mounted,
        });
        RefCell::new(running)
    }

    /// Navigates without notifying the host page.
    fn navigate(&self, route: Route) {
        self.reported.set_value(route.clone());
        self.app.nav.navigate(&route.path, &route.query);
    }
}

/// Runs `act` unless the app was unmounted.
fn with<T>(
    running: &RefCell<Option<Running>>,
    what: &str,
    act: impl FnOnce(&Running) -> T,
) -> Result<T, JsError> {
    let gone = || JsError::new(&["The ", what, " was unmounted. Mount it again."].concat());
    running.borrow().as_ref().map(act).ok_or_else(gone)
}

/// Returns the link to the style sheet. The app is hidden until it has loaded or failed.
fn style_sheet(href: &str, container: &Element, brand: &Rc<Brand>) -> El {
    let show = {
        let (container, brand) = (container.clone(), Rc::clone(brand));
        move || {
            brand.apply();
            // Removing a missing attribute is not an error.
            let _ = container.remove_attribute("hidden");
        }
    };
    let show_unstyled = show.clone();
    // Setting an attribute on a new element cannot fail.
    let _ = container.set_attribute("hidden", "");
    link()
        .attr("rel", "stylesheet")
        .attr("href", href)
        .on(ev::load, move |_| show())
        .on(ev::error, move |_| show_unstyled())
}

/// Connects the callbacks of the host page.
fn connect(app: AppState, reported: StoredValue<Route>, host: &HostOptions) {
    let nav = app.nav;
    app.decisions.on_saved.set_value(host.on_decision.clone());
    host_page::connect(app);
    ask_before_leaving(app);
    let Some(tell) = host.on_navigate.clone() else {
        return;
    };
    effect(move || {
        let route = nav.route();
        if reported.get_value() != route {
            let (tell, view) = (Rc::clone(&tell), route.to_view());
            reported.set_value(route);
            // In a separate task, so that the callback may unmount the app.
            spawn(async move { tell(&view) });
        }
    });
}

/// Has the browser ask before the page is left with unsaved decisions. It listens only while there are some: some browsers
/// cannot restore a page with such a listener when the user goes back.
fn ask_before_leaving(app: AppState) {
    let has_unsaved = memo(move |_| {
        let counts = app.decisions.decision_counts();
        counts.open + counts.failed + counts.uncertain > 0
    });
    let asks = StoredValue::new(None::<WindowListenerHandle>);
    let stop = move || {
        if let Some(Some(listener)) = asks.try_update_value(Option::take) {
            listener.remove();
        }
    };
    effect(move || {
        stop();
        if has_unsaved.get() {
            let ask = window_event_listener(ev::beforeunload, |event| event.prevent_default());
            asks.set_value(Some(ask));
        }
    });
    on_cleanup(stop);
}

/// A mounted review UI. [`unmount`](Self::unmount) or dropping it removes it.
#[wasm_bindgen]
pub struct LeadReview {
    running: RefCell<Option<Running>>,
}

struct Running {
    app: AppState,
    /// The last route that the host page was notified of or has set.
    reported: StoredValue<Route>,
    brand: Rc<Brand>,
    /// The element that the app is in.
    element: El,
    style_sheet: Option<El>,
    _covered: CoveredElement,
    _app: Mounted,
}

#[wasm_bindgen]
impl LeadReview {
    /// Removes the review UI with all its listeners and timers. Repeated calls do nothing.
    pub fn unmount(&self) {
        drop(self.running.take());
    }

    /// Navigates to a view: `leads`, `accounts`, `portfolio` or `insights`, each optionally with a query
    /// string.
    ///
    /// # Errors
    /// Fails if the view does not exist, or the review was unmounted.
    pub fn navigate(&self, view: &str) -> Result<(), JsError> {
        let route = options::view(view)?;
        with(&self.running, "review", |running| running.navigate(route))
    }

    /// Changes what the page adds to the review.
    ///
    /// # Errors
    /// Fails if the review was unmounted.
    #[wasm_bindgen(js_name = setHostPage)]
    pub fn set_host_page(&self, page: &HostPage) -> Result<(), JsError> {
        with(&self.running, "review", |running| {
            running.app.host.update(|parts| {
                parts.given = page.into();
                true
            });
        })
    }

    /// Has the page's columns computed again.
    ///
    /// # Errors
    /// Fails if the review was unmounted.
    #[wasm_bindgen(js_name = refreshColumns)]
    pub fn refresh_columns(&self) -> Result<(), JsError> {
        with(&self.running, "review", |running| {
            running.app.host.update(|parts| {
                parts.refreshed += 1;
                true
            });
        })
    }

    /// Changes the theme: `light`, `dark` or `system`.
    ///
    /// # Errors
    /// Fails if the theme does not exist, or the review was unmounted.
    #[wasm_bindgen(js_name = setTheme)]
    pub fn set_theme(&self, theme: &str) -> Result<(), JsError> {
        let colors = theme_option::theme(theme)?;
        with(&self.running, "review", |running| {
            running.app.theme.set(colors);
        })
    }

    /// Changes the appearance. `undefined` has none.
    ///
    /// # Errors
    /// Fails if it is not an object, its theme does not exist, or the review was unmounted.
    #[wasm_bindgen(js_name = setAppearance)]
    pub fn set_appearance(&self, appearance: &JsValue) -> Result<(), JsError> {
        with(&self.running, "review", |running| {
            running.brand.set_appearance(appearance)
        })?
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.element.node().remove();
        if let Some(style_sheet) = &self.style_sheet {
            style_sheet.node().remove();
        }
    }
}
