//! The app: mounting, routes and the root element.

use std::sync::Arc;

use js_sys::Function;
use leptos::mount::{UnmountHandle, mount_to};
use leptos::prelude::*;
use leptos::tachys::view::Render;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::HtmlElement;

use self::components::dom::{El, div, effect};
use self::components::format;
use self::dialogs::dialogs;
use self::model::route;
#[cfg(not(feature = "embed"))]
use self::panels::learning;
use self::panels::{jobs_tray, task_panels};
use self::reactive::{RwSignal, StoredValue, memo};
use self::routes::leads;
use self::shell::key_prompt::{is_signing_in, key_dialog};
use self::shell::toast_text::lazy_toast;
use self::state::session::StartOptions;
use self::state::{AppState, language};
use crate::client::{Fetch, Transport};

pub mod background;
pub mod components;
pub mod dialogs;
pub mod key_handler;
pub mod list;
pub mod model;
pub mod panels;
pub mod reactive;
pub mod routes;
pub mod shell;
pub mod state;

/// Mounts the app into an element for good. Replaces the element's content. `send` is called like `fetch`, with the body
/// of the request as a second argument.
#[wasm_bindgen]
pub fn mount_app(element: HtmlElement, send: Option<Function>) {
    // In release builds, panics have no message.
    #[cfg(not(feature = "split"))]
    std::panic::set_hook(Box::new(|info| {
        web_sys::console::error_1(&info.to_string().into());
    }));
    mount(element, Arc::new(Fetch::with_send(send))).forget();
}

/// Mounts the app into an element over a transport. Dropping the handle unmounts it.
pub fn mount(element: HtmlElement, transport: Arc<dyn Transport>) -> Mounted {
    mount_with(element, move || {
        let (language, zone) = language::read();
        format::choose(&language, &zone);
        // Switching the workspace starts a new app, so that no state of the old one is left.
        let restart = RwSignal::new(StartOptions::default());
        div().class("root").child(move || {
            restart.track();
            Some(untrack(|| {
                app(AppState::start(Arc::clone(&transport), restart))
            }))
        })
    })
}

/// Mounts a view into an element, rendered under its own reactive owner.
pub fn mount_with(element: HtmlElement, draw: impl FnOnce() -> El + 'static) -> Mounted {
    element.set_text_content(None);
    mount_to(element.clone(), move || {
        let root = draw();
        // Appending an element that was just created cannot fail.
        let _ = element.append_child(&root.node());
        // Stored under the owner of the root, and dropped with it.
        StoredValue::new(root);
    })
}

/// Handle of a mounted app.
pub type Mounted = UnmountHandle<<() as Render>::State>;

/// A page: path, title, render function.
type PageEntry = (&'static str, &'static str, fn(AppState) -> El);

/// All pages. Only the code of the lead list is loaded at once, the other pages are loaded lazily.
const PAGES: &[PageEntry] = &[
    (route::LEADS_PATH, "Leads", leads::leads_page),
    (
        route::ACCOUNTS_PATH,
        "Accounts",
        routes::accounts::lazy_accounts,
    ),
    (
        route::PORTFOLIO_PATH,
        "Portfolio",
        routes::portfolio::lazy_portfolio,
    ),
    (
        route::INSIGHTS_PATH,
        "Insights",
        routes::insights::lazy_insights,
    ),
    // Not in an embed build: settings and imports are up to the host page.
    #[cfg(not(feature = "embed"))]
    (
        route::SETTINGS_PATH,
        "Settings",
        routes::settings::lazy_settings,
    ),
    #[cfg(not(feature = "embed"))]
    (
        route::IMPORT_PATH,
        "Import leads",
        routes::import::lazy_import,
    ),
];

fn page(path: &str) -> Option<&'static PageEntry> {
    PAGES.iter().find(|(known, ..)| *known == path)
}

/// The app: the page for the path, and everything that overlays it.
pub fn app(app: AppState) -> El {
    let (nav, is_embedded) = (app.nav, app.session.is_embedded());
    let path = nav.path();
    let is_new = memo(move |_| is_signing_in(app));
    effect(move || {
        let Some((_, title, _)) = page(&path.get()) else {
            // The query string, and with it the view, is kept.
            nav.replace(route::LEADS_PATH, &nav.query().get_untracked());
            return;
        };
        // The host page sets its own title.
        if is_embedded {
            return;
        }
        let title = if is_new.get() { "Sign in" } else { *title };
        document().set_title(&format!("{title} · Lead workspace"));
    });
    // Back may lead to another workspace's address. The app then restarts with that workspace's key and decisions.
    effect(move || {
        if nav.is_elsewhere() {
            app.session.restart(StartOptions::default());
        }
    });
    let selections = [
        (route::LEADS_PATH, app.leads.grid_selection.selection),
        (route::ACCOUNTS_PATH, app.accounts.grid_selection.selection),
    ];
    // Moves toasts and panels above the selection bar.
    let root = div().class("app").attr("data-selection", move || {
        let here = selections
            .iter()
            .find(|(of, _)| path.with(|path| path == of));
        here.is_some_and(|(_, selection)| selection.with(|selection| !selection.is_empty()))
            .to_string()
    });
    let (tasks, host) = (app.bulk_tasks, app.host);
    key_handler::listen(app, root.node());
    // An embedded review has no settings to switch suggestions on, and stores nothing.
    #[cfg(not(feature = "embed"))]
    let root = root.child(learning::while_on(app));
    root.child(move || {
        #[cfg(not(feature = "embed"))]
        if is_new.get() {
            return Some(shell::key_prompt::lazy_sign_in(app));
        }
        page(&path.get()).map(|(_, _, draw)| draw(app))
    })
    .child(
        div()
            .class("corner")
            .attr("data-tasks", move || {
                (tasks.any() || host.is_running()).to_string()
            })
            .child(task_panels::panels(app))
            .child(jobs_tray::jobs_tray(app))
            .child(background::after_first_rows(app)),
    )
    .child(move || {
        // The lists have their messages in the footer.
        let is_list = path.with(|path| selections.iter().any(|(of, _)| path == of));
        let is_page = path.with(|path| page(path).is_some());
        (is_page && !is_list).then(|| lazy_toast(app))
    })
    .child(dialogs(app))
    .child(key_dialog(app))
}
